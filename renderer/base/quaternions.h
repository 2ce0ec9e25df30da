/* Four quaternions x y z w at once, one to a lane, as doubles. */
#pragma once

#include "base/lanes.h"

struct quaternions {
	doubles4 x, y, z, w;
};

KERNEL doubles4 quaternions_dot(struct quaternions a, struct quaternions b) {
	return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

KERNEL struct quaternions quaternions_scale(struct quaternions a, doubles4 by) {
	return (struct quaternions){a.x * by, a.y * by, a.z * by, a.w * by};
}

KERNEL struct quaternions quaternions_add(struct quaternions a, struct quaternions b) {
	return (struct quaternions){a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

/* The signs of a, as a mask for doubles4_flip(). */
KERNEL doubles4_mask doubles4_sign(doubles4 a) {
	return (a < 0) & INT64_MIN;
}

KERNEL doubles4 doubles4_flip(doubles4 a, doubles4_mask signs) {
	return (doubles4)((doubles4_mask)a ^ signs);
}

KERNEL struct quaternions quaternions_flip(struct quaternions a, doubles4_mask signs) {
	return (struct quaternions){doubles4_flip(a.x, signs), doubles4_flip(a.y, signs),
		doubles4_flip(a.z, signs), doubles4_flip(a.w, signs)};
}

KERNEL bool doubles4_any(doubles4_mask mask) {
	return ((mask[0] | mask[1]) | (mask[2] | mask[3])) != 0;
}

/* Four rows of four floats become columns. */
KERNEL void floats4_transpose(floats4 rows[static 4]) {
	const floats4 a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
	const floats4 b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
	const floats4 c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
	const floats4 d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
	rows[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
	rows[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
	rows[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
	rows[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

KERNEL struct quaternions quaternions_widen(floats4 x, floats4 y, floats4 z, floats4 w) {
	return (struct quaternions){widen4(x), widen4(y), widen4(z), widen4(w)};
}

/* From four rows of four floats and back. */
KERNEL struct quaternions quaternions_load(const float *const rows[static 4]) {
	floats4 all[4] = {load4(rows[0]), load4(rows[1]), load4(rows[2]), load4(rows[3])};
	floats4_transpose(all);
	return quaternions_widen(all[0], all[1], all[2], all[3]);
}

KERNEL void quaternions_store(struct quaternions q, float *const rows[static 4]) {
	floats4 all[4] = {narrow4(q.x), narrow4(q.y), narrow4(q.z), narrow4(q.w)};
	floats4_transpose(all);
	for (int i = 0; i < 4; i++) {
		store4(all[i], rows[i]);
	}
}
