/* Exact normals where a vertex moves by weights other than linearly: the derivative of its position
 * is what moves it as if the weights stood still, plus, for every influence, the rate at which it
 * moves with that weight times the weight's gradient. METHODS B3.
 * A kernel skins as for NORMALS_COF first, which stands where the derivative has no normal. */
#pragma once

#include "skin/stretch.h"

/* The linear map a after b. */
KERNEL struct lanes_matrix exact_product(
	const struct lanes_matrix *a, const struct lanes_matrix *b) {
	return (struct lanes_matrix){lanes_map_direction(a, b->a0), lanes_map_direction(a, b->a1),
		lanes_map_direction(a, b->a2), a->b};
}

/* The derivative with the weights standing still in m, which moves the stretched vertices: what
 * exact_add() adds the rest to. */
KERNEL struct lanes_matrix exact_begin(const struct block *block, bool stretched,
	struct field stretch, const struct lanes_matrix *m) {
	if (!stretched) {
		return *m;
	}
	const struct lanes_matrix blended = block_blend_matrices(block, stretch, NULL);
	const struct lanes_matrix first =
		normal_derivative(block, &blended, block_position(block), stretch);
	return exact_product(m, &first);
}

/* rate is how the position moves with the weight of the k-th influence. */
KERNEL void exact_add(
	const struct block *block, int k, struct lanes3 rate, struct lanes_matrix *derivative) {
	const struct lanes3 g = block_influence_row3(block, k, block->job->gradients, 3);
	derivative->a0 = lanes3_add(derivative->a0, lanes3_scale(rate, g.x));
	derivative->a1 = lanes3_add(derivative->a1, lanes3_scale(rate, g.y));
	derivative->a2 = lanes3_add(derivative->a2, lanes3_scale(rate, g.z));
}

/* Puts the surface's normals and tangents under the derivative. */
KERNEL void exact_finish(
	const struct block *block, const struct lanes_matrix *derivative, struct surface *surface) {
	lane_mask ok;
	const struct lanes3 n = normal_unit_cofactor(
		derivative, normal_size_square(derivative), block_normal(block), &ok);
	surface->normal = lanes3_select(ok, n, surface->normal);
	if (block_has_tangents(block)) {
		const struct lanes3 t = lanes3_of(block_tangent(block));
		surface->tangent = lanes_map_direction(derivative, t);
	}
}
