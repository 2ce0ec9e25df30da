/* Waiting for others, but not for ever. */
#pragma once

#include <pthread.h>
#include <time.h>

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
