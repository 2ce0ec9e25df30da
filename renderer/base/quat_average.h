/* Averages of unit quaternions. The same bits on every machine. */
#pragma once

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
