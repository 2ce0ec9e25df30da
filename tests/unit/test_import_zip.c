// ZIP archives of a document with its files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gltf_builder.h"
#include "import/import.h"
#include "zip_builder.h"

/* A point whose 12 bytes lie in the file that uri names. */
#define POINT(uri) \
	"{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"byteLength\": 12, \"uri\": \"" uri \
	"\"}], \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 12}], \"accessors\": " \
	"[{\"bufferView\": 0, \"componentType\": 5126, \"count\": 1, \"type\": \"VEC3\"}], " \
	"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 0, " \
	"\"attributes\": {\"POSITION\": 0}}]}]}"

static const float position[] = {1, 2, 3};

static struct rig *import_zip(struct zip_builder *b, struct error *err) {
	size_t size;
	unsigned char *zip = zip_builder_finish(b, &size);
	struct rig *rig = import_rig(zip, size, err);
	free(zip);
	return rig;
}

static void expect_zip_refusal(struct zip_builder *b, enum error_code code, const char *text) {
	struct error err = {0};
	struct rig *rig = import_zip(b, &err);
	if (rig || err.code != code || !strstr(err.text, text)) {
		rig_release(rig);
		fail_msg("%s: \"%s\", expected \"%s\"", error_name(err.code), err.text, text);
	}
}

static void check_point(struct zip_builder *b) {
	struct error err = {0};
	struct rig *rig = import_zip(b, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(rig->vertex_count, 1);
	assert_memory_equal(rig->positions, position, sizeof position);
	rig_release(rig);
}

static void refuses_what_is_no_archive(void **state) {
	(void)state;
	static const struct {
		const char *bytes;
		size_t size;
	} rows[] = {{"PK\3\4", 4},
		{"PK\3\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 31},
		{"PK\5\6", 4}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct error err = {0};
		assert_null(import_rig(rows[i].bytes, rows[i].size, &err));
		assert_int_equal(err.code, ERROR_BROKEN_ASSET);
		assert_non_null(strstr(err.text, "ZIP: "));
	}
}

static void refuses_other_than_one_document(void **state) {
	(void)state;
	struct zip_builder none = {0}, two = {0};
	zip_builder_add_text(&none, "readme.txt", "");
	zip_builder_add_text(&none, "__MACOSX/._a.gltf", "");
	expect_zip_refusal(&none, ERROR_UNSUPPORTED_MEDIA_TYPE,
		"ZIP: none of its 2 files is a .gltf or .glb (glTF 2.0) or a document of another "
		"format, must be exactly one");
	zip_builder_add_text(&two, "a.gltf", POINT("p.bin"));
	zip_builder_add_text(&two, "b/c.GLB", "glTF");
	expect_zip_refusal(&two, ERROR_BROKEN_ASSET,
		"ZIP: holds \"a.gltf\" and \"b/c.GLB\", must hold exactly one .gltf or .glb");
}

static void refuses_files_that_are_not_inside(void **state) {
	(void)state;
	static const struct {
		const char *document, *text;
	} rows[] = {
		{POINT("q.bin"),
			"buffers[0]: external file \"q.bin\": not among the files that were sent"},
		{POINT("../p.bin"), "external file \"../p.bin\": leads out of the archive"},
		{POINT("/p.bin"), "external file \"/p.bin\": must be a path relative to"},
		{POINT("http://host/p.bin"), "must be a path relative to the document"},
		{POINT("folder"), "not among the files that were sent"},
		{POINT("P.BIN"), "not among the files that were sent"},
		{POINT(""), "external file \"\": is no path"},
		{POINT("p%2"), "% without two hexadecimal digits"},
		{POINT("empty.bin"), "buffers[0]: byteLength is 12, must be from 1 to the 0 bytes"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct zip_builder b = {0};
		zip_builder_add_text(&b, "a.gltf", rows[i].document);
		zip_builder_add(&b, "p.bin", position, sizeof position);
		zip_builder_add_text(&b, "folder/x", "");
		zip_builder_add_text(&b, "empty.bin", "");
		expect_zip_refusal(&b, ERROR_BROKEN_ASSET, rows[i].text);
	}
}

static void takes_backslashes_for_slashes(void **state) {
	(void)state;
	static const struct {
		const char *document, *name, *text;
	} rows[] = {
		{"rig\\a.gltf", "rig\\data\\p.bin", POINT("data/p.bin")},
		{"rig/a.gltf", "rig\\p.bin", POINT("p.bin")},
		{"a.gltf", "data\\p.bin", POINT("data\\\\p.bin")},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct zip_builder b = {0};
		struct error err = {0};
		zip_builder_add_text(&b, rows[i].document, rows[i].text);
		zip_builder_add(&b, rows[i].name, position, sizeof position);
		zip_builder_add_text(&b, "folder\\", "");
		zip_builder_add_text(&b, "..\\p.bin", "");
		struct rig *rig = import_zip(&b, &err);
		assert_string_equal(err.text, "");
		assert_memory_equal(rig->positions, position, sizeof position);
		assert_true(has_warning(rig,
			i == 0 ? "ZIP: 4 names have backslashes, such as "
				 "\"rig\\a.gltf\", taken as slashes"
			       : "ZIP: 3 names have backslashes"));
		rig_release(rig);
	}
	struct zip_builder twice = {0};
	zip_builder_add_text(&twice, "a.gltf", POINT("b/p.bin"));
	zip_builder_add(&twice, "b/p.bin", position, sizeof position);
	zip_builder_add(&twice, "b\\p.bin", position, sizeof position);
	expect_zip_refusal(&twice, ERROR_BROKEN_ASSET, "ZIP: holds \"b/p.bin\" twice");
}

static void finds_files_by_their_uris(void **state) {
	(void)state;
	static const struct {
		const char *document, *name, *text;
	} rows[] = {
		{"a.gltf", "p.bin", POINT("p.bin")},
		{"rig/a.gltf", "rig/p.bin", POINT("p.bin")},
		{"rig/a.gltf", "data/p.bin", POINT("../data/p.bin")},
		{"a.gltf", "p \xc3\xa4.bin", POINT("p%20%C3%A4.bin")},
		{"a.gltf", "p \xc3\xa4.bin", POINT("p \\u00e4.bin")},
		{"a \xe2\x82\xac.gltf", "t/p.bin", POINT("./t/p.bin")},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct zip_builder b = {0};
		zip_builder_add_text(&b, rows[i].document, rows[i].text);
		zip_builder_add(&b, rows[i].name, position, sizeof position);
		check_point(&b);
	}
}

static void takes_a_glb_with_files_of_its_own(void **state) {
	(void)state;
	static const char head[] = "glTF\2\0\0\0";
	const char *text = POINT("p.bin");
	struct buffer glb = {0};
	const uint32_t json = (uint32_t)(strlen(text) + 3) / 4 * 4, size = json + 20;
	buffer_append(&glb, head, 8);
	buffer_append(&glb, &size, 4);
	buffer_append(&glb, &json, 4);
	buffer_append(&glb, "JSON", 4);
	buffer_append(&glb, text, strlen(text));
	buffer_append(&glb, "   ", json - strlen(text));
	struct zip_builder b = {0};
	zip_builder_add(&b, "a.glb", glb.data, glb.size);
	zip_builder_add(&b, "p.bin", position, sizeof position);
	buffer_finish(&glb);
	check_point(&b);
	zip_builder_add_text(&b, "a.glb", "glTF\2");
	expect_zip_refusal(&b, ERROR_BROKEN_ASSET, "GLB header: cut after 5 of 12 bytes");
}

static void a_lost_picture_costs_only_itself(void **state) {
	(void)state;
	struct zip_builder b = {0};
	zip_builder_add_text(&b, "a.gltf",
		"{\"asset\": {\"version\": \"2.0\"}, \"images\": [{\"uri\": \"x.png\"}], "
		"\"textures\": [{\"source\": 0}], \"materials\": [{\"pbrMetallicRoughness\": "
		"{\"baseColorTexture\": {\"index\": 0}}}]}");
	struct rig *rig = import_zip(&b, NULL);
	assert_non_null(rig);
	assert_true(has_warning(rig,
		"images[0]: external file \"x.png\": not among the files that were sent; drawn "
		"without it"));
	rig_release(rig);
}

/* The entry with a file's sizes and checksum in the archive's directory: after the nth "PK\1\2". */
static unsigned char *directory_entry(unsigned char *zip, size_t size, int n) {
	for (size_t i = 0; i + 46 <= size; i++) {
		if (memcmp(zip + i, "PK\1\2", 4) == 0 && n-- == 0) {
			return zip + i;
		}
	}
	fail_msg("no such entry");
	return NULL;
}

#define AT_CHECKSUM 16
#define AT_SIZE 24

static void put_u32(unsigned char *at, uint32_t value) {
	memcpy(at, &value, sizeof value);
}

/* An archive of a document and a file of zeros that declares another size. */
static unsigned char *build_liar(size_t zeros, uint32_t declared, size_t *size) {
	struct zip_builder b = {0};
	unsigned char *bytes = calloc(zeros, 1);
	zip_builder_add_text(&b, "a.gltf", POINT("p.bin"));
	zip_builder_add(&b, "p.bin", bytes, zeros);
	free(bytes);
	unsigned char *zip = zip_builder_finish(&b, size);
	put_u32(directory_entry(zip, *size, 1) + AT_SIZE, declared);
	return zip;
}

static void expect_liar_refusal(
	size_t zeros, uint32_t declared, enum error_code code, const char *text) {
	size_t size;
	struct error err = {0};
	unsigned char *zip = build_liar(zeros, declared, &size);
	assert_null(import_rig(zip, size, &err));
	free(zip);
	if (err.code != code || !strstr(err.text, text)) {
		fail_msg("%s: \"%s\", expected \"%s\"", error_name(err.code), err.text, text);
	}
}

static void refuses_files_that_are_not_as_declared(void **state) {
	(void)state;
	const enum error_code broken = ERROR_BROKEN_ASSET;
	expect_liar_refusal(1000000, 12, broken,
		"external file \"p.bin\": unpacks to more than the 12 bytes that it declares");
	expect_liar_refusal(1000, 4000, broken, "external file \"p.bin\": ");
	expect_liar_refusal(1000, 4000000000, ERROR_TOO_LARGE,
		"external file \"p.bin\": unpacks to 4000000000 bytes, but an archive of this size "
		"may only fill");
	size_t size;
	struct error err = {0};
	unsigned char *zip = build_liar(1000, 1000, &size);
	directory_entry(zip, size, 1)[AT_CHECKSUM] ^= 1;
	assert_null(import_rig(zip, size, &err));
	assert_non_null(strstr(err.text, "external file \"p.bin\": cannot be unpacked: CRC error"));
	free(zip);
}

/* 65 MiB of spaces before a document shrink to 65 KiB. */
static void refuses_a_document_that_is_a_bomb(void **state) {
	(void)state;
	const size_t size = ((size_t)65 << 20) + 1;
	char *spaces = malloc(size);
	memset(spaces, ' ', size);
	spaces[size - 1] = '{';
	struct zip_builder b = {0};
	zip_builder_add(&b, "a.gltf", spaces, size);
	free(spaces);
	expect_zip_refusal(&b, ERROR_TOO_LARGE, "bytes of JSON, up to 67108864 are accepted");
}

static void refuses_a_name_that_comes_twice(void **state) {
	(void)state;
	struct zip_builder b = {0};
	zip_builder_add_text(&b, "a.gltf", POINT("p.bin"));
	zip_builder_add(&b, "p.bin", position, sizeof position);
	zip_builder_add(&b, "./p.bin", position, sizeof position);
	expect_zip_refusal(&b, ERROR_BROKEN_ASSET, "ZIP: holds \"p.bin\" twice");
}

/* Whatever the bytes are: never a read outside of them (ASan watches the block). */
static void survives_every_cut_and_many_flips(void **state) {
	(void)state;
	size_t size;
	unsigned char *zip = build_liar(12, 12, &size);
	for (size_t round = 0; round < size * 9; round++) {
		const size_t kept = round < size ? round : size;
		unsigned char *part = malloc(kept ? kept : 1);
		memcpy(part, zip, kept);
		if (round >= size) {
			part[round % size] ^= (unsigned char)(1u << (round / size - 1));
		}
		rig_release(import_rig(part, kept, NULL));
		free(part);
	}
	free(zip);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_archive),
		cmocka_unit_test(refuses_other_than_one_document),
		cmocka_unit_test(refuses_files_that_are_not_inside),
		cmocka_unit_test(refuses_files_that_are_not_as_declared),
		cmocka_unit_test(refuses_a_document_that_is_a_bomb),
		cmocka_unit_test(refuses_a_name_that_comes_twice),
		cmocka_unit_test(survives_every_cut_and_many_flips),
		cmocka_unit_test(finds_files_by_their_uris),
		cmocka_unit_test(takes_backslashes_for_slashes),
		cmocka_unit_test(takes_a_glb_with_files_of_its_own),
		cmocka_unit_test(a_lost_picture_costs_only_itself),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
