// Finding the route of a request in a table.
#include "http/router.h"

#include <string.h>

#include "name.h"

size_t route_index(const struct route_table *table, const struct route *route) {
	return route ? (size_t)(route - table->rows) : table->count;
}

bool route_is_of_any_rig(const struct route_table *table, const struct route *route) {
	const char *const *path = table->of_any_rig;
	while (*path && strcmp(*path, route->path) != 0) {
		path++;
	}
	return *path != NULL;
}

const char *http_method_name(enum http_method method) {
	static const char *const names[HTTP_METHOD_COUNT] = {
		[HTTP_GET] = "GET",
		[HTTP_PUT] = "PUT",
		[HTTP_POST] = "POST",
		[HTTP_PATCH] = "PATCH",
		[HTTP_DELETE] = "DELETE",
	};
	return names[method];
}

/* The text that a path has for a pattern's part in braces. */
struct segment {
	const char *part; // the part, from its brace on
	const char *text; // [length] not ended by NUL
	size_t length;
};

/* The most parts in braces that a pattern has. */
#define MAX_PARTS 2

struct segments {
	struct segment items[MAX_PARTS]; // [count]
	size_t count;
};

/* True for a part in braces that stands for all that is left of the path. */
static bool takes_rest(const char *part) {
	return strncmp(strchr(part, '}') - 3, "...", 3) == 0;
}

static bool match(const char *pattern, const char *path, struct segments *named) {
	*named = (struct segments){0};
	while (*pattern && *path) {
		if (*pattern == '{') {
			const size_t length =
				takes_rest(pattern) ? strlen(path) : strcspn(path, "/");
			named->items[named->count++] = (struct segment){pattern, path, length};
			path += length;
			pattern = strchr(pattern, '}') + 1;
			continue;
		}
		if (*pattern++ != *path++) {
			return false;
		}
	}
	return !*pattern && !*path;
}

static bool answers(const struct route *route, const char *method) {
	return strcmp(method, http_method_name(route->method)) == 0 ||
		(route->method == HTTP_GET && strcmp(method, "HEAD") == 0);
}

static bool refuse_method(const struct route_table *table, struct request_context *context,
	const char *method, const char *path, struct error *err) {
	context->allowed = route_methods(table, context->arena, path);
	if (!context->allowed) {
		return error_set(err, ERROR_UNKNOWN_ROUTE, "there is nothing at \"%.200s\"", path);
	}
	return error_set(err, ERROR_METHOD_NOT_ALLOWED, "%.20s is not possible here, but %s",
		method, context->allowed);
}

/* Puts a segment into its member of the request context. */
static bool take_segment(
	struct request_context *context, const struct segment *segment, struct error *err) {
	if (takes_rest(segment->part)) {
		context->tail = arena_strndup(context->arena, segment->text, segment->length);
		return true;
	}
	const bool is_rig = strncmp(segment->part, "{rig}", 5) == 0;
	const char **member = is_rig ? &context->rig : &context->item;
	*member = name_decode(context->arena, segment->text, segment->length, err);
	return *member;
}

const struct route *route_find(const struct route_table *table, struct request_context *context,
	const char *method, const char *path, struct error *err) {
	struct segments named;
	size_t i = 0;
	while (i < table->count &&
		!(answers(&table->rows[i], method) && match(table->rows[i].path, path, &named))) {
		i++;
	}
	if (i == table->count) {
		refuse_method(table, context, method, path, err);
		return NULL;
	}
	context->path = table->rows[i].path;
	context->part = table->rows[i].part;
	for (size_t k = 0; k < named.count; k++) {
		if (!take_segment(context, &named.items[k], err)) {
			return NULL;
		}
	}
	if (table->rows[i].method == HTTP_PUT &&
		!name_check_new(context->item ? context->item : context->rig, err)) {
		return NULL;
	}
	return &table->rows[i];
}

const char *route_methods_where(const struct route_table *table, struct arena *arena,
	const char *path, bool (*matches)(void *context, const struct route *route),
	void *context) {
	const char *methods = NULL;
	bool has[HTTP_METHOD_COUNT] = {false};
	for (size_t i = 0; i < table->count; i++) {
		struct segments named;
		const enum http_method method = table->rows[i].method;
		if (!has[method] && (!path || match(table->rows[i].path, path, &named)) &&
			matches(context, &table->rows[i])) {
			has[method] = true;
			methods = arena_printf(arena, "%s%s%s", methods ? methods : "",
				methods ? ", " : "",
				method == HTTP_GET ? "GET, HEAD" : http_method_name(method));
		}
	}
	return methods;
}

static bool match_all(void *context, const struct route *route) {
	(void)context;
	(void)route;
	return true;
}

const char *route_methods(const struct route_table *table, struct arena *arena, const char *path) {
	const char *methods = route_methods_where(table, arena, path, match_all, NULL);
	return methods ? arena_printf(arena, "%s, OPTIONS", methods) : NULL;
}
