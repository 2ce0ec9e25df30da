// multipart/form-data: files by path, and what is wrong with forms.
#include "form_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "limits.h"

#define TYPE "multipart/form-data; boundary=B"
#define HEAD(filename) \
	"--B\r\nContent-Disposition: form-data; name=\"f\"; filename=" filename "\r\n\r\n"
#define END "\r\n--B--\r\n"

struct form {
	struct arena *arena;
	struct form_file *files;
	size_t count;
	struct error err;
};

/* The body is copied to memory that ends with it. */
static struct form read_bytes(const char *type, const char *body, size_t size) {
	struct form form = {.arena = arena_create()};
	char *copy = size ? malloc(size) : NULL;
	if (size) {
		memcpy(copy, body, size);
		arena_defer(form.arena, free, copy);
	}
	form.files = form_data_read(type, copy, size, form.arena, &form.count, &form.err);
	return form;
}

static struct form read_form(const char *type, const char *body) {
	return read_bytes(type, body, strlen(body));
}

static void refuses_what_is_no_form(void **state) {
	(void)state;
	static const struct {
		const char *type, *body, *text;
	} rows[] = {
		{"multipart/form-data", HEAD("a") "x" END, "one parameter \"boundary\""},
		{"multipart/form-data; boundary", "", "one parameter \"boundary\""},
		{"multipart/form-data; boundary=\"B", "", "one parameter \"boundary\""},
		{TYPE "; boundary=C", "", "one parameter \"boundary\""},
		{"multipart/form-data; boundary=", "", "0 characters"},
		{"multipart/form-data; "
		 "boundary=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
			"", "71 characters, must have 1 to 70"},
		{TYPE, "", "does not have the boundary"},
		{TYPE, "--C\r\n", "does not have the boundary"},
		{TYPE, "--B", "begins on the line of its boundary"},
		{TYPE, "--BB\r\n", "begins on the line of its boundary"},
		{TYPE, "--B--", "has no part"},
		{TYPE, "--B\r\n", "part 1 of the form ends within its headers"},
		{TYPE, HEAD("a"), "part 1 of the form has no boundary behind it"},
		{TYPE, HEAD("a") "x\r\n--", "part 1 of the form has no boundary behind it"},
		{TYPE, HEAD("a") "x\n--B--", "part 1 of the form has no boundary behind it"},
		{TYPE, HEAD("a") "x\r\n" HEAD("b"), "part 2 of the form has no boundary behind"},
		{TYPE, "--B\r\n\r\nx" END, "has no Content-Disposition of \"form-data\""},
		{TYPE, "--B\r\nContent-Disposition: attachment; filename=a\r\n\r\nx" END,
			"has no Content-Disposition of \"form-data\""},
		{TYPE, "--B\r\nContent-Disposition: form-data; name=a\r\n\r\nx" END, "no filename"},
		{TYPE, HEAD("\"\"") "x" END, "has no filename"},
		{TYPE, HEAD("\"a") "x" END, "Content-Disposition that cannot be read"},
		{TYPE, HEAD("a; filename=b") "x" END, "Content-Disposition that cannot be read"},
		{TYPE, HEAD("\"\xff\"") "x" END, "not UTF-8"},
		{TYPE, HEAD("\"a\tb\"") "x" END, "control characters"},
		{TYPE, "--B\r\nno header\r\n\r\nx" END, "header that is none"},
		{TYPE, "--B\r\nContent-Disposition: form-data;\r\n filename=a\r\n\r\nx" END,
			"header that is none"},
		{TYPE,
			"--B\r\nContent-Disposition: form-data; filename=a\r\n"
			"content-disposition: form-data; filename=b\r\n\r\nx" END,
			"Content-Disposition twice"},
		{TYPE, "--B\r\nContent-Type: multipart/mixed; boundary=C\r\n\r\n--C--" END,
			"is a form itself"},
		{TYPE, "--B\r\nContent-Transfer-Encoding: base64\r\n\r\neA==" END, "is encoded"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct form form = read_form(rows[i].type, rows[i].body);
		if (form.files || form.err.code != ERROR_INVALID_VALUE ||
			!strstr(form.err.text, rows[i].text)) {
			fail_msg("%zu: \"%s\", expected \"%s\"", i, form.err.text, rows[i].text);
		}
		arena_destroy(form.arena);
	}
}

static void refuses_endless_headers_and_lists(void **state) {
	(void)state;
	struct buffer body = {0};
	buffer_append(&body, "--B\r\n", 5);
	for (int i = 0; i < 1000; i++) {
		buffer_append(&body, "X-Filler: y\r\n", 13);
	}
	struct form form = read_bytes(TYPE, (const char *)body.data, body.size);
	assert_non_null(strstr(form.err.text, "has more than 8 KiB of headers"));
	arena_destroy(form.arena);

	body.size = 0;
	for (int i = 0; i <= LIMIT_FORM_FILES; i++) {
		buffer_append(&body, HEAD("a") "\r\n", strlen(HEAD("a") "\r\n"));
	}
	buffer_append(&body, "--B--", 5);
	form = read_bytes(TYPE, (const char *)body.data, body.size);
	assert_int_equal(form.err.code, ERROR_TOO_LARGE);
	arena_destroy(form.arena);
	buffer_finish(&body);
}

static void expect_file(const struct form_file *file, const char *path, const char *content) {
	assert_string_equal(file->path, path);
	assert_int_equal(file->size, strlen(content));
	assert_memory_equal(file->bytes, content, strlen(content));
}

static void takes_files_as_they_are(void **state) {
	(void)state;
	struct form form = read_form("Multipart/Form-Data; charset=utf-8; Boundary=\"B\"",
		"what nobody reads\r\n" HEAD(
			"\"a/b c.gltf\"") "{}\r\n"
					  "--B \t\r\ncontent-type: "
					  "text/"
					  "plain\r\nCONTENT-DISPOSITION:form-data;filename=x;name=y"
					  "\r\n\r\n\r\n--\r\n--A\r\n" HEAD("empty") END "nor this");
	assert_string_equal(form.err.text, "");
	assert_int_equal(form.count, 3);
	expect_file(&form.files[0], "a/b c.gltf", "{}");
	expect_file(&form.files[1], "x", "\r\n--\r\n--A");
	expect_file(&form.files[2], "empty", "");
	arena_destroy(form.arena);
}

static void reads_names_as_programs_write_them(void **state) {
	(void)state;
	static const struct {
		const char *body, *path;
	} rows[] = {
		{HEAD("\"say %22so%22.bin\"") END, "say \"so\".bin"},   // browsers
		{HEAD("\"say \\\"so\\\".bin\"") END, "say \"so\".bin"}, // older curl
		{HEAD("\"100%.bin\"") END, "100%.bin"},
		{HEAD("\"%41.bin\"") END, "%41.bin"},
		{HEAD("\"a\\b\"") END, "a\\b"},
		{HEAD("\"a\\\\b\"") END, "a\\b"},
		{HEAD("\"a;b=c\"") END, "a;b=c"},
		{HEAD("\"\xe6\x97\xa5\"") END, "\xe6\x97\xa5"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct form form = read_form(TYPE, rows[i].body);
		assert_string_equal(form.err.text, "");
		assert_int_equal(form.count, 1);
		assert_string_equal(form.files[0].path, rows[i].path);
		arena_destroy(form.arena);
	}
}

static void survives_every_cut(void **state) {
	(void)state;
	static const char body[] = HEAD("\"a\\\"\"") "x\r\n" HEAD("b") "\r\n--B --" END;
	for (size_t size = 0; size < sizeof body; size++) {
		struct form form = read_bytes(TYPE, body, size);
		assert_true(form.files || form.err.code != ERROR_NONE);
		arena_destroy(form.arena);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_form),
		cmocka_unit_test(refuses_endless_headers_and_lists),
		cmocka_unit_test(takes_files_as_they_are),
		cmocka_unit_test(reads_names_as_programs_write_them),
		cmocka_unit_test(survives_every_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
