// The steps of a request, on the loop's thread and in the pools.
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "cache/cache.h"
#include "cache/cache_disk.h"
#include "cache/cached.h"
#include "cache/doorkeeper.h"
#include "http/loop.h"
#include "http/router.h"
#include "http/transaction.h"
#include "http/waits.h"
#include "metrics/metrics.h"
#include "work/service_times.h"

/* Bytes of a body that is read on the loop's thread, where others wait: the JSON of so many takes
 * some tens of microseconds. */
#define AT_ONCE_BYTES 2048

/* Details of an internal error are for the log, not for the client. */
static void hide_details(struct transaction *transaction) {
	if (transaction->err.code == ERROR_INTERNAL) {
		log_line(LOG_ERROR, "%s", transaction->err.text);
		transaction->err = (struct error){0};
		error_set(&transaction->err, ERROR_INTERNAL,
			"internal error; see the daemon's log for Posed-Request-Id %s",
			transaction->access.id);
	}
}

/* Makes the response of its error. */
static void fail(struct transaction *transaction) {
	log_set_request(transaction->access.id);
	hide_details(transaction);
	if (transaction->stream) {
		// Its head has been sent: all that is left is to end in the middle.
		log_line(LOG_INFO, "a response ends before its end: %s", transaction->err.text);
	} else {
		context_fail(&transaction->context, &transaction->err);
	}
	log_set_request(NULL);
}

/* Takes one step, on the thread that has the request. */
static void run_step(struct transaction *transaction, request_step step) {
	struct request_context *context = &transaction->context;
	context->step = NULL;
	if (!transaction_refused(transaction) && stop_check(&context->stop, &transaction->err)) {
		log_set_request(transaction->access.id);
		step(context, &transaction->err);
		log_set_request(NULL);
	}
}

/* Sets the first step, the route's handler. */
static void set_first_step(struct transaction *transaction) {
	const struct route *route = transaction->route;
	const bool large = transaction->context.body_bytes > AT_ONCE_BYTES;
	const enum executor executor =
		large && route->executor == EXECUTOR_LOOP ? EXECUTOR_CPU : route->executor;
	context_continue(&transaction->context, executor, route->handler, NULL);
}

/* Begins again, for once, when the graphics context was lost on the way. */
static bool restart(struct transaction *transaction) {
	struct transaction_work *work = &transaction->work;
	if (transaction->err.code != ERROR_CONTEXT_LOST || work->restart != RESTART_NONE) {
		return false;
	}
	work->restart = RESTART_TAKEN;
	metrics_count(transaction->context.service->metrics, METRICS_CONTEXT_RESETS, 1);
	transaction->err = (struct error){0};
	if (!transaction->stream) {
		context_reset(&transaction->context);
		set_first_step(transaction);
		work->restart = RESTART_DUE;
	}
	return true;
}

/* Looks for the response in the cache on the disk, on a thread of a pool. */
static bool find_on_disk(struct transaction *transaction) {
	const struct request_context *context = &transaction->context;
	if (!context->service->cache_disk || !context->etag) {
		return false;
	}
	transaction->shared = cache_disk_get(context->service->cache_disk, context->etag);
	if (transaction->shared) {
		cache_put(context->service->cache, context->etag, transaction->shared);
		transaction->context.step = NULL;
	}
	return transaction->shared;
}

/* Takes the step that is to be taken in this pool. */
static void take_step(struct transaction *transaction) {
	struct request_context *context = &transaction->context;
	context->spans_s[SPAN_QUEUE] += clock_now_s() - transaction->work.submitted_s;
	struct response_stream *stream = &context->response.stream;
	if (stream->fill) {
		run_step(transaction, stream->fill);
	} else if (!find_on_disk(transaction)) {
		run_step(transaction, context->step);
	}
	// A stream that has ended before any of it was sent is a whole response.
	if (!transaction->stream && stream->done) {
		*stream = (struct response_stream){0};
	}
}

/* Seconds that a response must have taken to be cached though it was requested for the first time:
 * more than it takes to write it to the disk. Pictures always are worth it. */
#define WORTH_CACHING_S 0.00025

static bool is_worth_caching(const struct transaction *transaction) {
	double taken_s = 0;
	for (int i = SPAN_QUEUE + 1; i < SPAN_COUNT; i++) {
		taken_s += transaction->context.spans_s[i];
	}
	return transaction->was_requested || transaction->work.pool == EXECUTOR_RENDER ||
		taken_s >= WORTH_CACHING_S;
}

/* Makes a finished response one that others can get, too, and caches it. */
static void share(struct transaction *transaction) {
	const struct request_context *context = &transaction->context;
	struct response *response = &transaction->context.response;
	if (transaction->shared || context->step || !context->etag || response->status ||
		response->has_file || response->stream.fill) {
		return;
	}
	const struct cached_parts parts = {
		.content_type = response->content_type,
		.headers = response->headers,
		.header_count = response->header_count,
		.take_body = &response->body,
	};
	transaction->shared = cached_create(&parts);
	if (!is_worth_caching(transaction)) {
		return;
	}
	cache_put(context->service->cache, context->etag, transaction->shared);
	if (context->service->cache_disk) {
		cache_disk_put(context->service->cache_disk, context->etag, transaction->shared);
	}
}

static bool run_job(struct job *job, struct renderer *renderer) {
	struct transaction *transaction =
		(struct transaction *)((char *)job - offsetof(struct transaction, work.job));
	transaction->context.renderer = renderer;
	const double begun_s = clock_now_s();
	// With the renderer rebuilt, the first step is for the loop again: it may ask for access.
	if (transaction->work.restart == RESTART_DUE) {
		transaction->work.restart = RESTART_TAKEN;
	} else {
		take_step(transaction);
	}
	if (restart(transaction)) {
		return false;
	}
	if (transaction_refused(transaction)) {
		fail(transaction);
	} else if (!transaction->stream) {
		share(transaction);
	}
	transaction->context.renderer = NULL;
	transaction->work.run_s = clock_now_s() - begun_s;
	http_finish_job(transaction);
	return true;
}

/* Hands the job to the pool of its step, whose it is from here on. */
static void submit(struct transaction *transaction) {
	const struct http *http = transaction->http;
	struct transaction_work *work = &transaction->work;
	work->submitted_s = clock_now_s();
	work->pool = transaction->context.executor;
	work->job.run = run_job;
	work->job.client = transaction->client;
	work->job.expected_s = service_times_expect(
		http->service_times, route_index(http->options.routes, transaction->route));
	thread_pool_submit(http->options.service->pools[work->pool], &work->job);
}

/* True when the response is cached, or another transaction is at work on it. */
static bool find_response(struct transaction *transaction) {
	const struct request_context *context = &transaction->context;
	if (!context->etag || transaction->coalescing.declined) {
		return false;
	}
	transaction->shared = cache_get(context->service->cache, context->etag);
	if (transaction->shared) {
		transaction_enter(transaction, TRANSACTION_RESPONDING);
		return true;
	}
	transaction->was_requested = doorkeeper_note(transaction->http->doorkeeper, context->etag);
	if (!coalesce_join(transaction)) {
		return false;
	}
	metrics_count(context->service->metrics, METRICS_COALESCED, 1);
	return true;
}

static void start_work(struct transaction *transaction) {
	const struct request_context *context = &transaction->context;
	if (!admission_enter(transaction, context->executor, &transaction->err)) {
		fail(transaction);
		transaction_enter(transaction,
			refusals_must_wait(transaction->http) ? TRANSACTION_HELD
							      : TRANSACTION_RESPONDING);
		return;
	}
	transaction_enter(transaction, TRANSACTION_WORKING);
	if (context->etag && !transaction->coalescing.declined) {
		coalesce_begin(transaction);
	}
	submit(transaction);
}

/* Takes the steps that are the loop's, and hands the next one to a pool. */
static void advance(struct transaction *transaction) {
	struct request_context *context = &transaction->context;
	while (context->step && context->executor == EXECUTOR_LOOP &&
		!transaction_refused(transaction)) {
		run_step(transaction, context->step);
	}
	if (transaction_refused(transaction)) {
		fail(transaction);
	}
	if (!context->step) {
		transaction_enter(transaction, TRANSACTION_RESPONDING);
	} else if (!find_response(transaction)) {
		start_work(transaction);
	}
}

void transaction_begin_work(struct transaction *transaction) {
	if (transaction->route) {
		set_first_step(transaction);
	}
	advance(transaction);
}

/* Gives the response to those who waited for it; without one they work on their own. */
static void respond_to_followers(struct transaction *transaction) {
	struct transaction_queue *followers = &transaction->coalescing.followers;
	while (!TAILQ_EMPTY(followers)) {
		struct transaction *follower = TAILQ_FIRST(followers);
		coalesce_leave(follower);
		if (transaction->shared) {
			follower->shared = cached_retain(transaction->shared);
			transaction_enter(follower, TRANSACTION_RESPONDING);
		} else {
			follower->coalescing.declined = transaction->context.response.stream.fill;
			advance(follower);
		}
	}
}

/* A piece of a stream is made, or has failed. */
static void finish_piece(struct transaction *transaction) {
	const struct response *response = &transaction->context.response;
	const bool is_empty = response->body.size == 0 && !response->stream.done;
	if (transaction->state == TRANSACTION_ABANDONED) {
		transaction_destroy(transaction);
	} else if (transaction_refused(transaction)) {
		transaction_enter(transaction, TRANSACTION_BROKEN);
	} else if (transaction->state == TRANSACTION_STARVED && is_empty) {
		transaction_enter(transaction, TRANSACTION_TIMED);
	} else {
		transaction_enter(transaction, TRANSACTION_SENDING);
	}
}

/* The most bytes of a timed stream that wait in the kernel to be sent: what lies there is old when
 * the client reads on. */
#define UNSENT_BYTES 16384

/* Begins to send a stream, of which the first piece is there. */
static void begin_stream(struct transaction *transaction) {
	struct request_context *context = &transaction->context;
	transaction->stream = xcalloc(1, sizeof *transaction->stream);
	// From here on the limits of slow connections count, and not the request's deadline.
	atomic_store(&context->stop.deadline_s, 0);
	if (context->response.stream.not_before_s > 0) {
		// Without effect on a socket that is not TCP's.
		const int max = UNSENT_BYTES;
		setsockopt(transaction->connection->file, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &max,
			sizeof max);
	}
	transaction_enter(transaction, TRANSACTION_SENDING);
}

/* True for a stream that has nothing to begin with so far, and is to go on. */
static bool is_yet_to_begin(const struct transaction *transaction) {
	const struct response *response = &transaction->context.response;
	return response->stream.fill && response->stream.not_before_s == 0 &&
		response->body.size == 0;
}

void transaction_finish_work(struct transaction *transaction) {
	const struct http *http = transaction->http;
	service_times_note(http->service_times,
		route_index(http->options.routes, transaction->route), transaction->work.run_s);
	admission_leave(transaction);
	if (transaction->stream) {
		finish_piece(transaction);
		return;
	}
	if (is_yet_to_begin(transaction)) {
		submit(transaction);
		return;
	}
	coalesce_end(transaction);
	respond_to_followers(transaction);
	if (transaction->state == TRANSACTION_ABANDONED) {
		transaction_destroy(transaction);
	} else if (transaction->state == TRANSACTION_WORKING && transaction->context.step) {
		advance(transaction);
	} else if (transaction->state == TRANSACTION_WORKING &&
		transaction->context.response.stream.fill) {
		begin_stream(transaction);
	} else {
		transaction_enter(transaction, TRANSACTION_RESPONDING);
	}
}

/* Ends work that no client waits for; false when a thread is at it, and will see that it is to
 * stop.
 */
static bool end_work(struct transaction *transaction) {
	struct transaction_work *work = &transaction->work;
	atomic_store(&transaction->context.stop.left, true);
	if (!thread_pool_cancel(
		    transaction->http->options.service->pools[work->pool], &work->job)) {
		return false;
	}
	admission_leave(transaction);
	coalesce_end(transaction);
	return true;
}

void transaction_give_up(struct transaction *transaction, const struct error *err) {
	const bool is_led = !TAILQ_EMPTY(&transaction->coalescing.followers);
	if (transaction->state != TRANSACTION_WORKING || (!is_led && end_work(transaction))) {
		transaction->err = *err;
		fail(transaction);
		transaction_enter(transaction, TRANSACTION_RESPONDING);
		return;
	}
	// A thread has the request, so that the response is made beside it.
	transaction->overdue = xcalloc(1, sizeof *transaction->overdue);
	*transaction->overdue = *err;
	transaction_enter(transaction, TRANSACTION_OVERDUE);
}

void transaction_fill(struct transaction *transaction) {
	transaction_enter(transaction,
		transaction->state == TRANSACTION_TIMED ? TRANSACTION_STARVED
							: TRANSACTION_FILLING);
	submit(transaction);
}
