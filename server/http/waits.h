/* The waits of a transaction: for a slot in the queue of a pool, for the response to an equal
 * request, and for the time of a stream's next piece. */
#pragma once

#include "http/transaction.h"

/* Gets the transaction's client a slot in the queue of a pool. False with ERROR_SHUTTING_DOWN,
 * ERROR_CLIENT_SHARE or ERROR_OVERLOADED. */
bool admission_enter(struct transaction *transaction, enum executor pool, struct error *err);

/* Gives the slot back, if it has one. */
void admission_leave(struct transaction *transaction);

/* --- Coalescing: equal requests whose work is done once. The first leads, and the others wait for
 * its response. A request is known by the entity tag of its response. --- */

/* Makes a transaction, whose tag is known, wait for another that is at work on the same. False when
 * there is none. */
bool coalesce_join(struct transaction *transaction);

/* From now on others can wait for this one's response; and until now. */
void coalesce_begin(struct transaction *transaction);
void coalesce_end(struct transaction *transaction);

/* A transaction waits no more for its leader, if it has one. A leader that nobody waits for any
 * more stops. */
void coalesce_leave(struct transaction *transaction);

/* --- Timed streams: each suspends its connection, holds no thread, and is resumed by the loop
 * when the time of its next piece has come. --- */

/* A transaction enters and leaves the state TIMED. */
void timed_stream_enter(struct transaction *transaction);
void timed_stream_leave(struct transaction *transaction);

/* Has the pieces made whose time has come. */
void timed_streams_run(struct http *http);

/* When there is the next, on clock_now_s(); INFINITY = none waits. */
double timed_streams_next_s(const struct http *http);

/* Ends those whose client disconnected. */
void timed_streams_end_abandoned(struct http *http);
