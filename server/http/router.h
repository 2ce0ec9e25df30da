/* Routes: a table of them, and the row for a request. */
#pragma once

#include "access/origins.h"
#include "access/scope.h"
#include "base/error.h"
#include "http/request_context.h"

/* Fills context->response, or returns false with *err filled, from which the response is made. */
typedef bool route_handler(struct request_context *context, struct error *err);

struct route {
	enum http_method method; // HEAD goes with HTTP_GET
	const char *path;        // "{rig}" and such stand for one segment, "{path...}" for the rest
	route_handler *handler;
	size_t body_bytes;      // greatest body
	enum executor executor; // where the handler runs
	enum scope scope;       // needed to use it
	enum pages pages;       // of which origins, in browsers
	enum licence_part part; // of avatars, which its responses have
	const char *purpose;    // one line for --help
};

struct route_table {
	const struct route *rows; // [count]
	size_t count;
	const char *in_reserve;        // path that is also served to connections beyond the limit
	const char *const *of_any_rig; // paths whose calls may concern any rig, ended by NULL:
				       // links that show one rig do not allow them
};

/* The number of a row of the table; NULL is the table's count. */
size_t route_index(const struct route_table *table, const struct route *route);

/* True for a call that may concern any rig. */
bool route_is_of_any_rig(const struct route_table *table, const struct route *route);

const char *http_method_name(enum http_method method);

/* Finds the row for a request's method (as sent) and raw path, and fills in context->path, and
 * context->rig, item or tail. NULL with ERROR_UNKNOWN_ROUTE, ERROR_INVALID_NAME, or
 * ERROR_METHOD_NOT_ALLOWED (then context->allowed is filled in). */
const struct route *route_find(const struct route_table *table, struct request_context *context,
	const char *method, const char *path, struct error *err);

/* The methods that a raw path has, such as "GET, HEAD, OPTIONS", in the arena; for NULL those of
 * all paths. NULL when there is no such path. */
const char *route_methods(const struct route_table *table, struct arena *arena, const char *path);

/* The methods of those rows for which `matches` is true, such as "GET, HEAD, PUT"; NULL when there
 * are none. */
const char *route_methods_where(const struct route_table *table, struct arena *arena,
	const char *path, bool (*matches)(void *context, const struct route *route), void *context);
