/* Shared by rules that look at the steps of joints. */
#pragma once

#include "check/rule.h"

/* The greatest of the steps from near to far away on both sides of the steps first to last; *count
 * is how many of them there are. */
double check_steps_around(
	const double *steps, int step_count, int first, int last, int near, int far, int *count);

/* Samples of a curve around a finding. */
#define CHECK_CURVE_MAX 25

/* The curve of a signal around a sample, in lengths of the figure: fills points, of which the
 * result borrows. */
struct check_curve_points {
	double times_s[CHECK_CURVE_MAX], values[CHECK_CURVE_MAX];
};

struct check_curve check_curve_around(const struct check_track *track, const double *signal,
	int count, int sample, struct check_curve_points *points);
