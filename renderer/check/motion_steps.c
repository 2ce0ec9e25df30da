// Shared by rules that look at the steps of joints.
#include "check/motion_steps.h"

#include <math.h>

double check_steps_around(
	const double *steps, int step_count, int first, int last, int near, int far, int *count) {
	double greatest = 0;
	*count = 0;
	for (int away = near; away <= far; away++) {
		const int places[2] = {first - away, last + away};
		for (int i = 0; i < 2; i++) {
			if (places[i] >= 0 && places[i] < step_count) {
				greatest = fmax(greatest, steps[places[i]]);
				++*count;
			}
		}
	}
	return greatest;
}

struct check_curve check_curve_around(const struct check_track *track, const double *signal,
	int count, int sample, struct check_curve_points *points) {
	const int half = CHECK_CURVE_MAX / 2;
	const int first = sample > half ? sample - half : 0;
	size_t used = 0;
	for (int i = first; i < count && i <= sample + half; i++, used++) {
		points->times_s[used] = check_clip_time(track->clip, i);
		points->values[used] = signal[i] / track->asset->length;
	}
	return (struct check_curve){points->times_s, points->values, used};
}
