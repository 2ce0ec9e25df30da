// Loop modes.
#include "base/loop.h"

#include <math.h>
#include <stddef.h>

const char *const loop_names[LOOP_COUNT + 1] = {
	[LOOP_CLAMP] = "clamp",
	[LOOP_REPEAT] = "repeat",
	[LOOP_PING_PONG] = "ping_pong",
};

/* time - period * floor(time / period), in [0, period]; fmod is exact where the quotient rounds. */
static double modulo(double time_s, double period_s) {
	const double rest = fmod(time_s, period_s);
	return rest < 0 ? rest + period_s : rest;
}

double loop_time(enum loop loop, double time_s, double duration_s) {
	if (!(duration_s > 0)) {
		return 0;
	}
	switch (loop) {
	case LOOP_REPEAT:
		return modulo(time_s, duration_s);
	case LOOP_PING_PONG:
		return duration_s - fabs(modulo(time_s, 2 * duration_s) - duration_s);
	case LOOP_CLAMP:
	case LOOP_COUNT:
		break;
	}
	return fmin(fmax(time_s, 0), duration_s);
}
