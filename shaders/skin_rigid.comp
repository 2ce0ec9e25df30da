// Stitching: each vertex goes with the joint of its greatest weight (METHODS A4). Twin of
// renderer/skin/skin_rigid.c. A palette entry is a 4x4 matrix in columns.
#include "bindings.glsl"
#include "skin.glsl"

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint vertex = span.x + gl_GlobalInvocationID.x;
	uint at = slot_of(influence_start.x + gl_GlobalInvocationID.x * span.w) * 4u;
	mat4 m = mat4(palette[at], palette[at + 1u], palette[at + 2u], palette[at + 3u]);
	vec3 normal = wanted_normal(m, m, normal_in(vertex));
	write_vertex(vertex, (m * vec4(position_in(vertex), 1.0)).xyz, normal);
	if (streams.y != 0u) {
		vec3 tangent = mat3(m) * read3(tangent_at(vertex));
		write_tangent(vertex, finished_tangent(normal, tangent));
	}
}
