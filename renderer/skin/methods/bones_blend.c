/* Bones blending: the vertex turns about the joint where its bones meet by the mean of their
 * rotations on the sphere of unit quaternions: the great arc between two, at even speed, and of
 * more the point from which the weighted ways to them cancel. Vertices whose bones do not meet are
 * skinned by sbs and counted.
 * Source: Kavan, Zara. Real Time Skin Deformation with Bones Blending. WSCG 2003; for more than two
 * bones METHODS A9. */
#include "skin/centred.h"
#include "skin/lanes_angle.h"
#include "skin/method.h"
#include "skin/option.h"

/* Steps towards the mean at most; two rotations need one. They are Newton's: three come nearer than
 * the five that METHODS has of gradient descent. */
#define STEPS_MAX 3

/* After a way shorter than this (squared, half of an angle) no other step is needed: what is left
 * is of the order of its square. */
#define ARRIVED_SQUARE 1e-7f

/* The minimum for the second derivative, which vanishes at rotations by half a turn. */
#define LEAST_SLOPE 0.25f

enum { FALLBACK, SCALE, RIGID_FROM };

skin_kernel bones_blend_skin, bones_blend_skin_avx2;

static const struct centred_sign by_pivot = {SKIN_SIGN_PIVOT, SKIN_SIGN_PIVOT};

/* The weighted mean of the ways from a unit quaternion to rotations, as half a rotation vector, and
 * how it changes there: as if by even * I + (xx xy xz; xy yy yz; xz yz zz). */
struct way {
	struct lanes3 mean;
	lanes even, xx, xy, xz, yy, yz, zz;
};

/* Adds the way to one. With h half of the angle of a way it changes as h cot h across it, as 1
 * along it. */
KERNEL void add_way(struct way *way, struct lanes4 q, lanes weight, bool slopes) {
	const struct lanes3 v = lanes3_of(q);
	const lanes by = 1.0f / (1.0f + q.w), x = (1.0f - q.w) * by;
	const lanes rest = angle_arc_rest(x), p = 1.0f + x * rest;
	way->mean = lanes3_add(way->mean, lanes3_scale(v, weight * (2.0f * by * p)));
	if (slopes) {
		const struct lanes3 u = lanes3_scale(v, weight * ((p - rest) * (by * by)));
		way->even += weight * (p * (1.0f - x));
		way->xx += u.x * v.x, way->xy += u.x * v.y, way->xz += u.x * v.z;
		way->yy += u.y * v.y, way->yz += u.y * v.z, way->zz += u.z * v.z;
	}
}

/* Sums begin at 0, so influences without weight may be left out: they would not change a bit. */
KERNEL struct way mean_way(const struct block *block, struct lanes4 from, bool slopes) {
	const struct lanes4 back = angle_conjugate(from);
	struct way way = {0};
	if (block_is_usual(block)) {
		const struct lanes4 weights = block_weights_usual(block);
		const lanes each[] = {weights.x, weights.y, weights.z, weights.w};
		for (int k = 0; k < 4; k++) {
			if (!lanes_all(each[k] == 0)) {
				const struct lanes4 q =
					block_gather_usual(block, k, centred_rotation);
				add_way(&way, angle_shorter(angle_multiply(back, q)), each[k],
					slopes);
			}
		}
		return way;
	}
	for (int k = 0; k < block->influence_count; k++) {
		const struct lanes4 q = block_gather(block, k, centred_rotation);
		add_way(&way, angle_shorter(angle_multiply(back, q)), block_weights(block, k),
			slopes);
	}
	return way;
}

/* Newton's step: what makes the mean of the ways vanish, by the cofactors of how it changes. */
KERNEL struct lanes3 newton_step(const struct way *way) {
	const lanes least = (lanes){0} + LEAST_SLOPE;
	const lanes even = lanes_select(way->even > least, way->even, least);
	const lanes xx = way->xx + even, yy = way->yy + even, zz = way->zz + even;
	const struct lanes3 row0 = {yy * zz - way->yz * way->yz, way->xz * way->yz - way->xy * zz,
		way->xy * way->yz - way->xz * yy};
	const struct lanes3 row1 = {
		row0.y, xx * zz - way->xz * way->xz, way->xy * way->xz - way->yz * xx};
	const struct lanes3 row2 = {row0.z, row1.z, xx * yy - way->xy * way->xy};
	const lanes determinant = (xx * row0.x + way->xy * row0.y) + way->xz * row0.z;
	const struct lanes3 step = {lanes3_dot(row0, way->mean), lanes3_dot(row1, way->mean),
		lanes3_dot(row2, way->mean)};
	return lanes3_scale(step, 1.0f / determinant);
}

/* The vertices with more than two influences with weight. */
KERNEL lane_mask have_several(const struct block *block) {
	lanes rest = {0};
	for (int k = 2; k < block->influence_count; k++) {
		rest += block_weights(block, k);
	}
	return rest > 0;
}

/* The mean on the sphere, from the normalised sum; in sets of joints that stays as it is. */
KERNEL struct lanes4 mean_rotation(
	const struct block *block, const struct centre *centre, const struct spin *spin) {
	const lanes length = lanes_sqrt(lanes4_dot(spin->q, spin->q));
	const lane_mask several = have_several(block);
	lane_mask active = ~centre->spread;
	struct lanes4 q =
		lanes4_select(centre->spread, spin->q, lanes4_scale(spin->q, 1.0f / length));
	for (int i = 0; i < STEPS_MAX && !lanes_all(~active); i++) {
		const bool slopes = !lanes_all(~(active & several));
		const struct way way = mean_way(block, q, slopes);
		const struct lanes3 step =
			slopes ? lanes3_select(several, newton_step(&way), way.mean) : way.mean;
		q = lanes4_select(active, angle_multiply(q, angle_exp(step)), q);
		active &= several & (lanes3_dot(step, step) > ARRIVED_SQUARE);
	}
	return q;
}

KERNEL void skin_block(const struct block *block, bool stretched) {
	struct surface s = surface_stretched(block, centred_stretch, stretched);
	struct centre centre = centred_centre(block);
	const struct spin spin = centred_blend(block, &centre, by_pivot);
	centred_spread(block, &centre);
	const struct lanes4 q = mean_rotation(block, &centre, &spin);
	const struct lanes_matrix m = centred_matrix(q, &centre);
	surface_move(&m, &s);
	surface_put(block, &s);
}

LANES_TARGET void LANES_NAME(bones_blend_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const bool stretched = is_stretched(job, primitive, centred_stretch);
	BLOCK_FOREACH(block, job, primitive, CENTRES_ENTRY_FLOATS) {
		skin_block(block, stretched);
	}
}

#ifndef LANES_AVX2
static const struct skin_option *const options[] = {
	[FALLBACK] = &skin_option_fallback,
	[SCALE] = &skin_option_scale,
	[RIGID_FROM] = &skin_option_rigid_from,
	NULL,
};

const struct skinning_method bones_blend_method = {
	.id = "bones_blend",
	.title = "bones blending: rotations interpolated at even speed about the joint where bones "
		 "meet",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.recipe = &centres_of_joints,
	.kernel =
		{
			.shader = "bones_blend.comp",
			.entry_floats = CENTRES_ENTRY_FLOATS,
			.stretch_at = CENTRES_STRETCH_AT,
			.extra_floats = centres_extra_floats,
			.prepare = centres_prepare,
			.skin = bones_blend_skin,
			.skin_avx2 = bones_blend_skin_avx2,
		},
};
#endif
