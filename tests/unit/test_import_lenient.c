// Lenient imports: files with flaws put in by hand are read, and the facts count just these.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gltf_builder.h"
#include "shared_files.h"

/* A rig with its facts. */
struct read {
	struct rig *rig;
	struct asset_facts *facts;
};

static struct read read_built(struct gltf_builder *b, const char *members) {
	struct error err = {0};
	struct read read;
	read.rig = import_built_lenient(b, members, &read.facts, &err);
	if (!read.rig) {
		fail_msg("%s", err.text);
	}
	assert_non_null(read.facts);
	struct error broken = {0};
	if (!rig_check(read.rig, &broken)) {
		fail_msg("%s", broken.text);
	}
	return read;
}

static void finish(struct read *read) {
	rig_release(read->rig);
	asset_facts_destroy(read->facts);
}

/* Holds the vertices with a flaw in primitive 0 against those put in, ended by -1. */
static void expect_vertices(const struct read *read, enum vertex_flaw kind, const int *expected) {
	const struct vertex_flaws *flaws = &read->facts->primitives[0].flaws[kind];
	int count = 0;
	for (; expected[count] >= 0; count++) {
		if (count >= flaws->listed ||
			read->facts->vertices[flaws->first + count] != expected[count]) {
			fail_msg("flaw %d: vertex %d is not listed", kind, expected[count]);
		}
	}
	assert_int_equal(flaws->count, count);
	assert_int_equal(flaws->listed, count);
}

#define NONE \
	(const int[]) { \
		-1 \
	}

/* --- Weights --- */

#define SKINNED(primitive) \
	"\"nodes\": [{\"mesh\": 0, \"skin\": 0}, {}, {}, {}], " \
	"\"skins\": [{\"joints\": [2, 1, 3]}], \"meshes\": [{\"primitives\": [{" primitive "}]}]"
#define WEIGHTED "\"mode\": 0, \"attributes\": {\"POSITION\": 0, \"JOINTS_0\": 1, \"WEIGHTS_0\": 2}"

#define VERTICES 9

/* Accessors 0, 1 and 2: positions, joints, weights. */
static struct gltf_builder weighted(
	const uint8_t joints[VERTICES][4], int component, const void *weights, size_t size) {
	struct gltf_builder b = {0};
	const float positions[VERTICES * 3] = {0};
	add_data(&b, "VEC3", F32, VERTICES, positions, sizeof positions);
	add_data(&b, "VEC4", U8, VERTICES, joints, VERTICES * 4);
	const int view = add_view(&b, weights, size);
	add_accessor(&b,
		"{\"bufferView\": %d, \"componentType\": %d, \"count\": %d, \"type\": \"VEC4\"%s}",
		view, component, VERTICES, component == F32 ? "" : ", \"normalized\": true");
	return b;
}

static void counts_flaws_of_float_weights(void **state) {
	(void)state;
	static const uint8_t joints[VERTICES][4] = {
		[1] = {0, 1, 2, 0}, [5] = {3, 0, 0, 0}, [6] = {1, 1, 0, 0}, [7] = {9, 0, 0, 0}};
	static const float weights[VERTICES][4] = {
		{1, 0, 0, 0}, {0.5f, 0.3f, 0.1f, 0}, // sum 0.9
		{0, 0, 0, 0},                        // none
		{1.5f, -0.5f, 0, 0},                 // negative
		{NAN, 1, 0, 0},                      // not finite
		{0.5f, 0.5f, 0, 0},                  // joint 3 of 3
		{0.5f, 0.5f, 0, 0},                  // joint 1 twice
		{0, 1, 0, 0},                        // joint 9 without a weight: harmless
		{1.00001f, 0, 0, 0},                 // off by rounding
	};
	struct gltf_builder b = weighted(joints, F32, weights, sizeof weights);
	struct read read = read_built(&b, SKINNED(WEIGHTED));
	expect_vertices(&read, VERTEX_WEIGHT_SUM, (const int[]){1, -1});
	expect_vertices(&read, VERTEX_WEIGHT_SUM_STRICT, (const int[]){1, 8, -1});
	expect_vertices(&read, VERTEX_WEIGHT_ZERO, (const int[]){2, -1});
	expect_vertices(&read, VERTEX_WEIGHT_INVALID, (const int[]){3, 4, -1});
	expect_vertices(&read, VERTEX_JOINT_INDEX, (const int[]){5, -1});
	expect_vertices(&read, VERTEX_JOINT_TWICE, (const int[]){6, -1});
	expect_vertices(&read, VERTEX_POSITION_NONFINITE, NONE);
	const struct primitive_facts *primitive = &read.facts->primitives[0];
	assert_near(primitive->flaws[VERTEX_WEIGHT_SUM].worst, 0.1, 1e-6);
	assert_near(primitive->flaws[VERTEX_WEIGHT_SUM_STRICT].worst, 0.1, 1e-6);
	assert_int_equal(primitive->skin, 0);
	assert_true(primitive->float_weights);
	assert_false(primitive->indexed || primitive->has_normals || primitive->has_tangents);
	finish(&read);
}

/* Bytes that sum to 255 or to 254; a float off by as much would still be within 1e-3 of 1. */
static void counts_integer_weights_by_their_step(void **state) {
	(void)state;
	static const uint8_t joints[VERTICES][4] = {[2] = {0, 1, 2, 0}, [3] = {0, 1, 0, 0}};
	static const uint8_t bytes[VERTICES][4] = {
		{255}, {255}, {85, 85, 84, 0}, {200, 55}, {255}, {255}, {255}, {0}, {255}};
	struct gltf_builder b = weighted(joints, U8, bytes, sizeof bytes);
	struct read read = read_built(&b, SKINNED(WEIGHTED));
	expect_vertices(&read, VERTEX_WEIGHT_SUM, (const int[]){2, -1});
	expect_vertices(&read, VERTEX_WEIGHT_SUM_STRICT, (const int[]){2, -1});
	expect_vertices(&read, VERTEX_WEIGHT_ZERO, (const int[]){7, -1});
	assert_false(read.facts->primitives[0].float_weights);
	finish(&read);
	static const uint16_t shorts[VERTICES][4] = {{65535}, {65535}, {20000, 20000, 25535},
		{65533}, {65535}, {65535}, {65535}, {65535}, {65535}};
	b = weighted(joints, U16, shorts, sizeof shorts);
	read = read_built(&b, SKINNED(WEIGHTED));
	expect_vertices(&read, VERTEX_WEIGHT_SUM, (const int[]){3, -1});
	assert_near(read.facts->primitives[0].flaws[VERTEX_WEIGHT_SUM].worst, 2 / 65535.0, 1e-9);
	finish(&read);
}

static void keeps_all_slots_of_a_skin(void **state) {
	(void)state;
	static const uint8_t joints[VERTICES][4] = {{1}};
	float weights[VERTICES][4] = {{0}};
	for (int i = 0; i < VERTICES; i++) {
		weights[i][0] = 1;
	}
	struct gltf_builder b = weighted(joints, F32, weights, sizeof weights);
	struct read read = read_built(&b, SKINNED(WEIGHTED));
	assert_int_equal(read.rig->slot_count, 3);
	assert_int_equal(read.rig->primitives[0].slot_count, 3);
	assert_int_equal(read.facts->skin_count, 1);
	const struct skin_facts *skin = &read.facts->skins[0];
	static const int nodes[] = {2, 1, 3};
	assert_int_equal(skin->joint_count, 3);
	assert_int_equal(skin->first_slot, 0);
	for (int i = 0; i < 3; i++) {
		const int joint = read.facts->joints[skin->first_joint + i];
		assert_int_equal(read.rig->joints[joint].index, nodes[i]);
		assert_int_equal(read.rig->slots[skin->first_slot + i].joint, joint);
	}
	finish(&read);
}

/* --- Positions, normals, equal vertices --- */

static void mends_positions_and_lists_normals(void **state) {
	(void)state;
	static const float positions[] = {
		1, 2, 3, NAN, 1, 1, 4, 5, 6, 7, -INFINITY, 8, 1, 1, 1, 2, 2, 2};
	static const float normals[] = {
		0, 0, 1, 0, 1, 0, 0, 0, 1.06f, NAN, 0, 0, 0, 0, 0.96f, 0, 0, 0};
	struct gltf_builder b = {0};
	add_data(&b, "VEC3", F32, 6, positions, sizeof positions);
	add_data(&b, "VEC3", F32, 6, normals, sizeof normals);
	// The second node has the same mesh: its vertices follow.
	struct read read = read_built(&b,
		"\"nodes\": [{\"mesh\": 0}, {\"mesh\": 0}], \"meshes\": [{\"primitives\": [{"
		"\"mode\": 0, \"attributes\": {\"POSITION\": 0, \"NORMAL\": 1}}]}]");
	expect_vertices(&read, VERTEX_POSITION_NONFINITE, (const int[]){1, 3, -1});
	expect_vertices(&read, VERTEX_NORMAL_NONFINITE, (const int[]){3, -1});
	expect_vertices(&read, VERTEX_NORMAL_LENGTH, (const int[]){2, 5, -1});
	assert_near(read.facts->primitives[0].flaws[VERTEX_NORMAL_LENGTH].worst, 1, 0);
	assert_true(read.facts->primitives[0].has_normals);
	assert_int_equal(read.facts->primitive_count, 2);
	static const float mended[] = {1, 2, 3, 0, 0, 0, 4, 5, 6, 0, 0, 0, 1, 1, 1, 2, 2, 2};
	for (int i = 0; i < 12; i++) {
		assert_int_equal(asset_facts_is_nonfinite(read.facts, i), i % 6 == 1 || i % 6 == 3);
		assert_memory_equal(&read.rig->positions[i * 3], &mended[i % 6 * 3], 12);
	}
	assert_int_equal(read.facts->nonfinite_count, 1);
	finish(&read);
}

#define TRIANGLES(more) \
	"\"nodes\": [{\"mesh\": 0}, {\"mesh\": 0}], \"meshes\": [{\"primitives\": [{" \
	"\"attributes\": {\"POSITION\": 0, \"TEXCOORD_0\": 1, \"_OWN\": 2}" more "}]}]"

/* Positions, texture coordinates that posed does not read here, an attribute of the application,
 * indices, and what a morph target moves. Vertices 1 and 3 are those of 0 but for one number. */
static struct gltf_builder doubled(void) {
	static const float positions[6][3] = {{1}, {1}, {1}, {1}, {1}, {2}};
	static const float texcoords[6][2] = {{0}, {0.5f}};
	static const uint16_t own[6] = {0, 0, 0, 7};
	static const uint16_t indices[] = {0, 1, 2, 3, 4, 5};
	static const float moves[6][3] = {[4] = {1}};
	struct gltf_builder b = {0};
	add_data(&b, "VEC3", F32, 6, positions, sizeof positions);
	add_data(&b, "VEC2", F32, 6, texcoords, sizeof texcoords);
	add_data(&b, "SCALAR", U16, 6, own, sizeof own);
	add_data(&b, "SCALAR", U16, 6, indices, sizeof indices);
	add_data(&b, "VEC3", F32, 6, moves, sizeof moves);
	return b;
}

static void finds_equal_vertices(void **state) {
	(void)state;
	struct gltf_builder b = doubled();
	struct read read = read_built(&b, TRIANGLES(", \"indices\": 3"));
	expect_vertices(&read, VERTEX_DUPLICATE, (const int[]){2, 4, -1});
	assert_true(read.facts->primitives[0].indexed);
	assert_int_equal(read.facts->primitives[1].flaws[VERTEX_DUPLICATE].count, 2);
	finish(&read);
	b = doubled();
	read = read_built(&b, TRIANGLES(", \"indices\": 3, \"targets\": [{\"POSITION\": 4}]"));
	expect_vertices(&read, VERTEX_DUPLICATE, (const int[]){2, -1});
	assert_int_equal(read.facts->morph_targets[0], 1);
	finish(&read);
	b = doubled();
	read = read_built(&b, TRIANGLES(""));
	expect_vertices(&read, VERTEX_DUPLICATE, NONE);
	finish(&read);
}

/* A sparse accessor's vertices are what it makes of them: all equal but the two replaced. */
static void compares_what_sparse_accessors_replace(void **state) {
	(void)state;
	static const uint16_t replaced[] = {1, 4};
	static const float values[] = {0, 1, 0, 0, 1, 0};
	static const uint16_t indices[] = {0, 1, 2, 3, 4, 5};
	struct gltf_builder b = {0};
	const int at = add_view(&b, replaced, sizeof replaced);
	const int with = add_view(&b, values, sizeof values);
	add_accessor(&b,
		"{\"componentType\": 5126, \"count\": 6, \"type\": \"VEC3\", \"sparse\": "
		"{\"count\": "
		"2, \"indices\": {\"bufferView\": %d, \"componentType\": 5123}, \"values\": "
		"{\"bufferView\": %d}}}",
		at, with);
	add_data(&b, "SCALAR", U16, 6, indices, sizeof indices);
	struct read read = read_built(&b,
		"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"attributes\": "
		"{\"POSITION\": 0}, \"indices\": 1}]}]");
	expect_vertices(&read, VERTEX_DUPLICATE, (const int[]){2, 3, 4, 5, -1});
	finish(&read);
}

/* One step of the hash of rows in gltf_facts_equal.c. */
static uint64_t hash_step(uint64_t hash, uint64_t word) {
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* Two rows of one hash that differ, in turn: each is equal to the one before the last. */
static void tells_rows_of_one_hash_apart(void **state) {
	(void)state;
	const uint64_t first = UINT64_C(0x3f8000003f800000), other = UINT64_C(0x4000000040000000);
	const uint64_t second = UINT64_C(0x3f80000040400000);
	const uint64_t rows[2][2] = {
		{first, second}, {other, second ^ hash_step(0, first) ^ hash_step(0, other)}};
	assert_true(hash_step(hash_step(0, rows[0][0]), rows[0][1]) ==
		hash_step(hash_step(0, rows[1][0]), rows[1][1]));
	unsigned char positions[6][12], own[6][4];
	static const uint16_t indices[] = {0, 1, 2, 3, 4, 5};
	for (int i = 0; i < 6; i++) {
		memcpy(positions[i], rows[i % 2], 12);
		memcpy(own[i], (const char *)rows[i % 2] + 12, 4);
	}
	struct gltf_builder b = {0};
	const int view = add_view(&b, positions, sizeof positions);
	add_accessor(&b,
		"{\"bufferView\": %d, \"componentType\": 5126, \"count\": 6, \"type\": \"VEC3\"}",
		view);
	add_data(&b, "SCALAR", U32, 6, own, sizeof own);
	add_data(&b, "SCALAR", U16, 6, indices, sizeof indices);
	struct read read = read_built(&b,
		"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"attributes\": "
		"{\"POSITION\": 0, \"_OWN\": 1}, \"indices\": 2}]}]");
	expect_vertices(&read, VERTEX_DUPLICATE, (const int[]){2, 3, 4, 5, -1});
	finish(&read);
}

static void lists_the_first_fifty(void **state) {
	(void)state;
	enum { COUNT = 120 };
	static float positions[COUNT][3];
	for (int i = 1; i < COUNT; i++) {
		positions[i][1] = NAN;
	}
	struct gltf_builder b = {0};
	add_data(&b, "VEC3", F32, COUNT, positions, sizeof positions);
	struct read read = read_built(&b,
		"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 0, "
		"\"attributes\": {\"POSITION\": 0}}]}]");
	const struct vertex_flaws *flaws =
		&read.facts->primitives[0].flaws[VERTEX_POSITION_NONFINITE];
	assert_int_equal(flaws->count, COUNT - 1);
	assert_int_equal(flaws->listed, ASSET_FACTS_VERTICES_MAX);
	assert_int_equal(read.facts->vertices[flaws->first + 49], 50);
	finish(&read);
}

/* All else that a strict import refuses, a lenient one refuses with the same text. */
static void refuses_all_else_as_a_strict_import_does(void **state) {
	(void)state;
	static const float bad[12] = {0, NAN};
	static const char *const members[] = {
		"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 0, "
		"\"attributes\": {\"POSITION\": 1, \"COLOR_0\": 0}}]}]",
		"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 0, "
		"\"attributes\": {\"POSITION\": 1}, \"targets\": [{\"POSITION\": 0}]}]}]",
		"\"nodes\": [{\"children\": [0]}]",
	};
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		struct error strict = {0}, lenient = {0};
		struct asset_facts *facts;
		for (int k = 0; k < 2; k++) {
			struct gltf_builder b = {0};
			add_data(&b, "VEC3", F32, 4, bad, sizeof bad);
			add_data(&b, "VEC3", F32, 4, quad_positions, sizeof quad_positions);
			assert_null(k == 0
					? import_built(&b, members[i], &strict)
					: import_built_lenient(&b, members[i], &facts, &lenient));
		}
		assert_null(facts);
		assert_int_equal(strict.code, lenient.code);
		assert_string_equal(strict.text, lenient.text);
	}
}

/* --- Images --- */

#define PNG_OF_ONE_PIXEL \
	"data:image/" \
	"png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQ" \
	"GAhKmMIQAAAABJRU5ErkJggg=="

/* The header of a KTX 2 file: Vulkan's format and the supercompression. */
static void add_ktx2(struct gltf_builder *b, uint32_t format, uint32_t width, uint32_t height,
	uint32_t supercompression) {
	unsigned char header[48] = "\xabKTX 20\xbb\r\n\x1a\n";
	const uint32_t numbers[] = {format, 1, width, height, 0, 0, 1, 1, supercompression};
	memcpy(header + 12, numbers, sizeof numbers);
	add_view(b, header, sizeof header);
}

static void add_dds(struct gltf_builder *b, const char *code, uint32_t width, uint32_t height) {
	unsigned char header[128] = "DDS ";
	memcpy(header + 12, &height, 4);
	memcpy(header + 16, &width, 4);
	memcpy(header + 84, code, 4);
	add_view(b, header, sizeof header);
}

/* Images 0 to 4, of textures 0 to 4; texture 5 shares image 0, and no material uses texture 6. */
static void measures_images_on_the_gpu(void **state) {
	(void)state;
	static const struct image_facts expected[] = {
		{0, 1, 1, 4 * 4 / 3},
		{1, 1024, 512, 1024 * 512 / 2 * 4 / 3}, // BasisLZ: half a byte a pixel
		{2, 1024, 512, 1024 * 512 * 4 / 3},     // UASTC: one byte
		{3, 10, 6, 3 * 2 * 8 * 4 / 3},          // DXT1: 3 x 2 blocks
		{4, 16, 16, 16 * 16 * 4 * 4 / 3},       // VK_FORMAT_R8G8B8A8_SRGB
	};
	struct gltf_builder b = quad();
	add_ktx2(&b, 0, 1024, 512, 1);
	add_ktx2(&b, 0, 1024, 512, 0);
	add_dds(&b, "DXT1", 10, 6);
	add_ktx2(&b, 43, 16, 16, 0);
	add_ktx2(&b, 43, 1u << 21, 16, 0);
	struct read read = read_built(&b,
		"\"extensionsUsed\": [\"KHR_texture_basisu\", \"MSFT_texture_dds\"], \"images\": [{"
		"\"uri\": \"" PNG_OF_ONE_PIXEL "\"}, {\"bufferView\": 1}, {\"bufferView\": 2}, "
		"{\"bufferView\": 3}, {\"bufferView\": 4}, {\"bufferView\": 5}], \"textures\": ["
		"{\"source\": 0}, {\"extensions\": {\"KHR_texture_basisu\": {\"source\": 1}}}, "
		"{\"extensions\": {\"KHR_texture_basisu\": {\"source\": 2}}}, "
		"{\"extensions\": {\"MSFT_texture_dds\": {\"source\": 3}}}, "
		"{\"extensions\": {\"KHR_texture_basisu\": {\"source\": 4}}}, {\"source\": 0}, "
		"{\"extensions\": {\"KHR_texture_basisu\": {\"source\": 5}}}, "
		"{\"extensions\": {\"KHR_texture_basisu\": {\"source\": 5}}}], \"materials\": [{"
		"\"pbrMetallicRoughness\": {\"baseColorTexture\": {\"index\": 0}, "
		"\"metallicRoughnessTexture\": {\"index\": 1}}, \"normalTexture\": {\"index\": 2}, "
		"\"occlusionTexture\": {\"index\": 3}, \"emissiveTexture\": {\"index\": 4}}, {"
		"\"pbrMetallicRoughness\": {\"baseColorTexture\": {\"index\": 5}}}, {"
		"\"pbrMetallicRoughness\": {\"baseColorTexture\": {\"index\": 7}}}]");
	assert_int_equal(read.facts->image_count, 5);
	for (int i = 0; i < 5; i++) {
		const struct image_facts *image = &read.facts->images[i];
		const struct image_facts *row = &expected[image->image];
		assert_int_equal(image->width, row->width);
		assert_int_equal(image->height, row->height);
		assert_int_equal(image->gpu_bytes, row->gpu_bytes);
	}
	finish(&read);
}

/* Decoded here, but not on a GPU: 48 x 40 pixels at half a byte each. */
static void measures_a_decoded_ktx2_as_it_is_on_the_gpu(void **state) {
	(void)state;
	struct gltf_builder b = quad();
	struct buffer ktx2 = own_file("tests/fuzz/seeds/fuzz_texture/etc1s.ktx2");
	add_view(&b, ktx2.data, ktx2.size);
	buffer_finish(&ktx2);
	struct read read = read_built(&b,
		"\"images\": [{\"bufferView\": 1}], \"textures\": [{\"extensions\": "
		"{\"KHR_texture_basisu\": {\"source\": 0}}}], \"materials\": [{"
		"\"emissiveTexture\": {\"index\": 0}}]");
	assert_int_equal(read.rig->image_count, 1);
	assert_int_equal(read.facts->image_count, 1);
	assert_int_equal(read.facts->images[0].width, 48);
	assert_int_equal(read.facts->images[0].gpu_bytes, 48 * 40 / 2 * 4 / 3);
	finish(&read);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_flaws_of_float_weights),
		cmocka_unit_test(counts_integer_weights_by_their_step),
		cmocka_unit_test(keeps_all_slots_of_a_skin),
		cmocka_unit_test(mends_positions_and_lists_normals),
		cmocka_unit_test(finds_equal_vertices),
		cmocka_unit_test(compares_what_sparse_accessors_replace),
		cmocka_unit_test(tells_rows_of_one_hash_apart),
		cmocka_unit_test(lists_the_first_fifty),
		cmocka_unit_test(refuses_all_else_as_a_strict_import_does),
		cmocka_unit_test(measures_images_on_the_gpu),
		cmocka_unit_test(measures_a_decoded_ktx2_as_it_is_on_the_gpu),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
