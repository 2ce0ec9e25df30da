/* When work is to stop before it is done: past its deadline, when nobody waits for it any more, or
 * when the daemon ends.
 * Whoever works asks between its steps; whoever waits tells, from another thread. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"

/* Zero is never. */
struct stop {
	_Atomic double deadline_s; // on the clock of clock_now_s(); 0 = none
	atomic_bool left;          // the client went away
	atomic_bool shutting_down; // the daemon cannot wait for it any longer
};

/* True to go on. False with ERROR_DEADLINE, ERROR_CLIENT_LEFT or ERROR_SHUTTING_DOWN. stop may
 * be NULL. Looks at the clock: for between steps, not for loops over vertices. */
bool stop_check(const struct stop *stop, struct error *err);

/* Moves the deadline to a later time, or away by 0: others wait for the same work. */
void stop_extend(struct stop *stop, double deadline_s);
