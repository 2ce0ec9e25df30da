// The details at rest put back in the frames of the smoothed pose (METHODS A20). Twin of put_vertex()
// in renderer/skin/methods/delta_mush.c.
#include "skin.glsl"
#include "data.glsl"
#include "posed.glsl"
#include "scratch.glsl"
#include "delta_mush.glsl"

const uint NONE = 0xffffffffu;
const float FRAME_LEAST = 1e-4;

// The sum over the triangles around a vertex, with their edges multiplied by `by`.
vec3 fan_sum(uint start, uint end, uint vertex, vec3 moved, uint step, float by) {
	vec3 n = vec3(0.0);
	for (uint i = start; i < end; i++) {
		n += cross(by * way_to(data_word(FANS, i * 2u), vertex, moved, step),
			by * way_to(data_word(FANS, i * 2u + 1u), vertex, moved, step));
	}
	return n;
}

// The frame t, n, b; false where there is none.
bool posed_frame(uint vertex, uint guide, vec3 moved, uint step, out mat3 frame) {
	uint start = data_word(RANGES, vertex * 4u + 2u);
	uint end = start + data_word(RANGES, vertex * 4u + 3u);
	vec3 n = fan_sum(start, end, vertex, moved, step, 1.0);
	vec3 t = way_to(guide, vertex, moved, step);
	float size = greatest_of(n);
	if (!(size > SUM_LEAST && size < SUM_MOST)) {
		float reach = greatest_of(t);
		reach = reach > 0.0 ? reach : 1.0;
		n = fan_sum(start, end, vertex, moved, step, 1.0 / reach);
		t /= reach;
	}
	float long_square = dot(t, t);
	float square = dot(n, n);
	if (!(square > 0.0)) {
		return false;
	}
	n *= inversesqrt(square);
	t -= dot(n, t) * n;
	square = dot(t, t);
	if (!(square > FRAME_LEAST * FRAME_LEAST * long_square)) {
		return false;
	}
	t *= inversesqrt(square);
	frame = mat3(t, n, cross(n, t));
	return true;
}

void delta_mush(uint vertex) {
	if (parameter(ITERATIONS) == 0.0) {
		return;
	}
	uint guide = data_word(REST, vertex * 12u + 3u);
	uint step = uint(parameter(ITERATIONS)) - 1u;
	vec3 moved = scratch3(moved_at(vertex, step));
	mat3 frame;
	if (guide == NONE || !posed_frame(vertex, guide, moved, step, frame)) {
		return;
	}
	uint row = vertex * 4u;
	vec3 t = data_vec3(REST, row + 2u);
	vec3 n = data_vec3(REST, row + 3u);
	mat3 rest = mat3(t, n, cross(n, t));
	write3(vertex * 3u, posed_before(vertex) + (moved + frame * data_vec3(REST, row)));
	vec3 tangent = streams.y != 0u ? read3(tangent_at(vertex)) : vec3(0.0);
	put_normal(vertex, frame * (normal_in(vertex) * rest), 0.0, frame * (tangent * rest));
}

void main() {
	if (gl_GlobalInvocationID.x < span.y) {
		delta_mush(span.x + gl_GlobalInvocationID.x);
	}
}
