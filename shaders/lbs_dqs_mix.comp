// Linear blend and dual quaternion skinning mixed (METHODS A25). Twin of
// renderer/skin/methods/lbs_dqs_mix.c. A palette entry is real part, dual part, a matrix,
// stretch, the share of twist in the joint's turn.
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"

const uint ENTRY = 11u;
const uint MATRIX = 2u;
const uint STRETCH = 6u;
const uint TWIST = 10u;
const int SHARES = 0;
const int BY_CONSTANT = 0;
const int BY_PAINT = 1;

mat4 matrix_of(uint slot) {
	return palette_matrix(slot * ENTRY + MATRIX);
}

float share_of(uint vertex, uint influence) {
	if (option4 == BY_CONSTANT) {
		return parameter(3);
	}
	if (option4 == BY_PAINT) {
		return data_float(SHARES, vertex);
	}
	float share = 0.0;
	for (uint k = 0u; k < span.w; k++) {
		share += palette_at(slot_of(influence + k) * ENTRY + TWIST).x *
			data_float(SHARES, influence + k);
	}
	return share;
}

surface linear_surface(surface rest, uint influence) {
	mat4 pivot = matrix_of(slot_of(influence));
	mat4 m = weight_of(influence) * pivot;
	for (uint k = 1u; k < span.w; k++) {
		m += weight_of(influence + k) * matrix_of(slot_of(influence + k));
	}
	return surface((m * vec4(rest.position, 1.0)).xyz, wanted_normal(m, pivot, rest.normal),
		mat3(m) * rest.tangent);
}

surface rigid_surface(surface rest, uint influence) {
	surface s = rest;
	stretch_surface(influence, ENTRY, STRETCH, s);
	motion m = blended_motion(influence, ENTRY, option0 != 0);
	return surface(moved(m, s.position), turn(m.real, s.normal), turn(m.real, s.tangent));
}

surface skin_vertex(uint vertex, uint influence) {
	surface rest = surface_in(vertex);
	surface linear = linear_surface(rest, influence);
	surface rigid = rigid_surface(rest, influence);
	float share = share_of(vertex, influence);
	surface s = rigid;
	s.position = mix(linear.position, rigid.position, share);
	vec3 normal = mix(linear.normal, rigid.normal, share);
	float square = dot(normal, normal);
	s.normal = square > LEAST_SQUARE ? normal * inversesqrt(square) : rigid.normal;
	s.tangent = mix(linear.tangent, rigid.tangent, share);
	return s;
}

#include "each_vertex.glsl"
