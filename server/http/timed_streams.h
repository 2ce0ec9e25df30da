/* Streams that wait for the time of their next piece: each suspends its connection, holds no
 * thread, and is resumed by the loop. */
#pragma once

#include "http/transaction.h"

/* A transaction enters and leaves the state TIMED. */
void timed_stream_enter(struct transaction *transaction);
void timed_stream_leave(struct transaction *transaction);

/* Has the pieces made whose time has come. */
void timed_streams_run(struct http *http);

/* When there is the next, on clock_now_s(); INFINITY = none waits. */
double timed_streams_next_s(const struct http *http);

/* Ends those whose client disconnected. */
void timed_streams_end_abandoned(struct http *http);
