// The time that transactions have: deadlines, slow and disconnected clients, the shutdown.
#include <math.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "http/loop.h"
#include "http/transaction.h"
#include "metrics/metrics.h"

/* The slowest line that bodies and responses are waited for, besides the time that a connection may
 * be silent. */
#define SLOW_BYTES_PER_S 16384.0

void transactions_end_late(struct http *http) {
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
	struct transaction *transaction;
	LIST_FOREACH(transaction, &http->transactions, of_all) {
		if (!transaction_is_pending(transaction)) {
			continue;
		}
		if (transaction->deadline_s <= now_s) {
			const struct transaction_work *work = &transaction->work;
			const bool is_import = work->has_slot && work->pool == EXECUTOR_IMPORT;
			metrics_count_refusal(http->options.service->metrics, REFUSAL_DEADLINE);
			transaction_give_up(transaction, is_import ? &unread : &late);
		} else {
			http->next_deadline_s =
				fmin(http->next_deadline_s, transaction->deadline_s);
		}
	}
}

/* True while a client waits for work, for its response or for more of it: the library, with nothing
 * to send, does not see it disconnect. A refusal is sent before that matters. */
static bool is_waited_for(const struct transaction *transaction) {
	return (transaction_is_pending(transaction) && transaction->state != TRANSACTION_HELD) ||
		transaction->state == TRANSACTION_STARVED;
}

void transactions_end_abandoned(struct http *http) {
	struct error err = {0};
	error_set(&err, ERROR_CLIENT_LEFT, "the client disconnected");
	struct transaction *transaction;
	LIST_FOREACH(transaction, &http->transactions, of_all) {
		if (!is_waited_for(transaction) ||
			!connection_is_closed(transaction->connection->file)) {
			continue;
		}
		if (transaction_is_pending(transaction)) {
			transaction_give_up(transaction, &err);
		} else {
			atomic_store(&transaction->context.stop.left, true);
		}
	}
}

void transactions_call_off(struct http *http) {
	struct error err = {0};
	error_set(&err, ERROR_SHUTTING_DOWN, "the daemon is shutting down before this is done");
	struct transaction *transaction;
	LIST_FOREACH(transaction, &http->transactions, of_all) {
		atomic_store(&transaction->context.stop.shutting_down, true);
		if (transaction_is_pending(transaction)) {
			metrics_count_refusal(
				http->options.service->metrics, REFUSAL_SHUTTING_DOWN);
			transaction_give_up(transaction, &err);
		}
	}
}

/* True when a transfer has taken longer than even a slow line needs. */
static bool is_too_slow(const struct http *http, double since_s, uint64_t bytes, double now_s) {
	return now_s - since_s > http->options.idle_s + (double)bytes / SLOW_BYTES_PER_S;
}

/* Of a stream the piece that is being sent counts: others took their time to be made. */
static bool is_read_too_slowly(const struct transaction *transaction, double now_s) {
	const struct stream *stream = transaction->stream;
	return stream ? is_too_slow(transaction->http, stream->piece_s, stream->piece.size, now_s)
		      : is_too_slow(transaction->http, transaction->response_s,
				transaction->access.bytes, now_s);
}

/* True for a stream that was to end, and whose client has not taken what was made before. */
static bool is_to_be_cut(const struct transaction *transaction, double now_s) {
	if (!transaction->stream) {
		return false; // a pool may have the response
	}
	const struct stream_control *control = transaction->context.response.stream.control;
	const double cut_s = control ? atomic_load(&control->cut_s) : 0;
	return cut_s > 0 && now_s > cut_s;
}

static bool is_to_end(const struct transaction *transaction, double now_s) {
	if (transaction->state == TRANSACTION_RECEIVING) {
		// The library goes by the edges of epoll's events and takes a short read for the
		// end of what there is: a FIN that comes with the last bytes it sees only when the
		// connection times out.
		return connection_is_closed(transaction->connection->file) ||
			is_too_slow(transaction->http, transaction->access.started_s,
				transaction->body.size + transaction->discarded, now_s);
	}
	if (transaction_is_pending(transaction) || transaction->response_s == 0) {
		return false;
	}
	const bool is_sent = transaction->state == TRANSACTION_STARVED ||
		transaction->state == TRANSACTION_TIMED;
	return (!is_sent && is_read_too_slowly(transaction, now_s)) ||
		is_to_be_cut(transaction, now_s);
}

void transactions_end_slow(struct http *http) {
	const double now_s = clock_now_s();
	const struct transaction *transaction;
	LIST_FOREACH(transaction, &http->transactions, of_all) {
		if (is_to_end(transaction, now_s)) {
			// The library closes it at the event that this makes.
			shutdown(transaction->connection->file, SHUT_RDWR);
		}
	}
}
