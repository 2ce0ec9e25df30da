// Volumes over chunks of faces (METHODS A22): an invocation to a chunk. Twin of add_face() in
// renderer/skin/methods/vol_correct.c.
#include "skin.glsl"
#include "data.glsl"
#include "posed.glsl"
#include "scratch.glsl"
#include "vol_correct.glsl"

float triple(vec3 a, vec3 b, vec3 c) {
	return dot(a, cross(b, c));
}

void vol_correct_sums(uint chunk) {
	if (chunk >= chunk_count()) {
		return;
	}
	uint start = data_word(CHUNKS, (chunk + 1u) * 2u);
	uint end = start + data_word(CHUNKS, (chunk + 1u) * 2u + 1u);
	uint part = part_of(data_word(FACES, start * 3u));
	uint origin = origin_of(part);
	float by = inverse_unit(part);
	vec3 from = posed_position(origin);
	vec3 rest_from = position_in(origin);
	vec4 cubic = vec4(0.0);
	float rest = 0.0;
	float longest = 0.0;
	for (uint i = start; i < end; i++) {
		uvec3 v = uvec3(data_word(FACES, i * 3u), data_word(FACES, i * 3u + 1u),
			data_word(FACES, i * 3u + 2u));
		vec3 a = by * (posed_position(v.x) - from);
		vec3 b = by * (posed_position(v.y) - from);
		vec3 c = by * (posed_position(v.z) - from);
		vec3 da = scratch3(v.x * 3u);
		vec3 db = scratch3(v.y * 3u);
		vec3 dc = scratch3(v.z * 3u);
		cubic += vec4(triple(a, b, c), triple(da, b, c) + triple(a, db, c) + triple(a, b, dc),
			triple(a, db, dc) + triple(da, b, dc) + triple(da, db, c), triple(da, db, dc));
		rest += triple(position_in(v.x) - rest_from, position_in(v.y) - rest_from,
			position_in(v.z) - rest_from);
		longest = max(longest, max(dot(da, da), max(dot(db, db), dot(dc, dc))));
	}
	uint at = chunk_at(chunk);
	put_scratch3(at, cubic.xyz / 6.0);
	put_scratch3(at + 3u, vec3(cubic.w / 6.0, rest / 6.0, longest));
}

void main() {
	if (gl_GlobalInvocationID.x < span.y) {
		vol_correct_sums(span.x + gl_GlobalInvocationID.x);
	}
}
