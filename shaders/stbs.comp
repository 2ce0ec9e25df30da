// Stretchable, twistable bones, blended linearly or as dual quaternions (METHODS A24). Twin of
// renderer/skin/methods/stbs.c, which tells the formulas. A palette entry is matrix, reach; motion; start and
// angle; axis and along; stretch.
#include "half_turn_numbers.glsl"
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"

const uint ENTRY = 12u;
const uint REACH = 3u;
const uint REAL = 4u;
const uint DUAL = 5u;
const uint START = 6u;
const uint AXIS = 7u;
const uint STRETCH = 8u;

// The section of endpoint weights.
const int ENDS = 1;

// Sine and cosine of an angle up to a quarter turn.
vec2 half_turn(float t) {
	float y = t * t;
	return vec2(t + t * (y * HALF_TURN_SINE(y)), 1.0 + y * HALF_TURN_COSINE(y));
}

// The change of a vertex by an influence before its joint moves it: a rotation about the bone, and
// a shift along it.
struct spread {
	vec3 axis, start, from;
	vec2 turn; // sine and cosine of half the angle
	float way;
};

spread spread_of(uint influence, uint at, vec3 v) {
	vec4 start = palette_at(at + START), axis = palette_at(at + AXIS);
	float end = data_float(ENDS, influence);
	vec3 from = v - start.xyz;
	float way = end * palette_at(at + REACH).x + dot(axis.xyz, from) * axis.w;
	return spread(axis.xyz, start.xyz, from, half_turn(0.5 * (end - 1.0) * start.w), way);
}

// The change of a direction by the rotation.
vec3 spread_turns(spread s, vec3 d) {
	vec3 across = cross(s.axis, d);
	return 2.0 * s.turn.x * (s.turn.y * across + s.turn.x * cross(s.axis, across));
}

surface linear(uint influence, surface rest) {
	surface sum = surface(vec3(0.0), vec3(0.0), vec3(0.0));
	mat4 blended = mat4(0.0);
	for (uint k = influence; k < influence + span.w; k++) {
		uint at = slot_of(k) * ENTRY;
		float weight = weight_of(k);
		spread s = spread_of(k, at, rest.position);
		mat4 m = palette_matrix(at);
		blended += weight * m;
		vec3 y = rest.position + spread_turns(s, s.from) + s.way * s.axis;
		sum.position += weight * (m * vec4(y, 1.0)).xyz;
		sum.normal += weight * (mat3(m) * (rest.normal + spread_turns(s, rest.normal)));
		sum.tangent += weight * (mat3(m) * (rest.tangent + spread_turns(s, rest.tangent)));
	}
	mat4 pivot = palette_matrix(slot_of(influence) * ENTRY);
	if (!make_unit(blended, sum.normal)) {
		sum.normal = normal_of_pivot(pivot, rest.normal);
	}
	return sum;
}

vec4 times(vec4 a, vec4 b) {
	return vec4(b.w * a.xyz + a.w * b.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// An influence's bracket as a motion: a screw about the bone, then the joint's.
motion bracket_of(uint influence, vec3 v) {
	uint at = slot_of(influence) * ENTRY;
	spread s = spread_of(influence, at, v);
	vec3 r = s.turn.x * s.axis;
	vec4 turn = vec4(r, s.turn.y);
	vec4 move = vec4(cross(s.start, r) + 0.5 * s.way * s.turn.y * s.axis,
		-0.5 * s.way * s.turn.x);
	return motion(times(palette_at(at + REAL), turn),
		times(palette_at(at + REAL), move) + times(palette_at(at + DUAL), turn), 1.0);
}

motion blended_brackets(uint influence, vec3 v) {
	motion pivot = bracket_of(influence, v);
	float first = weight_of(influence);
	motion sum = motion(first * pivot.real, first * pivot.dual, 1.0);
	for (uint k = influence + 1u; k < influence + span.w; k++) {
		motion next = bracket_of(k, v);
		float weight = weight_of(k);
		weight = dot(next.real, pivot.real) < 0.0 ? -weight : weight;
		sum.real += weight * next.real;
		sum.dual += weight * next.dual;
	}
	float square = dot(sum.real, sum.real);
	if (square > MOTION_LEAST_SQUARE) {
		float by = inversesqrt(square);
		return motion(sum.real * by, sum.dual * by, sqrt(square));
	}
	return motion(pivot.real, pivot.dual, 0.0);
}

surface skin_vertex(uint vertex, uint influence) {
	surface s = surface_in(vertex);
	if (option0 == 0) {
		return linear(influence, s);
	}
	motion m = blended_brackets(influence, s.position);
	stretch_surface(influence, ENTRY, STRETCH, s);
	s.position = moved(m, s.position);
	s.normal = turn(m.real, s.normal);
	s.tangent = turn(m.real, s.tangent);
	return s;
}

#include "each_vertex.glsl"
