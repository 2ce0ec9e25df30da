// Choosing a media type by Accept.
#include "media.h"

#include "check.h"

static const char *const offered[] = {"application/octet-stream", "application/json", NULL};

static const char *choose(const char *accept) {
	struct error err = {0};
	const char *chosen = media_choose(accept, offered, &err);
	assert_int_equal(err.code, chosen ? ERROR_NONE : ERROR_NOT_ACCEPTABLE);
	return chosen ? chosen : "";
}

static void refuses_what_cannot_be_met(void **state) {
	(void)state;
	assert_string_equal(choose("text/html"), "");
	assert_string_equal(choose("text/*, image/png;q=1"), "");
	assert_string_equal(choose("application/json;q=0, text/plain"), "");
	assert_string_equal(choose("*/*;q=0"), "");
	assert_string_equal(choose("*/*;q=0.000"), "");
	assert_string_equal(choose("application"), "");
	assert_string_equal(choose(",;,q=1"), "");
	assert_string_equal(choose("applicationx/*"), "");
	struct error err = {0};
	assert_null(media_choose("image/png", offered, &err));
	assert_string_equal(err.text,
		"Accept is \"image/png\"; this answer can be: "
		"application/octet-stream, application/json");
}

static void the_first_is_the_default(void **state) {
	(void)state;
	assert_string_equal(choose(NULL), offered[0]);
	assert_string_equal(choose(""), offered[0]);
	assert_string_equal(choose("*/*"), offered[0]);
	assert_string_equal(choose("application/*"), offered[0]);
	assert_string_equal(choose("application/json, application/octet-stream"), offered[0]);
}

static void the_greater_quality_wins(void **state) {
	(void)state;
	assert_string_equal(choose("application/json"), "application/json");
	assert_string_equal(choose("APPLICATION/JSON"), "application/json");
	assert_string_equal(choose("application/octet-stream;q=0.5, application/json ; q=0.8"),
		"application/json");
	assert_string_equal(choose("text/html, */*;q=0.1"), offered[0]);
	assert_string_equal(choose("application/json;charset=utf-8"), "application/json");
}

static void the_narrower_range_speaks_for_a_type(void **state) {
	(void)state;
	assert_string_equal(choose("application/octet-stream;q=0, */*"), "application/json");
	assert_string_equal(choose("*/*, application/*;q=0.9, application/octet-stream;q=0.1"),
		"application/json");
}

static void what_is_offered_may_have_parameters(void **state) {
	(void)state;
	static const char *const texts[] = {"text/plain; charset=utf-8", NULL};
	assert_string_equal(media_choose("text/plain", texts, NULL), texts[0]);
	assert_string_equal(media_choose("text/*", texts, NULL), texts[0]);
	assert_string_equal(media_choose("text/plain;charset=utf-8", texts, NULL), texts[0]);
	assert_null(media_choose("text/pl", texts, NULL));
	assert_null(media_choose("text/plain2", texts, NULL));
}

static void a_content_type_may_have_parameters(void **state) {
	(void)state;
	assert_true(media_is("application/json; charset=utf-8", "application/json"));
	assert_true(media_is("Application/JSON", "application/json"));
	assert_false(media_is("application/jsonp", "application/json"));
	assert_false(media_is("", "application/json"));
}

static void content_codings_are_those_of_the_header(void **state) {
	(void)state;
	assert_false(media_takes_coding(NULL, "gzip"));
	assert_false(media_takes_coding("", "gzip"));
	assert_false(media_takes_coding("br, deflate", "gzip"));
	assert_false(media_takes_coding("gzip;q=0", "gzip"));
	assert_false(media_takes_coding("*;q=0", "gzip"));
	assert_false(media_takes_coding("gzip;q=0, *", "gzip"));
	assert_false(media_takes_coding("xgzip, gzipx", "gzip"));
	assert_true(media_takes_coding("gzip", "gzip"));
	assert_true(media_takes_coding("br;q=1.0, GZIP ; q=0.2", "gzip"));
	assert_true(media_takes_coding("*", "gzip"));
	assert_true(media_takes_coding("*;q=0, gzip", "gzip"));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(content_codings_are_those_of_the_header),
		cmocka_unit_test(refuses_what_cannot_be_met),
		cmocka_unit_test(the_first_is_the_default),
		cmocka_unit_test(the_greater_quality_wins),
		cmocka_unit_test(the_narrower_range_speaks_for_a_type),
		cmocka_unit_test(what_is_offered_may_have_parameters),
		cmocka_unit_test(a_content_type_may_have_parameters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
