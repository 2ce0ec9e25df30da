// A number of each sample that was looked at.
#include "check/series.h"

struct check_series check_series_make(const struct check_clip *clip, struct arena *arena) {
	const int room = clip->count / clip->surface_stride + 1;
	return (struct check_series){
		.times_s = arena_alloc(arena, (size_t)room, sizeof(double)),
		.values = arena_alloc(arena, (size_t)room, sizeof(double)),
		.samples = arena_alloc(arena, (size_t)room, sizeof(int)),
		.room = room,
	};
}

void check_series_add(struct check_series *series, const struct check_pose *at, double value) {
	if (series->count < series->room) {
		series->times_s[series->count] = at->time_s;
		series->values[series->count] = value;
		series->samples[series->count++] = at->sample;
	}
}

struct check_curve check_series_around(const struct check_series *series, int sample) {
	int at = 0;
	while (at < series->count && series->samples[at] != sample) {
		at++;
	}
	if (at == series->count) {
		return (struct check_curve){0};
	}
	const int first = at > CHECK_SERIES_AROUND ? at - CHECK_SERIES_AROUND : 0;
	const int last = at + CHECK_SERIES_AROUND < series->count ? at + CHECK_SERIES_AROUND
								  : series->count - 1;
	return (struct check_curve){
		.times_s = series->times_s + first,
		.values = series->values + first,
		.count = (size_t)(last - first + 1),
	};
}
