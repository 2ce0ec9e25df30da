// KHR_draco_mesh_compression: what was packed comes out, and hostile streams do not get far.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "draco_pack.h"
#include "gltf_builder.h"
#include "import/draco_mesh.h"

#define DRACO "KHR_draco_mesh_compression"

static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.5f};
static const float normals[] = {0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, -1};
static const float texcoords[] = {0, 0, 1, 0, 0, 1, 0.25f, 0.75f};
static const uint8_t colors[] = {255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 0, 51, 51, 51, 255};
static const uint16_t joints[] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
static const uint8_t weights[] = {255, 0, 0, 0, 255, 0, 0, 0, 204, 51, 0, 0, 255, 0, 0, 0};
static const uint32_t indices[] = {0, 1, 2, 2, 1, 3};

static const struct draco_pack_attribute attributes[] = {{0, F32, 3, 0, positions},
	{1, F32, 3, 0, normals}, {3, F32, 2, 0, texcoords}, {2, U8, 4, 1, colors},
	{4, U16, 4, 0, joints}, {4, U8, 4, 1, weights}};

static unsigned char *pack_square(int sequential, size_t *size) {
	const struct draco_pack_job job = {
		.point_count = 4,
		.face_count = 2,
		.indices = indices,
		.attribute_count = sizeof attributes / sizeof attributes[0],
		.attributes = attributes,
		.sequential = sequential,
	};
	unsigned char *bytes = draco_pack(&job, size);
	assert_non_null(bytes);
	return bytes;
}

/* The document's claims about the packed square; zero = the true value. */
struct claim {
	size_t vertices, corners;
	const char *ids, *members; // of the extension and the primitive
};

/* A skinned square whose primitive is compressed. */
static struct gltf_builder describe(
	const void *bytes, size_t size, const struct claim *claim, char members[static 1400]) {
	struct gltf_builder b = {0};
	static const struct {
		const char *type;
		int component;
		const char *more;
	} rows[] = {{"VEC3", F32, ""}, {"VEC3", F32, ""}, {"VEC2", F32, ""},
		{"VEC4", U8, "\"normalized\": true, "}, {"VEC4", U8, ""},
		{"VEC4", U8, "\"normalized\": true, "}};
	add_view(&b, bytes, size);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		add_accessor(&b, "{\"componentType\": %d, %s\"count\": %zu, \"type\": \"%s\"}",
			rows[i].component, rows[i].more, claim->vertices ? claim->vertices : 4,
			rows[i].type);
	}
	add_accessor(&b, "{\"componentType\": 5123, \"count\": %zu, \"type\": \"SCALAR\"}",
		claim->corners ? claim->corners : 6);
	snprintf(members, 1400,
		"\"extensionsRequired\": [\"" DRACO "\"], \"nodes\": [{\"mesh\": 0, \"skin\": 0}, "
		"{}, {}], \"skins\": [{\"joints\": [1, 2]}], \"meshes\": [{\"primitives\": "
		"[{\"attributes\": {\"POSITION\": 0, \"NORMAL\": 1, \"TEXCOORD_0\": 2, "
		"\"COLOR_0\": 3, \"JOINTS_0\": 4, \"WEIGHTS_0\": 5}, %s, \"extensions\": {\"" DRACO
		"\": {%s}}}]}]",
		claim->members ? claim->members : "\"indices\": 6",
		claim->ids
			? claim->ids
			: "\"bufferView\": 0, \"attributes\": {\"POSITION\": 0, \"NORMAL\": 1, "
			  "\"TEXCOORD_0\": 2, \"COLOR_0\": 3, \"JOINTS_0\": 4, \"WEIGHTS_0\": 5}");
	return b;
}

static struct rig *import_square(
	const void *bytes, size_t size, const struct claim *claim, struct error *err) {
	char members[1400];
	struct gltf_builder b = describe(bytes, size, claim, members);
	return import_built(&b, members, err);
}

/* Draco renumbers the points: finds the new number of one of ours. */
static int find_vertex(const struct rig *rig, int own) {
	for (int i = 0; i < rig->vertex_count; i++) {
		const float *p = &rig->positions[i * 3], *q = &positions[own * 3];
		if (fabsf(p[0] - q[0]) + fabsf(p[1] - q[1]) + fabsf(p[2] - q[2]) < 1e-3f) {
			return i;
		}
	}
	fail_msg("vertex %d is lost", own);
	return -1;
}

static void check_vertex(const struct rig *rig, int own) {
	const int i = find_vertex(rig, own);
	for (int k = 0; k < 3; k++) {
		assert_near((double)rig->normals[i * 3 + k], (double)normals[own * 3 + k], 0.02);
	}
	for (int k = 0; k < 2; k++) {
		assert_near(
			(double)rig->texcoords[0][i * 2 + k], (double)texcoords[own * 2 + k], 1e-3);
	}
	for (int k = 0; k < 4; k++) {
		assert_near((double)rig->colors[i * 4 + k], colors[own * 4 + k] / 255.0, 1e-6);
	}
	assert_int_equal(rig->influence_slots[i * 4], joints[own * 4]);
	assert_near((double)rig->influence_weights[i * 4], weights[own * 4] / 255.0, 1e-6);
}

static void decodes_attributes_of_every_kind(void **state) {
	(void)state;
	static const struct claim claims[] = {
		{0}, {.corners = 4, .members = "\"indices\": 6, \"mode\": 5"}};
	for (int i = 0; i < 4; i++) {
		size_t size;
		struct error err = {0};
		unsigned char *bytes = pack_square(i % 2, &size);
		struct rig *rig = import_square(bytes, size, &claims[i / 2], &err);
		free(bytes);
		assert_string_equal(err.text, "");
		assert_int_equal(rig->vertex_count, 4);
		assert_int_equal(rig->index_count, 6);
		assert_int_equal(rig->primitives[0].topology, TOPOLOGY_TRIANGLES);
		for (int own = 0; own < 4; own++) {
			check_vertex(rig, own);
		}
		const uint32_t *corner = rig->indices;
		assert_int_equal(
			corner[0] + corner[1] + corner[2] + corner[3] + corner[4] + corner[5],
			6 + find_vertex(rig, 1) + find_vertex(rig, 2));
		rig_release(rig);
	}
}

static void refuses_what_the_document_does_not_say(void **state) {
	(void)state;
#define IDS(attributes) "\"bufferView\": 0, \"attributes\": {" attributes "}"
	static const struct {
		struct claim claim;
		const char *text;
	} rows[] = {
		{{.ids = "\"attributes\": {}"},
			"meshes[0].primitives[0].extensions." DRACO
			": needs a bufferView and attributes"},
		{{.ids = "\"bufferView\": 0"}, "needs a bufferView and attributes"},
		{{.ids = "\"bufferView\": 7, \"attributes\": {}"}, "is 7, but there are only 1"},
		{{.members = "\"mode\": 1, \"indices\": 6"}, "mode is 1, must be 4 or 5"},
		{{.members = "\"mode\": 4"}, "needs indices and a POSITION"},
		{{.members = "\"indices\": 0"}, "accessors[0] is VEC3 of FLOAT, must be SCALAR of"},
		{{.vertices = 3}, "the accessors have 2 of 3"},
		{{.corners = 3}, "Draco: 2 triangles of 4 points, but the accessors have 1 of 4"},
		{{.vertices = 5},
			"decoded to 6 corners of 4 vertices, but accessors[6] has 6, "
			"accessors[0] 5"},
		{{.corners = 9}, "decoded to 6 corners of 4 vertices, but accessors[6] has 9"},
		{{.ids = IDS("\"POSITION\": 9")},
			"attributes.POSITION: Draco: there is no "
			"attribute 9"},
		{{.ids = IDS("\"POSITION\": 2")},
			"attributes.POSITION: Draco: attribute 2 has 2 "
			"numbers, the accessor's type 3"},
		{{.ids = IDS("\"POSITION\": -1")}, "attributes.POSITION: is -1, must be a whole"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t size;
		char members[1400];
		unsigned char *bytes = pack_square(1, &size);
		struct gltf_builder b = describe(bytes, size, &rows[i].claim, members);
		expect_built_refusal(&b, members, ERROR_BROKEN_ASSET, rows[i].text);
		free(bytes);
	}
}

static void refuses_numbers_that_do_not_fit(void **state) {
	(void)state;
	static const uint16_t great[] = {0, 300, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	const struct draco_pack_attribute own[] = {attributes[0], {4, U16, 4, 0, great}};
	const struct draco_pack_job job = {.point_count = 4,
		.face_count = 2,
		.indices = indices,
		.attribute_count = 2,
		.attributes = own,
		.sequential = 1};
	const struct claim claim = {
		.ids = IDS("\"POSITION\": 0, \"JOINTS_0\": 1"),
	};
	size_t size;
	char members[1400];
	unsigned char *bytes = draco_pack(&job, &size);
	struct gltf_builder b = describe(bytes, size, &claim, members);
	expect_built_refusal(&b, members, ERROR_BROKEN_ASSET,
		"attributes.JOINTS_0: Draco: attribute 1 of point 0 does not fit");
	free(bytes);
}

static void refuses_an_accessor_of_two_streams(void **state) {
	(void)state;
	size_t size;
	char members[1400];
	unsigned char *bytes = pack_square(1, &size);
	const struct claim claim = {0};
	struct gltf_builder b = describe(bytes, size, &claim, members);
	add_view(&b, bytes, size);
	free(bytes);
	static const char second[] =
		", {\"attributes\": {\"POSITION\": 0}, \"indices\": 6, \"extensions\": {\"" DRACO
		"\": {\"bufferView\": 1, \"attributes\": {\"POSITION\": 0}}}}]}]";
	memcpy(members + strlen(members) - 3, second, sizeof second);
	expect_built_refusal(&b, members, ERROR_BROKEN_ASSET,
		"meshes[0].primitives[1].extensions." DRACO
		": accessors[6] belongs to another compressed primitive already");
}

/* Heads that claim a lot; nothing behind them. */
static void refuses_bombs_by_their_heads(void **state) {
	(void)state;
	static const unsigned char edgebreaker[] = "DRACO\2\2\1\1\0\0\0\x80\x80\x80\x08"
						   "\x80\x80\x80\x10\0\0\0\0\0\0";
	static const unsigned char sequential[] =
		"DRACO\2\2\1\0\0\0\x80\x80\x80\x10\x80\x80\x80\x08\1\0\0\0\0\0";
	const struct {
		const unsigned char *bytes;
		size_t size;
	} heads[] = {{edgebreaker, sizeof edgebreaker}, {sequential, sizeof sequential}};
	for (size_t i = 0; i < 2; i++) {
		char members[1400];
		const struct claim modest = {0};
		struct gltf_builder b = describe(heads[i].bytes, heads[i].size, &modest, members);
		expect_built_refusal(&b, members, ERROR_BROKEN_ASSET,
			"Draco: 33554432 triangles of 16777216 points, but the accessors have 2 of "
			"4");
		const struct claim great = {.vertices = 1 << 24, .corners = 3 << 25};
		b = describe(heads[i].bytes, heads[i].size, &great, members);
		expect_built_refusal(&b, members, ERROR_TOO_LARGE,
			"Draco: decoding takes about 4294967296 bytes");
	}
}

static void refuses_attributes_beyond_the_budget(void **state) {
	(void)state;
	size_t size;
	unsigned char *bytes = pack_square(1, &size);
	const struct draco_limits limits = {.faces = 2, .points = 4, .bytes = 2 * 128};
	struct error err = {0};
	assert_null(draco_mesh_decode(bytes, size, &limits, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	free(bytes);
}

static void refuses_other_streams(void **state) {
	(void)state;
	static const struct {
		const char *bytes;
		size_t size;
		enum error_code code;
		const char *text;
	} rows[] = {
		{"DRACO\1\1\1\1\0\0\0\1\1\0", 15, ERROR_UNSUPPORTED_ASSET,
			"Draco bitstream 1.1, must be 2.2"},
		{"DRACO\2\2\0\0\0\0", 11, ERROR_BROKEN_ASSET, "Draco: holds no triangle mesh"},
		{"DRACX\2\2\1\1\0\0", 11, ERROR_BROKEN_ASSET, "Draco: Not a Draco file"},
		{"DRA", 3, ERROR_BROKEN_ASSET, "Draco: "},
		{"DRACO\2\2\1\1\0\0\0\x80", 13, ERROR_BROKEN_ASSET, "Draco: the head is cut off"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char members[1400];
		const struct claim claim = {0};
		struct gltf_builder b = describe(rows[i].bytes, rows[i].size, &claim, members);
		expect_built_refusal(&b, members, rows[i].code, rows[i].text);
	}
}

/* Whatever the bytes are: a refusal or a rig that stands its check, and no read outside of the
 * block (ASan watches it). */
static void survives_every_cut_and_many_flips(void **state) {
	(void)state;
	for (int sequential = 0; sequential < 2; sequential++) {
		size_t size;
		unsigned char *bytes = pack_square(sequential, &size);
		for (size_t round = 0; round < size * 9; round++) {
			const size_t kept = round < size ? round : size;
			unsigned char *part = malloc(kept ? kept : 1);
			memcpy(part, bytes, kept);
			if (round >= size) {
				part[round % size] ^= (unsigned char)(1u << (round / size - 1));
			}
			const struct draco_limits limits = {2, 4, 1 << 20};
			struct draco_mesh *mesh = draco_mesh_decode(part, kept, &limits, NULL);
			draco_mesh_destroy(mesh);
			free(part);
		}
		free(bytes);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_the_document_does_not_say),
		cmocka_unit_test(refuses_numbers_that_do_not_fit),
		cmocka_unit_test(refuses_an_accessor_of_two_streams),
		cmocka_unit_test(refuses_bombs_by_their_heads),
		cmocka_unit_test(refuses_attributes_beyond_the_budget),
		cmocka_unit_test(refuses_other_streams),
		cmocka_unit_test(survives_every_cut_and_many_flips),
		cmocka_unit_test(decodes_attributes_of_every_kind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
