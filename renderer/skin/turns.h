/* How a joint is turned against the one above it. */
#pragma once

/* A rotation as a twist about an axis, of any length, first and a swing after it: q = swing *
 * twist, all unit quaternions. Where there is no axis, or the rotation has no twist that could be
 * told, it is all swing. METHODS 0.5. */
void turns_swing_twist(const double q[static 4], const double axis[static 3],
	double swing[static 4], double twist[static 4]);

/* A rotation as a matrix, rows of 3x4. */
void turns_matrix(const double q[static 4], double m[static 12]);
