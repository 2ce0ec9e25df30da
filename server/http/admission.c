// Admission of requests to the queue of a pool: as many as are worked off in the time that they may
// wait. A queue that does not empty evens out nothing, and all in it wait for those before them.
#include "http/waits.h"

#include <math.h>

#include "base/clock.h"
#include "http/loop.h"
#include "http/router.h"
#include "metrics/metrics.h"
#include "work/client_share.h"
#include "work/service_times.h"

/* Requests that a pool may hold for each thread however long they take: while the queue does not
 * empty, and in a burst. */
#define STANDING_MIN 4
#define BURST_MIN 16

/* Requests of a burst may wait so many times as long as others. */
#define BURST_FACTOR 8

/* The share of the time to its deadline that a request may wait. */
#define DEADLINE_SHARE 0.5

/* Seconds that a PUT or DELETE may wait: its client would rather wait than come again. */
#define STORE_WAIT_S 10

/* The length of a queue of which the last request waits for so long. */
static size_t slots(
	const struct transaction *transaction, enum executor pool, double wait_s, int per_thread) {
	const struct http *http = transaction->http;
	const double max = (double)http->options.queue_length;
	const double taken = (double)client_share_taken(http->shares[pool]);
	const double each_s = service_times_expect(
		http->service_times, route_index(http->options.routes, transaction->route));
	// Nobody is let in whose time will be over.
	const double patience_s = (transaction->deadline_s - clock_now_s()) * DEADLINE_SHARE;
	const double queued_s = thread_pool_wait_s(http->options.service->pools[pool]);
	const double left_s = fmax(fmin(wait_s, patience_s) - queued_s, 0);
	const int threads = http->options.threads[pool];
	// Nothing is known of the first.
	const double more = each_s > 0 ? fmin(left_s / each_s * threads, max) : 0;
	return (size_t)fmin(fmax(taken + more, (double)per_thread * threads), max);
}

static void limit_queue(const struct transaction *transaction, enum executor pool) {
	const struct http_options *options = &transaction->http->options;
	const bool is_store = pool == EXECUTOR_DISK || pool == EXECUTOR_IMPORT;
	const double standing_s = is_store ? STORE_WAIT_S : options->queue_wait_s;
	const double burst_s = is_store ? STORE_WAIT_S : standing_s * BURST_FACTOR;
	// Work that takes minutes is limited by count.
	const size_t standing = pool == EXECUTOR_FIT
		? (size_t)(BURST_MIN * options->threads[pool])
		: slots(transaction, pool, standing_s, STANDING_MIN);
	const size_t burst =
		pool == EXECUTOR_FIT ? standing : slots(transaction, pool, burst_s, BURST_MIN);
	client_share_set_limits(transaction->http->shares[pool], burst, standing);
}

bool admission_enter(struct transaction *transaction, enum executor pool, struct error *err) {
	struct http *http = transaction->http;
	struct metrics *metrics = http->options.service->metrics;
	enum refusal why;
	if (http->options.service->stopping) {
		metrics_count_refusal(metrics, REFUSAL_SHUTTING_DOWN);
		return error_set(
			err, ERROR_SHUTTING_DOWN, "the daemon is finishing its last requests");
	}
	limit_queue(transaction, pool);
	if (!client_share_enter(http->shares[pool], transaction->client, clock_now_s(), &why)) {
		metrics_count_refusal(metrics, why);
		return why == REFUSAL_OVER_SHARE
			? error_set(err, ERROR_CLIENT_SHARE,
				  "this client has its share of the requests that may wait; "
				  "others are waiting, too")
			: error_set(err, ERROR_OVERLOADED,
				  "all threads are busy and the queue before them is full");
	}
	transaction->work.pool = pool;
	transaction->work.has_slot = true;
	return true;
}

void admission_leave(struct transaction *transaction) {
	struct transaction_work *work = &transaction->work;
	if (work->has_slot) {
		work->has_slot = false;
		client_share_leave(transaction->http->shares[work->pool], transaction->client);
	}
}
