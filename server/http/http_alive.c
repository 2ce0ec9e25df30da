// The exchanges that are alive, and the end of their patience.
#include "http/http_alive.h"

#include <math.h>

#include "base/clock.h"
#include "http/clients.h"
#include "http/exchange.h"
#include "http/exchange_work.h"
#include "http/http_loop.h"
#include "metrics/metrics.h"

void http_enter(struct exchange *exchange) {
	struct http *http = exchange->http;
	exchange->older = http->alive;
	if (http->alive) {
		http->alive->newer = exchange;
	}
	http->alive = exchange;
	http->options.service->in_flight++;
}

void http_leave(struct exchange *exchange) {
	struct http *http = exchange->http;
	if (exchange->newer) {
		exchange->newer->older = exchange->older;
	} else {
		http->alive = exchange->older;
	}
	if (exchange->older) {
		exchange->older->newer = exchange->newer;
	}
	http->options.service->in_flight--;
}

void http_end_late(struct http *http) {
	const double now_s = clock_now_s();
	if (now_s < http->next_deadline_s) {
		return;
	}
	struct error late = {0}, unread = {0};
	error_set(&late, ERROR_DEADLINE,
		"the answer was not ready in the time that it may take; Posed-Deadline-Ms asks for "
		"another");
	error_set(&unread, ERROR_OVERLOADED,
		"the asset was not read in the time that this may take; try again");
	http->next_deadline_s = INFINITY;
	for (struct exchange *exchange = http->alive; exchange; exchange = exchange->older) {
		if (exchange->stage != STAGE_WAITING) {
			continue;
		}
		if (exchange->deadline_s <= now_s) {
			metrics_count_refusal(http->options.service->metrics, REFUSAL_DEADLINE);
			const bool is_import =
				exchange->holds_place && exchange->place == PLACE_IMPORT;
			exchange_give_up(exchange, is_import ? &unread : &late);
		} else if (exchange->deadline_s < http->next_deadline_s) {
			http->next_deadline_s = exchange->deadline_s;
		}
	}
}

/* Whether a client waits for work, for its answer or for more of it: the library, with nothing to
 * send, does not see it leave. A refusal is sent before that matters. */
static bool is_waited_for(const struct exchange *exchange) {
	return (exchange->stage == STAGE_WAITING && !exchange->held) ||
		(exchange->stream && exchange->stream->starved && exchange->working);
}

void http_end_abandoned(struct http *http) {
	struct error err = {0};
	error_set(&err, ERROR_CLIENT_LEFT, "the client went away");
	for (struct exchange *exchange = http->alive; exchange; exchange = exchange->older) {
		if (!is_waited_for(exchange) || !client_has_left(exchange->client->file)) {
			continue;
		}
		if (exchange->stage == STAGE_WAITING) {
			exchange_give_up(exchange, &err);
		} else {
			atomic_store(&exchange->call.stop.left, true);
		}
	}
}

void http_call_off(struct http *http) {
	struct error err = {0};
	error_set(&err, ERROR_SHUTTING_DOWN, "the daemon is shutting down before this is done");
	for (struct exchange *exchange = http->alive; exchange; exchange = exchange->older) {
		atomic_store(&exchange->call.stop.shutting_down, true);
		if (exchange->stage == STAGE_WAITING) {
			metrics_count_refusal(
				http->options.service->metrics, REFUSAL_SHUTTING_DOWN);
			exchange_give_up(exchange, &err);
		}
	}
}
