// The quick reader of JSON: what it reads, it reads as jansson does.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "json_text.h"
#include "limits.h"

#include "check.h"

/* Changed texts that are tried of each. */
#define CHANGES 20000

static const char *const quick[] = {
	"{\"rig\":\"pab\",\"pose\":{\"blend\":[{\"pose\":{\"clip\":\"walk\",\"time\":0.25},"
	"\"weight\":0.5},{\"pose\":{\"clip\":\"jog\"},\"weight\":1}]}}",
	" { \"a\" : [ ] , \"b\" : { } ,\r\n\t\"c\" : [ [ 1 , -2 ] , [ true , false , null ] ] } ",
	"[0,-0,0.1,-0.30000000000000004,123456789012345,1234567890123456,9007199254740993,0.0,"
	"1.7976931348623157,179769313486231570000000000000000000000,"
	"2.2250738585072011,0.000000000000001,99999999999999.9,100000000000000.5]",
	"[\"\\u0041\\n\\\\\\\"\\ud83d\\ude00\",\"h\xc3\xa9\",{\"\\u0061\":[]}]",
	"[0.84200210506579743041,-0.0091077008070802040187]",
	"[1e3,1.5E-3,-2e+10,1e-400,0.1e1,123456789012345678901234567890123456789012345]",
	"[]",
};

static const char *const not_quick[] = {"", " ", "{", "[1,]", "[1 2]", "{\"a\":1,}", "{\"a\" 1}",
	"{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "{a:1}", "[01]", "[-]", "[-01]", "[+1]",
	"[1.]", "[.5]", "[1e400]", "[\"]", "[\"\t\"]", "[\"\\u0000\"]", "[\"\\ud800\"]",
	"[\"\xff\"]", "[truth]", "[nul]", "1 2", "{} {}", "[]]", "[NaN]", "17", "true", "\"text\""};

static void expect_same(const struct value *value, const struct value *other) {
	assert_int_equal(value->kind, other->kind);
	assert_true(value->boolean == other->boolean);
	assert_memory_equal(&value->number, &other->number, sizeof value->number);
	assert_true((value->string == NULL) == (other->string == NULL));
	if (value->string) {
		assert_string_equal(value->string, other->string);
	}
	assert_int_equal(value->count, other->count);
	for (size_t i = 0; i < value->count; i++) {
		const struct value *item = &value->items[i], *other_item = &other->items[i];
		assert_ptr_equal(item->parent, value);
		assert_int_equal(item->index, i);
		assert_true((item->key == NULL) == (other_item->key == NULL));
		if (item->key) {
			assert_string_equal(item->key, other_item->key);
		}
		expect_same(item, other_item);
	}
}

/* The value by jansson: beside an object with more members than the quick reader accepts. */
static const struct value *read_by_jansson(struct arena *arena, const char *text, size_t size) {
	struct buffer list = {0};
	buffer_append(&list, "[{", 2);
	for (int i = 0; i < 80; i++) {
		char member[16];
		buffer_append(&list, member,
			(size_t)snprintf(member, sizeof member, "%s\"%d\":0", i ? "," : "", i));
	}
	buffer_append(&list, "},", 2);
	buffer_append(&list, text, size);
	buffer_append(&list, "]", 1);
	assert_null(json_read_quickly(arena, list.data, list.size));
	struct error err = {0};
	const struct value *root = json_read(arena, list.data, list.size, &err);
	buffer_finish(&list);
	return root && root->count == 2 ? &root->items[1] : NULL;
}

static void leaves_what_it_cannot_read(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	for (size_t i = 0; i < sizeof not_quick / sizeof *not_quick; i++) {
		assert_null(json_read_quickly(arena, not_quick[i], strlen(not_quick[i])));
	}
	assert_null(json_read_quickly(arena, NULL, 0));
	assert_null(json_read_quickly(arena, "1\0", 2));
	arena_destroy(arena);
}

static void leaves_what_is_deep(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	char text[2 * (LIMIT_JSON_DEPTH + 1)];
	for (int depth = LIMIT_JSON_DEPTH; depth <= LIMIT_JSON_DEPTH + 1; depth++) {
		memset(text, '[', (size_t)depth);
		memset(text + depth, ']', (size_t)depth);
		const struct value *value = json_read_quickly(arena, text, 2 * (size_t)depth);
		assert_true((value != NULL) == (depth == LIMIT_JSON_DEPTH));
		assert_true((json_read(arena, text, 2 * (size_t)depth, NULL) != NULL) ==
			(depth == LIMIT_JSON_DEPTH));
	}
	arena_destroy(arena);
}

static void reads_as_jansson_does(void **state) {
	(void)state;
	for (size_t i = 0; i < sizeof quick / sizeof *quick; i++) {
		struct arena *arena = arena_create();
		const size_t size = strlen(quick[i]);
		const struct value *value = json_read_quickly(arena, quick[i], size);
		const struct value *other = read_by_jansson(arena, quick[i], size);
		assert_non_null(value);
		assert_non_null(other);
		assert_null(value->parent);
		expect_same(value, other);
		arena_destroy(arena);
	}
}

/* A text with a few of its bytes left out, doubled or replaced; its size. */
static size_t change(const char *text, char *out, size_t room, unsigned *seed) {
	static const char bytes[] = "{}[]\",:0123456789.-+eE\\ntrue\x01\x7f\x80 ";
	size_t size = 0;
	for (const char *c = text; *c && size + 2 <= room; c++) {
		const int dice = rand_r(seed) % 40;
		if (dice != 0) {
			out[size++] =
				dice == 1 ? bytes[(size_t)rand_r(seed) % (sizeof bytes - 1)] : *c;
		}
		if (dice == 2) {
			out[size++] = *c;
		}
	}
	return size;
}

static void reads_nothing_that_jansson_would_not(void **state) {
	(void)state;
	unsigned seed = 1;
	size_t read = 0;
	struct arena *arena = arena_create();
	for (size_t k = 0; k < CHANGES * (sizeof quick / sizeof *quick); k++) {
		char text[512];
		const char *from = quick[k % (sizeof quick / sizeof *quick)];
		const size_t size = change(from, text, sizeof text, &seed);
		const struct value *value = json_read_quickly(arena, text, size);
		if (value) {
			const struct value *other = read_by_jansson(arena, text, size);
			assert_non_null(other);
			expect_same(value, other);
			read++;
		}
		arena_reset(arena);
	}
	assert_true(read > CHANGES / 10);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaves_what_it_cannot_read),
		cmocka_unit_test(leaves_what_is_deep),
		cmocka_unit_test(reads_as_jansson_does),
		cmocka_unit_test(reads_nothing_that_jansson_would_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
