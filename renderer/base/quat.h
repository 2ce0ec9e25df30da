/* Unit quaternions x y z w, w the real part, Hamilton's product. METHODS 0.5. */
#pragma once

/* Spherical interpolation from a to b along the shorter way, u in [0, 1]; a tie goes with b as it
 * is. Both need to be unit to rounding; the result is unit. The same bits on every machine.
 * Source: Shoemake, Animating rotation with quaternion curves, SIGGRAPH 1985. */
void quat_slerp(const double a[static 4], const double b[static 4], double u, double out[static 4]);

/* Scales to length 1; a zero quaternion becomes the identity. */
void quat_normalize(double q[static 4]);
