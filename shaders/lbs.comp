// Linear blend skinning: the matrices blended by weight, then one transform (METHODS A5, vsp3).
// Twin of renderer/skin/methods/lbs.c. A palette entry is a matrix.
#include "skin.glsl"
#include "lbs.glsl"
#include "gradients.glsl"

surface skin_vertex(uint vertex, uint influence) {
	mat4 pivot = matrix_of(slot_of(influence));
	mat4 m = weight_of(influence) * pivot;
	for (uint k = 1u; k < span.w; k++) {
		m += weight_of(influence + k) * matrix_of(slot_of(influence + k));
	}
	vec3 position = position_in(vertex);
	mat4 map = normals_by == NORMALS_EXACT ? derivative_of(m, position, influence) : m;
	vec3 normal = wanted_normal(map, pivot, normal_in(vertex));
	return surface((m * vec4(position, 1.0)).xyz, normal, mapped_tangent(map, vertex));
}

#include "each_vertex.glsl"
