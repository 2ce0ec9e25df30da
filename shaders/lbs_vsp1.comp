// Linear blend skinning, transforms first: a loop whose bound is a uniform, so that no compiler
// unrolls it; the last weight is implied (METHODS A5.4). Twin of renderer/skin/methods/lbs_variants.c.
#include "skin.glsl"
#include "lbs.glsl"
#include "gradients.glsl"
#include "applied.glsl"

surface skin_vertex(uint vertex, uint influence) {
	vec3 position = position_in(vertex), normal = normal_in(vertex), tangent = tangent_in(vertex);
	applied sum = nothing_applied();
	float total = 0.0;
	uint last = span.w - 1u;
	for (uint k = 0u; k < last; k++) {
		float weight = weight_of(influence + k);
		apply(matrix_of(slot_of(influence + k)), weight, position, normal, tangent, sum);
		total += weight;
	}
	apply(matrix_of(slot_of(influence + last)), 1.0 - total, position, normal, tangent, sum);
	return applied_surface(vertex, influence, matrix_of(slot_of(influence)), sum);
}

#include "each_vertex.glsl"
