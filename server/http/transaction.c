// One request: its states, its head and body as they come, its end.
#include "http/transaction.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cache/cached.h"
#include "http/loop.h"
#include "http/request_metrics.h"
#include "http/router.h"
#include "http/waits.h"
#include "limits.h"
#include "metrics/metrics.h"

/* Bytes of bodies held at once: four of the greatest assets. */
#define BODIES_BYTES (4 * LIMIT_ASSET_BYTES)

/* Bytes of a refused body that are read, so that the client gets to read why; then it is cut off.
 */
#define DISCARD_BYTES LIMIT_ASSET_BYTES

#define TO(state) (1u << TRANSACTION_##state)

/* The states, as transaction.h draws them. */
static const struct {
	bool suspends;                                  // the connection
	bool pending;                                   // the response is not decided
	bool has_job;                                   // a pool has it
	unsigned next;                                  // states that may follow
	void (*enter)(struct transaction *transaction); // NULL = nothing
	void (*leave)(struct transaction *transaction);
} states[TRANSACTION_STATE_COUNT] = {
	[TRANSACTION_RECEIVING] = {.next = TO(WAITING) | TO(WORKING) | TO(HELD) | TO(RESPONDING) |
			TO(ENDED)},
	[TRANSACTION_WAITING] = {.suspends = true,
		.pending = true,
		.next = TO(WAITING) | TO(WORKING) | TO(HELD) | TO(RESPONDING) | TO(ENDED),
		.leave = coalesce_leave},
	[TRANSACTION_WORKING] = {.suspends = true,
		.pending = true,
		.has_job = true,
		.next = TO(WAITING) | TO(WORKING) | TO(HELD) | TO(RESPONDING) | TO(OVERDUE) |
			TO(SENDING) | TO(ABANDONED)},
	[TRANSACTION_HELD] = {.suspends = true,
		.pending = true,
		.next = TO(RESPONDING) | TO(ENDED),
		.enter = refusal_enter,
		.leave = refusal_leave},
	[TRANSACTION_RESPONDING] = {.next = TO(ENDED)},
	[TRANSACTION_OVERDUE] = {.has_job = true, .next = TO(RESPONDING) | TO(ABANDONED)},
	[TRANSACTION_SENDING] = {.next = TO(FILLING) | TO(TIMED) | TO(ENDED)},
	[TRANSACTION_FILLING] = {.has_job = true,
		.next = TO(SENDING) | TO(STARVED) | TO(BROKEN) | TO(ABANDONED)},
	[TRANSACTION_STARVED] = {.suspends = true,
		.has_job = true,
		.next = TO(SENDING) | TO(TIMED) | TO(BROKEN) | TO(ABANDONED)},
	[TRANSACTION_TIMED] = {.suspends = true,
		.next = TO(STARVED) | TO(BROKEN) | TO(ENDED),
		.enter = timed_stream_enter,
		.leave = timed_stream_leave},
	[TRANSACTION_BROKEN] = {.next = TO(ENDED)},
	[TRANSACTION_ABANDONED] = {.has_job = true, .next = TO(ENDED)},
};

/* Tells the library whether it is to look after the connection, while there is one. */
static void suspend(struct transaction *transaction, bool suspends, bool suspended) {
	if (transaction->library && suspends && !suspended) {
		MHD_suspend_connection(transaction->library);
	} else if (transaction->library && !suspends && suspended) {
		MHD_resume_connection(transaction->library);
	}
}

void transaction_enter(struct transaction *transaction, enum transaction_state next) {
	const enum transaction_state now = transaction->state;
	struct http *http = transaction->http;
	assert(states[now].next & (1u << next));
	if (states[now].leave) {
		states[now].leave(transaction);
	}
	transaction->state = next;
	http->jobs += states[next].has_job;
	http->jobs -= states[now].has_job;
	if (states[next].pending) {
		http->next_deadline_s = fmin(http->next_deadline_s, transaction->deadline_s);
	}
	if (states[next].enter) {
		states[next].enter(transaction);
	}
	suspend(transaction, states[next].suspends, states[now].suspends);
}

bool transaction_is_pending(const struct transaction *transaction) {
	return states[transaction->state].pending;
}

bool transaction_has_job(const struct transaction *transaction) {
	return states[transaction->state].has_job;
}

bool transaction_refused(const struct transaction *transaction) {
	return transaction->err.code != ERROR_NONE;
}

/* True where the page that asks may use a route: send what changes something, read the response. */
static bool page_may(void *context, const struct route *route) {
	const struct transaction *transaction = context;
	const struct origin_rules *rules = &transaction->http->options.origins;
	return route->method == HTTP_GET
		? origins_reader(rules, &transaction->page, route->pages) != NULL
		: origins_let(rules, &transaction->page, route->pages);
}

/* Responds to a browser that asks before it sends the request of a page of another origin. */
static void respond_to_preflight(struct transaction *transaction, const char *path) {
	struct request_context *context = &transaction->context;
	const struct origin_rules *rules = &transaction->http->options.origins;
	const char *methods = route_methods_where(
		transaction->http->options.routes, context->arena, path, page_may, transaction);
	const char *reader = origins_reader(rules, &transaction->page, PAGES_OWN);
	transaction->reader = !methods ? NULL
		: reader               ? arena_strndup(context->arena, reader, strlen(reader))
				       : transaction->reader;
	if (methods) {
		context_header(context, "Access-Control-Allow-Methods", "%s", methods);
		context_header(context, "Access-Control-Allow-Headers",
			"Accept, Authorization, Content-Type, If-Match, If-None-Match, "
			"Posed-Deadline-Ms, Prefer");
		context_header(context, "Access-Control-Max-Age", "86400");
	}
}

/* Responds to OPTIONS of a path; NULL = of the whole server. */
static void respond_to_options(struct transaction *transaction, const char *path) {
	struct request_context *context = &transaction->context;
	const char *methods =
		route_methods(transaction->http->options.routes, context->arena, path);
	if (!methods || transaction->err.code == ERROR_MISDIRECTED) {
		return;
	}
	transaction->err = (struct error){0};
	context->response.status = 204;
	context_header(context, "Allow", "%s", methods);
	if (transaction->page.origin) {
		respond_to_preflight(transaction, path);
	}
	transaction_enter(transaction, TRANSACTION_RESPONDING);
}

/* The arena of an earlier transaction, if there is one. */
static struct arena *take_arena(struct http *http) {
	return http->spare_arena_count > 0 ? http->spare_arenas[--http->spare_arena_count]
					   : arena_create();
}

static void give_arena_back(struct http *http, struct arena *arena) {
	if (http->spare_arena_count == SPARE_ARENAS) {
		arena_destroy(arena);
		return;
	}
	arena_reset(arena);
	http->spare_arenas[http->spare_arena_count++] = arena;
}

static struct transaction *begin(
	struct http *http, struct MHD_Connection *library, const char *method, const char *path) {
	struct transaction *transaction = xcalloc(1, sizeof *transaction);
	transaction->http = http;
	transaction->library = library;
	transaction->connection =
		MHD_get_connection_info(library, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
			->socket_context;
	connection_becomes_busy(http, transaction->connection);
	transaction->number = ++transaction->connection->requests;
	access_begin(&transaction->access, http->instance, ++http->requests, method, path);
	transaction->client = transaction->connection->client;
	transaction->context.service = http->options.service;
	transaction->context.body_file = -1;
	transaction->context.hold.source = -1;
	transaction->context.arena = take_arena(http);
	TAILQ_INIT(&transaction->coalescing.followers);
	LIST_INSERT_HEAD(&http->transactions, transaction, of_all);
	http->options.service->in_flight++;
	transaction_read_head(transaction, method, path);
	if (strcmp(method, MHD_HTTP_METHOD_OPTIONS) == 0 && !transaction->closes) {
		respond_to_options(transaction, strcmp(path, "*") == 0 ? NULL : path);
	}
	return transaction;
}

static void drop_body(struct transaction *transaction) {
	transaction->http->body_bytes -= transaction->body.size;
	body_finish(&transaction->body);
}

/* Takes a piece of the body; false when the client is to be cut off. */
static bool take_body(struct transaction *transaction, const char *data, size_t size) {
	struct http *http = transaction->http;
	if (!transaction_refused(transaction) &&
		size > transaction->body_limit - transaction->body.size) {
		error_set(&transaction->err, ERROR_TOO_LARGE,
			"the body has more than the %zu bytes it may have here",
			transaction->body_limit);
	}
	if (!transaction_refused(transaction) && size > BODIES_BYTES - http->body_bytes) {
		error_set(&transaction->err, ERROR_OVERLOADED,
			"too many large bodies are being received at once");
	}
	if (!transaction_refused(transaction)) {
		if (body_append(&transaction->body, data, size)) {
			http->body_bytes += size;
			return true;
		}
		error_set(&transaction->err, ERROR_OVERLOADED, "no memory for the body");
	}
	drop_body(transaction);
	transaction->discarded += size;
	return transaction->discarded <= DISCARD_BYTES;
}

/* The whole request is here: begins to work on it. */
static enum MHD_Result dispatch(struct transaction *transaction) {
	struct request_context *context = &transaction->context;
	if (!transaction_refused(transaction) && transaction_check_framing(transaction) &&
		!body_complete(&transaction->body)) {
		error_set(&transaction->err, ERROR_OVERLOADED, "no memory for the body");
	}
	context->body = body_bytes(&transaction->body);
	context->body_bytes = transaction->body.size;
	context->body_file = body_file(&transaction->body);
	context->client = transaction->client;
	transaction->deadline_s += clock_now_s();
	atomic_init(&context->stop.deadline_s, transaction->deadline_s);
	transaction_begin_work(transaction);
	return transaction->state == TRANSACTION_RESPONDING ? transaction_send(transaction)
							    : MHD_YES;
}

enum MHD_Result transaction_handle(void *http, struct MHD_Connection *connection, const char *path,
	const char *method, const char *version, const char *data, size_t *data_bytes,
	void **slot) {
	(void)version;
	struct transaction *transaction = *slot;
	if (!transaction) {
		*slot = transaction = begin(http, connection, method, path);
		// A response before the body closes the connection, which is only wanted at times.
		return transaction->closes ? dispatch(transaction) : MHD_YES;
	}
	if (*data_bytes > 0) {
		const bool taken = take_body(transaction, data, *data_bytes);
		*data_bytes = 0;
		return taken ? MHD_YES : MHD_NO;
	}
	return transaction->state == TRANSACTION_RECEIVING ? dispatch(transaction)
							   : transaction_send(transaction);
}

/* Counts what became of a request. A thread may be changing what it still works on. */
static void count(const struct transaction *transaction) {
	if (transaction->access.status == 0) {
		return; // the client disconnected before
	}
	const bool has_job = transaction_has_job(transaction);
	const enum error_code code = transaction->overdue ? transaction->overdue->code
		: has_job                                 ? ERROR_NONE
							  : transaction->err.code;
	const struct request_context nothing = {.service = transaction->context.service};
	metrics_count(nothing.service->metrics, METRICS_BYTES_SENT, transaction->access.bytes);
	request_metrics_response(has_job ? &nothing : &transaction->context,
		transaction->access.status, code,
		transaction->response_s - transaction->access.started_s);
}

void transaction_completed(void *context, struct MHD_Connection *connection, void **slot,
	enum MHD_RequestTerminationCode code) {
	(void)connection;
	struct http *http = context;
	struct transaction *transaction = *slot;
	if (!transaction) {
		return;
	}
	*slot = NULL;
	http->unflushed = true;
	count(transaction);
	if (http->options.access_log) {
		access_log(&transaction->access, transaction->context.grant.name,
			transaction->connection->address, code);
	}
	connection_becomes_idle(http, transaction->connection);
	transaction->connection = NULL;
	transaction->library = NULL;
	LIST_REMOVE(transaction, of_all);
	http->options.service->in_flight--;
	if (!transaction_has_job(transaction)) {
		transaction_destroy(transaction);
		return;
	}
	transaction_enter(transaction, TRANSACTION_ABANDONED);
	if (TAILQ_EMPTY(&transaction->coalescing.followers)) {
		atomic_store(&transaction->context.stop.left, true);
	}
}

void transaction_destroy(struct transaction *transaction) {
	transaction_enter(transaction, TRANSACTION_ENDED);
	drop_body(transaction);
	context_finish(&transaction->context);
	give_arena_back(transaction->http, transaction->context.arena);
	cached_release(transaction->shared);
	if (transaction->stream) {
		buffer_finish(&transaction->stream->piece);
		free(transaction->stream);
	}
	free(transaction->overdue);
	free(transaction);
}
