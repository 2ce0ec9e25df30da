// One request: its head is checked, its body collected, its steps taken, its answer sent.
#include "http/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "api/routes.h"
#include "base/clock.h"
#include "base/memory.h"
#include "cache/cached.h"
#include "http/clients.h"
#include "http/exchange_head.h"
#include "http/exchange_send.h"
#include "http/exchange_work.h"
#include "http/http_alive.h"
#include "http/http_loop.h"
#include "http/pace.h"
#include "limits.h"
#include "metrics/measure.h"
#include "metrics/metrics.h"

/* Bytes of bodies held at once: four of the greatest assets. */
#define BODIES_BYTES (4 * LIMIT_ASSET_BYTES)

/* Bytes of a refused body that are read, so that the client gets to read why; then it is cut off.
 */
#define DISCARD_BYTES LIMIT_ASSET_BYTES

/* Bytes of a body that is read on the loop's thread, where others wait: the JSON of so many takes
 * some tens of microseconds. */
#define AT_ONCE_BYTES 2048

bool exchange_refused(const struct exchange *exchange) {
	return exchange->err.code != ERROR_NONE;
}

/* Whether the page that asks may use a route: send it what changes something, read the answer. */
static bool page_may(void *context, const struct route *route) {
	const struct exchange *exchange = context;
	const struct origin_rules *rules = &exchange->http->options.origins;
	return route->method == CALL_GET
		? origins_reader(rules, &exchange->page, route->pages) != NULL
		: origins_let(rules, &exchange->page, route->pages);
}

/* The answer to a browser that asks before it sends a request of a page of another origin. */
static void answer_preflight(struct exchange *exchange, const char *path) {
	struct call *call = &exchange->call;
	const struct origin_rules *rules = &exchange->http->options.origins;
	const char *methods = route_methods_where(call->arena, path, page_may, exchange);
	const char *reader = origins_reader(rules, &exchange->page, PAGES_OWN);
	exchange->reader = !methods ? NULL
		: reader            ? arena_strndup(call->arena, reader, strlen(reader))
				    : exchange->reader;
	if (methods) {
		call_header(call, "Access-Control-Allow-Methods", "%s", methods);
		call_header(call, "Access-Control-Allow-Headers",
			"Accept, Authorization, Content-Type, If-Match, If-None-Match, "
			"Posed-Deadline-Ms");
		call_header(call, "Access-Control-Max-Age", "86400");
	}
}

/* The answer to OPTIONS of a path; NULL = of the whole server. */
static void answer_options(struct exchange *exchange, const char *path) {
	struct call *call = &exchange->call;
	const char *methods = route_methods(call->arena, path);
	if (!methods || exchange->err.code == ERROR_MISDIRECTED) {
		return;
	}
	exchange->err = (struct error){0};
	call->answer.status = 204;
	call_header(call, "Allow", "%s", methods);
	if (exchange->page.origin) {
		answer_preflight(exchange, path);
	}
	exchange->stage = STAGE_ANSWERED;
}

static struct exchange *begin(struct http *http, struct MHD_Connection *connection,
	const char *method, const char *path) {
	struct exchange *exchange = xcalloc(1, sizeof *exchange);
	exchange->http = http;
	exchange->connection = connection;
	exchange->client = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
				   ->socket_context;
	client_becomes_busy(http, exchange->client);
	exchange->number = ++exchange->client->requests;
	access_begin(&exchange->access, http->instance, ++http->requests, method, path);
	exchange->key = exchange->client->key;
	exchange->call.service = http->options.service;
	exchange->call.body_file = -1;
	exchange->call.hold.source = -1;
	exchange->call.arena = http->spare_arena_count > 0
		? http->spare_arenas[--http->spare_arena_count]
		: arena_create();
	http_enter(exchange);
	exchange_read_head(exchange, method, path);
	if (strcmp(method, MHD_HTTP_METHOD_OPTIONS) == 0 && !exchange->closing) {
		answer_options(exchange, strcmp(path, "*") == 0 ? NULL : path);
	}
	return exchange;
}

static void drop_body(struct exchange *exchange) {
	exchange->http->body_bytes -= exchange->body.size;
	body_finish(&exchange->body);
}

/* Takes a piece of the body; false when the client is to be cut off. */
static bool take_body(struct exchange *exchange, const char *data, size_t size) {
	struct http *http = exchange->http;
	if (!exchange_refused(exchange) && size > exchange->body_limit - exchange->body.size) {
		error_set(&exchange->err, ERROR_TOO_LARGE,
			"the body has more than the %zu bytes it may have here",
			exchange->body_limit);
	}
	if (!exchange_refused(exchange) && size > BODIES_BYTES - http->body_bytes) {
		error_set(&exchange->err, ERROR_OVERLOADED,
			"too many large bodies are being received at once");
	}
	if (!exchange_refused(exchange)) {
		if (body_append(&exchange->body, data, size)) {
			http->body_bytes += size;
			return true;
		}
		error_set(&exchange->err, ERROR_OVERLOADED, "no memory for the body");
	}
	drop_body(exchange);
	exchange->discarded += size;
	return exchange->discarded <= DISCARD_BYTES;
}

void exchange_take_first_step(struct exchange *exchange) {
	const struct route *route = exchange->route;
	const bool large = exchange->call.body_bytes > AT_ONCE_BYTES;
	const enum place place = large && route->place == PLACE_LOOP ? PLACE_CPU : route->place;
	call_continue(&exchange->call, place, route->handler, NULL);
}

/* The whole request is here: begins to answer it. */
static enum MHD_Result dispatch(struct exchange *exchange) {
	struct call *call = &exchange->call;
	if (!exchange_refused(exchange) && exchange_check_framing(exchange) &&
		!body_complete(&exchange->body)) {
		error_set(&exchange->err, ERROR_OVERLOADED, "no memory for the body");
	}
	call->body = body_bytes(&exchange->body);
	call->body_bytes = exchange->body.size;
	call->body_file = body_file(&exchange->body);
	call->client = exchange->key;
	exchange->deadline_s += clock_now_s();
	atomic_init(&call->stop.deadline_s, exchange->deadline_s);
	if (exchange->route) {
		exchange_take_first_step(exchange);
	}
	exchange_advance(exchange);
	return exchange->stage == STAGE_ANSWERED ? exchange_send(exchange) : MHD_YES;
}

enum MHD_Result exchange_handle(void *context, struct MHD_Connection *connection, const char *path,
	const char *method, const char *version, const char *data, size_t *data_bytes,
	void **slot) {
	(void)version;
	struct exchange *exchange = *slot;
	if (!exchange) {
		*slot = exchange = begin(context, connection, method, path);
		// An answer before the body closes the connection, which is only wanted at times.
		return exchange->closing ? dispatch(exchange) : MHD_YES;
	}
	if (*data_bytes > 0) {
		const bool taken = take_body(exchange, data, *data_bytes);
		*data_bytes = 0;
		return taken ? MHD_YES : MHD_NO;
	}
	return exchange->stage == STAGE_RECEIVING ? dispatch(exchange) : exchange_send(exchange);
}

/* Counts what became of a request. What a thread still has of it is left out. */
static void count(const struct exchange *exchange) {
	if (exchange->access.status == 0) {
		return; // its client left before
	}
	// What a thread still works on it may be changing.
	const enum error_code code = exchange->late ? exchange->late->code
		: exchange->working                 ? ERROR_NONE
						    : exchange->err.code;
	const double seconds = exchange->answer_s - exchange->access.started_s;
	struct metrics *metrics = exchange->call.service->metrics;
	metrics_count(metrics, METRICS_BYTES_SENT, exchange->access.bytes);
	if (exchange->working) {
		const struct call nothing = {.service = exchange->call.service};
		measure_answer(&nothing, exchange->access.status, code, seconds);
	} else {
		measure_answer(&exchange->call, exchange->access.status, code, seconds);
	}
}

void exchange_completed(void *context, struct MHD_Connection *connection, void **slot,
	enum MHD_RequestTerminationCode code) {
	(void)context;
	(void)connection;
	struct exchange *exchange = *slot;
	if (!exchange) {
		return;
	}
	*slot = NULL;
	exchange->http->unflushed = true;
	count(exchange);
	if (exchange->http->options.access_log) {
		access_log(&exchange->access, exchange->call.grant.name, exchange->client->address,
			code);
	}
	client_becomes_idle(exchange->http, exchange->client);
	exchange->client = NULL;
	exchange->connection = NULL;
	http_leave(exchange);
	pace_leave(exchange);
	if (!exchange->working) {
		exchange_destroy(exchange);
	} else if (!exchange->followers) {
		atomic_store(&exchange->call.stop.left, true);
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

void exchange_destroy(struct exchange *exchange) {
	drop_body(exchange);
	call_finish(&exchange->call);
	give_arena_back(exchange->http, exchange->call.arena);
	cached_release(exchange->shared);
	if (exchange->stream) {
		buffer_finish(&exchange->stream->piece);
		free(exchange->stream);
	}
	free(exchange->late);
	free(exchange);
}
