// Signed links: what their paths may say, and the presets that they name.
#include "access/link.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text_file.h"

#include "check.h"

static struct presets *read_presets(const char *text, struct error *err) {
	char path[] = "/tmp/posed-presets-XXXXXX";
	text_file_make(path, text, strlen(text));
	*err = (struct error){0};
	struct presets *presets = presets_read(path, err);
	// The message is compared without the file's name.
	if (strncmp(err->text, path, strlen(path)) == 0) {
		memmove(err->text, err->text + strlen(path), strlen(err->text + strlen(path)) + 1);
	}
	unlink(path);
	return presets;
}

static const char preset_text[] = "card = w:64/h:48/background:#ffffff\n"
				  "  early =time:0.25\n"
				  "walk = clip:W%2Falk%3a2\n";

/* The configuration that a test reads links with. */
struct fixture {
	struct arena *arena;
	struct presets *presets;
};

static int set_up(void **state) {
	struct fixture *fixture = calloc(1, sizeof *fixture);
	struct error err;
	fixture->arena = arena_create();
	fixture->presets = read_presets(preset_text, &err);
	assert_non_null(fixture->presets);
	*state = fixture;
	return 0;
}

static int tear_down(void **state) {
	struct fixture *fixture = *state;
	presets_destroy(fixture->presets);
	arena_destroy(fixture->arena);
	free(fixture);
	return 0;
}

static bool read_link(const struct fixture *fixture, const char *path, bool presets_only,
	struct link *out, struct error *err) {
	const struct link_rules rules = {fixture->presets, presets_only};
	*err = (struct error){0};
	return link_read(fixture->arena, path, &rules, out, err);
}

static void refuses_what_is_no_link(void **state) {
	static const struct {
		const char *path;
		enum error_code code;
		const char *piece;
	} cases[] = {
		{"/fox", ERROR_UNKNOWN_ROUTE, "end with RIG.png"},
		{"/.png", ERROR_INVALID_NAME, "0 bytes"},
		{"/...png", ERROR_INVALID_NAME, "\"..\""},
		{"/a%2Fb.png", ERROR_INVALID_NAME, "\"a/b\""},
		{"/a%zz.png", ERROR_INVALID_NAME, "percent-encoded"},
		{"/w:1/", ERROR_UNKNOWN_ROUTE, "end with RIG.png"},
		{"//fox.png", ERROR_INVALID_VALUE, "\"\" is not an option"},
		{"/w/fox.png", ERROR_INVALID_VALUE, "\"w\" is not an option"},
		{"/:1/fox.png", ERROR_INVALID_VALUE, "is not an option"},
		{"/w:%ff/fox.png", ERROR_INVALID_VALUE, "percent-encoded"},
		{"/wdith:3/fox.png", ERROR_UNKNOWN_MEMBER,
			"no option \"wdith\" here; known are: clip, time, phase"},
		{"/rig:a/fox.png", ERROR_UNKNOWN_MEMBER,
			"w, h, preset, expires, content, cachebuster"},
		{"/w:1/w:1/fox.png", ERROR_INVALID_VALUE, "\"width\" is given twice"},
		{"/w:1/width:2/fox.png", ERROR_INVALID_VALUE, "\"width\" is given twice"},
		{"/preset:card/h:9/fox.png", ERROR_INVALID_VALUE, "\"height\" is given twice"},
		{"/h:9/preset:card/fox.png", ERROR_INVALID_VALUE, "\"height\" is given twice"},
		{"/preset:card/preset:early/fox.png", ERROR_INVALID_VALUE, "\"preset\" is given"},
		{"/expires:9/expires:9/fox.png", ERROR_INVALID_VALUE, "\"expires\" is given"},
		{"/cachebuster:1/cachebuster:2/fox.png", ERROR_INVALID_VALUE,
			"\"cachebuster\" is given"},
		{"/content:0123456789abcdef/content:0123456789abcdef/fox.png", ERROR_INVALID_VALUE,
			"\"content\" is given"},
		{"/preset:crad/fox.png", ERROR_INVALID_VALUE,
			"no preset \"crad\"; nearest: card, "},
		{"/expires:/fox.png", ERROR_INVALID_VALUE, "a time in seconds"},
		{"/expires:0/fox.png", ERROR_INVALID_VALUE, "above 0"},
		{"/expires:-5/fox.png", ERROR_INVALID_VALUE, "a time in seconds"},
		{"/expires:1e9/fox.png", ERROR_INVALID_VALUE, "a time in seconds"},
		{"/expires:99999999999999999999/fox.png", ERROR_INVALID_VALUE, "a time"},
		{"/content:0123456789abcde/fox.png", ERROR_INVALID_VALUE, "16 to 64"},
		{"/content:0123456789ABCDEF/fox.png", ERROR_INVALID_VALUE, "lower case"},
		{"/content:sha256:0123456789abcdef/fox.png", ERROR_INVALID_VALUE, "16 to 64"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct link link;
		struct error err;
		assert_false(read_link(*state, cases[i].path, false, &link, &err));
		if (err.code != cases[i].code || !strstr(err.text, cases[i].piece)) {
			fail_msg("%s gives %s: %s", cases[i].path, error_name(err.code), err.text);
		}
	}
}

static void refuses_what_has_no_signature(void **state) {
	(void)state;
	static const char *const texts[] = {"", "/", "/fox.png", "signature", "signature/"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct link_parts parts;
		struct error err = {0};
		assert_false(link_split(texts[i], &parts, &err));
		assert_int_equal(err.code, ERROR_UNKNOWN_ROUTE);
	}
	struct link_parts parts;
	assert_true(link_split("sig/w:1/fox.png", &parts, NULL));
	assert_int_equal(parts.signature_length, 3);
	assert_string_equal(parts.path, "/w:1/fox.png");
}

static void sixty_four_parts_are_the_most(void **state) {
	char path[5 * 70] = "";
	struct link link;
	struct error err;
	for (int i = 0; i < 63; i++) {
		strcat(path, "/a:b");
	}
	char *end = path + strlen(path);
	strcpy(end, "/fox.png");
	assert_false(read_link(*state, path, false, &link, &err));
	assert_int_equal(err.code, ERROR_UNKNOWN_MEMBER);
	strcpy(end, "/a:b/fox.png");
	assert_false(read_link(*state, path, false, &link, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
}

/* The parameters as a query has them. */
static void assert_query(const struct link *link, const char *expected) {
	char text[512] = "";
	for (size_t i = 0; i < link->count; i++) {
		const size_t used = strlen(text);
		snprintf(text + used, sizeof text - used, "%s%s=%s", i ? "&" : "",
			link->parameters[i].name, link->parameters[i].value);
	}
	assert_string_equal(text, expected);
}

static void reads_options_in_the_order_given(void **state) {
	struct link link;
	struct error err;
	assert_true(read_link(*state,
		"/clip:Walk:2%2Fb/time:0.4/w:256/background:%23ffffff/skinning%3Adqs/"
		"my%20fox.v2.png",
		false, &link, &err));
	assert_string_equal(link.rig, "my fox.v2");
	assert_string_equal(link.ending, "png");
	assert_query(&link, "clip=Walk:2/b&time=0.4&width=256&background=#ffffff&skinning=dqs");
	assert_null(link.content);
	assert_int_equal(link.expires_s, 0);
}

static void reads_what_is_not_about_the_picture(void **state) {
	struct link link;
	struct error err;
	assert_true(read_link(*state,
		"/expires:1900000000/cachebuster:/content:0123456789abcdef0/h:9/fox.png", false,
		&link, &err));
	assert_query(&link, "height=9");
	assert_true(link.expires_s == 1900000000);
	assert_string_equal(link.content, "0123456789abcdef0");
}

static void presets_stand_where_they_are_named(void **state) {
	struct link link;
	struct error err;
	assert_true(read_link(*state, "/yaw:3/preset:card/pitch:1/fox.png", false, &link, &err));
	assert_query(&link, "yaw=3&width=64&height=48&background=#ffffff&pitch=1");
	assert_true(read_link(*state, "/clip:Walk/preset:early/fox.png", false, &link, &err));
	assert_query(&link, "clip=Walk&time=0.25");
	assert_true(read_link(*state, "/preset:walk/fox.png", false, &link, &err));
	assert_query(&link, "clip=W/alk:2");
}

static void presets_alone_when_told_so(void **state) {
	struct link link;
	struct error err;
	assert_true(read_link(*state,
		"/preset:card/expires:1900000000/cachebuster:3/content:0123456789abcdef/fox.png",
		true, &link, &err));
	assert_query(&link, "width=64&height=48&background=#ffffff");
	assert_true(read_link(*state, "/fox.png", true, &link, &err));
	static const char *const paths[] = {"/w:64/fox.png", "/preset:card/yaw:3/fox.png"};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		assert_false(read_link(*state, paths[i], true, &link, &err));
		assert_int_equal(err.code, ERROR_UNKNOWN_MEMBER);
		assert_non_null(
			strstr(err.text, "take only: preset, expires, content, cachebuster"));
	}
}

static void refuses_every_preset_that_is_none(void **state) {
	(void)state;
	static const struct {
		const char *text, *piece;
	} cases[] = {
		{"card\n", ":1: must be of the form NAME = option:value"},
		{"= w:1\n", ":1: must be of the form"},
		{"card =\n", ":1: \"\" is not an option"},
		{"card = w:1/\n", ":1: \"\" is not an option"},
		{"card = w\n", ":1: \"w\" is not an option"},
		{"# fine\n\ncard = wdith:1\n", ":3: no option \"wdith\" here; known are: clip"},
		{"card = preset:b\n", ":1: no option \"preset\""},
		{"card = expires:9\n", ":1: no option \"expires\""},
		{"card = w:1/width:2\n", ":1: parameter \"width\" is given twice"},
		{"card = w:many\n", ":1: \"width\" is \"many\", must be a whole number"},
		{"card = w:5000\n", ":1: "},
		{"card = skinning:magic\n", ":1: "},
		{"card = background:white\n", ":1: "},
		{"card = clip:%zz\n", ":1: an option is not percent-encoded"},
		{"ca/rd = w:1\n", ":1: the name \"ca/rd\" must have only letters"},
		{"ca rd = w:1\n", ":1: the name \"ca rd\" must have only letters"},
		{"card = w:1\ncard = w:2\n", ":2: the name \"card\" is given twice"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err;
		assert_null(read_presets(cases[i].text, &err));
		assert_int_equal(err.code, ERROR_INVALID_VALUE);
		if (strncmp(err.text, cases[i].piece, strlen(cases[i].piece)) != 0) {
			fail_msg("\"%s\" gives \"%s\"", cases[i].text, err.text);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(refuses_what_is_no_link, set_up, tear_down),
		cmocka_unit_test(refuses_what_has_no_signature),
		cmocka_unit_test_setup_teardown(sixty_four_parts_are_the_most, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			reads_options_in_the_order_given, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			reads_what_is_not_about_the_picture, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			presets_stand_where_they_are_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(presets_alone_when_told_so, set_up, tear_down),
		cmocka_unit_test(refuses_every_preset_that_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
