/* All calls of the API in one table, and finding a request's row in it. */
#pragma once

#include "access/origins.h"
#include "http/request_context.h"

struct route {
	enum http_method method; // HEAD goes with HTTP_GET
	const char *path;        // "{rig}" and such stand for one segment, "{path...}" for the rest
	bool (*handler)(struct request_context *context, struct error *err);
	size_t body_bytes;   // greatest body
	enum executor place; // where the handler runs
	enum scope scope;    // who may
	enum pages pages;    // in browsers
	const char *purpose; // one line for --help
};

/* The i-th row, NULL past the end; and back, with NULL as the number of rows. */
const struct route *route_at(size_t i);
size_t route_index(const struct route *route);

const char *http_method_name(enum http_method method);

/* Finds the row for a request's method (as sent) and raw path, and fills in context->path, and
 * context->rig, item or tail. NULL with ERROR_UNKNOWN_ROUTE, ERROR_INVALID_NAME, or
 * ERROR_METHOD_NOT_ALLOWED (then context->allowed is filled in). */
const struct route *route_find(
	struct request_context *context, const char *method, const char *path, struct error *err);

/* The methods that a raw path has, such as "GET, HEAD, OPTIONS", in the arena; for NULL those of
 * all paths. NULL when there is no such path. */
const char *route_methods(struct arena *arena, const char *path);

/* Those of its rows that fit, such as "GET, HEAD, PUT"; NULL when there are none. */
const char *route_methods_where(struct arena *arena, const char *path,
	bool (*fits)(void *context, const struct route *route), void *context);
