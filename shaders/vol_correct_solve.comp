// The displacement of each part along its directions (METHODS A22): one invocation for each part.
// Twin of solve_part() in renderer/skin/methods/vol_correct.c and of renderer/mesh/volume.c. The
// palette holds the joints' changes of volumes and lengths around each part, in a unit, and the
// unit.
#include "skin.glsl"
#include "data.glsl"
#include "scratch.glsl"
#include "vol_correct.glsl"

const int HALVINGS = 40;
const float SHORT_SHARE = 1e-4;

float value_at(vec4 c, float x) {
	return ((c.w * x + c.z) * x + c.y) * x + c.x;
}

// The zero between two places where the cubic has different signs.
float halved(vec4 c, float from, float to) {
	bool rising = value_at(c, from) < 0.0;
	for (int i = 0; i < HALVINGS; i++) {
		float middle = 0.5 * (from + to);
		if ((value_at(c, middle) < 0.0) == rising) {
			from = middle;
		} else {
			to = middle;
		}
	}
	return abs(value_at(c, from)) < abs(value_at(c, to)) ? from : to;
}

// Places on the way from 0 to end: where the cubic turns, nearest first, and the end; those that are
// not on the way are the end, too.
vec3 stations(vec4 c, float end) {
	float under = c.z * c.z - 3.0 * c.w * c.y;
	if (under < 0.0) {
		return vec3(end);
	}
	float q = -(c.z + (c.z < 0.0 ? -sqrt(under) : sqrt(under)));
	float first = q != 0.0 ? c.y / q : end;
	float second = c.w != 0.0 ? q / (3.0 * c.w) : end;
	first = first / end > 0.0 && first / end < 1.0 ? first : end;
	second = second / end > 0.0 && second / end < 1.0 ? second : end;
	return abs(first) < abs(second) ? vec3(first, second, end) : vec3(second, first, end);
}

// The zero nearest to 0 on the way; past the end = there is none.
float zero_towards(vec4 c, float end) {
	vec3 s = stations(c, end);
	float before = 0.0;
	for (int i = 0; i < 3; i++) {
		if ((value_at(c, before) < 0.0) != (value_at(c, s[i]) < 0.0)) {
			return halved(c, before, s[i]);
		}
		before = s[i];
	}
	return 2.0 * end;
}

// Of 0 and the places on the way, that where the cubic is nearest to zero.
float nearest_towards(vec4 c, float end, float best) {
	vec3 s = stations(c, end);
	for (int i = 0; i < 3; i++) {
		best = abs(value_at(c, s[i])) < abs(value_at(c, best)) ? s[i] : best;
	}
	return best;
}

// In shares of the limit, so that all numbers are of the size of the volume.
float solved(vec4 c) {
	if (c.x == 0.0) {
		return 0.0;
	}
	float left = zero_towards(c, -1.0);
	float right = zero_towards(c, 1.0);
	if (left < -1.0 && right > 1.0) {
		return nearest_towards(c, 1.0, nearest_towards(c, -1.0, 0.0));
	}
	return -left <= right ? left : right;
}

void vol_correct_solve(uint part) {
	if (part >= part_count()) {
		return;
	}
	uint start = first_chunk(part);
	uint end = start + data_word(PARTS, part * 4u + 1u);
	vec4 cubic = vec4(0.0);
	float rest = 0.0;
	float longest = 0.0;
	for (uint i = start; i < end; i++) {
		uint at = chunk_at(i);
		vec3 more = scratch3(at + 3u);
		cubic += vec4(scratch3(at), more.x);
		rest += more.y;
		longest = max(longest, more.z);
	}
	vec2 scale = palette_at(part).xy;
	float step = data_float(PARTS, part * 4u + 2u) * scale.y;
	float limit = longest > 0.0 ? step * inversesqrt(longest) : 0.0;
	float volume = rest * scale.x;
	cubic.x -= volume;
	vec4 scaled = cubic * vec4(1.0, limit, limit * limit, limit * limit * limit);
	float share = limit > 0.0 ? solved(scaled) : 0.0;
	bool stops_short = abs(value_at(scaled, share)) > SHORT_SHARE * abs(volume);
	scratch[chunk_at(start) + 6u] = limit * share;
	scratch[chunk_at(start) + 7u] = stops_short ? 1.0 : 0.0;
}

void main() {
	if (gl_GlobalInvocationID.x < span.y) {
		vol_correct_solve(span.x + gl_GlobalInvocationID.x);
	}
}
