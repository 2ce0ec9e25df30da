// Stitching: each vertex goes with the joint of its greatest weight (METHODS A4). Twin of
// renderer/skin/skin_rigid.c. A palette entry is a matrix.
#include "bindings.glsl"
#include "skin.glsl"

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint vertex = span.x + gl_GlobalInvocationID.x;
	uint slot = slot_of(influence_start.x + gl_GlobalInvocationID.x * span.w);
	mat4 m = palette_matrix(slot * 4u);
	vec3 normal = wanted_normal(m, m, normal_in(vertex));
	write_vertex(vertex, (m * vec4(position_in(vertex), 1.0)).xyz, normal);
	if (streams.y != 0u) {
		vec3 tangent = mat3(m) * read3(tangent_at(vertex));
		write_tangent(vertex, finished_tangent(normal, tangent));
	}
}
