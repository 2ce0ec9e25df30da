// All calls of the API in one table.
#include "routes.h"

#include <string.h>

#include "api.h"
#include "limits.h"
#include "name.h"

#define RIG "/v1/rigs/{rig}"

static const struct route routes[] = {
	{CALL_GET, "/v1", api_service, 0, PLACE_LOOP, SCOPE_READ,
		"version, renderer, skinning methods, limits"},
	{CALL_GET, "/v1/rigs", api_list_rigs, 0, PLACE_CPU, SCOPE_READ, "all rigs"},
	{CALL_PUT, RIG, api_put_rig, LIMIT_ASSET_BYTES, PLACE_DISK, SCOPE_WRITE, "store an asset"},
	{CALL_GET, RIG, api_describe_rig, 0, PLACE_LOOP, SCOPE_READ, "what is in a rig"},
	{CALL_DELETE, RIG, api_delete_rig, 0, PLACE_DISK, SCOPE_WRITE, "forget a rig"},
	{CALL_GET, RIG "/source", api_get_source, 0, PLACE_DISK, SCOPE_READ,
		"the bytes that were put"},
	{CALL_GET, RIG "/mesh.glb", api_get_mesh, 0, PLACE_LOOP, SCOPE_READ,
		"the rest pose as a file"},
	{CALL_GET, FRAME_LINK_PATH, api_frame_link, 0, PLACE_LOOP, SCOPE_RENDER,
		"a picture, for links"},
	{CALL_GET, "/i/{path...}", api_signed, 0, PLACE_LOOP, SCOPE_OPEN,
		"a picture, for links with a signature"},
	{CALL_POST, "/v1/pose", api_pose, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER,
		"joints of a pose"},
	{CALL_POST, "/v1/vertices", api_vertices, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER,
		"skinned vertices"},
	{CALL_POST, "/v1/compare", api_compare, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER,
		"skinning methods against one another"},
	{CALL_POST, "/v1/frame", api_frame, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER,
		"a picture"},
	{CALL_GET, "/", api_viewer, 0, PLACE_LOOP, SCOPE_OPEN, "the viewer, a page for browsers"},
	{CALL_GET, "/viewer/{file}", api_viewer_file, 0, PLACE_LOOP, SCOPE_OPEN,
		"what that page is made of"},
	{CALL_GET, "/metrics", api_metrics, 0, PLACE_LOOP, SCOPE_READ,
		"counts and times, for Prometheus"},
	{CALL_GET, "/healthz", api_alive, 0, PLACE_LOOP, SCOPE_OPEN, "200 while the process lives"},
	{CALL_GET, "/readyz", api_ready, 0, PLACE_LOOP, SCOPE_OPEN, "200 when it can render"},
};

#define ROUTE_COUNT (sizeof routes / sizeof *routes)

const struct route *route_at(size_t i) {
	return i < ROUTE_COUNT ? &routes[i] : NULL;
}

size_t route_index(const struct route *route) {
	return route ? (size_t)(route - routes) : ROUTE_COUNT;
}

const char *call_method_name(enum call_method method) {
	static const char *const names[CALL_METHOD_COUNT] = {
		[CALL_GET] = "GET",
		[CALL_PUT] = "PUT",
		[CALL_POST] = "POST",
		[CALL_DELETE] = "DELETE",
	};
	return names[method];
}

/* A piece of a path, not ended by NUL. */
struct segment {
	const char *text; // NULL = the pattern has no part in braces
	size_t length;
};

/* Whether a pattern's part in braces stands for all that is left of the path. */
static bool takes_rest(const char *pattern) {
	return strstr(pattern, "...}");
}

/* *named is what the path has in the place of the pattern's part in braces. */
static bool matches(const char *pattern, const char *path, struct segment *named) {
	*named = (struct segment){0};
	while (*pattern && *path) {
		if (*pattern == '{') {
			const bool rest = takes_rest(pattern);
			*named = (struct segment){path, rest ? strlen(path) : strcspn(path, "/")};
			path += named->length;
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
	return strcmp(method, call_method_name(route->method)) == 0 ||
		(route->method == CALL_GET && strcmp(method, "HEAD") == 0);
}

static bool refuse_method(
	struct call *call, const char *method, const char *path, struct error *err) {
	call->allowed = route_methods(call->arena, path);
	if (!call->allowed) {
		return error_set(err, ERROR_UNKNOWN_ROUTE, "there is nothing at \"%.200s\"", path);
	}
	return error_set(err, ERROR_METHOD_NOT_ALLOWED, "%.20s is not possible here, but %s",
		method, call->allowed);
}

const struct route *route_find(
	struct call *call, const char *method, const char *path, struct error *err) {
	struct segment named;
	size_t i = 0;
	while (i < ROUTE_COUNT &&
		!(answers(&routes[i], method) && matches(routes[i].path, path, &named))) {
		i++;
	}
	if (i == ROUTE_COUNT) {
		refuse_method(call, method, path, err);
		return NULL;
	}
	call->path = routes[i].path;
	const char **place = strstr(call->path, "{file}") ? &call->file : &call->rig;
	if (named.text && takes_rest(call->path)) {
		call->tail = arena_strndup(call->arena, named.text, named.length);
	} else if (named.text &&
		!(*place = name_decode(call->arena, named.text, named.length, err))) {
		return NULL;
	}
	return &routes[i];
}

const char *route_methods(struct arena *arena, const char *path) {
	const char *methods = "";
	for (size_t i = 0; i < ROUTE_COUNT; i++) {
		struct segment named;
		if (matches(routes[i].path, path, &named)) {
			const bool get = routes[i].method == CALL_GET;
			methods = arena_printf(arena, "%s%s, ", methods,
				get ? "GET, HEAD" : call_method_name(routes[i].method));
		}
	}
	return *methods ? arena_printf(arena, "%sOPTIONS", methods) : NULL;
}
