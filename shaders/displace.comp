// Rest vertices moved by sums of offsets with coefficients from the pose. Twin of
// renderer/skin/displacement.c. The palette holds the coefficients.
#include "bindings.glsl"
#include "skin.glsl"
#include "data.glsl"

const int STARTS = 0;
const int COEFFICIENTS = 1;
const int OFFSETS = 2;

float coefficient(uint i) {
	return palette_extra(i >> 2u)[i & 3u];
}

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint vertex = span.x + gl_GlobalInvocationID.x;
	vec3 position = position_in(vertex);
	vec3 rest = normal_in(vertex);
	vec3 normal = rest;
	uint end = data_word(STARTS, vertex + 1u);
	for (uint i = data_word(STARTS, vertex); i < end; i++) {
		float c = coefficient(data_word(COEFFICIENTS, i));
		position += c * data_vec3(OFFSETS, i * 2u);
		normal += c * data_vec3(OFFSETS, i * 2u + 1u);
	}
	float square = dot(normal, normal);
	write_vertex(vertex, position, square > LEAST_SQUARE ? normal * inversesqrt(square) : rest);
	if (streams.y != 0u) {
		uint at = tangent_at(vertex);
		for (uint k = 0u; k < 4u; k++) {
			write1(at + k, read1(at + k));
		}
	}
}
