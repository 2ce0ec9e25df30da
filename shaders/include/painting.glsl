// Inputs and outputs of fragment shaders that draw surfaces in other colours than their materials'.
#include "surface.glsl"

in vec4 painted;           // of the vertices
flat in vec4 painted_flat; // of a triangle's last vertex
layout(location = UNIFORM_PAINT) uniform vec4 paint[4];
layout(location = UNIFORM_PAINT_PRIMITIVE) uniform float of_primitive;
// 1 where the target encodes what is to be written as it is.
layout(location = UNIFORM_PAINT_ENCODES) uniform float encodes;

out vec4 color;

// Ends the fragment where the material has a hole.
void paint_cut() {
	surface_base();
}

// Outwards, and towards the eye where a back is seen.
vec3 paint_normal() {
	vec3 n = outward * normalize(world_normal);
	return gl_FrontFacing ? n : -n;
}

vec3 paint_to_eye() {
	return normalize(eye.xyz - eye.w * world_position);
}

// Light at the eye: what is turned less than 29 degrees away from it keeps its colour, so that
// colours can be read, and what is turned farther gets darker, so that the shape can be seen.
float paint_shade() {
	return min(0.3 + 0.8 * abs(dot(paint_normal(), paint_to_eye())), 1.0);
}

// An opaque colour of numbers from 0 to 1 that stand for bytes.
vec4 paint_bytes(vec3 bytes) {
	vec3 high = pow((bytes + 0.055) / 1.055, vec3(2.4));
	vec3 light = mix(bytes / 12.92, high, greaterThan(bytes, vec3(0.04045)));
	return vec4(encodes > 0.0 ? light : bytes, 1.0);
}
