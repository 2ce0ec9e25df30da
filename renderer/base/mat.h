/* Affine maps as 3x4 matrices of doubles in rows, m[row * 4 + column]; the fourth row is 0 0 0 1.
 * glTF's and the API's sixteen column-major numbers are converted at the borders. */
#pragma once

#include <stdbool.h>

#define MAT_IDENTITY \
	{ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }

/* out = a * b: b first, then a. out may be a or b. */
void mat_multiply(const double a[static 12], const double b[static 12], double out[static 12]);

/* T(translation) * R(rotation) * S(scale). rotation is a quaternion x y z w and need not be unit:
 * it is normalised here; a zero one counts as the identity. */
void mat_from_transform(const float translation[static 3], const float rotation[static 4],
	const float scale[static 3], double out[static 12]);

/* The point or direction a mapped; out may be a. */
void mat_map_point(const double m[static 12], const double a[static 3], double out[static 3]);
void mat_map_direction(const double m[static 12], const double a[static 3], double out[static 3]);

/* Determinant of the linear part. */
double mat_determinant(const double m[static 12]);

/* Inverse of the affine map; false where the linear part is singular or not finite. */
bool mat_invert(const double m[static 12], double out[static 12]);

/* The sixteen column-major numbers of the API and of GL. */
void mat_to_columns(const double m[static 12], float columns[static 16]);

/* The linear part as rotation * stretch (METHODS 0.4): rotation is proper (its determinant is 1)
 * and comes as a unit quaternion x y z w; stretch is symmetric, row-major 3x3, and carries any
 * reflection. Singular parts are completed to a right-handed rotation. Newton's iteration, with
 * Jacobi's eigenvalues of the Gram matrix where it is singular.
 * Source: Higham, Computing the polar decomposition, SIAM J. Sci. Stat. Comput. 7 (1986). */
void mat_polar(const double m[static 12], double rotation[static 4], double stretch[static 9]);

/* A 3x3 rotation in rows as a unit quaternion x y z w with w >= 0 (Shepperd 1978). */
void mat_to_quaternion(const double rows[static 9], double quaternion[static 4]);

/* Eigenvalues and unit eigenvectors of a symmetric matrix by Jacobi's rotations: the former take
 * the diagonal's place, the latter become columns. Both are [size * size] in rows. The same bits on
 * every machine. */
void jacobi_diagonalise(int size, double *symmetric, double *vectors);
