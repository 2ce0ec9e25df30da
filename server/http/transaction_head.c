// The head of a request: what must be known before its body.

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "access/auth.h"
#include "base/memory.h"
#include "http/framing.h"
#include "http/loop.h"
#include "http/router.h"
#include "http/transaction.h"
#include "limits.h"
#include "metrics/metrics.h"
#include "url_text.h"

/* Bytes of an announced body that are rather read than to close the connection for. */
#define DISCARD_ANNOUNCED_BYTES LIMIT_MIB

struct head {
	struct arena *arena;
	const char *accept, *if_match, *if_none_match; // all lines of the header, joined
	const char *accept_encoding, *prefer;          // likewise
	const char *content_type;                      // the first one
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
	} else if (strcasecmp(name, "Accept-Encoding") == 0) {
		head->accept_encoding = join(head->arena, head->accept_encoding, line);
	} else if (strcasecmp(name, "If-Match") == 0) {
		head->if_match = join(head->arena, head->if_match, line);
	} else if (strcasecmp(name, "If-None-Match") == 0) {
		head->if_none_match = join(head->arena, head->if_none_match, line);
	} else if (strcasecmp(name, "Prefer") == 0) {
		head->prefer = join(head->arena, head->prefer, line);
	} else if (strcasecmp(name, "Content-Type") == 0) {
		head->content_type = head->content_type ? head->content_type : line;
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

/* Filled by the library's iterator over query parameters. */
struct query {
	struct transaction *transaction;
	struct query_parameter *parameters;
	size_t count;
};

static enum MHD_Result note_parameter(
	void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
	(void)kind;
	struct query *query = context;
	struct arena *arena = query->transaction->context.arena;
	struct query_parameter *parameter = &query->parameters[query->count++];
	parameter->name = url_decode(arena, name, strlen(name));
	parameter->value = value ? url_decode(arena, value, strlen(value)) : "";
	if (!parameter->name || !parameter->value) {
		error_set(&query->transaction->err, ERROR_INVALID_VALUE,
			"the query is not percent-encoded UTF-8");
		return MHD_NO;
	}
	return MHD_YES;
}

static void read_query(struct transaction *transaction) {
	struct MHD_Connection *connection = transaction->library;
	const int count = MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, NULL, NULL);
	struct query query = {.transaction = transaction};
	query.parameters =
		arena_alloc(transaction->context.arena, (size_t)count, sizeof *query.parameters);
	MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, note_parameter, &query);
	transaction->context.parameters = query.parameters;
	transaction->context.parameter_count = query.count;
}

/* Bodies are taken as they are: what is compressed would only be called broken later. */
static void check_encoding(struct transaction *transaction, const struct head *head) {
	if (!transaction_refused(transaction) && head->encoding && *head->encoding &&
		strcasecmp(head->encoding, "identity") != 0) {
		error_set(&transaction->err, ERROR_UNSUPPORTED_MEDIA_TYPE,
			"Content-Encoding is \"%.40s\", bodies are taken as they are only",
			head->encoding);
	}
}

/* Refuses a body by its announced length, before any of it comes. */
static void check_length(struct transaction *transaction, const struct head *head) {
	const unsigned long long length = head->length ? strtoull(head->length, NULL, 10) : 0;
	if (!transaction_refused(transaction) && length > transaction->body_limit) {
		error_set(&transaction->err, ERROR_TOO_LARGE,
			"the body has %llu bytes, may have %zu here", length,
			transaction->body_limit);
	}
	if (transaction_refused(transaction) && length > DISCARD_ANNOUNCED_BYTES) {
		transaction->closes = true;
	}
}

/* Takes how long the response may take; it counts from when the request is all there. */
static void read_deadline(struct transaction *transaction, const char *text) {
	if (!text) {
		return;
	}
	const size_t digits = strspn(text, "0123456789");
	const unsigned long ms = strtoul(text, NULL, 10);
	if (digits == 0 || text[digits] || ms < 1 || ms > LIMIT_DEADLINE_MS) {
		error_set(&transaction->err, ERROR_INVALID_VALUE,
			"Posed-Deadline-Ms is \"%.40s\", must be a whole number of milliseconds "
			"from 1 to %lu",
			text, LIMIT_DEADLINE_MS);
		return;
	}
	transaction->deadline_s = (double)ms / 1000;
}

/* Comes first: for another host there is nothing here. Only programs that speak HTTP/1.0 send no
 * Host. */
static void check_host(struct transaction *transaction) {
	if (transaction->page.host) {
		origins_check_host(&transaction->http->options.origins, transaction->page.host,
			&transaction->err);
	}
}

/* True for a method that changes nothing. */
static bool is_safe(const char *method) {
	return strcmp(method, MHD_HTTP_METHOD_GET) == 0 ||
		strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
}

/* Checks that the page may send the request, and notes which pages may read its response. */
static void check_page(struct transaction *transaction, const char *method) {
	const struct origin_rules *rules = &transaction->http->options.origins;
	const struct route *route = transaction->route;
	const enum pages pages = route ? route->pages : PAGES_ANY;
	const char *reader = origins_reader(rules, &transaction->page, pages);
	if (reader) {
		// A reload replaces the rules while the request is under way.
		transaction->reader =
			arena_strndup(transaction->context.arena, reader, strlen(reader));
	}
	if (route && !is_safe(method)) {
		origins_check_sender(rules, &transaction->page, pages, &transaction->err);
	}
}

/* A link that shows one rig allows nothing that concerns others. */
static void check_shared_rig(struct transaction *transaction) {
	struct request_context *context = &transaction->context;
	if (context->grant.rig && transaction->route &&
		route_is_of_any_rig(transaction->http->options.routes, transaction->route)) {
		error_set(&transaction->err, ERROR_FORBIDDEN,
			"the link shows a rig, and does not allow this");
	} else if (context->rig) {
		context_check_rig(context, context->rig, &transaction->err);
	}
}

/* A token stands for the same client on every connection, and from every address. */
static void check_access(struct transaction *transaction, const struct head *head) {
	struct request_context *context = &transaction->context;
	if (transaction->route) {
		auth_admit(context->service->auth, context->arena, &head->authorization,
			transaction->route->scope, &context->grant, &transaction->err);
	}
	if (!transaction_refused(transaction)) {
		check_shared_rig(transaction);
	}
	if (context->grant.name) {
		transaction->client = client_of_token(transaction->http, context->grant.name);
	}
}

/* Keeps the little memory that there is for requests under way. */
static void check_memory(struct transaction *transaction) {
	const struct route *route = transaction->route;
	if (!transaction_refused(transaction) && route && route->scope != SCOPE_OPEN &&
		!memory_restore_reserve()) {
		error_set(&transaction->err, ERROR_OVERLOADED,
			"the daemon is out of memory at the moment; try again");
	}
}

/* Beyond the limit of connections, a reserve serves health checks only. */
static void check_room(struct transaction *transaction) {
	if (!transaction->connection->spare) {
		return;
	}
	transaction->closes = true;
	const char *served = transaction->http->options.routes->in_reserve;
	if (!transaction->route || strcmp(transaction->route->path, served) != 0) {
		error_set(&transaction->err, ERROR_OVERLOADED,
			"all connections that there can be are taken, and none of them is idle");
	}
}

/* Before the body comes: into a store that is read-only nothing is put. */
static void check_writable(struct transaction *transaction) {
	const struct route *route = transaction->route;
	if (!transaction_refused(transaction) && route && route->method == HTTP_PUT) {
		store_check_writable(transaction->context.service->store, &transaction->err);
	}
}

bool transaction_check_framing(struct transaction *transaction) {
	struct connection *connection = transaction->connection;
	transaction->closes |=
		!framing_check(connection->wire.framing, transaction->number, &transaction->err);
	return !transaction->closes;
}

/* True for a Prefer header (RFC 7240; NULL = none) that names respond-async. */
static bool prefers_async(const char *prefer) {
	static const char name[] = "respond-async";
	const size_t length = sizeof name - 1;
	for (const char *at = prefer; at && *at; at = strchr(at, ',')) {
		at += strspn(at, ", \t");
		if (strncasecmp(at, name, length) == 0 && strchr(" \t,;", at[length])) {
			return true;
		}
	}
	return false;
}

static const char *copy(struct arena *arena, const char *text) {
	return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

/* The library's strings end with the connection, which a pool's job may outlive. */
static void keep_headers(struct request_context *context, const struct head *head) {
	context->accept = copy(context->arena, head->accept);
	context->accept_encoding = copy(context->arena, head->accept_encoding);
	context->content_type = copy(context->arena, head->content_type);
	context->if_match = copy(context->arena, head->if_match);
	context->if_none_match = copy(context->arena, head->if_none_match);
}

void transaction_read_head(struct transaction *transaction, const char *method, const char *path) {
	struct request_context *context = &transaction->context;
	transaction->deadline_s = transaction->http->options.deadline_s;
	if (!transaction_check_framing(transaction)) {
		metrics_count_request(context->service->metrics,
			route_index(transaction->http->options.routes, NULL));
		return;
	}
	struct head head = {.arena = context->arena};
	MHD_get_connection_values(transaction->library, MHD_HEADER_KIND, note_header, &head);
	keep_headers(context, &head);
	context->prefers_async = prefers_async(head.prefer);
	transaction->page = head.page;
	check_host(transaction);
	if (!transaction_refused(transaction)) {
		transaction->route = route_find(transaction->http->options.routes, context, method,
			path, &transaction->err);
	}
	metrics_count_request(context->service->metrics,
		route_index(transaction->http->options.routes, transaction->route));
	transaction->body_limit =
		transaction->route ? transaction->route->body_bytes : LIMIT_JSON_BYTES;
	check_page(transaction, method);
	check_access(transaction, &head);
	check_room(transaction);
	check_writable(transaction);
	check_memory(transaction);
	check_encoding(transaction, &head);
	check_length(transaction, &head);
	read_deadline(transaction, head.deadline);
	read_query(transaction);
}
