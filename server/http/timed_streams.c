// Streams that wait for the time of their next piece.
#include "http/waits.h"

#include <math.h>

#include "base/clock.h"
#include "http/loop.h"

void timed_stream_enter(struct transaction *transaction) {
	TAILQ_INSERT_TAIL(&transaction->http->timed, transaction, of_queue);
}

void timed_stream_leave(struct transaction *transaction) {
	TAILQ_REMOVE(&transaction->http->timed, transaction, of_queue);
}

/* The time at which the next piece is to be begun. */
static double due_s(const struct transaction *transaction) {
	const struct response_stream *stream = &transaction->context.response.stream;
	return stream->control && atomic_load(&stream->control->wake) ? 0 : stream->not_before_s;
}

void timed_streams_run(struct http *http) {
	const double now_s = clock_now_s();
	struct transaction *next;
	for (struct transaction *transaction = TAILQ_FIRST(&http->timed); transaction;
		transaction = next) {
		next = TAILQ_NEXT(transaction, of_queue);
		if (http->options.service->stopping || due_s(transaction) <= now_s) {
			transaction_fill(transaction);
		}
	}
}

double timed_streams_next_s(const struct http *http) {
	double next_s = INFINITY;
	const struct transaction *transaction;
	TAILQ_FOREACH(transaction, &http->timed, of_queue) {
		next_s = fmin(next_s, due_s(transaction));
	}
	return next_s;
}

void timed_streams_end_abandoned(struct http *http) {
	struct transaction *next;
	for (struct transaction *transaction = TAILQ_FIRST(&http->timed); transaction;
		transaction = next) {
		next = TAILQ_NEXT(transaction, of_queue);
		if (connection_is_closed(transaction->connection->file)) {
			transaction_enter(transaction, TRANSACTION_BROKEN);
		}
	}
}
