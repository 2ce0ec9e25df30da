// Assets of several files: what a document names, and the archive of it all.
#include "interface/asset_files.h"

#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "import/import.h"

#define VERSION "{\"asset\": {\"version\": \"2.0\"}, "
#define BUFFER(uri) VERSION "\"buffers\": [{\"byteLength\": 1, \"uri\": \"" uri "\"}]}"

/* A point whose 12 bytes lie in p.bin. */
static const char point[] =
	VERSION "\"buffers\": [{\"byteLength\": 12, \"uri\": \"p.bin\"}], "
		"\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 12}], \"accessors\": "
		"[{\"bufferView\": 0, \"componentType\": 5126, \"count\": 1, \"type\": \"VEC3\"}], "
		"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 0, "
		"\"attributes\": {\"POSITION\": 0}}]}]}";

static const float position[] = {1, 2, 3};

struct list {
	struct arena *arena;
	const struct asset_neighbour *items;
	size_t count;
};

static struct list list(const char *text) {
	struct list list = {.arena = arena_create()};
	struct error err = {0};
	const bool listed = renderer_asset_neighbours(
		text, strlen(text), list.arena, &list.items, &list.count, &err);
	assert_string_equal(err.text, "");
	assert_true(listed);
	return list;
}

static void refuses_uris_that_leave_the_folder(void **state) {
	(void)state;
	static const char *const documents[] = {BUFFER("../x"), BUFFER("a/../../x"),
		BUFFER("%2e%2E/x"), BUFFER("/x"), BUFFER("//host/x"), BUFFER("http://host/x"),
		BUFFER("C:x"), BUFFER("a\\\\b"), BUFFER("a%5cb"), BUFFER("a%00b"), BUFFER("%zz"),
		BUFFER("%ff"), BUFFER("."), BUFFER("a/.."), BUFFER("")};
	for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
		struct arena *arena = arena_create();
		const struct asset_neighbour *items;
		struct error err = {0};
		size_t count;
		assert_false(renderer_asset_neighbours(
			documents[i], strlen(documents[i]), arena, &items, &count, &err));
		assert_int_equal(err.code, ERROR_BROKEN_ASSET);
		if (strncmp(err.text, "buffers[0].uri \"", 16) != 0 ||
			!strstr(err.text, "must be a path below the document's folder")) {
			fail_msg("%s: \"%s\"", documents[i], err.text);
		}
		arena_destroy(arena);
	}
}

static void lists_each_file_once(void **state) {
	(void)state;
	struct list found = list(VERSION
		"\"buffers\": [{\"uri\": \"a%20b.bin\"}, {\"uri\": \"data:,x\"}, {}, "
		"{\"uri\": \"./c/../a b.bin\"}, {\"uri\": \"fallback.bin\", \"extensions\": "
		"{\"EXT_meshopt_compression\": {\"fallback\": true}}}], "
		"\"images\": [{\"uri\": \"tex/w.png\"}, {\"uri\": \"a%20b.bin\"}, 7]}");
	assert_int_equal(found.count, 2);
	assert_string_equal(found.items[0].path, "a b.bin");
	assert_string_equal(found.items[0].place, "buffers[0].uri \"a%20b.bin\"");
	assert_true(found.items[0].is_buffer);
	assert_string_equal(found.items[1].path, "tex/w.png");
	assert_false(found.items[1].is_buffer);
	arena_destroy(found.arena);
}

static void leaves_what_it_cannot_read_to_the_importer(void **state) {
	(void)state;
	static const char *const texts[] = {"", "PK\3\4", "glTF", "{", "[]", "{\"buffers\": 3}",
		"{\"buffers\": [{\"uri\": 3}]}", "\xef\xbb\xbf{}"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct list found = list(texts[i]);
		assert_int_equal(found.count, 0);
		arena_destroy(found.arena);
	}
}

static bool append(void *context, const void *bytes, size_t size, struct error *err) {
	return buffer_try_append(context, bytes, size, "archive", err);
}

static bool pack(struct asset_file *files, size_t count, struct buffer *out, struct error *err) {
	const struct asset_sink sink = {append, out};
	return renderer_pack_asset(files, count, &sink, err);
}

static void refuses_files_that_are_no_asset(void **state) {
	(void)state;
	static const struct {
		const char *paths[3];
		const char *text;
	} rows[] = {
		{{"a.bin"}, "none of the 1 files is a .gltf or .glb"},
		{{"._a.gltf"}, "none of the 1 files"},
		{{"b/c.GLB", "a.gltf"},
			"holds \"a.gltf\" and \"b/c.GLB\", must hold exactly one .gltf or .glb"},
		{{"a.gltf", "x.bin", "./y/../x.bin"}, "file \"x.bin\" is there twice"},
		{{"a.gltf", "../x.bin"}, "file \"../x.bin\" must be a path below the folder"},
		{{"a.gltf", "/x.bin"}, "file \"/x.bin\" must be a path below"},
		{{"a.gltf", "C:x.bin"}, "must be a path below"},
		{{"a.gltf", "x\\y.bin"}, "without a backslash"},
		{{"a.gltf", "\xff.bin"}, "in UTF-8"},
		{{"a.gltf", ""}, "must be a path below"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct asset_file files[3] = {0};
		size_t count = 0;
		for (; count < 3 && rows[i].paths[count]; count++) {
			files[count] = (struct asset_file){rows[i].paths[count], "{}", 2};
		}
		struct buffer out = {0};
		struct error err = {0};
		assert_false(pack(files, count, &out, &err));
		if (err.code != ERROR_BROKEN_ASSET || !strstr(err.text, rows[i].text)) {
			fail_msg("\"%s\", expected \"%s\"", err.text, rows[i].text);
		}
		buffer_finish(&out);
	}
	struct error err = {0};
	assert_false(pack(NULL, ASSET_FILES_MAX + 1, NULL, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
}

static void packs_the_same_files_to_the_same_bytes(void **state) {
	(void)state;
	struct asset_file one[] = {{"p.bin", position, sizeof position}, {"\xc3\xa4.txt", "", 0},
		{"a.gltf", point, sizeof point - 1}};
	struct asset_file other[] = {{"x/../a.gltf", point, sizeof point - 1},
		{"./p.bin", position, sizeof position}, {"\xc3\xa4.txt", "", 0}};
	struct buffer first = {0}, second = {0};
	struct error err = {0};
	assert_true(pack(one, 3, &first, &err));
	assert_true(pack(other, 3, &second, &err));
	assert_int_equal(first.size, second.size);
	assert_memory_equal(first.data, second.data, first.size);
	struct rig *rig = import_rig(first.data, first.size, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(rig->vertex_count, 1);
	assert_memory_equal(rig->positions, position, sizeof position);
	rig_release(rig);
	buffer_finish(&first);
	buffer_finish(&second);
}

static bool refuse_all(void *context, const void *bytes, size_t size, struct error *err) {
	(void)context, (void)bytes, (void)size;
	return error_set(err, ERROR_STORE_FULL, "full");
}

static void ends_where_the_sink_ends(void **state) {
	(void)state;
	struct asset_file file = {"a.gltf", "{}", 2};
	const struct asset_sink sink = {refuse_all, NULL};
	struct error err = {0};
	assert_false(renderer_pack_asset(&file, 1, &sink, &err));
	assert_int_equal(err.code, ERROR_STORE_FULL);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_uris_that_leave_the_folder),
		cmocka_unit_test(lists_each_file_once),
		cmocka_unit_test(leaves_what_it_cannot_read_to_the_importer),
		cmocka_unit_test(refuses_files_that_are_no_asset),
		cmocka_unit_test(packs_the_same_files_to_the_same_bytes),
		cmocka_unit_test(ends_where_the_sink_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
