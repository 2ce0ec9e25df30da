// Linear blend skinning, transforms first, written out for four influences; the last weight is
// implied (METHODS A5.5). Twin of renderer/skin/lbs_variants.c.
#include "bindings.glsl"
#include "skin.glsl"
#include "lbs.glsl"
#include "gradients.glsl"
#include "applied.glsl"

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint vertex = span.x + gl_GlobalInvocationID.x;
	uint influence = influence_start.x + gl_GlobalInvocationID.x * span.w;
	vec3 position = position_in(vertex), normal = normal_in(vertex), tangent = tangent_in(vertex);
	// Where there is one influence only, it stands for all; its weight is 1.
	uint next = span.w > 1u ? 1u : 0u;
	float x = weight_of(influence);
	float y = float(next) * weight_of(influence + next);
	float z = float(next) * weight_of(influence + 2u * next);
	applied sum = nothing_applied();
	mat4 pivot = matrix_of(slot_of(influence));
	apply(pivot, x, position, normal, tangent, sum);
	apply(matrix_of(slot_of(influence + next)), y, position, normal, tangent, sum);
	apply(matrix_of(slot_of(influence + 2u * next)), z, position, normal, tangent, sum);
	apply(matrix_of(slot_of(influence + 3u * next)), 1.0 - (x + y + z), position, normal,
		tangent, sum);
	write_applied(vertex, influence, pivot, sum);
}
