/* Time for measuring. */
#pragma once

#include <pthread.h>
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

/* Waits for a condition under its mutex, for so long at most, by a clock that never jumps: whoever
 * waits looks again afterwards, whichever it was. */
static inline void wait_a_while(pthread_cond_t *condition, pthread_mutex_t *mutex, double seconds) {
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	const long nanoseconds = until.tv_nsec + (long)(seconds * 1e9);
	until.tv_sec += nanoseconds / 1000000000L;
	until.tv_nsec = nanoseconds % 1000000000L;
	pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &until);
}
