// One request: its head is checked, its body collected, its steps taken, its answer sent.
#include "http/transaction.h"

#include <stdlib.h>
#include <string.h>

#include "api/routes.h"
#include "base/clock.h"
#include "base/memory.h"
#include "cache/cached.h"
#include "http/clients.h"
#include "http/http_alive.h"
#include "http/http_loop.h"
#include "http/request_metrics.h"
#include "http/timed_streams.h"
#include "http/transaction_head.h"
#include "http/transaction_send.h"
#include "http/transaction_work.h"
#include "limits.h"
#include "metrics/metrics.h"

/* Bytes of bodies held at once: four of the greatest assets. */
#define BODIES_BYTES (4 * LIMIT_ASSET_BYTES)

/* Bytes of a refused body that are read, so that the client gets to read why; then it is cut off.
 */
#define DISCARD_BYTES LIMIT_ASSET_BYTES

/* Bytes of a body that is read on the loop's thread, where others wait: the JSON of so many takes
 * some tens of microseconds. */
#define AT_ONCE_BYTES 2048

bool transaction_refused(const struct transaction *transaction) {
	return transaction->err.code != ERROR_NONE;
}

/* Whether the page that asks may use a route: send it what changes something, read the answer. */
static bool page_may(void *context, const struct route *route) {
	const struct transaction *transaction = context;
	const struct origin_rules *rules = &transaction->http->options.origins;
	return route->method == HTTP_GET
		? origins_reader(rules, &transaction->page, route->pages) != NULL
		: origins_let(rules, &transaction->page, route->pages);
}

/* The answer to a browser that asks before it sends a request of a page of another origin. */
static void answer_preflight(struct transaction *transaction, const char *path) {
	struct request_context *context = &transaction->context;
	const struct origin_rules *rules = &transaction->http->options.origins;
	const char *methods = route_methods_where(context->arena, path, page_may, transaction);
	const char *reader = origins_reader(rules, &transaction->page, PAGES_OWN);
	transaction->reader = !methods ? NULL
		: reader               ? arena_strndup(context->arena, reader, strlen(reader))
				       : transaction->reader;
	if (methods) {
		context_header(context, "Access-Control-Allow-Methods", "%s", methods);
		context_header(context, "Access-Control-Allow-Headers",
			"Accept, Authorization, Content-Type, If-Match, If-None-Match, "
			"Posed-Deadline-Ms");
		context_header(context, "Access-Control-Max-Age", "86400");
	}
}

/* The answer to OPTIONS of a path; NULL = of the whole server. */
static void answer_options(struct transaction *transaction, const char *path) {
	struct request_context *context = &transaction->context;
	const char *methods = route_methods(context->arena, path);
	if (!methods || transaction->err.code == ERROR_MISDIRECTED) {
		return;
	}
	transaction->err = (struct error){0};
	context->response.status = 204;
	context_header(context, "Allow", "%s", methods);
	if (transaction->page.origin) {
		answer_preflight(transaction, path);
	}
	transaction->stage = STAGE_ANSWERED;
}

static struct transaction *begin(struct http *http, struct MHD_Connection *connection,
	const char *method, const char *path) {
	struct transaction *transaction = xcalloc(1, sizeof *transaction);
	transaction->http = http;
	transaction->connection = connection;
	transaction->client =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
			->socket_context;
	client_becomes_busy(http, transaction->client);
	transaction->number = ++transaction->client->requests;
	access_begin(&transaction->access, http->instance, ++http->requests, method, path);
	transaction->key = transaction->client->key;
	transaction->context.service = http->options.service;
	transaction->context.body_file = -1;
	transaction->context.hold.source = -1;
	transaction->context.arena = http->spare_arena_count > 0
		? http->spare_arenas[--http->spare_arena_count]
		: arena_create();
	http_enter(transaction);
	transaction_read_head(transaction, method, path);
	if (strcmp(method, MHD_HTTP_METHOD_OPTIONS) == 0 && !transaction->closing) {
		answer_options(transaction, strcmp(path, "*") == 0 ? NULL : path);
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

void transaction_take_first_step(struct transaction *transaction) {
	const struct route *route = transaction->route;
	const bool large = transaction->context.body_bytes > AT_ONCE_BYTES;
	const enum executor place =
		large && route->place == EXECUTOR_LOOP ? EXECUTOR_CPU : route->place;
	context_continue(&transaction->context, place, route->handler, NULL);
}

/* The whole request is here: begins to answer it. */
static enum MHD_Result dispatch(struct transaction *transaction) {
	struct request_context *context = &transaction->context;
	if (!transaction_refused(transaction) && transaction_check_framing(transaction) &&
		!body_complete(&transaction->body)) {
		error_set(&transaction->err, ERROR_OVERLOADED, "no memory for the body");
	}
	context->body = body_bytes(&transaction->body);
	context->body_bytes = transaction->body.size;
	context->body_file = body_file(&transaction->body);
	context->client = transaction->key;
	transaction->deadline_s += clock_now_s();
	atomic_init(&context->stop.deadline_s, transaction->deadline_s);
	if (transaction->route) {
		transaction_take_first_step(transaction);
	}
	transaction_advance(transaction);
	return transaction->stage == STAGE_ANSWERED ? transaction_send(transaction) : MHD_YES;
}

enum MHD_Result transaction_handle(void *context, struct MHD_Connection *connection,
	const char *path, const char *method, const char *version, const char *data,
	size_t *data_bytes, void **slot) {
	(void)version;
	struct transaction *transaction = *slot;
	if (!transaction) {
		*slot = transaction = begin(context, connection, method, path);
		// An answer before the body closes the connection, which is only wanted at times.
		return transaction->closing ? dispatch(transaction) : MHD_YES;
	}
	if (*data_bytes > 0) {
		const bool taken = take_body(transaction, data, *data_bytes);
		*data_bytes = 0;
		return taken ? MHD_YES : MHD_NO;
	}
	return transaction->stage == STAGE_RECEIVING ? dispatch(transaction)
						     : transaction_send(transaction);
}

/* Counts what became of a request. What a thread still has of it is left out. */
static void count(const struct transaction *transaction) {
	if (transaction->access.status == 0) {
		return; // its client left before
	}
	// What a thread still works on it may be changing.
	const enum error_code code = transaction->late ? transaction->late->code
		: transaction->working                 ? ERROR_NONE
						       : transaction->err.code;
	const double seconds = transaction->answer_s - transaction->access.started_s;
	struct metrics *metrics = transaction->context.service->metrics;
	metrics_count(metrics, METRICS_BYTES_SENT, transaction->access.bytes);
	if (transaction->working) {
		const struct request_context nothing = {.service = transaction->context.service};
		request_metrics_answer(&nothing, transaction->access.status, code, seconds);
	} else {
		request_metrics_answer(
			&transaction->context, transaction->access.status, code, seconds);
	}
}

void transaction_completed(void *context, struct MHD_Connection *connection, void **slot,
	enum MHD_RequestTerminationCode code) {
	(void)context;
	(void)connection;
	struct transaction *transaction = *slot;
	if (!transaction) {
		return;
	}
	*slot = NULL;
	transaction->http->unflushed = true;
	count(transaction);
	if (transaction->http->options.access_log) {
		access_log(&transaction->access, transaction->context.grant.name,
			transaction->client->address, code);
	}
	client_becomes_idle(transaction->http, transaction->client);
	transaction->client = NULL;
	transaction->connection = NULL;
	http_leave(transaction);
	timed_stream_leave(transaction);
	if (!transaction->working) {
		transaction_destroy(transaction);
	} else if (!transaction->followers) {
		atomic_store(&transaction->context.stop.left, true);
	}
}

static void give_arena_back(struct http *http, struct arena *arena) {
	if (http->spare_arena_count == SPARE_ARENAS) {
		arena_destroy(arena);
		return;
	}
	arena_reset(arena);
	http->spare_arenas[http->spare_arena_count++] = arena;
}

void transaction_destroy(struct transaction *transaction) {
	drop_body(transaction);
	context_finish(&transaction->context);
	give_arena_back(transaction->http, transaction->context.arena);
	cached_release(transaction->shared);
	if (transaction->stream) {
		buffer_finish(&transaction->stream->piece);
		free(transaction->stream);
	}
	free(transaction->late);
	free(transaction);
}
