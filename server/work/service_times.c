// The time that work on requests takes, by route.
#include "work/service_times.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* The least weight of one request: the last twenty decide. */
#define SHARE_MIN 0.05

struct average {
	double seconds;
	double count; // of requests
};

struct service_times {
	struct average *routes; // by number
};

struct service_times *service_times_create(size_t count) {
	struct service_times *times = xcalloc(1, sizeof *times);
	times->routes = xcalloc(count, sizeof *times->routes);
	return times;
}

void service_times_destroy(struct service_times *times) {
	if (times) {
		free(times->routes);
		free(times);
	}
}

void service_times_note(struct service_times *times, size_t route, double seconds) {
	struct average *average = &times->routes[route];
	average->count++;
	average->seconds += fmax(SHARE_MIN, 1 / average->count) * (seconds - average->seconds);
}

double service_times_expect(const struct service_times *times, size_t route) {
	return times->routes[route].seconds;
}
