// Linear blend skinning with helper joints, whose matrices follow the slots' in the palette and whose
// weights are the method's data (METHODS A6). Twin of renderer/skin/methods/twist_bones.c.
#include "skin.glsl"
#include "lbs.glsl"
#include "data.glsl"

// Sections of the data.
const int STARTS = 1;
const int ENTRIES = 2;
const int WEIGHTS = 3;

// A joint's matrix: a slot's, or a helper's behind those.
mat4 joint_matrix(uint joint) {
	return palette_matrix(
		joint < copy.x ? slot_at(joint) * 4u : extra_at((joint - copy.x) * 4u));
}

surface skin_vertex(uint vertex, uint influence) {
	mat4 m = mat4(0.0);
	uint end = data_word(STARTS, vertex + 1u);
	for (uint i = data_word(STARTS, vertex); i < end; i++) {
		m += data_float(WEIGHTS, i) * joint_matrix(data_word(ENTRIES, i));
	}
	mat4 pivot = matrix_of(slot_of(influence));
	vec3 normal = wanted_normal(m, pivot, normal_in(vertex));
	return surface((m * vec4(position_in(vertex), 1.0)).xyz, normal, mapped_tangent(m, vertex));
}

#include "each_vertex.glsl"
