/* From the time of a clock to a time within something that lasts a while. */
#pragma once

/* The continuation of a clip outside of [0, duration]. */
enum loop {
	LOOP_CLAMP,     // the first or last moment holds
	LOOP_REPEAT,    // starts over; a true modulo, also for negative times
	LOOP_PING_PONG, // forwards and backwards in turn
	LOOP_COUNT,
};

/* The modes' names in requests, in the order of the enum, ended by NULL. */
extern const char *const loop_names[LOOP_COUNT + 1];

/* The time within [0, duration_s] that a clip, or whatever lasts so long, shows at time_s.
 * duration_s >= 0; with 0 the answer is 0. METHODS C.5. */
double loop_time(enum loop loop, double time_s, double duration_s);
