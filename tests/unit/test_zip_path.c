// Paths inside an archive: none leads out of it.
#include "import/zip.h"

#include <string.h>

#include "check.h"

static void refuses_paths_that_leave_the_archive(void **state) {
	(void)state;
	static const struct {
		const char *uri, *text;
	} rows[] = {
		{"../../x", "leads out of the archive"},
		{"%2e%2e/%2E%2E/x", "leads out of the archive"},
		{"a/../../../x", "leads out of the archive"},
		{"%2Fetc/passwd", "leads out of the archive"},
		{"/etc/passwd", "must be a path relative to the document, inside the archive"},
		{"//host/x", "must be a path relative"},
		{"http://host/x", "must be a path relative"},
		{"file:///etc/passwd", "must be a path relative"},
		{"C:/x", "must be a path relative"},
		{"a%00b", "is no path"},
		{"", "is no path"},
		{"a%4", "% without two hexadecimal digits"},
		{"%zz", "% without two hexadecimal digits"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct arena *arena = arena_create();
		struct error err = {0};
		assert_null(zip_path_resolve("folder/a.gltf", rows[i].uri, arena, &err));
		if (!strstr(err.text, rows[i].text)) {
			fail_msg(
				"%s: \"%s\", expected \"%s\"", rows[i].uri, err.text, rows[i].text);
		}
		arena_destroy(arena);
	}
}

static void resolves_from_the_documents_folder(void **state) {
	(void)state;
	static const struct {
		const char *from, *uri, *path;
	} rows[] = {
		{"a.gltf", "b.bin", "b.bin"},
		{"x/y/a.gltf", "b.bin", "x/y/b.bin"},
		{"x/y/a.gltf", "../b.bin", "x/b.bin"},
		{"x/y/a.gltf", "../../b.bin", "b.bin"},
		{"x/a.gltf", "./t//b.png", "x/t/b.png"},
		{"x/a.gltf", "t/../b.png", "x/b.png"},
		{"x/a.gltf", "b%20%C3%A4.bin", "x/b \xc3\xa4.bin"},
		{"x/a.gltf", "b \xc3\xa4.bin", "x/b \xc3\xa4.bin"},
		{"a.gltf", "t%2fb.png", "t/b.png"},
		{"a.gltf", "..b", "..b"},
		{"a.gltf", "a+b.png", "a+b.png"},
		{"a.gltf", "t/a:b.png", "t/a:b.png"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct arena *arena = arena_create();
		struct error err = {0};
		const char *path = zip_path_resolve(rows[i].from, rows[i].uri, arena, &err);
		assert_string_equal(err.text, "");
		assert_string_equal(path, rows[i].path);
		arena_destroy(arena);
	}
}

static void cleans_the_names_of_entries(void **state) {
	(void)state;
	static const struct {
		const char *name, *path; // NULL = none
	} rows[] = {{"a", "a"}, {"./a", "a"}, {"a/b/", "a/b"}, {"a//b", "a/b"}, {"", ""},
		{"a/..", ""}, {"../a", NULL}, {"a/../../b", NULL}, {"/a", NULL}, {"C:a", NULL}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct arena *arena = arena_create();
		const char *path = zip_path_clean(rows[i].name, arena);
		if (rows[i].path) {
			assert_string_equal(path, rows[i].path);
		} else {
			assert_null(path);
		}
		arena_destroy(arena);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_paths_that_leave_the_archive),
		cmocka_unit_test(resolves_from_the_documents_folder),
		cmocka_unit_test(cleans_the_names_of_entries),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
