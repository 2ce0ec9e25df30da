// The moments at which a clip is to be looked at.
#include "pose/motion/key_times.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NEAREST_S 1e-3
/* Of a step: keys at a rate of 30 are rounded. */
#define ROUNDING 0.01

static int compare(const void *a, const void *b) {
	const float x = *(const float *)a, y = *(const float *)b;
	return (x > y) - (x < y);
}

/* The times of all keys, unordered; channels that share their times count once in a row. */
static float *gather(const struct clip *clip, struct arena *arena, size_t *count) {
	size_t most = 2;
	for (int i = 0; i < clip->channel_count; i++) {
		most += 2 * (size_t)clip->channels[i].key_count;
	}
	float *times = arena_alloc(arena, most, sizeof *times);
	const float *last = NULL;
	*count = 0;
	times[(*count)++] = 0;
	times[(*count)++] = (float)clip->duration_s;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		const bool steps = channel->interpolation == INTERPOLATION_STEP;
		for (int k = 0; k < channel->key_count && (channel->times != last || steps); k++) {
			times[(*count)++] = channel->times[k];
			if (steps && k > 0) {
				times[(*count)++] = channel->times[k] - (float)NEAREST_S;
			}
		}
		last = channel->times;
	}
	return times;
}

/* Steps between two moments. */
static size_t steps_between(double from, double to) {
	return (size_t)fmax(ceil((to - from) * KEY_TIMES_RATE - ROUNDING), 1);
}

/* Keeps the moments that are far enough from each other and from the end. */
static size_t thin(float *times, size_t count, float end) {
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		const bool first = kept == 0 && times[i] >= 0;
		const bool apart = kept > 0 && times[i] - times[kept - 1] >= (float)NEAREST_S / 2 &&
			end - times[i] >= (float)NEAREST_S / 2;
		if (first || apart) {
			times[kept++] = first ? 0 : times[i];
		}
	}
	if (end > times[kept - 1]) {
		times[kept++] = end;
	}
	return kept;
}

const float *key_times(const struct clip *clip, struct arena *arena, size_t *count) {
	size_t gathered;
	float *keys = gather(clip, arena, &gathered);
	qsort(keys, gathered, sizeof *keys, compare);
	const size_t kept = thin(keys, gathered, (float)clip->duration_s);
	size_t most = 1;
	for (size_t i = 1; i < kept; i++) {
		most += steps_between((double)keys[i - 1], (double)keys[i]);
	}
	float *times = arena_alloc(arena, most, sizeof *times);
	*count = 0;
	times[(*count)++] = keys[0];
	for (size_t i = 1; i < kept; i++) {
		const double from = (double)keys[i - 1], to = (double)keys[i];
		const size_t steps = steps_between(from, to);
		for (size_t k = 1; k <= steps; k++) {
			const float time = (float)(from + (to - from) * (double)k / (double)steps);
			times[*count] = k == steps ? keys[i] : time;
			*count += times[*count] > times[*count - 1];
		}
	}
	return times;
}
