/* How far poses are apart, and how much of an example is left at such a distance. The same bits on
 * every machine. METHODS A8, A15, A16. */
#pragma once

/* The angle between two unit vectors, [0, pi]: the arc between them on the unit sphere. */
double metric_arc(const double a[static 3], const double b[static 3]);

/* The straight distance between them, [0, 2]. Gaussians of it are always positive definite, those
 * of the arc are not (METHODS G12). */
double metric_chord(const double a[static 3], const double b[static 3]);

/* The angle of the rotation that takes one unit quaternion (x y z w) to another, [0, pi]. */
double metric_angle(const double a[static 4], const double b[static 4]);

/* exp(-(distance / width)^2): 1 at 0. */
double kernel_gaussian(double distance, double width);

/* The uniform cubic B-spline over distance / width: 2/3 at 0, 1/6 at 1, 0 from 2 on. */
double kernel_bspline(double distance, double width);
