// Log-matrix blending: rigid motions blended as screws (METHODS A14). Twin of
// renderer/skin/methods/log_blend.c. A palette entry is a quaternion, a translation, the stretch.
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"
#include "angle.glsl"

const uint ENTRY = 6u;
const uint STRETCH = 2u;
const int FIRST_SLOTS = 0; // section: each vertex' topologically first slot

struct rigid {
	vec4 q;
	vec3 b;
};

// Half the rotation vector, and the way along it.
struct screw {
	vec3 half_turn, along;
};

rigid motion_of(uint slot) {
	return rigid(palette_at(slot * ENTRY), palette_at(slot * ENTRY + 1u).xyz);
}

// A motion after another is undone, seen from where that one has brought the origin.
rigid relative(rigid from, rigid m) {
	return rigid(quat_multiply(m.q, quat_conjugate(from.q)), m.b - from.b);
}

screw screw_of(rigid m) {
	vec4 q = m.q.w < 0.0 ? -m.q : m.q;
	float by = 1.0 / (1.0 + q.w);
	float x = (1.0 - q.w) * by;
	float rest = arc_rest(x);
	float p = 1.0 + x * rest;
	vec3 across = cross(q.xyz, m.b);
	vec3 bent = (p - rest) * (by * by) * cross(q.xyz, across) - 2.0 * by * p * across;
	return screw(2.0 * by * p * q.xyz, m.b + bent);
}

rigid motion_of_screw(screw a) {
	float y = dot(a.half_turn, a.half_turn);
	float s = sine_rest(y);
	float c = cosine_rest(y);
	float sine = 1.0 + y * s;
	vec3 across = cross(a.half_turn, a.along);
	vec3 bent = sine * sine * across - (s + c + y * s * c) * cross(a.half_turn, across);
	return rigid(vec4(sine * a.half_turn, 1.0 + y * c), a.along + bent);
}

surface skin_vertex(uint vertex, uint influence) {
	surface s = surface_in(vertex);
	stretch_surface(influence, ENTRY, STRETCH, s);
	rigid from = rigid(vec4(0.0, 0.0, 0.0, 1.0), vec3(0.0));
	if (option0 == 0) {
		from = motion_of(slot_at(span.z + data_word(FIRST_SLOTS, vertex)));
	}
	screw sum = screw(vec3(0.0), vec3(0.0));
	for (uint k = 0u; k < span.w; k++) {
		screw one = screw_of(relative(from, motion_of(slot_of(influence + k))));
		sum.half_turn += weight_of(influence + k) * one.half_turn;
		sum.along += weight_of(influence + k) * one.along;
	}
	rigid blend = motion_of_screw(sum);
	vec4 q = quat_multiply(blend.q, from.q);
	s.position = turn(q, s.position) + blend.b + from.b;
	s.normal = turn(q, s.normal);
	s.tangent = turn(q, s.tangent);
	return s;
}

#include "each_vertex.glsl"
