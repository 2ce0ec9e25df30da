/* Unit quaternions x y z w, w the real part, Hamilton's product. METHODS 0.5. */
#pragma once

#include <stdbool.h>

#include "base/value.h"

/* Spherical interpolation from a to b along the shorter way, u in [0, 1]; a tie goes with b as it
 * is. Both need to be unit to rounding; the result is unit. The same bits on every machine.
 * Source: Shoemake, Animating rotation with quaternion curves, SIGGRAPH 1985. */
void quat_slerp(const double a[static 4], const double b[static 4], double u, double out[static 4]);

/* The cosine of half the angle between two rotations; below 0 where -b is the nearer to a. */
double quat_dot(const double a[static 4], const double b[static 4]);

/* Scales to length 1; a zero quaternion becomes the identity. */
void quat_normalize(double q[static 4]);

/* Scales a quaternion of a request, of any length but zero, to length 1. ERROR_INVALID_VALUE at its
 * source for zero. */
bool quat_normalize_any(const struct value *source, double q[static 4], struct error *err);

/* True when it is unit as far as what reckons in float32 leaves it: 1e-6 for the square of its
 * length. Such rotations are kept to the bit where they come in, so that what is answered can come
 * back. */
bool quat_is_unit(const double q[static 4]);

/* out = a * b: b first, then a. out may be a or b. */
void quat_multiply(const double a[static 4], const double b[static 4], double out[static 4]);

/* The inverse of a unit quaternion. */
void quat_conjugate(const double q[static 4], double out[static 4]);

/* A share of the rotation of a unit quaternion, the shorter way round: 0 the identity, 1 all of it,
 * 2 twice the angle. share >= 0. The same bits on every machine. */
void quat_power(const double q[static 4], double share, double out[static 4]);

/* The vector v turned by a unit quaternion; out may be v. */
void quat_rotate(const double q[static 4], const double v[static 3], double out[static 3]);

/* The rotation by the least angle that takes the direction of one vector, of any length, to that of
 * another; half a turn about any axis across where they are opposite, the identity where one has
 * no length. */
void quat_between(const double from[static 3], const double to[static 3], double out[static 4]);

/* A rotation of a unit quaternion as its vector: axis times angle, which is in [0, pi]. The same
 * for q and -q but at pi. The same bits on every machine. */
void quat_to_vector(const double q[static 4], double out[static 3]);

/* The rotation with such a vector, of any length. The same bits on every machine. */
void quat_from_vector(const double vector[static 3], double out[static 4]);

/* Parts q = swing * twist: the twist turns about the axis (unit), the swing about one across it,
 * its w >= 0. Where the swing is half a turn, what is left is no twist. METHODS 0.5. */
void quat_swing_twist(const double q[static 4], const double axis[static 3], double swing[static 4],
	double twist[static 4]);

/* The average of rotations with weights that sum to 1: the weighted sum of the quaternions, each
 * with the sign that brings it nearer to quaternions[reference], and normalised once. Where the sum
 * is shorter than 1e-4 there is no average, and it is the reference. quaternions is [count]. It
 * does not depend on their order but for roundings. METHODS C.6, nlerp_n. */
void quat_average(const double (*quaternions)[4], const double *weights, int count, int reference,
	double out[static 4]);

/* The same as the dominant eigenvector of the weighted sum of q q', which no signs come into; on
 * the side of the reference. Where the two greatest eigenvalues are nearer than 1e-8 there is no
 * average, and it is the reference. METHODS C.6, markley; Markley, Cheng, Crassidis and Oshman,
 * Averaging quaternions, J. Guidance, Control, and Dynamics 30 (2007). */
void quat_average_eigen(const double (*quaternions)[4], const double *weights, int count,
	int reference, double out[static 4]);

/* The same along the arcs: from where the weighted sum of the rotation vectors to all of them, each
 * the shorter way, is 0. At most ten steps from quat_average, to 1e-9. METHODS C.6, karcher. */
void quat_average_arcs(const double (*quaternions)[4], const double *weights, int count,
	int reference, double out[static 4]);
