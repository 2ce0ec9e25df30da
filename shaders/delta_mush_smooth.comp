// One step of smoothing (METHODS A20): towards the mean of the neighbours. Twin of smooth() in
// renderer/skin/methods/delta_mush.c.
#include "skin.glsl"
#include "data.glsl"
#include "posed.glsl"
#include "scratch.glsl"
#include "delta_mush.glsl"

void delta_mush_smooth(uint vertex) {
	uint start = data_word(RANGES, vertex * 4u);
	uint degree = data_word(RANGES, vertex * 4u + 1u);
	vec3 moved = pass == 0u ? vec3(0.0) : scratch3(moved_at(vertex, pass - 1u));
	vec3 sum = vec3(0.0);
	for (uint i = start; i < start + degree; i++) {
		uint other = data_word(NEIGHBOURS, i);
		sum += pass == 0u ? posed_position(other) - posed_position(vertex)
				  : way_to(other, vertex, moved, pass - 1u);
	}
	vec3 step = degree > 0u ? sum * (parameter(LAMBDA) / float(degree)) : vec3(0.0);
	put_scratch3(moved_at(vertex, pass), moved + step);
	if (pass == 0u) {
		put_scratch3((2u * streams.x + vertex) * 3u, posed_position(vertex));
	}
}

void main() {
	if (gl_GlobalInvocationID.x < span.y) {
		delta_mush_smooth(span.x + gl_GlobalInvocationID.x);
	}
}
