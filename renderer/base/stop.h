/* When work is to stop before it is done: past its deadline, or when nobody waits for it any more.
 * Whoever works asks between its steps; whoever waits tells, from another thread. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"

/* Zero is never. */
struct stop {
	_Atomic double deadline_s; // on the clock of clock_now_s(); 0 = none
	atomic_bool left;          // the client went away
};

/* Whether to go on. False with ERROR_DEADLINE or ERROR_CLIENT_LEFT. stop may be NULL. Looks at the
 * clock: for between steps, not for loops over vertices. */
bool stop_check(const struct stop *stop, struct error *err);

/* Moves the deadline to a later time, or away by 0: others wait for the same work. */
void stop_extend(struct stop *stop, double deadline_s);
