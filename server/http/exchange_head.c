// The head of a request: what must be known before its body.
#include "http/exchange_head.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "access/auth.h"
#include "api/api.h"
#include "api/routes.h"
#include "base/memory.h"
#include "http/clients.h"
#include "http/exchange.h"
#include "http/framing.h"
#include "http/http_loop.h"
#include "limits.h"
#include "metrics/metrics.h"
#include "url_text.h"

/* Bytes of an announced body that are rather read than to close the connection for. */
#define DISCARD_ANNOUNCED_BYTES LIMIT_MIB

struct head {
	struct arena *arena;
	const char *accept, *if_match, *if_none_match; // all lines of the header, joined
	const char *length;                            // Content-Length
	const char *encoding;                          // Content-Encoding
	const char *deadline;                          // Posed-Deadline-Ms
	struct page page;                              // all lines of each header, joined
	struct authorization authorization;
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
	} else if (strcasecmp(name, "If-Match") == 0) {
		head->if_match = join(head->arena, head->if_match, line);
	} else if (strcasecmp(name, "If-None-Match") == 0) {
		head->if_none_match = join(head->arena, head->if_none_match, line);
	} else if (strcasecmp(name, "Content-Length") == 0) {
		head->length = line;
	} else if (strcasecmp(name, "Content-Encoding") == 0) {
		head->encoding = line;
	} else if (strcasecmp(name, "Posed-Deadline-Ms") == 0) {
		head->deadline = line;
	} else if (strcasecmp(name, "Host") == 0) {
		head->page.host = join(head->arena, head->page.host, line);
	} else if (strcasecmp(name, "Origin") == 0) {
		head->page.origin = join(head->arena, head->page.origin, line);
	} else if (strcasecmp(name, "Authorization") == 0) {
		head->authorization.text = line;
		head->authorization.lines++;
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

/* Bodies are taken as they are: what is compressed would only be called broken later. */
static void check_encoding(struct exchange *exchange, const struct head *head) {
	if (!exchange_refused(exchange) && head->encoding && *head->encoding &&
		strcasecmp(head->encoding, "identity") != 0) {
		error_set(&exchange->err, ERROR_UNSUPPORTED_MEDIA_TYPE,
			"Content-Encoding is \"%.40s\", bodies are taken as they are only",
			head->encoding);
	}
}

/* Refuses a body by its announced length, before any of it comes. */
static void check_length(struct exchange *exchange, const struct head *head) {
	const unsigned long long length = head->length ? strtoull(head->length, NULL, 10) : 0;
	if (!exchange_refused(exchange) && length > exchange->body_limit) {
		error_set(&exchange->err, ERROR_TOO_LARGE,
			"the body has %llu bytes, may have %zu here", length, exchange->body_limit);
	}
	if (exchange_refused(exchange) && length > DISCARD_ANNOUNCED_BYTES) {
		exchange->closing = true;
	}
}

/* Takes how long the answer may take; it counts from when the request is all there. */
static void read_deadline(struct exchange *exchange, const char *text) {
	if (!text) {
		return;
	}
	const size_t digits = strspn(text, "0123456789");
	const unsigned long ms = strtoul(text, NULL, 10);
	if (digits == 0 || text[digits] || ms < 1 || ms > LIMIT_DEADLINE_MS) {
		error_set(&exchange->err, ERROR_INVALID_VALUE,
			"Posed-Deadline-Ms is \"%.40s\", must be a whole number of milliseconds "
			"from 1 to %lu",
			text, LIMIT_DEADLINE_MS);
		return;
	}
	exchange->deadline_s = (double)ms / 1000;
}

/* Comes first: for another host there is nothing here. Only programs that speak HTTP/1.0 send no
 * Host. */
static void check_host(struct exchange *exchange) {
	if (exchange->page.host) {
		origins_check_host(
			&exchange->http->options.origins, exchange->page.host, &exchange->err);
	}
}

/* Whether the method is one by which nothing changes. */
static bool is_safe(const char *method) {
	return strcmp(method, MHD_HTTP_METHOD_GET) == 0 ||
		strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
}

/* Which pages may send the request, and which may read its answer. */
static void check_page(struct exchange *exchange, const char *method) {
	const struct origin_rules *rules = &exchange->http->options.origins;
	const struct route *route = exchange->route;
	const enum pages pages = route ? route->pages : PAGES_ANY;
	const char *reader = origins_reader(rules, &exchange->page, pages);
	if (reader) {
		// A reload replaces the rules while the request is under way.
		exchange->reader = arena_strndup(exchange->call.arena, reader, strlen(reader));
	}
	if (route && !is_safe(method)) {
		origins_check_sender(rules, &exchange->page, pages, &exchange->err);
	}
}

/* Whoever shows a token is the same client on every connection, and from every address. */
static void check_access(struct exchange *exchange, const struct head *head) {
	struct call *call = &exchange->call;
	if (exchange->route) {
		auth_admit(call->service->auth, call, &head->authorization, exchange->route->scope,
			&exchange->err);
	}
	if (call->grant.name) {
		exchange->key = client_key_of(exchange->http, call->grant.name);
	}
}

/* What is under way may need the little memory that there is. */
static void check_memory(struct exchange *exchange) {
	const struct route *route = exchange->route;
	if (!exchange_refused(exchange) && route && route->scope != SCOPE_OPEN &&
		!memory_restore_reserve()) {
		error_set(&exchange->err, ERROR_OVERLOADED,
			"the daemon is out of memory at the moment; try again");
	}
}

/* Where all connections are taken, the few that there are beyond show whether the daemon lives. */
static void check_room(struct exchange *exchange) {
	if (!exchange->client->spare) {
		return;
	}
	exchange->closing = true;
	if (!exchange->route || exchange->route->handler != api_alive) {
		error_set(&exchange->err, ERROR_OVERLOADED,
			"all connections that there can be are taken, and none of them is idle");
	}
}

/* Before the body comes: into a store that is read-only nothing is put. */
static void check_writable(struct exchange *exchange) {
	const struct route *route = exchange->route;
	if (!exchange_refused(exchange) && route && route->method == CALL_PUT) {
		store_check_writable(exchange->call.service->store, &exchange->err);
	}
}

bool exchange_check_framing(struct exchange *exchange) {
	struct client *client = exchange->client;
	exchange->closing |= !framing_check(client->wire.framing, exchange->number, &exchange->err);
	return !exchange->closing;
}

void exchange_read_head(struct exchange *exchange, const char *method, const char *path) {
	struct call *call = &exchange->call;
	exchange->deadline_s = exchange->http->options.deadline_s;
	if (!exchange_check_framing(exchange)) {
		metrics_count_request(call->service->metrics, route_index(NULL));
		return;
	}
	struct head head = {.arena = call->arena};
	MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, note_header, &head);
	call->accept = head.accept;
	call->if_match = head.if_match;
	call->if_none_match = head.if_none_match;
	call->content_type = MHD_lookup_connection_value(
		exchange->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_TYPE);
	exchange->page = head.page;
	check_host(exchange);
	if (!exchange_refused(exchange)) {
		exchange->route = route_find(call, method, path, &exchange->err);
	}
	metrics_count_request(call->service->metrics, route_index(exchange->route));
	exchange->body_limit = exchange->route ? exchange->route->body_bytes : LIMIT_JSON_BYTES;
	check_page(exchange, method);
	check_access(exchange, &head);
	check_room(exchange);
	check_writable(exchange);
	check_memory(exchange);
	check_encoding(exchange, &head);
	check_length(exchange, &head);
	read_deadline(exchange, head.deadline);
	read_query(exchange);
}
