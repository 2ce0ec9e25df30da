/* A number of each sample that was looked at, for the curves of findings. */
#pragma once

#include "check/rule.h"

/* Samples of a curve on each side of a finding. */
#define CHECK_SERIES_AROUND 12

struct check_series {
	double *times_s, *values; // [count]
	int *samples;             // [count] of the clip
	int count, room;
};

/* Room for all samples of a clip that surface passes are called with. */
struct check_series check_series_make(const struct check_clip *clip, struct arena *arena);

/* Adds the number of one more sample. Nothing beyond the room. */
void check_series_add(struct check_series *series, const struct check_pose *at, double value);

/* The curve around a sample; borrows of the series. Empty for a sample that is not there. */
struct check_curve check_series_around(const struct check_series *series, int sample);
