// The details at rest put back in the frames of the smoothed pose (METHODS A20). Twin of put_vertex()
// in renderer/skin/delta_mush.c.
#include "bindings.glsl"
#include "skin.glsl"
#include "data.glsl"
#include "posed.glsl"
#include "scratch.glsl"
#include "delta_mush.glsl"

const uint NONE = 0xffffffffu;
const float FRAME_LEAST = 1e-4;

vec3 smoothed(uint vertex) {
	return scratch3(smoothed_at(vertex, uint(parameter(ITERATIONS)) - 1u));
}

// The frame t, n, b; false where there is none.
bool posed_frame(uint vertex, uint guide, out mat3 frame) {
	uint start = data_word(RANGES, vertex * 4u + 2u);
	uint end = start + data_word(RANGES, vertex * 4u + 3u);
	vec3 at = smoothed(vertex);
	vec3 n = vec3(0.0);
	for (uint i = start; i < end; i++) {
		vec3 b = smoothed(data_word(FANS, i * 2u));
		vec3 c = smoothed(data_word(FANS, i * 2u + 1u));
		n += cross(b - at, c - at);
	}
	vec3 t = smoothed(guide) - at;
	float long_square = dot(t, t);
	float square = dot(n, n);
	if (!(square > SUM_LEAST_SQUARE)) {
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

void main() {
	if (gl_GlobalInvocationID.x >= span.y || parameter(ITERATIONS) == 0.0) {
		return;
	}
	uint vertex = span.x + gl_GlobalInvocationID.x;
	uint guide = data_word(REST, vertex * 12u + 3u);
	mat3 frame;
	if (guide == NONE || !posed_frame(vertex, guide, frame)) {
		return;
	}
	uint row = vertex * 4u;
	vec3 t = data_vec3(REST, row + 2u);
	vec3 n = data_vec3(REST, row + 3u);
	mat3 rest = mat3(t, n, cross(n, t));
	write3(vertex * 3u, smoothed(vertex) + frame * data_vec3(REST, row));
	vec3 tangent = streams.y != 0u ? read3(tangent_at(vertex)) : vec3(0.0);
	put_normal(vertex, frame * (normal_in(vertex) * rest), frame * (tangent * rest));
}
