// Gradients of all weights of the rig, three floats an influence: the normals' data where they are
// to be exact. Behind skin.glsl.

// Adds the image times the gradient of an influence's weight to the linear part of a derivative.
void add_image(inout mat4 j, vec3 image, uint influence) {
	uint at = influence * 3u;
	j[0].xyz += gradient_at(at) * image;
	j[1].xyz += gradient_at(at + 1u) * image;
	j[2].xyz += gradient_at(at + 2u) * image;
}
