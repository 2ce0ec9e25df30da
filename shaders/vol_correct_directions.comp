// Gradients of the enclosed volume times mu (METHODS A22). Twin of find_direction() in
// renderer/skin/methods/vol_correct.c.
#include "skin.glsl"
#include "data.glsl"
#include "posed.glsl"
#include "scratch.glsl"
#include "vol_correct.glsl"

void vol_correct_directions(uint vertex) {
	uint start = data_word(RANGES, vertex * 4u);
	uint end = start + data_word(RANGES, vertex * 4u + 1u);
	float mu = data_float(RANGES, vertex * 4u + 3u);
	vec3 at = posed_position(vertex);
	float by = inverse_unit(part_of(vertex));
	vec3 sum = vec3(0.0);
	for (uint i = start; i < end; i++) {
		vec3 b = posed_position(data_word(FANS, i * 2u));
		vec3 c = posed_position(data_word(FANS, i * 2u + 1u));
		sum += cross(by * (b - at), by * (c - at));
	}
	put_scratch3(vertex * 3u, sum * (mu / 6.0));
}

void main() {
	if (gl_GlobalInvocationID.x < span.y) {
		vol_correct_directions(span.x + gl_GlobalInvocationID.x);
	}
}
