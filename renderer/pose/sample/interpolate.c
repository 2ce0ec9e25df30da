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
	return slerp;
}

void slerp_extend(struct slerp *slerp) {
	fill(1 - slerp->share, slerp->terms, SLERP_LONG, slerp->from);
	fill(slerp->share, slerp->terms, SLERP_LONG, slerp->to);
	slerp->terms = SLERP_LONG;
}

#endif

/* --- Rotations --- */

/* A key of each track and the next one, which follow one another in memory. */
KERNEL void load_keys(const struct track_rotations *block, int key, struct quaternions *from,
	struct quaternions *to) {
	const size_t at = (size_t)key * 4;
	const float *const *tracks = block->values;
#if LANE_COUNT == 8
	const struct lanes4 both = lanes_transpose((struct lanes4){
		lanes_load(tracks[0] + at),
		lanes_load(tracks[1] + at),
		lanes_load(tracks[2] + at),
		lanes_load(tracks[3] + at),
	});
	*from = quaternions_widen(
		lanes_lower(both.x), lanes_lower(both.y), lanes_lower(both.z), lanes_lower(both.w));
	*to = quaternions_widen(
		lanes_upper(both.x), lanes_upper(both.y), lanes_upper(both.z), lanes_upper(both.w));
#else
	const float *rows[4], *next[4];
	for (int i = 0; i < 4; i++) {
		rows[i] = tracks[i] + at;
		next[i] = rows[i] + 4;
	}
	const struct lanes4 a = lanes_load_rows(rows), b = lanes_load_rows(next);
	*from = quaternions_widen(a.x, a.y, a.z, a.w);
	*to = quaternions_widen(b.x, b.y, b.z, b.w);
#endif
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

KERNEL void store(
	struct quaternions q, const struct track_rotations *block, struct transform *local) {
	float *const rows[4] = {local[block->joints[0]].rotation, local[block->joints[1]].rotation,
		local[block->joints[2]].rotation, local[block->joints[3]].rotation};
	quaternions_store(q, rows);
}

/* Angles that no series is for. */
static void slerp_wide(const struct track_rotations *block, int key, const struct slerp *slerp,
	struct transform *local) {
	for (int i = 0; i < TRACK_LANES; i++) {
		const float *keys = block->values[i] + (size_t)key * 4;
		double a[4], b[4], q[4];
		for (int k = 0; k < 4; k++) {
			a[k] = keys[k];
			b[k] = keys[4 + k];
		}
		quat_slerp(a, b, slerp->share, q);
		for (int k = 0; k < 4; k++) {
			local[block->joints[i]].rotation[k] = (float)q[k];
		}
	}
}

LANES_TARGET void LANES_NAME(interpolate_rotations)(const struct track_rotations *blocks, int count,
	int key, struct slerp *slerp, struct transform *local) {
	for (int i = 0; i < count; i++) {
		struct quaternions a, b;
		load_keys(&blocks[i], key, &a, &b);
		// The shorter way.
		const doubles4 signed_cosine = quaternions_dot(a, b);
		const doubles4_mask signs = doubles4_sign(signed_cosine);
		const doubles4 cosine = doubles4_flip(signed_cosine, signs);
		b = quaternions_flip(b, signs);
		if (!doubles4_any(cosine < SLERP_SHORT_LEAST)) {
			store(mix(slerp, SLERP_SHORT, cosine, a, b), &blocks[i], local);
		} else if (!doubles4_any(cosine < SLERP_LONG_LEAST)) {
			if (slerp->terms < SLERP_LONG) {
				slerp_extend(slerp);
			}
			store(mix(slerp, SLERP_LONG, cosine, a, b), &blocks[i], local);
		} else {
			slerp_wide(&blocks[i], key, slerp, local);
		}
	}
}

/* --- Vectors --- */

LANES_TARGET void LANES_NAME(interpolate_vectors)(const struct track_vector *tracks, int count,
	int key, double share, struct transform *local) {
	float *numbers = local->translation;
	for (int i = 0; i < count; i++) {
		const float *value = tracks[i].values + (size_t)key * 3;
		// The next key's numbers without one behind them, which may not be there.
		const floats4 last = load4(value + 2);
		const floats4 next = __builtin_shufflevector(last, last, 1, 2, 3, 3);
		const doubles4 a = widen4(load4(value)), b = widen4(next);
		const floats4 mixed = narrow4((1 - share) * a + share * b);
		float *out = numbers + tracks[i].at;
		memcpy(out, &mixed, 2 * sizeof *out);
		out[2] = mixed[2];
	}
}
