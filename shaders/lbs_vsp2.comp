// Linear blend skinning, transforms first, written out for four influences; the last weight is
// implied (METHODS A5.5). Twin of renderer/skin/methods/lbs_variants.c.
#include "skin.glsl"
#include "lbs.glsl"
#include "gradients.glsl"
#include "applied.glsl"

surface skin_vertex(uint vertex, uint influence) {
	vec3 position = position_in(vertex), normal = normal_in(vertex), tangent = tangent_in(vertex);
	// A single influence counts for all; its weight is 1.
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
	return applied_surface(vertex, influence, pivot, sum);
}

#include "each_vertex.glsl"
