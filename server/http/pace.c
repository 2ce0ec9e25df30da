// Streams that wait for the time of their next piece: each suspends its connection, holds no
// thread, and is resumed by the loop.
#include "http/pace.h"

#include <math.h>

#include "base/clock.h"
#include "http/clients.h"
#include "http/exchange_work.h"
#include "http/http_loop.h"

void pace_wait(struct exchange *exchange) {
	struct http *http = exchange->http;
	struct stream *stream = exchange->stream;
	stream->waiting = true;
	stream->earlier = NULL;
	stream->later = http->paced;
	if (http->paced) {
		http->paced->stream->earlier = exchange;
	}
	http->paced = exchange;
}

void pace_leave(struct exchange *exchange) {
	struct stream *stream = exchange->stream;
	if (!stream || !stream->waiting) {
		return;
	}
	stream->waiting = false;
	if (stream->earlier) {
		stream->earlier->stream->later = stream->later;
	} else {
		exchange->http->paced = stream->later;
	}
	if (stream->later) {
		stream->later->stream->earlier = stream->earlier;
	}
}

/* When the next piece is to be begun. */
static double due_s(const struct exchange *exchange) {
	const struct answer_stream *stream = &exchange->call.answer.stream;
	return stream->news && atomic_load(&stream->news->hurry) ? 0 : stream->not_before_s;
}

void pace_run(struct http *http) {
	const double now_s = clock_now_s();
	struct exchange *later;
	for (struct exchange *exchange = http->paced; exchange; exchange = later) {
		later = exchange->stream->later;
		if (http->options.service->stopping || due_s(exchange) <= now_s) {
			pace_leave(exchange);
			exchange_refill(exchange);
		}
	}
}

double pace_next_s(const struct http *http) {
	double next_s = INFINITY;
	for (const struct exchange *e = http->paced; e; e = e->stream->later) {
		next_s = fmin(next_s, due_s(e));
	}
	return next_s;
}

void pace_end_abandoned(struct http *http) {
	struct exchange *later;
	for (struct exchange *exchange = http->paced; exchange; exchange = later) {
		later = exchange->stream->later;
		if (client_has_left(exchange->client->file)) {
			pace_leave(exchange);
			exchange->stream->failed = true;
			exchange->stream->starved = false;
			MHD_resume_connection(exchange->connection);
		}
	}
}
