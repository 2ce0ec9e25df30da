// One request: its head is checked, its body collected, its handler called, its answer sent.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/memory.h"
#include "http_internal.h"
#include "limits.h"
#include "routes.h"
#include "url_text.h"

/* Bytes of bodies held at once: four of the greatest assets. */
#define BODIES_BYTES (4 * LIMIT_ASSET_BYTES)

/* Bytes of a refused body that are read, so that the client gets to read why; then it is cut off.
 */
#define DISCARD_BYTES LIMIT_ASSET_BYTES

/* Bytes of an announced body that are rather read than to close the connection for. */
#define DISCARD_ANNOUNCED_BYTES LIMIT_MIB

static bool is_refused(const struct exchange *exchange) {
	return exchange->err.code != ERROR_NONE;
}

/* What the request's headers say that must be known before its body. */
struct head {
	struct arena *arena;
	const char *accept, *if_none_match; // all lines of the header, joined
	unsigned lengths;                   // lines of Content-Length
	bool chunked;                       // Transfer-Encoding is there
	const char *length;                 // Content-Length
};

static const char *join(struct arena *arena, const char *before, const char *line) {
	return before ? arena_printf(arena, "%s, %s", before, line) : line;
}

static enum MHD_Result note_header(
	void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
	(void)kind;
	struct head *head = context;
	const char *line = value ? value : "";
	if (strcasecmp(name, "Accept") == 0) {
		head->accept = join(head->arena, head->accept, line);
	} else if (strcasecmp(name, "If-None-Match") == 0) {
		head->if_none_match = join(head->arena, head->if_none_match, line);
	} else if (strcasecmp(name, "Content-Length") == 0) {
		head->lengths++;
		head->length = line;
	} else if (strcasecmp(name, "Transfer-Encoding") == 0) {
		head->chunked = true;
	}
	return MHD_YES;
}

/* What the library's iterator over query parameters fills. */
struct query {
	struct exchange *exchange;
	struct query_parameter *parameters;
	size_t count;
};

static enum MHD_Result note_parameter(
	void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
	(void)kind;
	struct query *query = context;
	struct arena *arena = query->exchange->call.arena;
	struct query_parameter *parameter = &query->parameters[query->count++];
	parameter->name = url_decode(arena, name, strlen(name));
	parameter->value = value ? url_decode(arena, value, strlen(value)) : "";
	if (!parameter->name || !parameter->value) {
		error_set(&query->exchange->err, ERROR_INVALID_VALUE,
			"the query is not percent-encoded UTF-8");
		return MHD_NO;
	}
	return MHD_YES;
}

static void read_query(struct exchange *exchange) {
	struct MHD_Connection *connection = exchange->connection;
	const int count = MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, NULL, NULL);
	struct query query = {.exchange = exchange};
	query.parameters =
		arena_alloc(exchange->call.arena, (size_t)count, sizeof *query.parameters);
	MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, note_parameter, &query);
	exchange->call.parameters = query.parameters;
	exchange->call.parameter_count = query.count;
}

/* Two readers that disagree about where a body ends can be fooled into seeing different requests:
 * the library takes these, so they are refused here, and nothing more is read. */
static void check_framing(struct exchange *exchange, const struct head *head) {
	if (head->lengths > 1 || (head->lengths == 1 && head->chunked)) {
		error_set(&exchange->err, ERROR_INVALID_VALUE,
			"the length of the body is given twice, by Content-Length%s",
			head->chunked ? " and by Transfer-Encoding" : " and again");
		exchange->closing = true;
	}
}

/* Refuses a body by its announced length, before any of it comes. */
static void check_length(struct exchange *exchange, const struct head *head) {
	const unsigned long long length = head->length ? strtoull(head->length, NULL, 10) : 0;
	if (!is_refused(exchange) && length > exchange->body_limit) {
		error_set(&exchange->err, ERROR_TOO_LARGE,
			"the body has %llu bytes, may have %zu here", length, exchange->body_limit);
	}
	if (is_refused(exchange) && length > DISCARD_ANNOUNCED_BYTES) {
		exchange->closing = true;
	}
}

static void read_head(struct exchange *exchange, const char *method, const char *path) {
	struct call *call = &exchange->call;
	struct head head = {.arena = call->arena};
	MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, note_header, &head);
	call->accept = head.accept;
	call->if_none_match = head.if_none_match;
	call->content_type = MHD_lookup_connection_value(
		exchange->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_TYPE);
	exchange->route = route_find(call, method, path, &exchange->err);
	exchange->body_limit = exchange->route ? exchange->route->body_bytes : LIMIT_JSON_BYTES;
	check_framing(exchange, &head);
	check_length(exchange, &head);
	read_query(exchange);
}

/* OPTIONS, also as browsers ask before they send a foreign page's request. PUT and DELETE are for
 * no foreign page: another site's script must not replace rigs. */
static void answer_options(struct exchange *exchange, const char *path) {
	struct call *call = &exchange->call;
	const char *methods = route_methods(call->arena, path);
	if (!methods) {
		return;
	}
	exchange->err = (struct error){0};
	call->answer.status = 204;
	call_header(call, "Allow", "%s", methods);
	call_header(call, "Access-Control-Allow-Methods", "GET, HEAD, POST");
	call_header(call, "Access-Control-Allow-Headers", "Accept, Content-Type, If-None-Match");
	call_header(call, "Access-Control-Max-Age", "86400");
	exchange->stage = STAGE_ANSWERED;
}

static struct exchange *begin(struct http *http, struct MHD_Connection *connection,
	const char *method, const char *path) {
	struct exchange *exchange = xcalloc(1, sizeof *exchange);
	exchange->http = http;
	exchange->connection = connection;
	access_begin(&exchange->access, http->instance, ++http->requests, method, path);
	exchange->call.service = http->options.service;
	exchange->call.body_file = -1;
	exchange->call.arena = arena_create();
	http_enter(exchange);
	read_head(exchange, method, path);
	if (strcmp(method, MHD_HTTP_METHOD_OPTIONS) == 0 && !exchange->closing) {
		answer_options(exchange, path);
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
	if (!is_refused(exchange) && size > exchange->body_limit - exchange->body.size) {
		error_set(&exchange->err, ERROR_TOO_LARGE,
			"the body has more than the %zu bytes it may have here",
			exchange->body_limit);
	}
	if (!is_refused(exchange) && size > BODIES_BYTES - http->body_bytes) {
		error_set(&exchange->err, ERROR_OVERLOADED,
			"too many large bodies are being received at once");
	}
	if (!is_refused(exchange)) {
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

/* Calls the handler. On a render thread for routes that ask for one. */
static void handle(struct exchange *exchange) {
	log_set_request(exchange->access.id);
	if (!is_refused(exchange)) {
		exchange->route->handler(&exchange->call, &exchange->err);
	}
	if (is_refused(exchange)) {
		hide_insides(exchange);
		call_fail(&exchange->call, &exchange->err);
	}
	log_set_request(NULL);
}

static void run_job(struct job *job, struct renderer *renderer) {
	struct exchange *exchange =
		(struct exchange *)((char *)job - offsetof(struct exchange, job));
	exchange->call.renderer = renderer;
	handle(exchange);
	http_finish_work(exchange);
}

/* Gives the exchange to a render thread; false with the reason in exchange->err. */
static bool start_work(struct exchange *exchange) {
	struct service *service = exchange->call.service;
	if (service->stopping) {
		return error_set(&exchange->err, ERROR_SHUTTING_DOWN,
			"the daemon is finishing its last requests");
	}
	if (jobs_full(service->jobs)) {
		return error_set(&exchange->err, ERROR_OVERLOADED,
			"all render threads are busy and the queue before them is full");
	}
	// Suspended first: once it is queued, the work may be done at any moment.
	exchange->stage = STAGE_WORKING;
	exchange->http->working++;
	exchange->job.run = run_job;
	MHD_suspend_connection(exchange->connection);
	jobs_submit(service->jobs, &exchange->job);
	return true;
}

/* The whole request is here. */
static enum MHD_Result dispatch(struct exchange *exchange) {
	if (!is_refused(exchange) && !body_complete(&exchange->body)) {
		error_set(&exchange->err, ERROR_OVERLOADED, "no memory for the body");
	}
	exchange->call.body = body_bytes(&exchange->body);
	exchange->call.body_bytes = exchange->body.size;
	exchange->call.body_file = body_file(&exchange->body);
	const bool to_worker = !is_refused(exchange) && exchange->route->on_worker;
	if (to_worker && start_work(exchange)) {
		return MHD_YES;
	}
	handle(exchange);
	exchange->stage = STAGE_ANSWERED;
	return exchange_send(exchange);
}

enum MHD_Result exchange_handle(void *context, struct MHD_Connection *connection, const char *path,
	const char *method, const char *version, const char *data, size_t *data_bytes,
	void **slot) {
	(void)version;
	struct exchange *exchange = *slot;
	if (!exchange) {
		*slot = exchange = begin(context, connection, method, path);
		if (!exchange->closing) {
			return MHD_YES;
		}
		// An answer before the body closes the connection, which is what is wanted here.
		handle(exchange);
		exchange->stage = STAGE_ANSWERED;
		return exchange_send(exchange);
	}
	if (*data_bytes > 0) {
		const bool taken = take_body(exchange, data, *data_bytes);
		*data_bytes = 0;
		return taken ? MHD_YES : MHD_NO;
	}
	return exchange->stage == STAGE_RECEIVING ? dispatch(exchange) : exchange_send(exchange);
}

void exchange_completed(void *context, struct MHD_Connection *connection, void **slot,
	enum MHD_RequestTerminationCode code) {
	(void)context;
	struct exchange *exchange = *slot;
	if (exchange) {
		if (exchange->http->options.access_log) {
			access_log(&exchange->access, connection, code);
		}
		http_leave(exchange);
		drop_body(exchange);
		call_finish(&exchange->call);
		arena_destroy(exchange->call.arena);
		free(exchange);
		*slot = NULL;
	}
}
