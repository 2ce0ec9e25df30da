// Value trees for tests, written as JSON.
#include "json_value.h"

#include <string.h>

#include "check.h"
#include "json_text.h"

const struct value *json_value(struct arena *arena, const char *text) {
	char *json = arena_strndup(arena, text, strlen(text));
	for (char *c = json; *c; c++) {
		*c = *c == '\'' ? '"' : *c;
	}
	struct error err = {0};
	const struct value *value = json_read(arena, json, strlen(json), &err);
	if (!value) {
		fail_msg("%s: %s", text, err.text);
	}
	return value;
}

void expect_error(
	const struct error *err, enum error_code code, const char *pointer, const char *piece) {
	if (err->code != code || !strstr(err->text, piece)) {
		fail_msg("error %s: %s", error_name(err->code), err->text);
	}
	assert_int_equal(err->has_pointer, pointer != NULL);
	if (pointer) {
		assert_string_equal(err->pointer, pointer);
	}
}

void expect_refusals(bool (*read)(const struct value *body, struct arena *arena, struct error *err),
	const struct refusal *rows, size_t count) {
	for (size_t i = 0; i < count; i++) {
		struct arena *arena = arena_create();
		struct error err = {0};
		if (read(json_value(arena, rows[i].body), arena, &err)) {
			fail_msg("%s was taken", rows[i].body);
		}
		expect_error(&err, rows[i].code, rows[i].pointer, rows[i].piece);
		arena_destroy(arena);
	}
}
