// Swing and twist of a joint against its parent, each by its own weight; other joints blended with
// that as dual quaternions (METHODS A23). Twin of renderer/skin/methods/swing_twist.c. A palette entry is real
// part, dual part, swing, twist, bind position, position, the stretch.
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"
#include "angle.glsl"

const uint ENTRY = 10u;
const uint STRETCH = 6u;
// Sections: a vertex' child and parent slot, their weight, its weights of swing and twist; weights
// of all influences but those.
const int PAIRS = 0;
const int REST = 1;

// The motion of a vertex by the pair, as a dual quaternion.
motion pair_motion(uint child, uint parent, float swing, float twist) {
	uint at = child * ENTRY;
	vec4 q = quat_multiply(palette_at(parent * ENTRY),
		quat_multiply(rotation_exp(swing * palette_at(at + 2u).xyz),
			rotation_exp(twist * palette_at(at + 3u).xyz)));
	vec3 t = palette_at(at + 5u).xyz - turn(q, palette_at(at + 4u).xyz);
	return motion(q, quat_multiply(vec4(0.5 * t, 0.0), q), 1.0);
}

float signed_weight(float weight, vec4 q, vec4 pivot) {
	return option0 == 0 && dot(q, pivot) < 0.0 ? -weight : weight;
}

motion blend(uint vertex, uint influence) {
	uint at_pair = vertex * 4u;
	uint slots = data_word(PAIRS, at_pair);
	motion pair = pair_motion(slot_at(span.z) + (slots & 0xffffu), slot_at(span.z) + (slots >> 16u),
		data_float(PAIRS, at_pair + 2u), data_float(PAIRS, at_pair + 3u));
	uint pivot = slot_of(influence) * ENTRY;
	float share = signed_weight(data_float(PAIRS, at_pair + 1u), pair.real, palette_at(pivot));
	vec4 real = share * pair.real;
	vec4 dual = share * pair.dual;
	for (uint k = 0u; k < span.w; k++) {
		uint at = slot_of(influence + k) * ENTRY;
		float weight =
			signed_weight(data_float(REST, influence + k), palette_at(at), palette_at(pivot));
		real += weight * palette_at(at);
		dual += weight * palette_at(at + 1u);
	}
	float square = dot(real, real);
	if (square > MOTION_LEAST_SQUARE) {
		float by = inversesqrt(square);
		return motion(real * by, dual * by, 1.0);
	}
	return motion(palette_at(pivot), palette_at(pivot + 1u), 0.0);
}

surface skin_vertex(uint vertex, uint influence) {
	surface s = surface_in(vertex);
	stretch_surface(influence, ENTRY, STRETCH, s);
	motion m = blend(vertex, influence);
	s.position = moved(m, s.position);
	s.normal = turn(m.real, s.normal);
	s.tangent = turn(m.real, s.tangent);
	return s;
}

#include "each_vertex.glsl"
