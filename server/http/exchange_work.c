// The steps of a call, on the loop's thread and in the pools.
#include "http/exchange_work.h"

#include <math.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "api/routes.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "cache/asked.h"
#include "cache/cache.h"
#include "cache/cached.h"
#include "http/clients.h"
#include "http/exchange.h"
#include "http/exchange_head.h"
#include "http/exchange_keep.h"
#include "http/flights.h"
#include "http/http_loop.h"
#include "http/pace.h"
#include "http/refusals.h"
#include "metrics/metrics.h"
#include "work/client_share.h"
#include "work/service_times.h"

/* Text that names our insides is for the log, not for the client. */
static void hide_insides(struct exchange *exchange) {
	if (exchange->err.code == ERROR_INTERNAL) {
		log_line(LOG_ERROR, "%s", exchange->err.text);
		exchange->err = (struct error){0};
		error_set(&exchange->err, ERROR_INTERNAL,
			"a fault in the daemon, which its log has under this answer's "
			"Posed-Request-Id");
	}
}

static void fail(struct exchange *exchange) {
	log_set_request(exchange->access.id);
	hide_insides(exchange);
	if (exchange->stream) {
		// Its head has been sent: all that is left is to end in the middle.
		log_line(LOG_INFO, "an answer ends before its end: %s", exchange->err.text);
	} else {
		call_fail(&exchange->call, &exchange->err);
	}
	log_set_request(NULL);
}

/* Takes one step, on the thread that has the exchange. */
static void run_step(struct exchange *exchange, call_step step) {
	struct call *call = &exchange->call;
	call->step = NULL;
	if (!exchange_refused(exchange) && stop_check(&call->stop, &exchange->err)) {
		log_set_request(exchange->access.id);
		step(call, &exchange->err);
		log_set_request(NULL);
	}
}

/* Begins anew, for once, when the context was lost on the way. */
static bool begin_anew(struct exchange *exchange) {
	if (exchange->err.code != ERROR_CONTEXT_LOST || exchange->begun_anew) {
		return false;
	}
	exchange->begun_anew = true;
	metrics_count(exchange->call.service->metrics, METRICS_CONTEXT_RESETS, 1);
	exchange->err = (struct error){0};
	if (!exchange->stream) {
		call_reset(&exchange->call);
		exchange_take_first_step(exchange);
		exchange->first_again = true;
	}
	return true;
}

/* Takes the step that is to be taken here. */
static void work(struct exchange *exchange) {
	struct call *call = &exchange->call;
	call->spans_s[SPAN_QUEUE] += clock_now_s() - exchange->submitted_s;
	struct answer_stream *stream = &call->answer.stream;
	if (stream->fill) {
		run_step(exchange, stream->fill);
	} else if (!exchange_find_on_disk(exchange)) {
		run_step(exchange, call->step);
	}
	// What has ended before any of it was sent is an answer like others.
	if (!exchange->stream && stream->done) {
		*stream = (struct answer_stream){0};
	}
}

static bool run_job(struct job *job, struct renderer *renderer) {
	struct exchange *exchange =
		(struct exchange *)((char *)job - offsetof(struct exchange, job));
	exchange->call.renderer = renderer;
	const double begun_s = clock_now_s();
	// With the renderer rebuilt, the first step is for the loop again: it may ask who may what.
	const bool first_again = exchange->first_again;
	exchange->first_again = false;
	if (!first_again) {
		work(exchange);
	}
	if (begin_anew(exchange)) {
		return false;
	}
	if (exchange_refused(exchange)) {
		fail(exchange);
	} else if (!exchange->stream) {
		exchange_share(exchange);
	}
	exchange->call.renderer = NULL;
	exchange->run_s = clock_now_s() - begun_s;
	http_finish_work(exchange);
	return true;
}

static void submit(struct exchange *exchange) {
	exchange->working = true;
	exchange->http->working++;
	exchange->submitted_s = clock_now_s();
	exchange->job.run = run_job;
	exchange->job.client = exchange->key;
	exchange->job.expected_s =
		service_times_expect(exchange->http->service_times, exchange->route);
	jobs_submit(exchange->http->options.service->pools[exchange->place], &exchange->job);
}

/* Before the work is published: once it is, it may be done at any moment. */
static void suspend(struct exchange *exchange) {
	exchange->stage = STAGE_WAITING;
	if (!exchange->suspended) {
		exchange->suspended = true;
		MHD_suspend_connection(exchange->connection);
	}
	if (exchange->deadline_s < exchange->http->next_deadline_s) {
		exchange->http->next_deadline_s = exchange->deadline_s;
	}
}

static void become_answered(struct exchange *exchange) {
	refusal_leave(exchange);
	exchange->stage = STAGE_ANSWERED;
	if (exchange->suspended) {
		exchange->suspended = false;
		MHD_resume_connection(exchange->connection);
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
static size_t places(struct exchange *exchange, enum place place, double wait_s, int least) {
	const struct http *http = exchange->http;
	struct jobs *pool = http->options.service->pools[place];
	const double most = (double)http->options.queue_length;
	const double taken = (double)client_share_taken(http->shares[place]);
	const double each_s = service_times_expect(http->service_times, exchange->route);
	// Nobody is let in whose time will be over.
	const double patience_s = (exchange->deadline_s - clock_now_s()) * DEADLINE_SHARE;
	const double left_s = fmax(fmin(wait_s, patience_s) - jobs_wait_s(pool), 0);
	const int threads = http->options.threads[place];
	// Nothing is known of the first.
	const double more = each_s > 0 ? fmin(left_s / each_s * threads, most) : 0;
	return (size_t)fmin(fmax(taken + more, (double)least * threads), most);
}

/* As many as are worked off in the time that they may wait: a queue that does not empty evens out
 * nothing, and all wait for what those before them take. */
static void limit_queue(struct exchange *exchange, enum place place) {
	const bool is_store = place == PLACE_DISK || place == PLACE_IMPORT;
	const double standing_s = is_store ? STORE_WAIT_S : exchange->http->options.queue_wait_s;
	const double burst_s = is_store ? STORE_WAIT_S : standing_s * BURST_FACTOR;
	// What takes minutes is counted.
	const size_t standing = place == PLACE_FIT
		? (size_t)(BURST_LEAST * exchange->http->options.threads[place])
		: places(exchange, place, standing_s, STANDING_LEAST);
	const size_t burst =
		place == PLACE_FIT ? standing : places(exchange, place, burst_s, BURST_LEAST);
	client_share_set_limits(exchange->http->shares[place], burst, standing);
}

/* Gets the client a place in the pool's queue. */
static bool enter_pool(struct exchange *exchange, enum place place, struct error *err) {
	struct http *http = exchange->http;
	enum refusal why;
	if (http->options.service->stopping) {
		metrics_count_refusal(http->options.service->metrics, REFUSAL_SHUTTING_DOWN);
		return error_set(
			err, ERROR_SHUTTING_DOWN, "the daemon is finishing its last requests");
	}
	limit_queue(exchange, place);
	if (!client_share_enter(http->shares[place], exchange->key, clock_now_s(), &why)) {
		metrics_count_refusal(http->options.service->metrics, why);
		return why == REFUSAL_OVER_SHARE
			? error_set(err, ERROR_CLIENT_SHARE,
				  "this client has its share of the requests that may wait; "
				  "others are waiting, too")
			: error_set(err, ERROR_OVERLOADED,
				  "all threads are busy and the queue before them is full");
	}
	exchange->place = place;
	exchange->holds_place = true;
	return true;
}

static void leave_pool(struct exchange *exchange) {
	exchange->working = false;
	exchange->http->working--;
	if (exchange->holds_place) {
		exchange->holds_place = false;
		client_share_leave(exchange->http->shares[exchange->place], exchange->key);
	}
}

/* Whether the answer is known, or another exchange is at work on it. */
static bool find_answer(struct exchange *exchange) {
	const struct call *call = &exchange->call;
	if (!call->etag || exchange->alone) {
		return false;
	}
	exchange->shared = cache_get(call->service->cache, call->etag);
	if (exchange->shared) {
		become_answered(exchange);
		return true;
	}
	exchange->asked = asked_note(exchange->http->asked, call->etag);
	if (!flight_join(exchange)) {
		return false;
	}
	metrics_count(call->service->metrics, METRICS_COALESCED, 1);
	suspend(exchange);
	return true;
}

static void start_work(struct exchange *exchange) {
	if (!enter_pool(exchange, exchange->call.place, &exchange->err)) {
		fail(exchange);
		if (refusal_hold(exchange)) {
			suspend(exchange);
		} else {
			become_answered(exchange);
		}
		return;
	}
	suspend(exchange);
	if (exchange->call.etag && !exchange->alone) {
		flight_begin(exchange);
	}
	submit(exchange);
}

void exchange_advance(struct exchange *exchange) {
	struct call *call = &exchange->call;
	while (call->step && call->place == PLACE_LOOP && !exchange_refused(exchange)) {
		run_step(exchange, call->step);
	}
	if (exchange_refused(exchange)) {
		fail(exchange);
	}
	if (!call->step) {
		become_answered(exchange);
	} else if (!find_answer(exchange)) {
		start_work(exchange);
	}
}

/* Gives an answer to those who waited for it; without one they see to it themselves. */
static void answer_followers(struct exchange *exchange) {
	while (exchange->followers) {
		struct exchange *follower = exchange->followers;
		flight_leave(follower);
		if (exchange->shared) {
			follower->shared = cached_retain(exchange->shared);
			become_answered(follower);
		} else {
			follower->alone = exchange->call.answer.stream.fill;
			exchange_advance(follower);
		}
	}
}

static void finish_piece(struct exchange *exchange) {
	struct stream *stream = exchange->stream;
	const struct answer *answer = &exchange->call.answer;
	stream->failed = exchange_refused(exchange);
	if (!exchange->connection) {
		exchange_destroy(exchange);
	} else if (stream->starved && !stream->failed && !answer->stream.done &&
		answer->body.size == 0) {
		pace_wait(exchange);
	} else if (stream->starved) {
		stream->starved = false;
		MHD_resume_connection(exchange->connection);
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
static void begin_stream(struct exchange *exchange) {
	struct call *call = &exchange->call;
	exchange->stream = xcalloc(1, sizeof *exchange->stream);
	// From here on the client's patience counts, and ours with the client.
	atomic_store(&call->stop.deadline_s, 0);
	if (call->answer.stream.not_before_s > 0) {
		keep_little(exchange->client);
	}
	become_answered(exchange);
}

/* Whether a stream has nothing to begin with so far, and is to go on. */
static bool is_yet_to_begin(const struct exchange *exchange) {
	const struct answer *answer = &exchange->call.answer;
	return answer->stream.fill && answer->stream.not_before_s == 0 && answer->body.size == 0;
}

void exchange_release_refusals(struct http *http) {
	struct exchange *exchange;
	while ((exchange = refusal_next(http))) {
		become_answered(exchange);
	}
}

void exchange_finish_work(struct exchange *exchange) {
	service_times_note(exchange->http->service_times, exchange->route, exchange->run_s);
	leave_pool(exchange);
	if (exchange->stream) {
		finish_piece(exchange);
		return;
	}
	if (is_yet_to_begin(exchange)) {
		submit(exchange);
		return;
	}
	flight_end(exchange);
	answer_followers(exchange);
	if (!exchange->connection) {
		exchange_destroy(exchange);
	} else if (exchange->late) {
		return; // its answer is on its way, or sent
	} else if (exchange->call.step) {
		exchange_advance(exchange);
	} else if (exchange->call.answer.stream.fill) {
		begin_stream(exchange);
	} else {
		become_answered(exchange);
	}
}

/* Ends work that nobody waits for; false when a thread is at it, and will see that it is to stop.
 */
static bool end_work(struct exchange *exchange) {
	atomic_store(&exchange->call.stop.left, true);
	if (!jobs_cancel(exchange->http->options.service->pools[exchange->place], &exchange->job)) {
		return false;
	}
	leave_pool(exchange);
	flight_end(exchange);
	return true;
}

void exchange_give_up(struct exchange *exchange, const struct error *err) {
	if (exchange->leader) {
		flight_leave(exchange);
	}
	if (!exchange->working || (!exchange->followers && end_work(exchange))) {
		exchange->err = *err;
		fail(exchange);
	} else {
		// The thread has the call, so that the answer is made beside it.
		exchange->late = xcalloc(1, sizeof *exchange->late);
		*exchange->late = *err;
	}
	become_answered(exchange);
}

void exchange_refill(struct exchange *exchange) {
	submit(exchange);
}
