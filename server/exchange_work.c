// The steps of a call, on the loop's thread and in the pools.
#include "exchange_work.h"

#include <math.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "asked.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "cache.h"
#include "cached.h"
#include "client_share.h"
#include "clients.h"
#include "exchange.h"
#include "exchange_head.h"
#include "exchange_keep.h"
#include "flights.h"
#include "http_loop.h"
#include "metrics.h"
#include "pace.h"
#include "routes.h"

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
	http_finish_work(exchange);
	return true;
}

static void submit(struct exchange *exchange) {
	exchange->working = true;
	exchange->http->working++;
	exchange->submitted_s = clock_now_s();
	exchange->job.run = run_job;
	exchange->job.client = exchange->key;
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
	exchange->stage = STAGE_ANSWERED;
	if (exchange->suspended) {
		exchange->suspended = false;
		MHD_resume_connection(exchange->connection);
	}
}

/* Requests that a pool may hold for each thread however long they take. */
#define STANDING_LEAST 4

/* As many as are worked off in the time that they may wait: a queue that does not empty evens out
 * nothing, and all wait for what those before them take. */
static void limit_queue(struct http *http, enum place place) {
	const double job_s = jobs_job_s(http->options.service->pools[place]);
	const double wait_s = http->options.queue_wait_s;
	const int most = (int)http->options.queue_length;
	const double each = job_s > 0 ? fmin(wait_s / job_s, most) : most;
	client_share_set_standing(http->shares[place],
		(size_t)(fmax(each, STANDING_LEAST) * http->options.threads[place]));
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
	// Who puts or deletes a rig would rather wait than come again, and so would who needs what
	// takes long to make.
	if (place != PLACE_DISK && place != PLACE_IMPORT && place != PLACE_FIT) {
		limit_queue(http, place);
	}
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
		become_answered(exchange);
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

void exchange_finish_work(struct exchange *exchange) {
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
