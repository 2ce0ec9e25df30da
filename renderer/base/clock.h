/* Time for measuring. */
#pragma once

#include <time.h>

/* Seconds on a clock that never jumps. */
static inline double clock_now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Seconds since *mark, which moves to now. */
static inline double clock_lap_s(double *mark) {
	const double before = *mark;
	*mark = clock_now_s();
	return *mark - before;
}
