// The steps of a request, on the loop's thread and in the pools.
#include "http/transaction_work.h"

#include <math.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "api/routes.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "cache/cache.h"
#include "cache/cached.h"
#include "cache/doorkeeper.h"
#include "http/clients.h"
#include "http/coalesce.h"
#include "http/http_loop.h"
#include "http/refusals.h"
#include "http/timed_streams.h"
#include "http/transaction.h"
#include "http/transaction_head.h"
#include "http/transaction_keep.h"
#include "metrics/metrics.h"
#include "work/client_share.h"
#include "work/service_times.h"

/* Text that names our insides is for the log, not for the client. */
static void hide_insides(struct transaction *transaction) {
	if (transaction->err.code == ERROR_INTERNAL) {
		log_line(LOG_ERROR, "%s", transaction->err.text);
		transaction->err = (struct error){0};
		error_set(&transaction->err, ERROR_INTERNAL,
			"a fault in the daemon, which its log has under this answer's "
			"Posed-Request-Id");
	}
}

static void fail(struct transaction *transaction) {
	log_set_request(transaction->access.id);
	hide_insides(transaction);
	if (transaction->stream) {
		// Its head has been sent: all that is left is to end in the middle.
		log_line(LOG_INFO, "an answer ends before its end: %s", transaction->err.text);
	} else {
		context_fail(&transaction->context, &transaction->err);
	}
	log_set_request(NULL);
}

/* Takes one step, on the thread that has the exchange. */
static void run_step(struct transaction *transaction, request_step step) {
	struct request_context *context = &transaction->context;
	context->step = NULL;
	if (!transaction_refused(transaction) && stop_check(&context->stop, &transaction->err)) {
		log_set_request(transaction->access.id);
		step(context, &transaction->err);
		log_set_request(NULL);
	}
}

/* Begins anew, for once, when the context was lost on the way. */
static bool begin_anew(struct transaction *transaction) {
	if (transaction->err.code != ERROR_CONTEXT_LOST || transaction->begun_anew) {
		return false;
	}
	transaction->begun_anew = true;
	metrics_count(transaction->context.service->metrics, METRICS_CONTEXT_RESETS, 1);
	transaction->err = (struct error){0};
	if (!transaction->stream) {
		context_reset(&transaction->context);
		transaction_take_first_step(transaction);
		transaction->first_again = true;
	}
	return true;
}

/* Takes the step that is to be taken here. */
static void work(struct transaction *transaction) {
	struct request_context *context = &transaction->context;
	context->spans_s[SPAN_QUEUE] += clock_now_s() - transaction->submitted_s;
	struct response_stream *stream = &context->response.stream;
	if (stream->fill) {
		run_step(transaction, stream->fill);
	} else if (!transaction_find_on_disk(transaction)) {
		run_step(transaction, context->step);
	}
	// What has ended before any of it was sent is an answer like others.
	if (!transaction->stream && stream->done) {
		*stream = (struct response_stream){0};
	}
}

static bool run_job(struct job *job, struct renderer *renderer) {
	struct transaction *transaction =
		(struct transaction *)((char *)job - offsetof(struct transaction, job));
	transaction->context.renderer = renderer;
	const double begun_s = clock_now_s();
	// With the renderer rebuilt, the first step is for the loop again: it may ask who may what.
	const bool first_again = transaction->first_again;
	transaction->first_again = false;
	if (!first_again) {
		work(transaction);
	}
	if (begin_anew(transaction)) {
		return false;
	}
	if (transaction_refused(transaction)) {
		fail(transaction);
	} else if (!transaction->stream) {
		transaction_share(transaction);
	}
	transaction->context.renderer = NULL;
	transaction->run_s = clock_now_s() - begun_s;
	http_finish_work(transaction);
	return true;
}

static void submit(struct transaction *transaction) {
	transaction->working = true;
	transaction->http->working++;
	transaction->submitted_s = clock_now_s();
	transaction->job.run = run_job;
	transaction->job.client = transaction->key;
	transaction->job.expected_s =
		service_times_expect(transaction->http->service_times, transaction->route);
	thread_pool_submit(
		transaction->http->options.service->pools[transaction->place], &transaction->job);
}

/* Before the work is published: once it is, it may be done at any moment. */
static void suspend(struct transaction *transaction) {
	transaction->stage = STAGE_WAITING;
	if (!transaction->suspended) {
		transaction->suspended = true;
		MHD_suspend_connection(transaction->connection);
	}
	if (transaction->deadline_s < transaction->http->next_deadline_s) {
		transaction->http->next_deadline_s = transaction->deadline_s;
	}
}

static void become_answered(struct transaction *transaction) {
	refusal_leave(transaction);
	transaction->stage = STAGE_ANSWERED;
	if (transaction->suspended) {
		transaction->suspended = false;
		MHD_resume_connection(transaction->connection);
	}
}

/* Requests that a pool may hold for each thread however long they take: while the queue does not
 * empty, and in a burst. */
#define STANDING_LEAST 4
#define BURST_LEAST 16

/* How many times as long as others those of a burst may wait. */
#define BURST_FACTOR 8

/* The share of the time to its deadline that a request may wait. */
#define DEADLINE_SHARE 0.5

/* Seconds that those may wait who would rather wait than come again: who puts or deletes something.
 */
#define STORE_WAIT_S 10

/* Places in a queue of which the last request waits for so long. */
static size_t places(
	struct transaction *transaction, enum executor place, double wait_s, int least) {
	const struct http *http = transaction->http;
	struct thread_pool *pool = http->options.service->pools[place];
	const double most = (double)http->options.queue_length;
	const double taken = (double)client_share_taken(http->shares[place]);
	const double each_s = service_times_expect(http->service_times, transaction->route);
	// Nobody is let in whose time will be over.
	const double patience_s = (transaction->deadline_s - clock_now_s()) * DEADLINE_SHARE;
	const double left_s = fmax(fmin(wait_s, patience_s) - thread_pool_wait_s(pool), 0);
	const int threads = http->options.threads[place];
	// Nothing is known of the first.
	const double more = each_s > 0 ? fmin(left_s / each_s * threads, most) : 0;
	return (size_t)fmin(fmax(taken + more, (double)least * threads), most);
}

/* As many as are worked off in the time that they may wait: a queue that does not empty evens out
 * nothing, and all wait for what those before them take. */
static void limit_queue(struct transaction *transaction, enum executor place) {
	const bool is_store = place == EXECUTOR_DISK || place == EXECUTOR_IMPORT;
	const double standing_s = is_store ? STORE_WAIT_S : transaction->http->options.queue_wait_s;
	const double burst_s = is_store ? STORE_WAIT_S : standing_s * BURST_FACTOR;
	// What takes minutes is counted.
	const size_t standing = place == EXECUTOR_FIT
		? (size_t)(BURST_LEAST * transaction->http->options.threads[place])
		: places(transaction, place, standing_s, STANDING_LEAST);
	const size_t burst =
		place == EXECUTOR_FIT ? standing : places(transaction, place, burst_s, BURST_LEAST);
	client_share_set_limits(transaction->http->shares[place], burst, standing);
}

/* Gets the client a place in the pool's queue. */
static bool enter_pool(struct transaction *transaction, enum executor place, struct error *err) {
	struct http *http = transaction->http;
	enum refusal why;
	if (http->options.service->stopping) {
		metrics_count_refusal(http->options.service->metrics, REFUSAL_SHUTTING_DOWN);
		return error_set(
			err, ERROR_SHUTTING_DOWN, "the daemon is finishing its last requests");
	}
	limit_queue(transaction, place);
	if (!client_share_enter(http->shares[place], transaction->key, clock_now_s(), &why)) {
		metrics_count_refusal(http->options.service->metrics, why);
		return why == REFUSAL_OVER_SHARE
			? error_set(err, ERROR_CLIENT_SHARE,
				  "this client has its share of the requests that may wait; "
				  "others are waiting, too")
			: error_set(err, ERROR_OVERLOADED,
				  "all threads are busy and the queue before them is full");
	}
	transaction->place = place;
	transaction->holds_place = true;
	return true;
}

static void leave_pool(struct transaction *transaction) {
	transaction->working = false;
	transaction->http->working--;
	if (transaction->holds_place) {
		transaction->holds_place = false;
		client_share_leave(transaction->http->shares[transaction->place], transaction->key);
	}
}

/* Whether the answer is known, or another exchange is at work on it. */
static bool find_answer(struct transaction *transaction) {
	const struct request_context *context = &transaction->context;
	if (!context->etag || transaction->alone) {
		return false;
	}
	transaction->shared = cache_get(context->service->cache, context->etag);
	if (transaction->shared) {
		become_answered(transaction);
		return true;
	}
	transaction->asked = doorkeeper_note(transaction->http->asked, context->etag);
	if (!coalesce_join(transaction)) {
		return false;
	}
	metrics_count(context->service->metrics, METRICS_COALESCED, 1);
	suspend(transaction);
	return true;
}

static void start_work(struct transaction *transaction) {
	if (!enter_pool(transaction, transaction->context.place, &transaction->err)) {
		fail(transaction);
		if (refusal_hold(transaction)) {
			suspend(transaction);
		} else {
			become_answered(transaction);
		}
		return;
	}
	suspend(transaction);
	if (transaction->context.etag && !transaction->alone) {
		coalesce_begin(transaction);
	}
	submit(transaction);
}

void transaction_advance(struct transaction *transaction) {
	struct request_context *context = &transaction->context;
	while (context->step && context->place == EXECUTOR_LOOP &&
		!transaction_refused(transaction)) {
		run_step(transaction, context->step);
	}
	if (transaction_refused(transaction)) {
		fail(transaction);
	}
	if (!context->step) {
		become_answered(transaction);
	} else if (!find_answer(transaction)) {
		start_work(transaction);
	}
}

/* Gives an answer to those who waited for it; without one they see to it themselves. */
static void answer_followers(struct transaction *transaction) {
	while (transaction->followers) {
		struct transaction *follower = transaction->followers;
		coalesce_leave(follower);
		if (transaction->shared) {
			follower->shared = cached_retain(transaction->shared);
			become_answered(follower);
		} else {
			follower->alone = transaction->context.response.stream.fill;
			transaction_advance(follower);
		}
	}
}

static void finish_piece(struct transaction *transaction) {
	struct stream *stream = transaction->stream;
	const struct response *response = &transaction->context.response;
	stream->failed = transaction_refused(transaction);
	if (!transaction->connection) {
		transaction_destroy(transaction);
	} else if (stream->starved && !stream->failed && !response->stream.done &&
		response->body.size == 0) {
		timed_stream_wait(transaction);
	} else if (stream->starved) {
		stream->starved = false;
		MHD_resume_connection(transaction->connection);
	}
}

/* Bytes that wait in the kernel to be sent, at most, of an answer at a pace: what lies there is old
 * when the client reads on. */
#define UNSENT_BYTES 16384

/* On a socket that is not TCP's without effect. */
static void keep_little(const struct client *client) {
	const int most = UNSENT_BYTES;
	setsockopt(client->file, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &most, sizeof most);
}

/* Begins to send a long answer, of which the first piece is there. */
static void begin_stream(struct transaction *transaction) {
	struct request_context *context = &transaction->context;
	transaction->stream = xcalloc(1, sizeof *transaction->stream);
	// From here on the client's patience counts, and ours with the client.
	atomic_store(&context->stop.deadline_s, 0);
	if (context->response.stream.not_before_s > 0) {
		keep_little(transaction->client);
	}
	become_answered(transaction);
}

/* Whether a stream has nothing to begin with so far, and is to go on. */
static bool is_yet_to_begin(const struct transaction *transaction) {
	const struct response *response = &transaction->context.response;
	return response->stream.fill && response->stream.not_before_s == 0 &&
		response->body.size == 0;
}

void transaction_release_refusals(struct http *http) {
	struct transaction *transaction;
	while ((transaction = refusal_next(http))) {
		become_answered(transaction);
	}
}

void transaction_finish_work(struct transaction *transaction) {
	service_times_note(
		transaction->http->service_times, transaction->route, transaction->run_s);
	leave_pool(transaction);
	if (transaction->stream) {
		finish_piece(transaction);
		return;
	}
	if (is_yet_to_begin(transaction)) {
		submit(transaction);
		return;
	}
	coalesce_end(transaction);
	answer_followers(transaction);
	if (!transaction->connection) {
		transaction_destroy(transaction);
	} else if (transaction->late) {
		return; // its answer is on its way, or sent
	} else if (transaction->context.step) {
		transaction_advance(transaction);
	} else if (transaction->context.response.stream.fill) {
		begin_stream(transaction);
	} else {
		become_answered(transaction);
	}
}

/* Ends work that nobody waits for; false when a thread is at it, and will see that it is to stop.
 */
static bool end_work(struct transaction *transaction) {
	atomic_store(&transaction->context.stop.left, true);
	if (!thread_pool_cancel(transaction->http->options.service->pools[transaction->place],
		    &transaction->job)) {
		return false;
	}
	leave_pool(transaction);
	coalesce_end(transaction);
	return true;
}

void transaction_give_up(struct transaction *transaction, const struct error *err) {
	if (transaction->leader) {
		coalesce_leave(transaction);
	}
	if (!transaction->working || (!transaction->followers && end_work(transaction))) {
		transaction->err = *err;
		fail(transaction);
	} else {
		// The thread has the request, so that the answer is made beside it.
		transaction->late = xcalloc(1, sizeof *transaction->late);
		*transaction->late = *err;
	}
	become_answered(transaction);
}

void transaction_refill(struct transaction *transaction) {
	submit(transaction);
}
