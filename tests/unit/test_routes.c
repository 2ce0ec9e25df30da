// The table of routes: what is not there, what is not allowed, what is found.
#include "api/api.h"

#include <string.h>

#include "check.h"

static const struct route *find(
	struct request_context *context, const char *method, const char *path, struct error *err) {
	*context = (struct request_context){.arena = context->arena};
	*err = (struct error){0};
	return route_find(&api_routes, context, method, path, err);
}

static void refuses_what_is_not_there(void **state) {
	(void)state;
	static const char *const paths[] = {"", "//", "/v1/", "/v1/rigs/", "//v1", "/v1/rigs/a/",
		"/v1/rigs/a/b", "/v1/rigs//source", "/v1/rigs/a/source/", "/v1/rigs/a/examples/",
		"/v1/rigs/a/examples/b/c", "/v2", "*", "/V1", "/js", "/js/", "/viewer/main.js"};
	struct request_context context = {.arena = arena_create()};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct error err;
		assert_null(find(&context, "GET", paths[i], &err));
		const bool named =
			err.code == ERROR_UNKNOWN_ROUTE || err.code == ERROR_INVALID_NAME;
		if (!named) {
			fail_msg("\"%s\": %s", paths[i], error_name(err.code));
		}
	}
	arena_destroy(context.arena);
}

static void refuses_other_methods_with_those_allowed(void **state) {
	(void)state;
	struct request_context context = {.arena = arena_create()};
	struct error err;
	assert_null(find(&context, "PATCH", "/v1/rigs/fox", &err));
	assert_int_equal(err.code, ERROR_METHOD_NOT_ALLOWED);
	assert_string_equal(context.allowed, "PUT, GET, HEAD, DELETE, OPTIONS");
	assert_null(find(&context, "HEAD", "/v1/pose", &err));
	assert_string_equal(context.allowed, "POST, OPTIONS");
	assert_null(find(&context, "get", "/v1", &err));
	assert_int_equal(err.code, ERROR_METHOD_NOT_ALLOWED);
	assert_null(route_methods(&api_routes, context.arena, "/nothing"));
	arena_destroy(context.arena);
}

static void refuses_names_that_are_none(void **state) {
	(void)state;
	struct request_context context = {.arena = arena_create()};
	struct error err;
	static const char *const paths[] = {
		"/v1/rigs/a%2Fb/source", "/v1/rigs/a/examples/..", "/v1/rigs/%00/examples/a"};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		assert_null(find(&context, "GET", paths[i], &err));
		assert_int_equal(err.code, ERROR_INVALID_NAME);
	}
	arena_destroy(context.arena);
}

static void finds_rows_and_the_rig_in_the_path(void **state) {
	(void)state;
	struct request_context context = {.arena = arena_create()};
	struct error err;
	const struct route *route = find(&context, "HEAD", "/v1/rigs/f%6fx/frame.png", &err);
	assert_non_null(route);
	assert_int_equal(route->method, HTTP_GET);
	assert_string_equal(context.rig, "fox");
	assert_string_equal(context.path, "/v1/rigs/{rig}/frame.{format}");
	assert_non_null(find(&context, "PUT", "/v1/rigs/source", &err));
	assert_string_equal(context.rig, "source");
	assert_null(context.item);
	assert_non_null(find(&context, "POST", "/v1/pose", &err));
	assert_null(context.rig);
	assert_non_null(find(&context, "GET", "/js/viewer/main.js", &err));
	assert_string_equal(context.tail, "viewer/main.js");
	assert_null(context.rig);
	assert_non_null(find(&context, "GET", "/", &err));
	assert_null(context.item);
	assert_non_null(find(&context, "PUT", "/v1/rigs/f%6fx/examples/b%20c", &err));
	assert_string_equal(context.rig, "fox");
	assert_string_equal(context.item, "b c");
	assert_string_equal(context.path, "/v1/rigs/{rig}/examples/{name}");
	assert_non_null(find(&context, "GET", "/v1/rigs/fox/examples", &err));
	assert_null(context.item);
	arena_destroy(context.arena);
}

static void hands_over_the_rest_of_a_path_as_it_was_sent(void **state) {
	(void)state;
	struct request_context context = {.arena = arena_create()};
	struct error err;
	assert_non_null(find(&context, "GET", "/i/sig/w%3a1/f%6fx.png", &err));
	assert_string_equal(context.tail, "sig/w%3a1/f%6fx.png");
	assert_null(context.rig);
	assert_non_null(find(&context, "HEAD", "/i/x", &err));
	assert_string_equal(context.tail, "x");
	assert_null(find(&context, "GET", "/i/", &err));
	assert_int_equal(err.code, ERROR_UNKNOWN_ROUTE);
	assert_non_null(find(&context, "GET", "/v1/rigs/fox", &err));
	assert_null(context.tail);
	arena_destroy(context.arena);
}

/* A new route is open only when it is added here. */
static void few_routes_are_for_anyone(void **state) {
	(void)state;
	static const char *const open[] = {
		"/", "/js/{path...}", "/healthz", "/readyz", "/i/{path...}", "/openapi.yaml"};
	for (size_t i = 0; i < api_routes.count; i++) {
		const struct route *route = &api_routes.rows[i];
		bool expected = false;
		for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
			expected = expected || strcmp(open[k], route->path) == 0;
		}
		assert_int_equal(route->scope == SCOPE_OPEN, expected);
		// Streams and checks belong to the client that began them.
		const bool changes = (route->method == HTTP_PUT || route->method == HTTP_DELETE) &&
			strcmp(route->path, "/v1/streams/{id}") != 0 &&
			strcmp(route->path, "/v1/checks/{id}") != 0;
		assert_int_equal(route->scope == SCOPE_WRITE, changes);
		assert_true(route->scope != SCOPE_WRITE || route->pages == PAGES_OWN);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_not_there),
		cmocka_unit_test(refuses_other_methods_with_those_allowed),
		cmocka_unit_test(refuses_names_that_are_none),
		cmocka_unit_test(finds_rows_and_the_rig_in_the_path),
		cmocka_unit_test(hands_over_the_rest_of_a_path_as_it_was_sent),
		cmocka_unit_test(few_routes_are_for_anyone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
