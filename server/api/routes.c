// All calls of the API in one table.
#include "api/routes.h"

#include <string.h>

#include "access/link.h"
#include "api/api.h"
#include "limits.h"
#include "name.h"

#define RIG "/v1/rigs/{rig}"
#define EXAMPLES RIG "/examples"
#define EXAMPLE EXAMPLES "/{name}"
#define CLIPS RIG "/clips"
#define CLIP CLIPS "/{name}"
#define FITS RIG "/fits"
#define FIT FITS "/{id}"
#define STREAM "/v1/streams/{id}"

static const struct route routes[] = {
	{CALL_GET, "/v1", api_service, 0, PLACE_LOOP, SCOPE_READ, PAGES_ANY,
		"version, renderer, skinning methods, limits"},
	{CALL_GET, "/v1/rigs", api_list_rigs, 0, PLACE_CPU, SCOPE_READ, PAGES_ANY, "all rigs"},
	{CALL_PUT, RIG, api_put_rig, LIMIT_ASSET_BYTES, PLACE_IMPORT, SCOPE_WRITE, PAGES_OWN,
		"store an asset"},
	{CALL_GET, RIG, api_describe_rig, 0, PLACE_LOOP, SCOPE_READ, PAGES_ANY, "what is in a rig"},
	{CALL_DELETE, RIG, api_delete_rig, 0, PLACE_DISK, SCOPE_WRITE, PAGES_OWN, "forget a rig"},
	{CALL_GET, RIG "/source", api_get_source, 0, PLACE_DISK, SCOPE_READ, PAGES_OWN,
		"the bytes that were put"},
	{CALL_GET, RIG "/mesh.glb", api_get_mesh, 0, PLACE_LOOP, SCOPE_READ, PAGES_ANY,
		"the rest pose as a file"},
	{CALL_GET, RIG "/compatibility", api_get_compatibility, 0, PLACE_LOOP, SCOPE_READ,
		PAGES_ANY, "which of another rig's joints and clips it can use"},
	{CALL_GET, RIG "/influences", api_get_influences, 0, PLACE_LOOP, SCOPE_READ, PAGES_ANY,
		"how much each vertex follows a joint"},
	{CALL_GET, EXAMPLES, api_list_examples, 0, PLACE_LOOP, SCOPE_READ, PAGES_ANY,
		"a rig's examples"},
	{CALL_PUT, EXAMPLE, api_put_example, LIMIT_ASSET_BYTES, PLACE_LOOP, SCOPE_WRITE, PAGES_OWN,
		"store an example: a pose with its vertices"},
	{CALL_GET, EXAMPLE, api_get_example, 0, PLACE_DISK, SCOPE_READ, PAGES_OWN,
		"an example's vertices"},
	{CALL_DELETE, EXAMPLE, api_delete_example, 0, PLACE_DISK, SCOPE_WRITE, PAGES_OWN,
		"forget an example"},
	{CALL_GET, CLIPS, api_list_clips, 0, PLACE_LOOP, SCOPE_READ, PAGES_ANY, "a rig's clips"},
	{CALL_PUT, CLIP, api_put_clip, LIMIT_ASSET_BYTES, PLACE_LOOP, SCOPE_WRITE, PAGES_OWN,
		"store a clip: a pose that is baked, or one of another file"},
	{CALL_GET, CLIP, api_get_clip, 0, PLACE_LOOP, SCOPE_READ, PAGES_OWN, "a clip's keys"},
	{CALL_DELETE, CLIP, api_delete_clip, 0, PLACE_DISK, SCOPE_WRITE, PAGES_OWN,
		"forget a stored clip"},
	{CALL_POST, FITS, api_begin_fit, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER, PAGES_OWN,
		"make what a skinning method needs"},
	{CALL_GET, FITS, api_list_fits, 0, PLACE_LOOP, SCOPE_READ, PAGES_ANY,
		"what was made, or is being"},
	{CALL_GET, FIT, api_show_fit, 0, PLACE_LOOP, SCOPE_READ, PAGES_ANY,
		"how far one of them is"},
	{CALL_DELETE, FIT, api_cancel_fit, 0, PLACE_LOOP, SCOPE_WRITE, PAGES_OWN,
		"cancel or forget one of them"},
	{CALL_GET, FRAME_LINK_PATH, api_frame_link, 0, PLACE_LOOP, SCOPE_RENDER, PAGES_ANY,
		"a picture, for links"},
	{CALL_GET, RIG "/frames.{format}", api_frames_link, 0, PLACE_LOOP, SCOPE_RENDER, PAGES_ANY,
		"a sequence of pictures, for links"},
	{CALL_GET, LINK_PREFIX "{path...}", api_signed, 0, PLACE_LOOP, SCOPE_OPEN, PAGES_ANY,
		"a picture, for links with a signature"},
	{CALL_POST, "/v1/pose", api_pose, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER, PAGES_ANY,
		"joints of a pose"},
	{CALL_POST, "/v1/vertices", api_vertices, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER,
		PAGES_ANY, "skinned vertices"},
	{CALL_POST, "/v1/stream", api_begin_stream, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER,
		PAGES_ANY, "skinned vertices at the pace of the clock"},
	{CALL_GET, STREAM, api_show_stream, 0, PLACE_LOOP, SCOPE_RENDER, PAGES_ANY,
		"how a stream stands"},
	{CALL_PATCH, STREAM, api_change_stream, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER,
		PAGES_ANY, "change a stream's pose, time, speed or pace"},
	{CALL_DELETE, STREAM, api_end_stream, 0, PLACE_LOOP, SCOPE_RENDER, PAGES_OWN,
		"end a stream"},
	{CALL_POST, "/v1/bake", api_bake, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER, PAGES_ANY,
		"a motion as files that run without this"},
	{CALL_POST, "/v1/transitions", api_transitions, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER,
		PAGES_ANY, "where one clip can go on as another"},
	{CALL_GET, "/v1/shaders", api_list_shaders, 0, PLACE_LOOP, SCOPE_READ, PAGES_ANY,
		"which skinning methods have shaders to take along"},
	{CALL_GET, "/v1/shaders/{method}", api_get_shader, 0, PLACE_LOOP, SCOPE_READ, PAGES_ANY,
		"the functions of a method's shaders"},
	{CALL_POST, "/v1/shaders", api_shader_inputs, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER,
		PAGES_ANY, "what those functions take of a pose"},
	{CALL_POST, "/v1/compare", api_compare, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER,
		PAGES_ANY, "skinning methods against one another"},
	{CALL_POST, "/v1/frame", api_frame, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER, PAGES_ANY,
		"a picture"},
	{CALL_POST, "/v1/frames", api_frames, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER, PAGES_ANY,
		"a sequence of pictures"},
	{CALL_POST, "/v1/crowd", api_crowd, LIMIT_JSON_BYTES, PLACE_LOOP, SCOPE_RENDER, PAGES_ANY,
		"many figures in one picture, or their vertices"},
	{CALL_GET, "/", api_viewer, 0, PLACE_LOOP, SCOPE_OPEN, PAGES_ANY,
		"the viewer, a page for browsers"},
	{CALL_GET, "/js/{path...}", api_script, 0, PLACE_LOOP, SCOPE_OPEN, PAGES_ANY,
		"what that page is made of, and what others can take in"},
	{CALL_GET, "/openapi.yaml", api_openapi, 0, PLACE_LOOP, SCOPE_OPEN, PAGES_ANY,
		"the description of this API"},
	{CALL_GET, "/metrics", api_metrics, 0, PLACE_LOOP, SCOPE_READ, PAGES_OWN,
		"counts and times, for Prometheus"},
	{CALL_GET, "/healthz", api_alive, 0, PLACE_LOOP, SCOPE_OPEN, PAGES_ANY,
		"200 while the process lives"},
	{CALL_GET, "/readyz", api_ready, 0, PLACE_LOOP, SCOPE_OPEN, PAGES_ANY,
		"200 when it can render"},
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
		[CALL_PATCH] = "PATCH",
		[CALL_DELETE] = "DELETE",
	};
	return names[method];
}

/* What a path has in the place of a pattern's part in braces. */
struct segment {
	const char *part; // the part, from its brace on
	const char *text; // [length] not ended by NUL
	size_t length;
};

/* Parts in braces that a pattern has at most. */
#define MOST_PARTS 2

struct segments {
	struct segment items[MOST_PARTS]; // [count]
	size_t count;
};

/* Whether a part in braces stands for all that is left of the path. */
static bool takes_rest(const char *part) {
	return strncmp(strchr(part, '}') - 3, "...", 3) == 0;
}

static bool matches(const char *pattern, const char *path, struct segments *named) {
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

/* Puts a segment where the call has its place. */
static bool take_segment(struct call *call, const struct segment *segment, struct error *err) {
	if (takes_rest(segment->part)) {
		call->tail = arena_strndup(call->arena, segment->text, segment->length);
		return true;
	}
	const bool is_rig = strncmp(segment->part, "{rig}", 5) == 0;
	const char **place = is_rig ? &call->rig : &call->item;
	*place = name_decode(call->arena, segment->text, segment->length, err);
	return *place;
}

const struct route *route_find(
	struct call *call, const char *method, const char *path, struct error *err) {
	struct segments named;
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
	for (size_t k = 0; k < named.count; k++) {
		if (!take_segment(call, &named.items[k], err)) {
			return NULL;
		}
	}
	if (routes[i].method == CALL_PUT &&
		!name_check_new(call->item ? call->item : call->rig, err)) {
		return NULL;
	}
	return &routes[i];
}

const char *route_methods_where(struct arena *arena, const char *path,
	bool (*fits)(void *context, const struct route *route), void *context) {
	const char *methods = NULL;
	bool has[CALL_METHOD_COUNT] = {false};
	for (size_t i = 0; i < ROUTE_COUNT; i++) {
		struct segments named;
		const enum call_method method = routes[i].method;
		if (!has[method] && (!path || matches(routes[i].path, path, &named)) &&
			fits(context, &routes[i])) {
			has[method] = true;
			methods = arena_printf(arena, "%s%s%s", methods ? methods : "",
				methods ? ", " : "",
				method == CALL_GET ? "GET, HEAD" : call_method_name(method));
		}
	}
	return methods;
}

static bool fits_always(void *context, const struct route *route) {
	(void)context;
	(void)route;
	return true;
}

const char *route_methods(struct arena *arena, const char *path) {
	const char *methods = route_methods_where(arena, path, fits_always, NULL);
	return methods ? arena_printf(arena, "%s, OPTIONS", methods) : NULL;
}
