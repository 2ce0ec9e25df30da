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
	{HTTP_GET, "/v1", api_service, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"version, renderer, skinning methods, limits"},
	{HTTP_GET, "/v1/rigs", api_list_rigs, 0, EXECUTOR_CPU, SCOPE_READ, PAGES_ANY, "all rigs"},
	{HTTP_PUT, RIG, api_put_rig, LIMIT_ASSET_BYTES, EXECUTOR_IMPORT, SCOPE_WRITE, PAGES_OWN,
		"store an asset"},
	{HTTP_GET, RIG, api_describe_rig, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"what is in a rig"},
	{HTTP_DELETE, RIG, api_delete_rig, 0, EXECUTOR_DISK, SCOPE_WRITE, PAGES_OWN,
		"forget a rig"},
	{HTTP_GET, RIG "/source", api_get_source, 0, EXECUTOR_DISK, SCOPE_READ, PAGES_OWN,
		"the bytes that were put"},
	{HTTP_GET, RIG "/mesh.glb", api_get_mesh, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"the rest pose as a file"},
	{HTTP_GET, RIG "/compatibility", api_get_compatibility, 0, EXECUTOR_LOOP, SCOPE_READ,
		PAGES_ANY, "which of another rig's joints and clips it can use"},
	{HTTP_GET, RIG "/influences", api_get_influences, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"how much each vertex follows a joint"},
	{HTTP_GET, EXAMPLES, api_list_examples, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"a rig's examples"},
	{HTTP_PUT, EXAMPLE, api_put_example, LIMIT_ASSET_BYTES, EXECUTOR_LOOP, SCOPE_WRITE,
		PAGES_OWN, "store an example: a pose with its vertices"},
	{HTTP_GET, EXAMPLE, api_get_example, 0, EXECUTOR_DISK, SCOPE_READ, PAGES_OWN,
		"an example's vertices"},
	{HTTP_DELETE, EXAMPLE, api_delete_example, 0, EXECUTOR_DISK, SCOPE_WRITE, PAGES_OWN,
		"forget an example"},
	{HTTP_GET, CLIPS, api_list_clips, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY, "a rig's clips"},
	{HTTP_PUT, CLIP, api_put_clip, LIMIT_ASSET_BYTES, EXECUTOR_LOOP, SCOPE_WRITE, PAGES_OWN,
		"store a clip: a pose that is baked, or one of another file"},
	{HTTP_GET, CLIP, api_get_clip, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_OWN, "a clip's keys"},
	{HTTP_DELETE, CLIP, api_delete_clip, 0, EXECUTOR_DISK, SCOPE_WRITE, PAGES_OWN,
		"forget a stored clip"},
	{HTTP_POST, FITS, api_begin_fit, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_OWN,
		"make what a skinning method needs"},
	{HTTP_GET, FITS, api_list_fits, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"what was made, or is being"},
	{HTTP_GET, FIT, api_show_fit, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"how far one of them is"},
	{HTTP_DELETE, FIT, api_cancel_fit, 0, EXECUTOR_LOOP, SCOPE_WRITE, PAGES_OWN,
		"cancel or forget one of them"},
	{HTTP_GET, FRAME_LINK_PATH, api_frame_link, 0, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_ANY,
		"a picture, for links"},
	{HTTP_GET, RIG "/frames.{format}", api_frames_link, 0, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "a sequence of pictures, for links"},
	{HTTP_GET, LINK_PREFIX "{path...}", api_signed, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"a picture, for links with a signature"},
	{HTTP_POST, "/v1/pose", api_pose, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_ANY,
		"joints of a pose"},
	{HTTP_POST, "/v1/vertices", api_vertices, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "skinned vertices"},
	{HTTP_POST, "/v1/stream", api_begin_stream, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "skinned vertices at the pace of the clock"},
	{HTTP_GET, STREAM, api_show_stream, 0, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_ANY,
		"how a stream stands"},
	{HTTP_PATCH, STREAM, api_change_stream, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "change a stream's pose, time, speed or pace"},
	{HTTP_DELETE, STREAM, api_end_stream, 0, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_OWN,
		"end a stream"},
	{HTTP_POST, "/v1/bake", api_bake, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_ANY,
		"a motion as files that run without this"},
	{HTTP_POST, "/v1/transitions", api_transitions, LIMIT_JSON_BYTES, EXECUTOR_LOOP,
		SCOPE_RENDER, PAGES_ANY, "where one clip can go on as another"},
	{HTTP_GET, "/v1/shaders", api_list_shaders, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"which skinning methods have shaders to take along"},
	{HTTP_GET, "/v1/shaders/{method}", api_get_shader, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"the functions of a method's shaders"},
	{HTTP_POST, "/v1/shaders", api_shader_inputs, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "what those functions take of a pose"},
	{HTTP_POST, "/v1/compare", api_compare, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "skinning methods against one another"},
	{HTTP_POST, "/v1/frame", api_frame, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "a picture"},
	{HTTP_POST, "/v1/frames", api_frames, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "a sequence of pictures"},
	{HTTP_POST, "/v1/crowd", api_crowd, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "many figures in one picture, or their vertices"},
	{HTTP_GET, "/", api_viewer, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"the viewer, a page for browsers"},
	{HTTP_GET, "/js/{path...}", api_script, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"what that page is made of, and what others can take in"},
	{HTTP_GET, "/openapi.yaml", api_openapi, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"the description of this API"},
	{HTTP_GET, "/metrics", api_metrics, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_OWN,
		"counts and times, for Prometheus"},
	{HTTP_GET, "/healthz", api_alive, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"200 while the process lives"},
	{HTTP_GET, "/readyz", api_ready, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"200 when it can render"},
};

#define ROUTE_COUNT (sizeof routes / sizeof *routes)

const struct route *route_at(size_t i) {
	return i < ROUTE_COUNT ? &routes[i] : NULL;
}

size_t route_index(const struct route *route) {
	return route ? (size_t)(route - routes) : ROUTE_COUNT;
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
	return strcmp(method, http_method_name(route->method)) == 0 ||
		(route->method == HTTP_GET && strcmp(method, "HEAD") == 0);
}

static bool refuse_method(
	struct request_context *context, const char *method, const char *path, struct error *err) {
	context->allowed = route_methods(context->arena, path);
	if (!context->allowed) {
		return error_set(err, ERROR_UNKNOWN_ROUTE, "there is nothing at \"%.200s\"", path);
	}
	return error_set(err, ERROR_METHOD_NOT_ALLOWED, "%.20s is not possible here, but %s",
		method, context->allowed);
}

/* Puts a segment where the call has its place. */
static bool take_segment(
	struct request_context *context, const struct segment *segment, struct error *err) {
	if (takes_rest(segment->part)) {
		context->tail = arena_strndup(context->arena, segment->text, segment->length);
		return true;
	}
	const bool is_rig = strncmp(segment->part, "{rig}", 5) == 0;
	const char **place = is_rig ? &context->rig : &context->item;
	*place = name_decode(context->arena, segment->text, segment->length, err);
	return *place;
}

const struct route *route_find(
	struct request_context *context, const char *method, const char *path, struct error *err) {
	struct segments named;
	size_t i = 0;
	while (i < ROUTE_COUNT &&
		!(answers(&routes[i], method) && matches(routes[i].path, path, &named))) {
		i++;
	}
	if (i == ROUTE_COUNT) {
		refuse_method(context, method, path, err);
		return NULL;
	}
	context->path = routes[i].path;
	for (size_t k = 0; k < named.count; k++) {
		if (!take_segment(context, &named.items[k], err)) {
			return NULL;
		}
	}
	if (routes[i].method == HTTP_PUT &&
		!name_check_new(context->item ? context->item : context->rig, err)) {
		return NULL;
	}
	return &routes[i];
}

const char *route_methods_where(struct arena *arena, const char *path,
	bool (*fits)(void *context, const struct route *route), void *context) {
	const char *methods = NULL;
	bool has[HTTP_METHOD_COUNT] = {false};
	for (size_t i = 0; i < ROUTE_COUNT; i++) {
		struct segments named;
		const enum http_method method = routes[i].method;
		if (!has[method] && (!path || matches(routes[i].path, path, &named)) &&
			fits(context, &routes[i])) {
			has[method] = true;
			methods = arena_printf(arena, "%s%s%s", methods ? methods : "",
				methods ? ", " : "",
				method == HTTP_GET ? "GET, HEAD" : http_method_name(method));
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
