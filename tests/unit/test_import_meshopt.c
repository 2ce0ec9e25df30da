// EXT_meshopt_compression: every mode and filter, and what must not be decoded.
#include <stdio.h>
#include <string.h>

#include <meshoptimizer.h>

#include "check.h"
#include "gltf_builder.h"

/* Compressed bytes, and what the extension says of them. */
struct packed {
	unsigned char bytes[4096];
	size_t size, count, stride;
	const char *mode, *filter;
	bool is_wider; // than what its accessor takes: the view has the stride, too
};

static struct packed pack_vertices(const void *elements, size_t count, size_t stride) {
	struct packed packed = {
		.count = count, .stride = stride, .mode = "ATTRIBUTES", .filter = "NONE"};
	packed.size = meshopt_encodeVertexBuffer(
		packed.bytes, sizeof packed.bytes, elements, count, stride);
	assert_true(packed.size > 0);
	return packed;
}

static struct packed pack_triangles(const unsigned *indices, size_t count, size_t stride) {
	struct packed packed = {
		.count = count, .stride = stride, .mode = "TRIANGLES", .filter = "NONE"};
	packed.size = meshopt_encodeIndexBuffer(packed.bytes, sizeof packed.bytes, indices, count);
	assert_true(packed.size > 0);
	return packed;
}

static struct packed pack_sequence(const unsigned *indices, size_t count, size_t stride) {
	struct packed packed = {
		.count = count, .stride = stride, .mode = "INDICES", .filter = "NONE"};
	packed.size =
		meshopt_encodeIndexSequence(packed.bytes, sizeof packed.bytes, indices, count);
	assert_true(packed.size > 0);
	return packed;
}

/* A view into the placeholder, buffers[1], compressed in buffers[0]. */
static int add_packed(struct gltf_builder *b, const struct packed *packed) {
	const size_t offset = add_bytes(b, packed->bytes, packed->size);
	char stride[64] = "";
	if (packed->is_wider) {
		snprintf(stride, sizeof stride, ", \"byteStride\": %zu", packed->stride);
	}
	b->more_buffers = ", {\"byteLength\": 1000000}";
	return add_view_text(b,
		"{\"buffer\": 1%s, \"byteLength\": %zu, \"extensions\": "
		"{\"EXT_meshopt_compression\": "
		"{\"buffer\": 0, \"byteOffset\": %zu, \"byteLength\": %zu, \"byteStride\": %zu, "
		"\"count\": %zu, \"mode\": \"%s\", \"filter\": \"%s\"}}}",
		stride, packed->count * packed->stride, offset, packed->size, packed->stride,
		packed->count, packed->mode, packed->filter);
}

static int add_packed_accessor(
	struct gltf_builder *b, const struct packed *packed, const char *type, int component) {
	return add_accessor(b,
		"{\"bufferView\": %d, \"componentType\": %d, \"count\": %zu, \"type\": \"%s\"}",
		add_packed(b, packed), component, packed->count, type);
}

static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};

#define EXTENSIONS "\"extensionsRequired\": [\"EXT_meshopt_compression\"], "
#define MESH(indices) \
	EXTENSIONS "\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"attributes\": " \
		   "{\"POSITION\": 0}" indices "}]}]"

static void decodes_attributes_and_both_kinds_of_indices(void **state) {
	(void)state;
	static const unsigned indices[] = {0, 1, 2, 2, 1, 3};
	for (size_t stride = 2; stride <= 4; stride += 2) {
		for (int sequence = 0; sequence < 2; sequence++) {
			struct gltf_builder b = {0};
			const struct packed positions = pack_vertices(corners, 4, 12);
			const struct packed packed = sequence ? pack_sequence(indices, 6, stride)
							      : pack_triangles(indices, 6, stride);
			add_packed_accessor(&b, &positions, "VEC3", F32);
			add_packed_accessor(&b, &packed, "SCALAR", stride == 2 ? U16 : U32);
			struct rig *rig = import_sound(&b, MESH(", \"indices\": 1"));
			assert_int_equal(rig->vertex_count, 4);
			assert_memory_equal(rig->positions, corners, sizeof corners);
			assert_int_equal(rig->index_count, 6);
			// The codec may turn the corners of a triangle round.
			for (int i = 0; i < 6; i += 3) {
				const uint32_t *got = &rig->indices[i];
				assert_int_equal(got[0] + got[1] + got[2],
					indices[i] + indices[i + 1] + indices[i + 2]);
			}
			rig_release(rig);
		}
	}
}

static void decodes_octahedral_normals(void **state) {
	(void)state;
	static const float normals[] = {0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0, -1, 0, 0, 1, 0, 0, 0};
	for (size_t stride = 4; stride <= 8; stride += 4) {
		unsigned char filtered[32];
		meshopt_encodeFilterOct(filtered, 4, stride, stride == 4 ? 8 : 12, normals);
		struct packed packed = pack_vertices(filtered, 4, stride);
		packed.filter = "OCTAHEDRAL";
		struct gltf_builder b = {0};
		add_data(&b, "VEC3", F32, 4, corners, sizeof corners);
		// Elements of four numbers, of which the accessor takes three.
		packed.is_wider = true;
		add_accessor(&b,
			"{\"bufferView\": %d, \"componentType\": %d, \"normalized\": true, "
			"\"count\": 4, \"type\": \"VEC3\"}",
			add_packed(&b, &packed), stride == 4 ? I8 : I16);
		struct rig *rig = import_sound(&b,
			"\"extensionsUsed\": [\"KHR_mesh_quantization\"], \"nodes\": [{\"mesh\": "
			"0}], \"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0, "
			"\"NORMAL\": 1}, \"mode\": 0}]}]");
		for (int i = 0; i < 12; i++) {
			assert_near((double)rig->normals[i], (double)normals[i / 3 * 4 + i % 3],
				stride == 4 ? 0.02 : 0.002);
		}
		rig_release(rig);
	}
}

static void decodes_rotations_and_exponents(void **state) {
	(void)state;
	static const float times[] = {0, 1}, steps[] = {1, 2, -3, 0.25f, 0, 1000};
	static const float turns[] = {0, 0.6f, 0, 0.8f, 0.5f, -0.5f, 0.5f, 0.5f};
	unsigned char quaternions[16], exponents[24];
	meshopt_encodeFilterQuat(quaternions, 2, 8, 16, turns);
	meshopt_encodeFilterExp(exponents, 2, 12, 20, steps);
	struct packed rotation = pack_vertices(quaternions, 2, 8);
	struct packed translation = pack_vertices(exponents, 2, 12);
	rotation.filter = "QUATERNION";
	translation.filter = "EXPONENTIAL";
	struct gltf_builder b = {0};
	add_data(&b, "SCALAR", F32, 2, times, sizeof times);
	add_accessor(&b,
		"{\"bufferView\": %d, \"componentType\": 5122, \"normalized\": true, \"count\": "
		"2, \"type\": \"VEC4\"}",
		add_packed(&b, &rotation));
	add_packed_accessor(&b, &translation, "VEC3", F32);
	struct rig *rig = import_sound(&b,
		"\"nodes\": [{}], \"animations\": [{\"samplers\": [{\"input\": 0, \"output\": 1}, "
		"{\"input\": 0, \"output\": 2}], \"channels\": [{\"sampler\": 0, \"target\": "
		"{\"node\": 0, \"path\": \"rotation\"}}, {\"sampler\": 1, \"target\": {\"node\": "
		"0, \"path\": \"translation\"}}]}]");
	const struct channel *channels = rig->clips[0].channels;
	for (int key = 0; key < 2; key++) {
		double dot = 0; // q and -q are one rotation
		for (int i = 0; i < 4; i++) {
			dot += (double)channels[0].values[key * 4 + i] * (double)turns[key * 4 + i];
		}
		assert_near(fabs(dot), 1, 1e-6);
	}
	for (int i = 0; i < 6; i++) {
		assert_near((double)channels[1].values[i], (double)steps[i], 0.01);
	}
	rig_release(rig);
}

/* The extension of one view of 48 bytes, of which buffers[0] has 4. */
#define VIEW(extension) \
	"{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"byteLength\": 4, \"uri\": " \
	"\"data:,abcd\"}, {\"byteLength\": 48}], \"bufferViews\": [{\"buffer\": 1, " \
	"\"byteLength\": 48, \"extensions\": {\"EXT_meshopt_compression\": {" extension "}}}]}"
#define SOURCE "\"buffer\": 0, \"byteLength\": 4, "

static void refuses_what_no_stream_can_be(void **state) {
	(void)state;
	static const struct {
		const char *json, *text;
	} rows[] = {
		{VIEW(SOURCE "\"byteStride\": 12, \"count\": 4"),
			"bufferViews[0].extensions.EXT_meshopt_compression: has no mode"},
		{VIEW(SOURCE "\"mode\": \"ATTRIBUTES\", \"filter\": \"X\""),
			"filter is \"X\", must be one of: NONE, OCTAHEDRAL, "
			"QUATERNION, EXPONENTIAL"},
		{VIEW(SOURCE "\"mode\": \"TRIANGLES\", \"filter\": \"QUATERNION\""),
			"filter must be NONE for TRIANGLES"},
		{VIEW("\"byteLength\": 4, \"mode\": \"INDICES\""), "needs a buffer and"},
		{VIEW("\"buffer\": 0, \"mode\": \"INDICES\""), "a byteLength of at least 1"},
		{VIEW("\"buffer\": 1, \"byteLength\": 4, \"mode\": \"INDICES\""),
			"buffers[1] has no bytes to decode"},
		{VIEW("\"buffer\": 0, \"byteLength\": 5, \"mode\": \"INDICES\""),
			"bytes 0 to 5, but buffers[0] has only 4"},
		{VIEW("\"buffer\": 0, \"byteOffset\": 9007199254740991, \"byteLength\": 1, "
		      "\"mode\": \"INDICES\""),
			"but buffers[0] has only 4"},
		{VIEW(SOURCE "\"mode\": \"INDICES\", \"byteStride\": 8, \"count\": 6"),
			"byteStride is 8, must be 2 or 4 for INDICES"},
		{VIEW(SOURCE "\"mode\": \"ATTRIBUTES\", \"byteStride\": 6, \"count\": 8"),
			"byteStride is 6, must be a multiple of 4 from 4 to 256"},
		{VIEW(SOURCE "\"mode\": \"ATTRIBUTES\", \"byteStride\": 0, \"count\": 8"),
			"byteStride is 0, must be a multiple of 4"},
		{VIEW(SOURCE "\"mode\": \"ATTRIBUTES\", \"byteStride\": 260, \"count\": 8"),
			"byteStride is 260, must be a multiple of 4"},
		{VIEW(SOURCE "\"mode\": \"ATTRIBUTES\", \"filter\": \"OCTAHEDRAL\", "
			     "\"byteStride\": 12, \"count\": 4"),
			"byteStride is 12, must be 4 or 8 for OCTAHEDRAL"},
		{VIEW(SOURCE "\"mode\": \"TRIANGLES\", \"byteStride\": 2, \"count\": 24"),
			"its 4 bytes are not 24 elements of TRIANGLES"},
		{VIEW(SOURCE "\"mode\": \"TRIANGLES\", \"byteStride\": 4, \"count\": 14"),
			"count is 14, must be at least 1 and a multiple of 3"},
		{VIEW(SOURCE "\"mode\": \"ATTRIBUTES\", \"byteStride\": 12, \"count\": 5"),
			"5 elements of 12 bytes, but the view has a byteLength of 48"},
		{VIEW(SOURCE "\"mode\": \"ATTRIBUTES\", \"byteStride\": 4, \"count\": "
			     "4611686018427387916"),
			"count: is 4.6116860184273879e+18, must be a whole number"},
		{VIEW(SOURCE "\"mode\": \"ATTRIBUTES\", \"byteStride\": 12, \"count\": 4"),
			"its 4 bytes are not 4 elements of ATTRIBUTES (meshoptimizer says -"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		expect_refusal(rows[i].json, ERROR_BROKEN_ASSET, rows[i].text);
	}
}

/* A claim that no memory is taken for. */
static void refuses_more_than_the_bytes_can_hold(void **state) {
	(void)state;
	expect_refusal("{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"byteLength\": 4, "
		       "\"uri\": \"data:,abcd\"}, {\"byteLength\": 1e15}], \"bufferViews\": "
		       "[{\"buffer\": 1, \"byteLength\": 4e12, \"extensions\": "
		       "{\"EXT_meshopt_compression\": {" SOURCE
		       "\"mode\": \"INDICES\", \"byteStride\": 4, \"count\": 1e12}}}]}",
		ERROR_BROKEN_ASSET, "4000000000000 bytes cannot come out of 4");
}

static void refuses_views_into_a_placeholder(void **state) {
	(void)state;
	static const char *const buffers[] = {"{\"byteLength\": 8}",
		"{\"byteLength\": 8, \"uri\": \"data:,12345678\", \"extensions\": "
		"{\"EXT_meshopt_compression\": {\"fallback\": true}}}"};
	for (size_t i = 0; i < 2; i++) {
		char json[512];
		snprintf(json, sizeof json,
			"{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [%s], \"bufferViews\": "
			"[{\"buffer\": 0, \"byteLength\": 8}]}",
			buffers[i]);
		expect_refusal(json, ERROR_BROKEN_ASSET, "bufferViews[0]: buffers[0] has no");
	}
}

/* Whatever the bytes are: never a read outside of them (ASan watches the block). */
static void survives_every_cut_and_many_flips(void **state) {
	(void)state;
	static const unsigned indices[] = {0, 1, 2, 2, 1, 3};
	const struct packed positions = pack_vertices(corners, 4, 12);
	const struct packed triangles = pack_triangles(indices, 6, 2);
	for (size_t round = 0; round < 400; round++) {
		struct packed a = positions, c = triangles;
		if (round < 100) {
			a.size = round % a.size + 1;
			c.size = round % c.size + 1;
		} else {
			a.bytes[round % a.size] ^= (unsigned char)(round * 37);
			c.bytes[round % c.size] ^= (unsigned char)(round * 91);
		}
		struct gltf_builder b = {0};
		add_packed_accessor(&b, &a, "VEC3", F32);
		add_packed_accessor(&b, &c, "SCALAR", U16);
		rig_release(import_built(&b, MESH(", \"indices\": 1"), NULL));
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_no_stream_can_be),
		cmocka_unit_test(refuses_more_than_the_bytes_can_hold),
		cmocka_unit_test(refuses_views_into_a_placeholder),
		cmocka_unit_test(survives_every_cut_and_many_flips),
		cmocka_unit_test(decodes_attributes_and_both_kinds_of_indices),
		cmocka_unit_test(decodes_octahedral_normals),
		cmocka_unit_test(decodes_rotations_and_exponents),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
