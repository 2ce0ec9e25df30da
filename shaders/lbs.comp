// Linear blend skinning: the matrices blended by weight, then one transform (METHODS A5, vsp3).
// Twin of renderer/skin/lbs.c. A palette entry is a matrix.
#include "bindings.glsl"
#include "skin.glsl"

mat4 matrix_of(uint slot) {
	return palette_matrix(slot * 4u);
}

#include "gradients.glsl"

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint vertex = span.x + gl_GlobalInvocationID.x;
	uint influence = influence_start.x + gl_GlobalInvocationID.x * span.w;
	mat4 pivot = matrix_of(slot_of(influence));
	mat4 m = weight_of(influence) * pivot;
	for (uint k = 1u; k < span.w; k++) {
		m += weight_of(influence + k) * matrix_of(slot_of(influence + k));
	}
	vec3 position = position_in(vertex);
	mat4 map = normals_by == NORMALS_EXACT ? derivative_of(m, position, influence) : m;
	vec3 normal = wanted_normal(map, pivot, normal_in(vertex));
	write_vertex(vertex, (m * vec4(position, 1.0)).xyz, normal);
	if (streams.y != 0u) {
		vec3 tangent = mat3(map) * read3(tangent_at(vertex));
		write_tangent(vertex, finished_tangent(normal, tangent));
	}
}
