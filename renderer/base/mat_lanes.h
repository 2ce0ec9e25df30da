/* Affine maps as base/mat.h has them, a row at once. The bits are those of mat_multiply(). */
#pragma once

#include "base/lanes.h"

KERNEL doubles4 doubles4_load(const double *from) {
	doubles4 a;
	memcpy(&a, from, sizeof a);
	return a;
}

KERNEL void doubles4_store(doubles4 a, double *to) {
	memcpy(to, &a, sizeof a);
}

struct mat_rows {
	doubles4 x, y, z; // rows
};

KERNEL struct mat_rows mat_rows_load(const double *m) {
	return (struct mat_rows){doubles4_load(m), doubles4_load(m + 4), doubles4_load(m + 8)};
}

/* Row of a * b from a row of a. */
KERNEL doubles4 mat_rows_combine(const double *row, const struct mat_rows *b) {
	const doubles4 last =
		(doubles4)((doubles4_mask)doubles4_load(row) & (doubles4_mask){0, 0, 0, -1});
	return row[0] * b->x + row[1] * b->y + row[2] * b->z + last;
}

/* out = a * b; out may be neither. */
KERNEL void mat_rows_multiply(const double *a, const struct mat_rows *b, double *out) {
	doubles4_store(mat_rows_combine(a, b), out);
	doubles4_store(mat_rows_combine(a + 4, b), out + 4);
	doubles4_store(mat_rows_combine(a + 8, b), out + 8);
}
