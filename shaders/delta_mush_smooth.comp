// One step of smoothing (METHODS A20): towards the mean of the neighbours. Twin of smooth() in
// renderer/skin/delta_mush.c.
#include "bindings.glsl"
#include "skin.glsl"
#include "data.glsl"
#include "posed.glsl"
#include "scratch.glsl"
#include "delta_mush.glsl"

vec3 before(uint vertex) {
	return pass == 0u ? posed_position(vertex) : scratch3(smoothed_at(vertex, pass - 1u));
}

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint vertex = span.x + gl_GlobalInvocationID.x;
	uint start = data_word(RANGES, vertex * 4u);
	uint degree = data_word(RANGES, vertex * 4u + 1u);
	vec3 sum = vec3(0.0);
	for (uint i = start; i < start + degree; i++) {
		sum += before(data_word(NEIGHBOURS, i));
	}
	vec3 at = before(vertex);
	vec3 moved = degree > 0u ? at + parameter(LAMBDA) * (sum / float(degree) - at) : at;
	put_scratch3(smoothed_at(vertex, pass), moved);
}
