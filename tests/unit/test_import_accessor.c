// Accessors: every component type, stride, padding and sparse replacement, and their bounds.
#include <string.h>

#include "check.h"
#include "gltf_builder.h"

#define MESH(attributes) \
	"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 0, " \
	"\"attributes\": {" attributes "}}]}]"
#define QUANTIZED "\"extensionsUsed\": [\"KHR_mesh_quantization\"], "

/* One view of 36 bytes and this accessor as POSITION. */
static void expect_accessor_refusal(const char *accessor, const char *text) {
	struct gltf_builder b = {0};
	const float positions[9] = {0};
	add_view(&b, positions, sizeof positions);
	add_accessor(&b, "%s", accessor);
	expect_built_refusal(&b, MESH("\"POSITION\": 0"), ERROR_BROKEN_ASSET, text);
}

static void refuses_accessors_past_their_view(void **state) {
	(void)state;
	expect_accessor_refusal("{\"bufferView\": 0, \"componentType\": 5126, \"count\": 4, "
				"\"type\": \"VEC3\"}",
		"accessors[0]: ends 12 bytes past bufferViews[0]");
	expect_accessor_refusal("{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, "
				"\"byteOffset\": 1, \"type\": \"VEC3\"}",
		"accessors[0]: ends 1 bytes past bufferViews[0]");
	expect_accessor_refusal("{\"bufferView\": 0, \"componentType\": 5126, \"count\": "
				"9007199254740991, \"type\": \"VEC3\"}",
		"bytes past bufferViews[0]");
	expect_accessor_refusal("{\"bufferView\": 1, \"componentType\": 5126, \"count\": 1, "
				"\"type\": \"VEC3\"}",
		"accessors[0].bufferView: is 1, but there are only 1");
}

/* Columns start at multiples of four bytes; what would fill up the last one may be left out. */
static void takes_matrices_without_trailing_padding(void **state) {
	(void)state;
	static const struct {
		const char *type;
		int component;
		size_t count, bytes; // the fewest that hold them
	} rows[] = {
		{"MAT2", U8, 1, 6},
		{"MAT2", I8, 2, 14},
		{"MAT2", U16, 1, 8},
		{"MAT3", U8, 1, 11},
		{"MAT3", I8, 2, 23},
		{"MAT3", U16, 1, 22},
		{"MAT3", I16, 2, 46},
		{"MAT4", I8, 1, 16},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		for (int sparse = 0; sparse < 2; sparse++) {
			for (size_t missing = 0; missing < 2; missing++) {
				static const unsigned char zeros[64];
				struct gltf_builder b = {0};
				struct error err = {0};
				add_view(&b, zeros, rows[i].bytes - missing);
				add_view(&b, "\0\1", rows[i].count);
				add_accessor(&b,
					sparse ? "{\"componentType\": %d, \"type\": \"%s\", "
						 "\"count\": %zu, \"sparse\": {\"count\": %zu, "
						 "\"indices\": {\"bufferView\": 1, "
						 "\"componentType\": 5121}, \"values\": "
						 "{\"bufferView\": 0}}}"
					       : "{\"componentType\": %d, \"type\": \"%s\", "
						 "\"count\": %zu, \"bufferView\": 0}",
					rows[i].component, rows[i].type, rows[i].count,
					rows[i].count);
				struct rig *rig = import_built(&b, "\"nodes\": [{}]", &err);
				assert_string_equal(err.text,
					missing == 0     ? ""
						: sparse ? "accessors[0].sparse.values: ends 1 "
							   "bytes past bufferViews[0]"
							 : "accessors[0]: ends 1 bytes past "
							   "bufferViews[0]");
				rig_release(rig);
			}
		}
	}
}

static void refuses_members_of_wrong_kinds(void **state) {
	(void)state;
#define ACCESSOR(members) "{\"bufferView\": 0, " members "}"
	expect_accessor_refusal(
		ACCESSOR("\"componentType\": 5124, \"count\": 1, \"type\": \"VEC3\""),
		"accessors[0]: componentType is 5124, must be");
	expect_accessor_refusal(
		ACCESSOR("\"componentType\": 5126, \"count\": 1, \"type\": \"VEC5\""),
		"accessors[0]: type must be SCALAR");
	expect_accessor_refusal(ACCESSOR("\"componentType\": 5126, \"count\": 1"),
		"accessors[0]: type must be SCALAR");
	expect_accessor_refusal(ACCESSOR("\"componentType\": 5126, \"type\": \"VEC3\""),
		"accessors[0]: count must be at least 1");
	expect_accessor_refusal(
		ACCESSOR("\"componentType\": 5126, \"count\": 1.5, \"type\": \"VEC3\""),
		"accessors[0].count: is 1.5, must be a whole number from 0 on");
	expect_accessor_refusal(
		ACCESSOR("\"componentType\": 5126, \"count\": true, \"type\": \"VEC3\""),
		"accessors[0].count: is true, must be a whole number");
	expect_accessor_refusal(
		ACCESSOR("\"componentType\": 5126, \"count\": 1, \"type\": \"VEC3\", "
			 "\"normalized\": 1"),
		"accessors[0].normalized: is a number, must be true or false");
	expect_accessor_refusal(
		ACCESSOR("\"componentType\": 5126, \"count\": 1, \"type\": \"VEC2\""),
		"meshes[0].primitives[0].attributes.POSITION: accessors[0] is VEC2 of FLOAT, must "
		"be "
		"VEC3 of FLOAT");
	expect_accessor_refusal(
		ACCESSOR("\"componentType\": 5121, \"count\": 1, \"type\": \"VEC3\""),
		"is VEC3 of UNSIGNED_BYTE, must be VEC3 of FLOAT");
}

static void refuses_broken_sparse_accessors(void **state) {
	(void)state;
#define SPARSE(sparse) \
	ACCESSOR("\"componentType\": 5126, \"count\": 2, \"type\": \"VEC3\", \"sparse\": {" sparse \
		 "}")
	expect_accessor_refusal(SPARSE(""), "accessors[0].sparse: count is 0, must be from 1 to");
	expect_accessor_refusal(SPARSE("\"count\": 3"), "accessors[0].sparse: count is 3, must be");
	expect_accessor_refusal(
		SPARSE("\"count\": 1"), "accessors[0].sparse.indices: componentType");
	expect_accessor_refusal(SPARSE("\"count\": 1, \"indices\": {\"componentType\": 5121}"),
		"accessors[0].sparse.indices: has no bufferView");
	expect_accessor_refusal(
		SPARSE("\"count\": 1, \"indices\": {\"componentType\": 5126, \"bufferView\": 0}"),
		"accessors[0].sparse.indices: are FLOAT, must be unsigned integers");
	expect_accessor_refusal(SPARSE("\"count\": 1, \"indices\": {\"componentType\": 5121, "
				       "\"bufferView\": 0, \"byteOffset\": 36}"),
		"accessors[0].sparse.indices: ends 1 bytes past bufferViews[0]");
	expect_accessor_refusal(SPARSE("\"count\": 1, \"indices\": {\"componentType\": 5121, "
				       "\"bufferView\": 0}"),
		"accessors[0].sparse.values: has no bufferView");
	expect_accessor_refusal(SPARSE("\"count\": 1, \"indices\": {\"componentType\": 5121, "
				       "\"bufferView\": 0}, \"values\": {\"bufferView\": 0, "
				       "\"byteOffset\": 25}"),
		"accessors[0].sparse.values: ends 1 bytes past bufferViews[0]");
}

static void refuses_a_sparse_index_out_of_range(void **state) {
	(void)state;
	struct gltf_builder b = {0};
	const float value[3] = {1, 2, 3};
	add_view(&b, value, sizeof value);
	add_view(&b, "\2", 1);
	add_accessor(&b,
		"{\"componentType\": 5126, \"count\": 2, \"type\": \"VEC3\", \"sparse\": "
		"{\"count\": 1, \"indices\": {\"bufferView\": 1, \"componentType\": 5121}, "
		"\"values\": {\"bufferView\": 0}}}");
	expect_built_refusal(&b, MESH("\"POSITION\": 0"), ERROR_BROKEN_ASSET,
		"accessors[0].sparse.indices: element 0 is 2, but there are only 2");
}

static void refuses_numbers_that_are_not_finite(void **state) {
	(void)state;
	struct gltf_builder b = {0};
	const float positions[9] = {0, 0, 0, 0, NAN, 0, 0, 0, 0};
	add_data(&b, "VEC3", F32, 3, positions, sizeof positions);
	expect_built_refusal(&b, MESH("\"POSITION\": 0"), ERROR_BROKEN_ASSET,
		"accessors[0]: element 1 is not finite (nan)");
}

/* Elements without a view are zeros that cost the file nothing: they must not cost much memory. */
static void refuses_more_zeros_than_a_file_may_claim(void **state) {
	(void)state;
	expect_refusal(
		"{\"asset\": {\"version\": \"2.0\"}, \"accessors\": [{\"componentType\": 5126, "
		"\"count\": 67108864, \"type\": \"VEC3\"}], " MESH("\"POSITION\": 0") "}",
		ERROR_TOO_LARGE, "but a file of this size may only fill");
	expect_refusal(
		"{\"asset\": {\"version\": \"2.0\"}, \"accessors\": [{\"componentType\": 5126, "
		"\"count\": 9007199254740991, \"type\": \"VEC3\"}], " MESH("\"POSITION\": 0") "}",
		ERROR_TOO_LARGE, "more than 67108864 vertices");
}

/* Reads one accessor of count VEC3 as POSITION. */
static void check_positions(struct gltf_builder *b, size_t count, const float *expected) {
	struct error err = {0};
	struct rig *rig = import_built(b, QUANTIZED MESH("\"POSITION\": 0"), &err);
	assert_string_equal(err.text, "");
	assert_int_equal(rig->vertex_count, count);
	for (size_t i = 0; i < count * 3; i++) {
		assert_true(rig->positions[i] == expected[i]);
	}
	rig_release(rig);
}

static void maps_integers_as_the_specification_says(void **state) {
	(void)state;
	static const int8_t bytes[] = {-128, -127, 127, 0};
	static const uint8_t unsigned_bytes[] = {0, 51, 255, 0};
	static const int16_t shorts[] = {-32768, -32767, 32767, 0};
	static const uint16_t unsigned_shorts[] = {0, 13107, 65535, 0};
	static const struct {
		int component;
		const void *data;
		size_t size;
		float plain[3], normalized[3];
	} rows[] = {
		{I8, bytes, 4, {-128, -127, 127}, {-1, -1, 1}},
		{U8, unsigned_bytes, 4, {0, 51, 255}, {0, 0.2f, 1}},
		{I16, shorts, 8, {-32768, -32767, 32767}, {-1, -1, 1}},
		{U16, unsigned_shorts, 8, {0, 13107, 65535}, {0, 0.2f, 1}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		for (int normalized = 0; normalized < 2; normalized++) {
			struct gltf_builder b = {0};
			add_view(&b, rows[i].data, rows[i].size);
			add_accessor(&b,
				"{\"bufferView\": 0, \"componentType\": %d, \"count\": 1, "
				"\"type\": "
				"\"VEC3\", \"normalized\": %s}",
				rows[i].component, normalized ? "true" : "false");
			check_positions(&b, 1, normalized ? rows[i].normalized : rows[i].plain);
		}
	}
}

static void reads_interleaved_elements(void **state) {
	(void)state;
	// Eight foreign bytes before and after each element.
	static const float data[] = {9, 9, 1, 2, 3, 9, 9, 4, 5, 6, 9, 9};
	static const float expected[] = {1, 2, 3, 4, 5, 6};
	struct gltf_builder b = {0};
	add_view(&b, data, sizeof data);
	static const char stride[] = ", \"byteStride\": 20}";
	b.views.size--; // the view's closing brace
	buffer_append(&b.views, stride, strlen(stride));
	add_accessor(&b,
		"{\"bufferView\": 0, \"byteOffset\": 8, \"componentType\": 5126, \"count\": 2, "
		"\"type\": \"VEC3\"}");
	check_positions(&b, 2, expected);
}

static void reads_misaligned_floats(void **state) {
	(void)state;
	static const float expected[] = {1, 2, 3};
	unsigned char data[13] = {0};
	memcpy(data + 1, expected, 12);
	struct gltf_builder b = {0};
	add_view(&b, data, sizeof data);
	add_accessor(&b,
		"{\"bufferView\": 0, \"byteOffset\": 1, \"componentType\": 5126, \"count\": 1, "
		"\"type\": \"VEC3\"}");
	check_positions(&b, 1, expected);
}

static void replaces_sparse_elements(void **state) {
	(void)state;
	static const float base[] = {1, 2, 3, 4, 5, 6, 7, 8, 9},
			   values[] = {-1, -2, -3, -7, -8, -9};
	static const float over_data[] = {-1, -2, -3, 4, 5, 6, -7, -8, -9};
	static const float over_zeros[] = {-1, -2, -3, 0, 0, 0, -7, -8, -9};
	static const uint16_t indices[] = {0, 2};
	for (int zeros = 0; zeros < 2; zeros++) {
		struct gltf_builder b = {0};
		add_view(&b, base, sizeof base);
		add_view(&b, indices, sizeof indices);
		add_view(&b, values, sizeof values);
		add_accessor(&b,
			"{%s\"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\", \"sparse\": "
			"{\"count\": 2, \"indices\": {\"bufferView\": 1, \"componentType\": 5123}, "
			"\"values\": {\"bufferView\": 2}}}",
			zeros ? "" : "\"bufferView\": 0, ");
		check_positions(&b, 3, zeros ? over_zeros : over_data);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_accessors_past_their_view),
		cmocka_unit_test(takes_matrices_without_trailing_padding),
		cmocka_unit_test(refuses_members_of_wrong_kinds),
		cmocka_unit_test(refuses_broken_sparse_accessors),
		cmocka_unit_test(refuses_a_sparse_index_out_of_range),
		cmocka_unit_test(refuses_numbers_that_are_not_finite),
		cmocka_unit_test(refuses_more_zeros_than_a_file_may_claim),
		cmocka_unit_test(maps_integers_as_the_specification_says),
		cmocka_unit_test(reads_interleaved_elements),
		cmocka_unit_test(reads_misaligned_floats),
		cmocka_unit_test(replaces_sparse_elements),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
