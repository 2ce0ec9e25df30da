// Streams that wait for the time of their next piece: each suspends its connection, holds no
// thread, and is resumed by the loop.
#include "http/timed_streams.h"

#include <math.h>

#include "base/clock.h"
#include "http/clients.h"
#include "http/http_loop.h"
#include "http/transaction_work.h"

void timed_stream_wait(struct transaction *transaction) {
	struct http *http = transaction->http;
	struct stream *stream = transaction->stream;
	stream->waiting = true;
	stream->earlier = NULL;
	stream->later = http->paced;
	if (http->paced) {
		http->paced->stream->earlier = transaction;
	}
	http->paced = transaction;
}

void timed_stream_leave(struct transaction *transaction) {
	struct stream *stream = transaction->stream;
	if (!stream || !stream->waiting) {
		return;
	}
	stream->waiting = false;
	if (stream->earlier) {
		stream->earlier->stream->later = stream->later;
	} else {
		transaction->http->paced = stream->later;
	}
	if (stream->later) {
		stream->later->stream->earlier = stream->earlier;
	}
}

/* When the next piece is to be begun. */
static double due_s(const struct transaction *transaction) {
	const struct response_stream *stream = &transaction->context.response.stream;
	return stream->control && atomic_load(&stream->control->wake) ? 0 : stream->not_before_s;
}

void timed_stream_run(struct http *http) {
	const double now_s = clock_now_s();
	struct transaction *later;
	for (struct transaction *transaction = http->paced; transaction; transaction = later) {
		later = transaction->stream->later;
		if (http->options.service->stopping || due_s(transaction) <= now_s) {
			timed_stream_leave(transaction);
			transaction_refill(transaction);
		}
	}
}

double timed_stream_next_s(const struct http *http) {
	double next_s = INFINITY;
	for (const struct transaction *e = http->paced; e; e = e->stream->later) {
		next_s = fmin(next_s, due_s(e));
	}
	return next_s;
}

void timed_stream_end_abandoned(struct http *http) {
	struct transaction *later;
	for (struct transaction *transaction = http->paced; transaction; transaction = later) {
		later = transaction->stream->later;
		if (client_has_left(transaction->client->file)) {
			timed_stream_leave(transaction);
			transaction->stream->failed = true;
			transaction->stream->starved = false;
			MHD_resume_connection(transaction->connection);
		}
	}
}
