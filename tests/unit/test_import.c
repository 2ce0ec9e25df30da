// Telling formats apart, GLB's container, the document around the lists.
#include "import/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gltf_builder.h"
#include "import/data_uri.h"
#include "interface/assets.h"

static void expect_bytes_refusal(
	const void *bytes, size_t size, enum error_code code, const char *text) {
	struct error err = {0};
	struct rig *rig = import_rig(bytes, size, &err);
	if (rig || err.code != code || !strstr(err.text, text)) {
		rig_release(rig);
		fail_msg("%s: \"%s\", expected \"%s\"", error_name(err.code), err.text, text);
	}
}

static void refuses_what_is_no_known_format(void **state) {
	(void)state;
	const enum error_code code = ERROR_UNSUPPORTED_MEDIA_TYPE;
	expect_bytes_refusal(
		"", 0, code, "the asset is empty, which is no known format; accepted: GLB");
	expect_bytes_refusal("PK\x07\x08", 4, code, "starts with 50 4b 07 08,");
	expect_bytes_refusal("glT", 3, code, "starts with 67 6c 54,");
	expect_bytes_refusal("[1, 2]", 6, code, "starts with 5b 31 2c 20 32 5d,");
	expect_bytes_refusal(" \n\t", 3, code, "starts with 20 0a 09,");
}

/* A triangle's GLB with some bytes changed. */
static void expect_glb_refusal(
	size_t at, const char *bytes, size_t count, enum error_code code, const char *text) {
	struct gltf_builder b = {0};
	const float positions[9] = {0};
	add_data(&b, "VEC3", F32, 3, positions, sizeof positions);
	size_t size;
	unsigned char *glb = build_glb(&b, "", &size);
	memcpy(glb + at, bytes, count);
	expect_bytes_refusal(glb, size, code, text);
	free(glb);
	gltf_builder_finish(&b);
}

static void refuses_broken_containers(void **state) {
	(void)state;
	const enum error_code broken = ERROR_BROKEN_ASSET;
	expect_bytes_refusal("glTF\2\0\0\0", 8, broken, "GLB header: cut after 8 of 12 bytes");
	expect_glb_refusal(4, "\1", 1, ERROR_UNSUPPORTED_ASSET, "GLB header: version 1, must be 2");
	expect_glb_refusal(8, "\0\0\0\0", 4, broken, "GLB header: length 0, but there are");
	expect_glb_refusal(
		12, "\xfc\xff\xff\xff", 4, broken, "GLB chunk 0: length 4294967292, but");
	expect_glb_refusal(12, "\3", 1, broken, "GLB chunk 0: length");
	expect_glb_refusal(16, "BIN\0", 4, broken, "the first chunk must be JSON, and only that");
	expect_glb_refusal(12, "\x08\0\0\0", 4, broken, "GLB chunk 1:");
	expect_bytes_refusal("glTF\2\0\0\0\x0c\0\0\0", 12, broken,
		"GLB chunk 0: 0 bytes left, its header has 8");
}

/* A GLB cut anywhere is refused, and nothing behind its end is read (ASan watches the block). */
static void refuses_every_cut(void **state) {
	(void)state;
	struct gltf_builder b = {0};
	const float positions[9] = {0};
	add_data(&b, "VEC3", F32, 3, positions, sizeof positions);
	size_t size;
	unsigned char *glb = build_glb(&b, "\"nodes\": [{}]", &size);
	for (size_t cut = 0; cut < size; cut++) {
		unsigned char *part = malloc(cut ? cut : 1);
		memcpy(part, glb, cut);
		assert_null(import_rig(part, cut, NULL));
		if (cut >= 12) {
			// The same with a length that admits the cut.
			const uint32_t length = (uint32_t)cut;
			memcpy(part + 8, &length, sizeof length);
			assert_null(import_rig(part, cut, NULL));
		}
		free(part);
	}
	free(glb);
	gltf_builder_finish(&b);
}

static void refuses_broken_json(void **state) {
	(void)state;
	const enum error_code code = ERROR_BROKEN_ASSET;
	expect_refusal("{", code, "document: line 1, column 1: ");
	expect_refusal("{\"asset\": {\"version\": \"2.0\"}} {}", code,
		"document: line 1, column 31: something follows the document");
	expect_refusal("{\"asset\": 1e400}", code,
		"document: line 1, column 11: Problem while parsing a number");
}

static void refuses_other_versions(void **state) {
	(void)state;
	expect_refusal("{}", ERROR_BROKEN_ASSET, "asset: has no version");
	expect_refusal(
		"{\"asset\": []}", ERROR_BROKEN_ASSET, "asset: is a list, must be an object");
	expect_refusal("{\"asset\": {\"version\": 2.0}}", ERROR_BROKEN_ASSET,
		"asset.version: is a number, must be a string");
	expect_refusal("{\"asset\": {\"version\": \"1.0\"}}", ERROR_UNSUPPORTED_ASSET,
		"asset.version: \"1.0\", must be 2.x");
	expect_refusal("{\"asset\": {\"version\": \"2.0\", \"minVersion\": \"2.1\"}}",
		ERROR_UNSUPPORTED_ASSET, "asset.minVersion: \"2.1\", must be 2.0");
}

static void refuses_required_extensions_by_name(void **state) {
	(void)state;
	expect_refusal("{\"asset\": {\"version\": \"2.0\"}, \"extensionsRequired\": "
		       "[\"KHR_mesh_quantization\", \"KHR_audio\"]}",
		ERROR_UNSUPPORTED_ASSET,
		"extensionsRequired[1]: \"KHR_audio\" is not supported; supported: "
		"EXT_mesh_gpu_instancing, EXT_meshopt_compression, EXT_texture_webp, "
		"KHR_animation_pointer, "
		"KHR_draco_mesh_compression, KHR_lights_punctual, KHR_materials_anisotropy, "
		"KHR_materials_clearcoat, KHR_materials_dispersion, "
		"KHR_materials_emissive_strength, KHR_materials_ior, "
		"KHR_materials_iridescence, KHR_materials_pbrSpecularGlossiness, "
		"KHR_materials_sheen, KHR_materials_specular, KHR_materials_transmission, "
		"KHR_materials_unlit, KHR_materials_variants, KHR_materials_volume, "
		"KHR_mesh_quantization, KHR_texture_basisu, KHR_texture_transform");
	expect_refusal("{\"asset\": {\"version\": \"2.0\"}, \"extensionsRequired\": [7]}",
		ERROR_BROKEN_ASSET, "extensionsRequired[0]: must be a string");
}

static void warns_of_extensions_that_it_leaves_out(void **state) {
	(void)state;
	struct error err = {0};
	struct rig *rig =
		import_text("{\"asset\": {\"version\": \"2.0\"}, \"extensionsUsed\": "
			    "[\"KHR_materials_unlit\", \"KHR_materials_diffuse_transmission\", "
			    "\"KHR_xmp_json_ld\"]}",
			&err);
	assert_string_equal(err.text, "");
	assert_int_equal(rig->warning_count, 3);
	assert_true(has_warning(rig, "the file draws nothing and has no joints"));
	assert_string_equal(rig->warnings[0],
		"extensionsUsed[1]: \"KHR_materials_diffuse_transmission\" is not supported; what "
		"it says is "
		"left "
		"out");
	assert_true(has_warning(rig, "extensionsUsed[2]: \"KHR_xmp_json_ld\""));
	rig_release(rig);
}

#define DOCUMENT(members) "{\"asset\": {\"version\": \"2.0\"}, " members "}"

static void refuses_buffers_that_cannot_be_had(void **state) {
	(void)state;
	const enum error_code code = ERROR_BROKEN_ASSET;
	expect_refusal(DOCUMENT("\"buffers\": [{\"byteLength\": 4, \"uri\": \"x.bin\"}]"), code,
		"buffers[0]: external file \"x.bin\" cannot be had; send a GLB, data URIs, or "
		"all files in a ZIP or a form");
	expect_refusal(DOCUMENT("\"buffers\": [{\"byteLength\": 4}], \"bufferViews\": "
				"[{\"buffer\": 0, \"byteLength\": 4}]"),
		code,
		"bufferViews[0]: buffers[0] has no uri, and the file has no binary chunk for it");
	expect_refusal(DOCUMENT("\"buffers\": [{\"byteLength\": 4, \"uri\": \"data:,abc\"}]"), code,
		"buffers[0]: byteLength is 4, must be from 1 to the 3 bytes there are");
	expect_refusal(DOCUMENT("\"buffers\": [{\"uri\": \"data:,abc\"}]"), code,
		"buffers[0]: byteLength is 0");
	expect_refusal(DOCUMENT("\"buffers\": [{\"byteLength\": -1, \"uri\": \"data:,abc\"}]"),
		code, "buffers[0].byteLength: is -1, must be a whole number from 0 on");
	expect_refusal(DOCUMENT("\"buffers\": [{\"byteLength\": 1, \"uri\": \"data:;base64\"}]"),
		code, "buffers[0]: data URI: no comma before the data");
	expect_refusal(
		DOCUMENT("\"buffers\": [{\"byteLength\": 1, \"uri\": \"data:;base64,A*==\"}]"),
		code, "buffers[0]: data URI: not valid base64");
	static const char *const broken[] = {"A", "AAAAA", "A===", "AA=A", "AAAA===", "=", "AA-_"};
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		char text[200];
		snprintf(text, sizeof text,
			DOCUMENT(
				"\"buffers\": [{\"byteLength\": 1, \"uri\": \"data:;base64,%s\"}]"),
			broken[i]);
		expect_refusal(text, code, "");
	}
	expect_refusal(DOCUMENT("\"buffers\": [{\"byteLength\": 1, \"uri\": \"data:,%4\"}]"), code,
		"buffers[0]: data URI: % without two hexadecimal digits");
	expect_refusal(DOCUMENT("\"buffers\": {}"), code, "buffers: is an object, must be a list");
	expect_refusal(
		DOCUMENT("\"buffers\": [3]"), code, "buffers[0]: is a number, must be an object");
}

static void refuses_views_outside_their_buffer(void **state) {
	(void)state;
#define VIEW(members) \
	DOCUMENT("\"buffers\": [{\"byteLength\": 8, \"uri\": \"data:,12345678\"}], " \
		 "\"bufferViews\": [{" members "}]")
	const enum error_code code = ERROR_BROKEN_ASSET;
	expect_refusal(VIEW("\"buffer\": 1, \"byteLength\": 1"), code,
		"bufferViews[0].buffer: is 1, but there are only 1");
	expect_refusal(
		VIEW("\"buffer\": 0"), code, "bufferViews[0]: needs a buffer and a byteLength");
	expect_refusal(VIEW("\"buffer\": 0, \"byteOffset\": 5, \"byteLength\": 4"), code,
		"bufferViews[0]: bytes 5 to 9, but buffers[0] has only 8");
	expect_refusal(VIEW("\"buffer\": 0, \"byteOffset\": 9007199254740991, \"byteLength\": 1"),
		code, "but buffers[0] has only 8");
	expect_refusal(VIEW("\"buffer\": 0, \"byteLength\": 8, \"byteStride\": 3"), code,
		"bufferViews[0]: byteStride is 3, must be from 4 to 252");
#undef VIEW
}

static void accepts_an_empty_document(void **state) {
	(void)state;
	struct error err = {0};
	struct rig *rig = import_text("\xef\xbb\xbf\r\n {\"asset\": {\"version\": \"2.0\"}}", &err);
	assert_non_null(rig);
	assert_int_equal(rig->joint_count, 0);
	assert_int_equal(rig->vertex_count, 0);
	rig_release(rig);
}

static void accepts_base64_as_browsers_do(void **state) {
	(void)state;
	static const struct {
		const char *text; // of the bytes 1, 2 ...
		int size;
		const char *warning; // NULL = none
	} rows[] = {
		{"AQI=", 2, NULL},
		{"AQ==", 1, NULL},
		{"AQ ID", 3, NULL},
		{"AQI", 2, "buffers[0]: INVALID_URI: its base64 is not padded"},
		{"AQ", 1, "buffers[0]: INVALID_URI: its base64 is not padded"},
		{"AQ=", 1, "buffers[0]: INVALID_URI: its base64 is not padded"},
		{"AQID=", 3, "buffers[0]: INVALID_URI: its base64 is not padded"},
		{"AQJ=", 2, "buffers[0]: INVALID_URI: its base64 has bits over"},
		{"AR==", 1, "buffers[0]: INVALID_URI: its base64 has bits over"},
		{"AX", 1, "buffers[0]: INVALID_URI: its base64 is not padded"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		static const unsigned char bytes[] = {1, 2, 3};
		char text[600];
		struct error err = {0};
		snprintf(text, sizeof text,
			DOCUMENT("\"buffers\": [{\"byteLength\": %d, \"uri\": "
				 "\"data:application/octet-stream;base64,%s\"}]"),
			rows[i].size, rows[i].text);
		struct rig *rig = import_text(text, &err);
		assert_string_equal(err.text, "");
		assert_int_equal(rig->warning_count, rows[i].warning ? 2 : 1); // draws nothing
		assert_true(!rows[i].warning || has_warning(rig, rows[i].warning));
		rig_release(rig);
		const char *flaw = NULL;
		size_t size = 0;
		struct arena *arena = arena_create();
		snprintf(text, sizeof text, "data:;base64,%s", rows[i].text);
		assert_memory_equal(
			data_uri_decode(text, arena, &size, &flaw, &err), bytes, rows[i].size);
		assert_int_equal(size, rows[i].size);
		assert_int_equal(flaw != NULL, rows[i].warning != NULL);
		arena_destroy(arena);
	}
}

static void replaces_nul_in_names(void **state) {
	(void)state;
	struct error err = {0};
	struct rig *rig = import_text(
		DOCUMENT("\"nodes\": [{\"name\": \"a\\u0000b\"}, {\"name\": \"a\"}]"), &err);
	assert_string_equal(err.text, "");
	assert_string_equal(rig->joints[0].name,
		"a\xef\xbf\xbd"
		"b");
	assert_string_equal(rig->joints[1].name, "a");
	assert_true(has_warning(rig, "document: 1 characters \\u0000 in strings, read as U+FFFD"));
	rig_release(rig);
}

static void leaves_out_what_follows_a_glb(void **state) {
	(void)state;
	struct gltf_builder b = quad();
	size_t size;
	unsigned char *glb = build_glb(&b, "\"nodes\": [{}]", &size);
	for (size_t more = 0; more < 9; more += 4) {
		// "glTF" behind the end, as where two files are joined.
		unsigned char *longer = malloc(size + more + 1);
		memcpy(longer, glb, size);
		memset(longer + size, 'g', more);
		struct error err = {0};
		struct rig *rig = import_rig(longer, size + more, &err);
		assert_string_equal(err.text, "");
		assert_int_equal(rig->warning_count, more > 0 ? 2 : 1); // draws nothing
		assert_int_equal(has_warning(rig, "GLB: GLB_EXTRA_DATA: "), more > 0);
		rig_release(rig);
		free(longer);
	}
	free(glb);
	gltf_builder_finish(&b);
}

/* The same document as GLB, as base64 and percent-encoded; "@@@@" is a float32, too. */
static void reads_every_way_to_carry_a_buffer(void **state) {
	(void)state;
	struct gltf_builder b = {0};
	float positions[3];
	memcpy(positions, "@@@@@@@@@@@@", 12);
	add_data(&b, "VEC3", F32, 1, positions, sizeof positions);
	static const char members[] = "\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": "
				      "[{\"mode\": 0, \"attributes\": {\"POSITION\": 0}}]}]";
	size_t sizes[3];
	unsigned char *ways[3] = {
		build_glb(&b, members, &sizes[0]), build_json(&b, members, &sizes[1]), NULL};
	static const char percent[] = DOCUMENT(
		"\"buffers\": [{\"byteLength\": 12, \"uri\": "
		"\"data:text/plain,%40@%40@%40@%40@%40@%40@\"}], \"bufferViews\": [{\"buffer\": 0, "
		"\"byteLength\": 12}], \"accessors\": [{\"bufferView\": 0, \"componentType\": "
		"5126, \"count\": 1, \"type\": \"VEC3\"}], \"nodes\": [{\"mesh\": 0}], "
		"\"meshes\": [{\"primitives\": [{\"mode\": 0, \"attributes\": {\"POSITION\": "
		"0}}]}]");
	ways[2] = malloc(sizeof percent);
	memcpy(ways[2], percent, sizeof percent);
	sizes[2] = sizeof percent - 1;
	for (int i = 0; i < 3; i++) {
		struct error err = {0};
		struct rig *rig = import_rig(ways[i], sizes[i], &err);
		assert_string_equal(err.text, "");
		assert_int_equal(rig->vertex_count, 1);
		assert_memory_equal(rig->positions, positions, sizeof positions);
		rig_release(rig);
		free(ways[i]);
	}
	gltf_builder_finish(&b);
}

static void skips_unknown_chunks(void **state) {
	(void)state;
	static const char glb[] = "glTF\2\0\0\0\x40\0\0\0\x20\0\0\0JSON"
				  "{\"asset\": {\"version\": \"2.0\"}}   \4\0\0\0what1234";
	struct error err = {0};
	struct rig *rig = import_rig(glb, 64, &err);
	assert_string_equal(err.text, "");
	rig_release(rig);
}

/* The endings of files that are read, in the page's list, too, which has those of their parts. */
static void every_list_of_endings_is_the_same(void **state) {
	(void)state;
	char text[1 << 14];
	FILE *script = fopen("clients/js/element/dropped_files.js", "r");
	assert_non_null(script);
	text[fread(text, 1, sizeof text - 1, script)] = '\0';
	fclose(script);
	char *list = strstr(text, "/\\.(glb|");
	assert_non_null(list);
	*strchr(list, ')') = '|';
	list[strcspn(list, "(")] = '|';
	for (size_t i = 0; import_format(i); i++) {
		for (size_t k = 0; import_format(i)->endings[k]; k++) {
			char pattern[32];
			snprintf(pattern, sizeof pattern, "|%s|", import_format(i)->endings[k] + 1);
			assert_non_null(strstr(list, pattern));
		}
	}
	assert_true(renderer_is_asset_name("a.b.GLB"));
	assert_false(renderer_is_asset_name(".glb"));
	assert_false(renderer_is_asset_name("glb"));
	assert_false(renderer_is_asset_name("a.usd"));
}

/* The rules that descriptions and Content-Types rely on. */
static void formats_are_described(void **state) {
	(void)state;
	for (size_t i = 0; import_format(i); i++) {
		const struct asset_format *format = import_format(i);
		assert_true(*format->name && *format->title && strchr(format->media_type, '/'));
		assert_true(format->carries && !(format->carries & ~(unsigned)ASSET_ALL));
		assert_non_null(format->endings[0]);
		for (size_t k = 0; format->endings[k]; k++) {
			assert_int_equal(format->endings[k][0], '.');
		}
		for (size_t k = 0; k < i; k++) {
			assert_string_not_equal(format->name, import_format(k)->name);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_known_format),
		cmocka_unit_test(refuses_broken_containers),
		cmocka_unit_test(refuses_every_cut),
		cmocka_unit_test(refuses_broken_json),
		cmocka_unit_test(refuses_other_versions),
		cmocka_unit_test(refuses_required_extensions_by_name),
		cmocka_unit_test(warns_of_extensions_that_it_leaves_out),
		cmocka_unit_test(refuses_buffers_that_cannot_be_had),
		cmocka_unit_test(refuses_views_outside_their_buffer),
		cmocka_unit_test(accepts_an_empty_document),
		cmocka_unit_test(accepts_base64_as_browsers_do),
		cmocka_unit_test(leaves_out_what_follows_a_glb),
		cmocka_unit_test(replaces_nul_in_names),
		cmocka_unit_test(reads_every_way_to_carry_a_buffer),
		cmocka_unit_test(skips_unknown_chunks),
		cmocka_unit_test(every_list_of_endings_is_the_same),
		cmocka_unit_test(formats_are_described),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
