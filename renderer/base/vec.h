/* Vectors of three doubles and of three floats: what the geometry needs, and no more. */
#pragma once

#include <math.h>
#include <stdbool.h>

static inline double vec3_dot(const double a[static 3], const double b[static 3]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out may be neither a nor b. */
static inline void vec3_cross(
	const double a[static 3], const double b[static 3], double out[static 3]) {
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double vec3_length(const double a[static 3]) {
	return sqrt(vec3_dot(a, a));
}

/* out may be a. */
static inline void vec3_scale(const double a[static 3], double by, double out[static 3]) {
	for (int i = 0; i < 3; i++) {
		out[i] = a[i] * by;
	}
}

static inline void vec3_sub(
	const double a[static 3], const double b[static 3], double out[static 3]) {
	for (int i = 0; i < 3; i++) {
		out[i] = a[i] - b[i];
	}
}

/* Scales to length 1; returns false and leaves a as it is when it has none. */
static inline bool vec3_normalize(double a[static 3]) {
	const double length = vec3_length(a);
	if (!(length > 1e-300)) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		a[i] /= length;
	}
	return true;
}
