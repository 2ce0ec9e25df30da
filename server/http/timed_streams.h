/* Streams that wait for the time of their next piece, their connection suspended. */
#pragma once

#include "http/transaction.h"

/* Has the next piece made when its time has come. */
void timed_stream_wait(struct transaction *transaction);

/* Takes back one that goes, if it waits. */
void timed_stream_leave(struct transaction *transaction);

/* Begins what is due; when stopping, all. */
void timed_stream_run(struct http *http);

/* When the next is due; INFINITY = none waits. */
double timed_stream_next_s(const struct http *http);

/* Ends those whose client left. */
void timed_stream_end_abandoned(struct http *http);
