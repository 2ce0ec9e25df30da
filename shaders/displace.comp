// Rest vertices moved by sums of offsets with coefficients from the pose. Twin of
// renderer/skin/displacement.c. The palette holds the coefficients.
#include "skin.glsl"

const int STARTS = 0;
const int COEFFICIENTS = 1;
const int OFFSETS = 2;

vec3 offset_of(uint row) {
	uint at = row * 3u;
	return uintBitsToFloat(uvec3(displacement_word(OFFSETS, at),
		displacement_word(OFFSETS, at + 1u), displacement_word(OFFSETS, at + 2u)));
}

float coefficient(uint i) {
	return displacement_vector(i >> 2u)[i & 3u];
}

// The vertex at rest as the kernel is to have it.
surface displaced_surface(uint vertex) {
	vec3 position = position_in(vertex);
	vec3 rest = normal_in(vertex);
	vec3 normal = rest;
	uint end = displacement_word(STARTS, vertex + 1u);
	for (uint i = displacement_word(STARTS, vertex); i < end; i++) {
		float c = coefficient(displacement_word(COEFFICIENTS, i));
		position += c * offset_of(i * 2u);
		normal += c * offset_of(i * 2u + 1u);
	}
	float square = dot(normal, normal);
	normal = square > LEAST_SQUARE ? normal * inversesqrt(square) : rest;
	return surface(position, normal, tangent_in(vertex));
}

void main() {
	if (gl_GlobalInvocationID.x < span.y) {
		uint vertex = span.x + gl_GlobalInvocationID.x;
		write_surface(vertex, displaced_surface(vertex));
	}
}
