// Gradients of all weights of the rig, three floats an influence: the normals' data where they are
// to be exact. Behind skin.glsl.

layout(std430, binding = BUFFER_NORMALS_DATA) readonly buffer Gradients {
	float gradients[];
};

// Adds the image times the gradient of an influence's weight to the linear part of a derivative.
void add_image(inout mat4 j, vec3 image, uint influence) {
	uint at = influence * 3u;
	j[0].xyz += gradients[at] * image;
	j[1].xyz += gradients[at + 1u] * image;
	j[2].xyz += gradients[at + 2u] * image;
}
