// Stitching: each vertex goes with the joint of its greatest weight (METHODS A4). Twin of
// renderer/skin/methods/skin_rigid.c. A palette entry is a matrix.
#include "skin.glsl"

surface skin_vertex(uint vertex, uint influence) {
	mat4 m = palette_matrix(slot_of(influence) * 4u);
	vec3 normal = wanted_normal(m, m, normal_in(vertex));
	return surface((m * vec4(position_in(vertex), 1.0)).xyz, normal, mapped_tangent(m, vertex));
}

#include "each_vertex.glsl"
