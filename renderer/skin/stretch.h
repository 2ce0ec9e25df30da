/* The first of the two phases that rigid methods take where joints scale or shear: the stretches,
 * as matrices, blended by weight (METHODS 0.4). */
#pragma once

#include "skin/normal.h"
#include "skin/rigid.h"

/* The attributes of a block that are skinned. */
struct surface {
	struct lanes3 position, normal, tangent;
	lanes handedness; // of the tangent
};

KERNEL struct surface surface_of(const struct block *block) {
	struct surface surface = {.position = block_position(block), .normal = block_normal(block)};
	if (block_has_tangents(block)) {
		const struct lanes4 tangent = block_tangent(block);
		surface.tangent = lanes3_of(tangent);
		surface.handedness = tangent.w;
	}
	return surface;
}

/* Stretches a block's vertices; those that only rigid joints move keep their bits. */
KERNEL void stretch_surface(
	const struct block *block, struct field field, struct surface *surface) {
	lanes flag;
	const struct lanes_matrix m = block_blend_matrices(block, field, &flag);
	const lane_mask rigid = flag == 0;
	const struct lanes3 n = normal_map(block->job->normals_by, block, &m,
		normal_palette_size_square(block), surface->normal, field);
	surface->position =
		lanes3_select(rigid, surface->position, lanes_map_point(&m, surface->position));
	surface->normal = lanes3_select(rigid, surface->normal, n);
	surface->tangent =
		lanes3_select(rigid, surface->tangent, lanes_map_direction(&m, surface->tangent));
}

/* A block's vertices, stretched where any joint of its primitive is. */
KERNEL struct surface surface_stretched(
	const struct block *block, struct field field, bool stretched) {
	struct surface surface = surface_of(block);
	if (stretched) {
		stretch_surface(block, field, &surface);
	}
	return surface;
}

/* Moves stretched vertices by a rotation and a translation. */
KERNEL void surface_move(const struct lanes_matrix *m, struct surface *surface) {
	surface->position = lanes_map_point(m, surface->position);
	surface->normal = lanes_map_direction(m, surface->normal);
	surface->tangent = lanes_map_direction(m, surface->tangent);
}

/* Puts a block's vertices back whose normals a rotation has made, unit. */
KERNEL void surface_put(const struct block *block, const struct surface *surface) {
	block_put_position(block, surface->position);
	block_put_normal(block, surface->normal);
	if (block_has_tangents(block)) {
		const struct lanes3 t = normal_finish_tangent(surface->normal, surface->tangent);
		block_put_tangent(block, t, surface->handedness);
	}
}

/* True when any joint of the primitive is not rigid: its entry's stretch, see rigid_write_stretch,
 * says so. */
static inline bool is_stretched(
	const struct skin_job *job, const struct primitive *primitive, struct field stretch) {
	const float *entries = job->palette +
		(size_t)primitive->first_slot * (size_t)stretch.entry_floats + stretch.offset;
	for (int i = 0; i < primitive->slot_count; i++) {
		if (entries[(size_t)i * (size_t)stretch.entry_floats + RIGID_STRETCH_FLAG] != 0) {
			return true;
		}
	}
	return false;
}
