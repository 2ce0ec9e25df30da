/* Vertices turned about a centre, v' = Q (v - r) + r', in lanes: see centres.h. Shared by sbs, sjb
 * and bones_blend. */
#pragma once

#include "skin/centres.h"
#include "skin/exact.h"
#include "skin/motion.h"

static const struct field centred_spin = {CENTRES_ENTRY_FLOATS, 0};
static const struct field centred_rows = {CENTRES_ENTRY_FLOATS, 0};
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

/* Rotations blended by weight. */
struct spin {
	struct lanes4 q;     // of any length
	lane_mask vanished;  // q is the pivot's, since the blend had no length
	struct lanes4 pivot; // unit
};

/* How antipodal quaternions are told apart in sets of joints, and where joints meet. */
struct centred_sign {
	enum skin_sign of_sets, of_joints;
};

/* Negative where the opposite quaternion is the one to blend. */
KERNEL lanes centred_signed(lanes a, const struct centre *centre, struct centred_sign sign,
	struct lanes4 q, struct lanes4 pivot) {
	const lane_mask none = {0};
	const lane_mask sets = sign.of_sets == SKIN_SIGN_PIVOT ? centre->spread : none;
	const lane_mask joints = sign.of_joints == SKIN_SIGN_PIVOT ? ~centre->spread : none;
	return lanes_negate_where((lanes4_dot(q, pivot) < 0) & (sets | joints), a);
}

KERNEL struct spin centred_blend(
	const struct block *block, const struct centre *centre, struct centred_sign sign) {
	const struct lanes4 pivot = block_gather(block, 0, centred_spin);
	struct lanes4 sum = lanes4_scale(pivot, block_weights(block, 0));
	for (int k = 1; k < block->influence_count; k++) {
		const struct lanes4 q = block_gather(block, k, centred_spin);
		const lanes weight =
			centred_signed(block_weights(block, k), centre, sign, q, pivot);
		sum = lanes4_add_scaled(sum, q, weight);
	}
	const lane_mask fine = lanes4_dot(sum, sum) > MOTION_LEAST_SQUARE;
	return (struct spin){lanes4_select(fine, sum, pivot), ~fine, pivot};
}

/* The images of points under rows of matrices. */
KERNEL struct lanes3 centred_image(const struct lanes_rows *m, struct lanes3 p) {
	const struct lanes4 *row = &m->rows[1];
	return (struct lanes3){lanes3_dot(lanes3_of(row[0]), p) + row[0].w,
		lanes3_dot(lanes3_of(row[1]), p) + row[1].w,
		lanes3_dot(lanes3_of(row[2]), p) + row[2].w};
}

/* Blends r' where that is to be done. */
KERNEL void centred_spread(const struct block *block, struct centre *centre) {
	if (lanes_all(~centre->spread)) {
		return;
	}
	const struct lanes_rows m = block_blend_rows(block, centred_rows);
	centre->target =
		lanes3_select(centre->spread, centred_image(&m, centre->at), centre->target);
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
	const lanes by = lanes_select(spin->vanished, zero, 2.0f / lanes4_dot(spin->q, spin->q));
	for (int k = 0; k < block->influence_count; k++) {
		const struct lanes_rows rows = {{block_gather(block, k, centred_spin),
			block_gather(block, k, (struct field){CENTRES_ENTRY_FLOATS, 4}),
			block_gather(block, k, (struct field){CENTRES_ENTRY_FLOATS, 8}),
			block_gather(block, k, (struct field){CENTRES_ENTRY_FLOATS, 12})}};
		const lanes s = centred_signed(by, centre, sign, rows.rows[0], spin->pivot);
		const struct lanes3 turn = motion_turn_rate(rows.rows[0], spin->q, s);
		const struct lanes3 moved =
			lanes3_subtract(centred_image(&rows, centre->at), centre->target);
		const struct lanes3 none = {zero, zero, zero};
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
	struct surface s = surface_of(block);
	if (stretched) {
		stretch_surface(block, centred_stretch, &s);
	}
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
	struct block block;
	for (block_begin(&block, job, primitive, CENTRES_ENTRY_FLOATS); block.left > 0;
		block_next(&block)) {
		centred_skin_block(&block, sign, stretched, exact);
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
