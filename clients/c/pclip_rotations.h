/* Rotations of many joints at once. They lie in planes: all x, then all y and so on, count of each.
 * Internal to the decoder. */
#pragma once

/* base * exp(vector) of each.
 *
 * vectors  [3][count], radians about each axis
 * bases    [4][count] unit quaternions
 * out      [4][count] the same; aliases nothing */
void pclip_turn(const double *restrict vectors, const double *restrict bases, int count,
	double *restrict out);

/* Slerps the shorter way.
 *
 * from, to  [4][count] unit quaternions
 * share     of the way, [0,1]
 * out       [4][count]; aliases nothing */
void pclip_slerp(const double *restrict from, const double *restrict to, double share, int count,
	float *restrict out);
