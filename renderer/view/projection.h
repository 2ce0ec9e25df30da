/* Projections as in OpenGL: eye to clip space, column-major, what is seen along -z. */
#pragma once

#include <stdbool.h>

/* slopes  half of what is seen at distance 1: across and up
 * near    > 0
 * far     > near; may be infinite
 * Source: glTF 2.0, 3.10.3.3 and 3.10.3.4. */
void projection_perspective(
	const double slopes[static 2], double near, double far, double projection[static 16]);

/* half  of what is seen: across and up
 * near  < far, both of any sign
 * Source: glTF 2.0, 3.10.3.5. */
void projection_orthographic(
	const double half[static 2], double near, double far, double projection[static 16]);

/* Puts other planes into either of these. */
void projection_set_depth(double projection[static 16], double near, double far);

/* The planes of a projection that is one of these, and whatever comes out for others. */
void projection_depth(const double projection[static 16], double *near, double *far);

/* True when lines of sight are parallel. */
bool projection_is_orthographic(const double projection[static 16]);

/* True when it can be undone: what cannot shows all points of a line of sight, or all that there
 * are, as one. False too where anything is not finite. */
bool projection_is_invertible(const double projection[static 16]);

/* out = a * b, all column-major 4x4; out is neither. */
void projection_multiply(
	const double a[static 16], const double b[static 16], double out[static 16]);
