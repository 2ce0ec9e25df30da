/* Streams that wait for the time of their next piece, their connection suspended. */
#pragma once

#include "http/exchange.h"

/* Has the next piece made when its time has come. */
void pace_wait(struct exchange *exchange);

/* Takes back one that goes, if it waits. */
void pace_leave(struct exchange *exchange);

/* Begins what is due; when stopping, all. */
void pace_run(struct http *http);

/* When the next is due; INFINITY = none waits. */
double pace_next_s(const struct http *http);

/* Ends those whose client left. */
void pace_end_abandoned(struct http *http);
