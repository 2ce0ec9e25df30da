// Direct delta mush (METHODS A21). Twin of renderer/skin/methods/ddm.c, which says how. A palette entry is
// the rigid motion as a matrix, its rotation as a quaternion, the stretch. option0 is the variant.
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"
#include "turned.glsl"
#include "nearest_rotation.glsl"

const uint ENTRY = 8u;
const uint STRETCH = 4u;
const int RANGES = 0;
const int SLOTS = 1;
const int OMEGAS = 2;
const int CENTRES = 3;
const int SPREADS = 4;
const int V0 = 0;
const int V1 = 1;
const int V2 = 2;
const int V3 = 3;
const int V4 = 4;
const int V5 = 5;
const float V1_LEAST_DETERMINANT = 1e-12;

// A vertex' first joint, and the one behind its last.
uvec2 range_of(uint vertex) {
	uint start = data_word(RANGES, vertex * 2u);
	return uvec2(start, start + data_word(RANGES, vertex * 2u + 1u));
}

float joint_weight(uint i) {
	return data_float(OMEGAS, i * 16u + 15u);
}

// Sum of M T Omega: its columns are those of Q, then q.
mat4 summed_moments(uvec2 range) {
	mat4 sum = mat4(0.0);
	for (uint i = range.x; i < range.y; i++) {
		mat4 omega = transpose(mat4(data_vec4(OMEGAS, i * 4u), data_vec4(OMEGAS, i * 4u + 1u),
			data_vec4(OMEGAS, i * 4u + 2u), data_vec4(OMEGAS, i * 4u + 3u)));
		sum += palette_matrix(slot_at(data_word(SLOTS, i)) * ENTRY) * omega;
	}
	return sum;
}

mat4 summed_matrices(uvec2 range) {
	mat4 sum = mat4(0.0);
	for (uint i = range.x; i < range.y; i++) {
		sum += joint_weight(i) * palette_matrix(slot_at(data_word(SLOTS, i)) * ENTRY);
	}
	return sum;
}

mat3 rotation_matrix(vec4 q) {
	return mat3(turn(q, vec3(1.0, 0.0, 0.0)), turn(q, vec3(0.0, 1.0, 0.0)),
		turn(q, vec3(0.0, 0.0, 1.0)));
}

mat3 summed_rotations(uvec2 range) {
	vec4 first = palette_at(slot_at(data_word(SLOTS, range.x)) * ENTRY + TURNED_ROTATION);
	vec4 sum = vec4(0.0);
	for (uint i = range.x; i < range.y; i++) {
		vec4 q = palette_at(slot_at(data_word(SLOTS, i)) * ENTRY + TURNED_ROTATION);
		float weight = joint_weight(i);
		sum += (dot(q, first) < 0.0 ? -weight : weight) * q;
	}
	float square = dot(sum, sum);
	return rotation_matrix(square > MOTION_LEAST_SQUARE ? sum * inversesqrt(square) : first);
}

mat3 turn_of(uvec2 range, mat3 a) {
	return nearest_rotation(a) ? a : summed_rotations(range);
}

mat3 inverse_transpose_of(uint vertex, uvec2 range, mat3 a) {
	vec4 c = data_vec4(SPREADS, vertex * 2u);
	vec4 d = data_vec4(SPREADS, vertex * 2u + 1u);
	mat3 spread = mat3(c.x, c.y, c.z, c.y, c.w, d.x, c.z, d.x, d.y);
	mat3 n = a;
	if (!make_columns_unit(n)) {
		return turn_of(range, a);
	}
	mat3 m = mat3(cross(n[1], n[2]), cross(n[2], n[0]), cross(n[0], n[1])) * spread;
	float determinant = dot(m[0], cross(m[1], m[2]));
	return determinant > V1_LEAST_DETERMINANT ? m * pow(determinant, -1.0 / 3.0)
						  : turn_of(range, a);
}

// The linear map of a vertex about its centre, and where that goes.
mat4 map_of(uint vertex, vec3 centre) {
	uvec2 range = range_of(vertex);
	if (option0 == V4 || option0 == V5) {
		mat4 m = summed_matrices(range);
		vec4 goes = m * vec4(centre, 1.0);
		mat4 map = option0 == V4 ? mat4(summed_rotations(range)) : m;
		map[3] = goes;
		return map;
	}
	mat4 m = summed_moments(range);
	mat3 a = mat3(m);
	mat4 map = mat4(option0 == V0 ? turn_of(range, a)
			: option0 == V1 ? inverse_transpose_of(vertex, range, a)
			: option0 == V2 ? summed_rotations(range)
					: mat3(summed_matrices(range)));
	map[3] = m[3];
	return map;
}

surface skin_vertex(uint vertex, uint influence) {
	surface s = surface_in(vertex);
	stretch_surface(influence, ENTRY, STRETCH, s);
	vec3 centre = data_vec4(CENTRES, vertex).xyz;
	mat4 m = map_of(vertex, centre);
	mat4 pivot = palette_matrix(slot_of(influence) * ENTRY);
	s.position = mat3(m) * (s.position - centre) + m[3].xyz;
	s.normal = wanted_normal(m, pivot, s.normal);
	s.tangent = mat3(m) * s.tangent;
	return s;
}

#include "each_vertex.glsl"
