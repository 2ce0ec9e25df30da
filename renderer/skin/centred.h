/* Vertices turned about a centre, v' = Q (v - r) + r', in lanes: see centres.h. Shared by sbs, sjb
 * and bones_blend. */
#pragma once

#include "skin/centres.h"
#include "skin/exact.h"
#include "skin/motion.h"

static const struct field centred_motion = {CENTRES_ENTRY_FLOATS, 0};
static const struct field centred_rotation = {CENTRES_ENTRY_FLOATS, TURNED_ROTATION};
static const struct field centred_stretch = {CENTRES_ENTRY_FLOATS, CENTRES_STRETCH_AT};

struct centre {
	struct lanes3 at;     // r
	struct lanes3 target; // r'
	lane_mask spread;     // r' is to be blended of r's images
};

KERNEL struct centre centred_centre(const struct block *block) {
	const uint32_t *indices = skin_data_read_words(block->job->data, CENTRES_ROWS);
	const float *rows =
		block->job->palette + (size_t)block->job->rig->slot_count * CENTRES_ENTRY_FLOATS;
	const float *at[LANE_COUNT], *target[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		at[i] = rows + (size_t)indices[block_vertex(block, i)] * CENTRES_ROW_FLOATS;
		target[i] = at[i] + 4;
	}
	const struct lanes4 from = lanes_load_rows(at);
	return (struct centre){lanes3_of(from), lanes3_of(lanes_load_rows(target)), from.w != 0};
}

/* The choice among antipodal quaternions in sets of joints, and the points where joints meet. */
struct centred_sign {
	enum skin_sign of_sets, of_joints;
};

/* Weights, negative where the opposite quaternion is the one to blend. */
KERNEL lanes centred_weights(const struct centre *centre, struct centred_sign sign, lanes weights,
	struct lanes4 q, struct lanes4 pivot) {
	const lane_mask none = {0};
	const lane_mask sets = sign.of_sets == SKIN_SIGN_PIVOT ? centre->spread : none;
	const lane_mask joints = sign.of_joints == SKIN_SIGN_PIVOT ? ~centre->spread : none;
	return lanes_negate_where((lanes4_dot(q, pivot) < 0) & (sets | joints), weights);
}

/* Rotations summed by weight. */
KERNEL struct lanes4 centred_sum(const struct block *block, const struct centre *centre,
	struct centred_sign sign, struct lanes4 pivot) {
	struct lanes4 sum = lanes4_scale(pivot, block_weights(block, 0));
	for (int k = 1; k < block->influence_count; k++) {
		const struct lanes4 q = block_gather(block, k, centred_rotation);
		const lanes weights = block_weights(block, k);
		sum = lanes4_add_scaled(sum, q, centred_weights(centre, sign, weights, q, pivot));
	}
	return sum;
}

/* The same of a usual block. */
KERNEL struct lanes4 centred_sum_usual(const struct block *block, const struct centre *centre,
	struct centred_sign sign, struct lanes4 pivot) {
	const struct lanes4 weights = block_weights_usual(block);
	const lanes others[] = {weights.y, weights.z, weights.w};
	struct lanes4 sum = lanes4_scale(pivot, weights.x);
#pragma GCC unroll 3
	for (int k = 1; k < 4; k++) {
		const struct lanes4 q = block_gather_usual(block, k, centred_rotation);
		sum = lanes4_add_scaled(
			sum, q, centred_weights(centre, sign, others[k - 1], q, pivot));
	}
	return sum;
}

struct spin {
	struct lanes4 q;     // the blended rotation, of any length
	struct lanes4 pivot; // unit; q is this where the blend vanishes
	lanes rate;          // of the blend: see motion_rate_scale()
};

KERNEL struct spin centred_blend(
	const struct block *block, const struct centre *centre, struct centred_sign sign) {
	const struct lanes4 pivot = block_gather(block, 0, centred_rotation);
	const struct lanes4 sum = block_is_usual(block)
		? centred_sum_usual(block, centre, sign, pivot)
		: centred_sum(block, centre, sign, pivot);
	const lane_mask ok = lanes4_dot(sum, sum) > MOTION_LEAST_SQUARE;
	return (struct spin){lanes4_select(ok, sum, pivot), pivot, motion_rate_scale(sum)};
}

/* Blends r' where that is to be done. */
KERNEL void centred_spread(const struct block *block, struct centre *centre) {
	if (lanes_all(~centre->spread)) {
		return;
	}
	const struct lanes_matrix m = block_blend_matrices(block, centred_motion, NULL);
	centre->target =
		lanes3_select(centre->spread, lanes_map_point(&m, centre->at), centre->target);
}

/* The map of stretched vertices. */
KERNEL struct lanes_matrix centred_matrix(struct lanes4 q, const struct centre *centre) {
	struct lanes_matrix m = motion_rotation(q);
	m.b = lanes3_subtract(centre->target, lanes_map_direction(&m, centre->at));
	return m;
}

/* Exact normals: the centre stays where it is at rest, so what moves with the weights is the
 * rotation and, in a set, r'. */
KERNEL void centred_exact(const struct block *block, const struct centre *centre,
	const struct spin *spin, struct centred_sign sign, bool stretched,
	const struct lanes_matrix *m, struct surface *surface) {
	struct lanes_matrix j = exact_begin(block, stretched, centred_stretch, m);
	const struct lanes3 arm = lanes3_subtract(surface->position, centre->target);
	const lanes zero = {0};
	const struct lanes3 none = {zero, zero, zero};
	for (int k = 0; k < block->influence_count; k++) {
		const struct lanes4 q = block_gather(block, k, centred_rotation);
		const struct lanes_matrix own = block_matrix_of(block, k, centred_motion);
		const lanes rate = centred_weights(centre, sign, spin->rate, q, spin->pivot);
		const struct lanes3 turn = motion_turn_rate(q, spin->q, rate);
		const struct lanes3 moved =
			lanes3_subtract(lanes_map_point(&own, centre->at), centre->target);
		exact_add(block, k,
			lanes3_add(lanes3_cross(turn, arm),
				lanes3_select(centre->spread, moved, none)),
			&j);
	}
	exact_finish(block, &j, surface);
}

/* Blends quaternions by weight. exact says whether normals are. */
KERNEL void centred_skin_block(
	const struct block *block, struct centred_sign sign, bool stretched, bool exact) {
	struct surface s = surface_stretched(block, centred_stretch, stretched);
	struct centre centre = centred_centre(block);
	const struct spin spin = centred_blend(block, &centre, sign);
	centred_spread(block, &centre);
	const struct lanes_matrix m = centred_matrix(spin.q, &centre);
	surface_move(&m, &s);
	if (exact) {
		centred_exact(block, &centre, &spin, sign, stretched, &m, &s);
	}
	surface_put(block, &s);
}

KERNEL void centred_skin_all(const struct skin_job *job, const struct primitive *primitive,
	struct centred_sign sign, bool exact) {
	const bool stretched = is_stretched(job, primitive, centred_stretch);
	BLOCK_FOREACH(block, job, primitive, CENTRES_ENTRY_FLOATS) {
		centred_skin_block(block, sign, stretched, exact);
	}
}

/* All of sbs, where every centre is a set's, and of sjb. A kernel that can make exact normals and
 * others is slower at either, so there are two. */
KERNEL void centred_skin(
	const struct skin_job *job, const struct primitive *primitive, struct centred_sign sign) {
	if (job->gradients) {
		centred_skin_all(job, primitive, sign, true);
	} else {
		centred_skin_all(job, primitive, sign, false);
	}
}
