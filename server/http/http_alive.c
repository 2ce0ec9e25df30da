// The exchanges that are alive, and the end of their patience.
#include "http/http_alive.h"

#include <math.h>

#include "base/clock.h"
#include "http/clients.h"
#include "http/http_loop.h"
#include "http/transaction.h"
#include "http/transaction_work.h"
#include "metrics/metrics.h"

void http_enter(struct transaction *transaction) {
	struct http *http = transaction->http;
	transaction->older = http->alive;
	if (http->alive) {
		http->alive->newer = transaction;
	}
	http->alive = transaction;
	http->options.service->in_flight++;
}

void http_leave(struct transaction *transaction) {
	struct http *http = transaction->http;
	if (transaction->newer) {
		transaction->newer->older = transaction->older;
	} else {
		http->alive = transaction->older;
	}
	if (transaction->older) {
		transaction->older->newer = transaction->newer;
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
	for (struct transaction *transaction = http->alive; transaction;
		transaction = transaction->older) {
		if (transaction->stage != STAGE_WAITING) {
			continue;
		}
		if (transaction->deadline_s <= now_s) {
			metrics_count_refusal(http->options.service->metrics, REFUSAL_DEADLINE);
			const bool is_import =
				transaction->holds_place && transaction->place == EXECUTOR_IMPORT;
			transaction_give_up(transaction, is_import ? &unread : &late);
		} else if (transaction->deadline_s < http->next_deadline_s) {
			http->next_deadline_s = transaction->deadline_s;
		}
	}
}

/* Whether a client waits for work, for its answer or for more of it: the library, with nothing to
 * send, does not see it leave. A refusal is sent before that matters. */
static bool is_waited_for(const struct transaction *transaction) {
	return (transaction->stage == STAGE_WAITING && !transaction->held) ||
		(transaction->stream && transaction->stream->starved && transaction->working);
}

void http_end_abandoned(struct http *http) {
	struct error err = {0};
	error_set(&err, ERROR_CLIENT_LEFT, "the client went away");
	for (struct transaction *transaction = http->alive; transaction;
		transaction = transaction->older) {
		if (!is_waited_for(transaction) || !client_has_left(transaction->client->file)) {
			continue;
		}
		if (transaction->stage == STAGE_WAITING) {
			transaction_give_up(transaction, &err);
		} else {
			atomic_store(&transaction->context.stop.left, true);
		}
	}
}

void http_call_off(struct http *http) {
	struct error err = {0};
	error_set(&err, ERROR_SHUTTING_DOWN, "the daemon is shutting down before this is done");
	for (struct transaction *transaction = http->alive; transaction;
		transaction = transaction->older) {
		atomic_store(&transaction->context.stop.shutting_down, true);
		if (transaction->stage == STAGE_WAITING) {
			metrics_count_refusal(
				http->options.service->metrics, REFUSAL_SHUTTING_DOWN);
			transaction_give_up(transaction, &err);
		}
	}
}
