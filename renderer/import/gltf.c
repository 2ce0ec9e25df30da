// A glTF 2.0 document -> a rig: the steps in their order.
#include "import/gltf.h"

#include <stdint.h>
#include <string.h>

#include "import/gltf_document.h"
#include "import/gltf_facts.h"
#include "import/gltf_rule_steps.h"
#include "import/vrm.h"
#include "import/vrma.h"

/* Each step uses what those before it have read. */
static bool (*const steps[])(struct gltf *gltf, struct error *err) = {
	gltf_read_accessors, gltf_read_materials, gltf_read_variants, gltf_read_nodes,
	gltf_read_skins, gltf_read_meshes, gltf_read_scene, gltf_read_rest_weights,
	gltf_build_primitives, gltf_read_lights, gltf_read_cameras, gltf_read_animations,
	gltf_read_avatar, gltf_read_vrma,
	gltf_read_textures, // may take what the others leave of the memory
};

static bool take_steps(struct gltf *gltf, struct error *err) {
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		if (!steps[i](gltf, err)) {
			return false;
		}
	}
	return true;
}

/* Says which rules the document breaks that has been read all the same. */
static void check_rules(struct gltf *gltf) {
	unsigned char *uses = arena_alloc(gltf->arena, (size_t)gltf->accessor_count, 1);
	gltf_check_schema(gltf);
	gltf_check_tree(gltf);
	gltf_check_links(gltf, uses);
	gltf_check_data(gltf, uses);
	gltf_warn_of_breaches(gltf);
}

bool gltf_probe(const unsigned char *bytes, size_t size) {
	size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	while (at < size && strchr(" \t\r\n", bytes[at]) && bytes[at] != '\0') {
		at++;
	}
	return at < size && bytes[at] == '{';
}

struct rig *gltf_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err) {
	const struct gltf_source source = {
		.json = bytes, .json_size = size, .json_room = size, .file_size = size};
	return gltf_import_source(&source, facts, err);
}

static bool make_facts(struct gltf *gltf, struct asset_facts **facts, struct error *err) {
	*facts = gltf_facts_finish(gltf, err);
	return *facts;
}

struct rig *gltf_import_source(
	const struct gltf_source *source, struct asset_facts **facts, struct error *err) {
	struct gltf gltf = {.rig = rig_create(), .arena = arena_create()};
	if (facts) {
		gltf.facts = gltf_facts_create(gltf.arena, source->file_size);
	}
	const bool imported = gltf_document_load(&gltf, source, err) && take_steps(&gltf, err) &&
		(!facts || make_facts(&gltf, facts, err));
	if (imported) {
		check_rules(&gltf);
	}
	arena_destroy(gltf.arena);
	if (!imported) {
		rig_release(gltf.rig);
		return NULL;
	}
	return gltf.rig;
}

#define HEADER_BYTES 12
#define CHUNK_HEADER_BYTES 8
#define CHUNK_JSON 0x4e4f534au
#define CHUNK_BIN 0x004e4942u

static uint32_t read_u32(const unsigned char *bytes) {
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
		(uint32_t)bytes[3] << 24;
}

bool glb_probe(const unsigned char *bytes, size_t size) {
	return size >= 4 && memcmp(bytes, "glTF", 4) == 0;
}

static bool check_header(const unsigned char *bytes, size_t size, struct error *err) {
	if (size < HEADER_BYTES) {
		return error_set(err, ERROR_BROKEN_ASSET, "GLB header: cut after %zu of %d bytes",
			size, HEADER_BYTES);
	}
	const uint32_t length = read_u32(bytes + 8);
	if (read_u32(bytes + 4) != 2) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET, "GLB header: version %u, must be 2",
			read_u32(bytes + 4));
	}
	if (length < HEADER_BYTES || length > size) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"GLB header: length %u, but there are %zu bytes", length, size);
	}
	return true;
}

/* The chunk that is being read. */
struct chunk {
	int number; // for messages
	uint32_t type;
	const unsigned char *data;
	size_t size;
};

/* Reads the chunk at the front of what is left; *taken is its size with its header. */
static bool read_chunk(const unsigned char *left, size_t left_size, struct chunk *chunk,
	size_t *taken, struct error *err) {
	if (left_size < CHUNK_HEADER_BYTES) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"GLB chunk %d: %zu bytes left, its header has %d", chunk->number, left_size,
			CHUNK_HEADER_BYTES);
	}
	const uint32_t length = read_u32(left);
	if (length % 4 != 0) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"GLB chunk %d: length %u, must be a multiple of 4", chunk->number, length);
	}
	if (length > left_size - CHUNK_HEADER_BYTES) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"GLB chunk %d: length %u, but %zu bytes are left", chunk->number, length,
			left_size - CHUNK_HEADER_BYTES);
	}
	chunk->type = read_u32(left + 4);
	chunk->data = left + CHUNK_HEADER_BYTES;
	chunk->size = length;
	*taken = CHUNK_HEADER_BYTES + (size_t)length;
	return true;
}

/* JSON must be first and BIN second; chunks of other types are skipped, as the format asks. */
static bool place_chunk(const struct chunk *chunk, struct gltf_source *source, struct error *err) {
	if ((chunk->number == 0) != (chunk->type == CHUNK_JSON)) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"GLB chunk %d: type 0x%08x; the first chunk must be JSON, and only that",
			chunk->number, chunk->type);
	}
	if (chunk->type == CHUNK_BIN && chunk->number != 1) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"GLB chunk %d: a BIN chunk must be the second one", chunk->number);
	}
	if (chunk->type == CHUNK_JSON) {
		source->json = chunk->data;
		source->json_size = chunk->size;
	} else if (chunk->type == CHUNK_BIN) {
		source->bin = chunk->data;
		source->bin_size = chunk->size;
	}
	return true;
}

bool glb_split(
	const unsigned char *bytes, size_t size, struct gltf_source *source, struct error *err) {
	if (!check_header(bytes, size, err)) {
		return false;
	}
	const size_t length = read_u32(bytes + 8);
	*source = (struct gltf_source){.file_size = size, .extra_bytes = size - length};
	struct chunk chunk = {0};
	size_t offset = HEADER_BYTES;
	do {
		size_t taken = 0;
		if (!read_chunk(bytes + offset, length - offset, &chunk, &taken, err) ||
			!place_chunk(&chunk, source, err)) {
			return false;
		}
		offset += taken;
		chunk.number++;
	} while (offset < length);
	source->json_room = size - (size_t)(source->json - bytes);
	return true;
}

struct rig *glb_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err) {
	struct gltf_source source;
	return glb_split(bytes, size, &source, err) ? gltf_import_source(&source, facts, err)
						    : NULL;
}
