// GLB: the header and the chunks around a glTF document.
#include "import/glb.h"

#include <stdint.h>
#include <string.h>

#include "import/gltf.h"

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

struct rig *glb_import(const unsigned char *bytes, size_t size, struct error *err) {
	struct gltf_source source;
	return glb_split(bytes, size, &source, err) ? gltf_import_source(&source, err) : NULL;
}
