// Values between two keys, of many tracks at once.
#include "pose/sample/interpolate.h"

#include "base/quat.h"
#include "base/quaternions.h"

#ifndef LANES_AVX2

/* sin(share * angle) / sin(angle) = sum of c_i (cos(angle) - 1)^i with c_0 = share and
 * c_i = c_(i-1) * (share^2 - i^2) / (i * (2i + 1)). */
static void fill(double share, int first, int end, double *coefficients) {
#define FACTOR(i) 1.0 / ((i) * (2 * (i) + 1))
	static const double factors[SLERP_LONG] = {0, FACTOR(1), FACTOR(2), FACTOR(3), FACTOR(4),
		FACTOR(5), FACTOR(6), FACTOR(7), FACTOR(8), FACTOR(9), FACTOR(10), FACTOR(11),
		FACTOR(12)};
#undef FACTOR
	for (int i = first; i < end; i++) {
		const double step = share * share - (double)(i * i);
		coefficients[i] = coefficients[i - 1] * (step * factors[i]);
	}
}

struct slerp slerp_make(double share) {
	struct slerp slerp = {.share = share, .terms = SLERP_SHORT};
	slerp.from[0] = 1 - share;
	slerp.to[0] = share;
	fill(1 - share, 1, SLERP_SHORT, slerp.from);
	fill(share, 1, SLERP_SHORT, slerp.to);
	for (int i = 0; i < SLERP_SHORT; i++) {
		slerp.way[i] = (float)slerp.to[i];
		slerp.beyond[i] = i > 0 ? (float)(slerp.from[i] + slerp.to[i]) : 0;
	}
	return slerp;
}

void slerp_extend(struct slerp *slerp) {
	fill(1 - slerp->share, slerp->terms, SLERP_LONG, slerp->from);
	fill(slerp->share, slerp->terms, SLERP_LONG, slerp->to);
	slerp->terms = SLERP_LONG;
}

#endif

/* --- Rotations --- */

/* Tracks of a block that are slerped at once where single precision is not enough. */
#define FOUR 4

/* Both compilations look at a whole block before they write any of it. */
#define PARTS (TRACK_LANES / LANE_COUNT)

/* A key of four tracks and the next one. */
KERNEL void load_keys(const float *const *tracks, struct track_step step, struct quaternions *from,
	struct quaternions *to) {
	const float *rows[FOUR], *next[FOUR];
	for (int i = 0; i < FOUR; i++) {
		rows[i] = tracks[i] + step.at;
		next[i] = rows[i] + step.stride;
	}
	*from = quaternions_load(rows);
	*to = quaternions_load(next);
}

KERNEL doubles4 sum_series(const double *coefficients, int terms, doubles4 x) {
	doubles4 sum = (doubles4){0} + coefficients[terms - 1];
	for (int i = terms - 2; i >= 0; i--) {
		sum = sum * x + coefficients[i];
	}
	return sum;
}

/* The rotations, of a length that is 1 but for what keys are off. One Newton step gets rid of that.
 */
KERNEL struct quaternions mix(const struct slerp *slerp, int terms, doubles4 cosine,
	struct quaternions a, struct quaternions b) {
	const doubles4 x = cosine - 1;
	const doubles4 from = sum_series(slerp->from, terms, x);
	const doubles4 to = sum_series(slerp->to, terms, x);
	const struct quaternions q =
		quaternions_add(quaternions_scale(a, from), quaternions_scale(b, to));
	return quaternions_scale(q, 1.5 - 0.5 * quaternions_dot(q, q));
}

/* Angles that no series is for. */
static void slerp_wide(const float *const *tracks, struct track_step step,
	const struct slerp *slerp, const int *joints, struct transform *local) {
	for (int i = 0; i < FOUR; i++) {
		const float *from = tracks[i] + step.at, *to = from + step.stride;
		double a[4], b[4], q[4];
		for (int k = 0; k < 4; k++) {
			a[k] = from[k];
			b[k] = to[k];
		}
		quat_slerp(a, b, slerp->share, q);
		for (int k = 0; k < 4; k++) {
			local[joints[i]].rotation[k] = (float)q[k];
		}
	}
}

LANES_TARGET static void slerp_four(const float *const *tracks, struct track_step step,
	struct slerp *slerp, const int *joints, struct transform *local) {
	struct quaternions a, b;
	load_keys(tracks, step, &a, &b);
	// The shorter way.
	const doubles4 signed_cosine = quaternions_dot(a, b);
	const doubles4_mask signs = doubles4_sign(signed_cosine);
	const doubles4 cosine = doubles4_flip(signed_cosine, signs);
	if (doubles4_any(cosine < SLERP_LONG_MIN)) {
		slerp_wide(tracks, step, slerp, joints, local);
		return;
	}
	if (slerp->terms < SLERP_LONG) {
		slerp_extend(slerp);
	}
	float *const rows[FOUR] = {local[joints[0]].rotation, local[joints[1]].rotation,
		local[joints[2]].rotation, local[joints[3]].rotation};
	quaternions_store(mix(slerp, SLERP_LONG, cosine, a, quaternions_flip(b, signs)), rows);
}

/* Keys of as many tracks as there are lanes, and what is between them. */
struct steps {
	struct lanes4 from, way; // to the next key, the shorter way
	lanes cosine;
};

KERNEL struct steps load_steps(const float *const *tracks, struct track_step step) {
	const float *rows[LANE_COUNT], *next[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		rows[i] = tracks[i] + step.at;
		next[i] = rows[i] + step.stride;
	}
	const struct lanes4 from = lanes_load_rows(rows), to = lanes_load_rows(next);
	const lanes cosine = lanes4_dot(from, to);
	const struct lanes4 nearer = lanes4_negate_where(cosine < 0, to);
	return (struct steps){from, lanes4_subtract(nearer, from), lanes_abs(cosine)};
}

/* The first key and the way on from it, which is short: so roundings are, and as keys are unit it
 * comes out unit. */
KERNEL void slerp_short(const struct steps *steps, const struct slerp *slerp, const int *joints,
	struct transform *local) {
	const lanes x = steps->cosine - 1;
	lanes way = (lanes){0} + slerp->way[SLERP_SHORT - 1];
	lanes beyond = (lanes){0} + slerp->beyond[SLERP_SHORT - 1];
	for (int i = SLERP_SHORT - 2; i >= 0; i--) {
		way = way * x + slerp->way[i];
		beyond = i > 0 ? beyond * x + slerp->beyond[i] : beyond * x;
	}
	const struct lanes4 more =
		lanes4_add_scaled(lanes4_scale(steps->way, way), steps->from, beyond);
	float *rows[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		rows[i] = local[joints[i]].rotation;
	}
	lanes_store_rows(lanes4_add_scaled(steps->from, more, (lanes){0} + 1.0f), rows);
}

LANES_TARGET void LANES_NAME(interpolate_rotations)(const struct track_rotations *blocks, int count,
	struct track_step step, struct slerp *slerp, struct transform *local) {
	for (int i = 0; i < count; i++) {
		const struct track_rotations *block = &blocks[i];
		struct steps steps[PARTS];
		bool all_short = true;
		for (int part = 0; part < PARTS; part++) {
			steps[part] = load_steps(block->values + part * LANE_COUNT, step);
			all_short = all_short &&
				lanes_all(steps[part].cosine >= (float)SLERP_SHORT_MIN);
		}
		for (int part = 0; all_short && part < PARTS; part++) {
			slerp_short(&steps[part], slerp, block->joints + part * LANE_COUNT, local);
		}
		for (int at = 0; !all_short && at < TRACK_LANES; at += FOUR) {
			slerp_four(block->values + at, step, slerp, block->joints + at, local);
		}
	}
}

/* --- Vectors --- */

LANES_TARGET void LANES_NAME(interpolate_vectors)(const struct track_vector *tracks, int count,
	struct track_step step, double share, struct transform *local) {
	float *numbers = local->translation;
	for (int i = 0; i < count; i++) {
		const float *value = tracks[i].values + step.at;
		// The next key's numbers without one behind them, which may not be there.
		const floats4 last = load4(value + step.stride - 1);
		const floats4 next = __builtin_shufflevector(last, last, 1, 2, 3, 3);
		const floats4 from = load4(value);
		const floats4 mixed = from + (next - from) * (float)share;
		float *out = numbers + tracks[i].at;
		memcpy(out, &mixed, 2 * sizeof *out);
		out[2] = mixed[2];
	}
}
