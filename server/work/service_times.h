/* The time that work on requests takes, by route: running averages, from which follows how long
 * those that come later will wait. One thread only. */
#pragma once

#include <stddef.h>

struct service_times;

/* For routes 0 to count - 1. */
struct service_times *service_times_create(size_t count);
void service_times_destroy(struct service_times *times); // takes NULL

/* Notes that work on a request of a route has taken so many seconds of a thread. */
void service_times_note(struct service_times *times, size_t route, double seconds);

/* Seconds that it is thought to take; 0 while nothing is known. */
double service_times_expect(const struct service_times *times, size_t route);
