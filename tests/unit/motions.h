/* Poses of cyl2's joints as matrices, and rotations, in double precision and on their own: what the
 * formulas of methods are written down with once more in tests. */
#pragma once

/* Palette matrices, rows of 3x4, of cyl2 with joint 1 turned about an axis (unit). */
struct motions {
	double m[2][12];
};

struct motions motions_turned(double x, double y, double z, double degrees);

/* The same motion for both joints. */
struct motions motions_rigid(const double m[12]);

/* A rotation about an axis of any length with a translation. */
void motion_make(const double axis[3], double degrees, const double translation[3], double m[12]);

void motion_map(const double m[12], const double v[3], double out[3]);

/* Linear blend skinning with the weight w of joint 1. */
void motions_blend(const struct motions *motions, double w, const double v[3], double out[3]);

/* The rotation (rows) nearest to a 3x3 matrix in rows whose determinant is above 0. */
void nearest_rotation(const double a[9], double out[9]);
