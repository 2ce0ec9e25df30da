// KTX 2 with Basis Universal's textures, as KHR_texture_basisu allows them: level 0 becomes RGBA.
// Sources: Khronos' KTX File Format Specification 2.0; KHR_texture_basisu of Khronos' glTF
// registry.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/delayed.h"
#include "base/memory.h"
#include "import/basis.h"
#include "import/file_start.h"
#include "import/image.h"

/* Bytes of the header with the index, before the levels' index, and of one of its entries. */
#define HEADER_BYTES 80
#define LEVEL_BYTES 24

/* Levels of an image whose sides have 32 bits. */
#define LEVELS_MAX 32

/* Bytes of a data format descriptor's basic block before its samples, with the total size, and of a
 * sample. */
#define FORMAT_BYTES 28
#define SAMPLE_BYTES 16

/* Bytes of BasisLZ's global data before the images' descriptions, and of one of them. */
#define GLOBAL_BYTES 20
#define DESCRIPTION_BYTES 20

enum supercompression { SUPER_NONE, SUPER_BASIS_LZ, SUPER_ZSTANDARD };

/* Numbers of the data format descriptor. */
enum color_model { MODEL_ETC1S = 163, MODEL_UASTC = 166 };
enum etc1s_channel { ETC1S_RGB = 0, ETC1S_RRR = 3, ETC1S_GGG = 4, ETC1S_AAA = 15 };
enum uastc_channel { UASTC_RGB = 0, UASTC_RGBA = 3, UASTC_RRR = 4, UASTC_RG = 6 };
#define ALPHA_PREMULTIPLIED 1

struct ktx2 {
	struct basis_bytes file;
	uint32_t width, height, level_count, supercompression;
	struct basis_bytes format, pairs, global,
		level;                              // descriptor; keys and values; ...; level 0
	uint64_t level_size;                        // when it is decompressed
	unsigned model, channels[2], channel_count; // of the descriptor's samples
	size_t used_channels;                       // of RGBA
};

static bool broken(struct error *err, const char *what) {
	return error_set(err, ERROR_BROKEN_ASSET, "KTX 2: %s", what);
}

static uint32_t read_u32(const struct basis_bytes *bytes, size_t at) {
	return file_start_u32(bytes->data + at);
}

static uint64_t read_u64(const struct basis_bytes *bytes, size_t at) {
	return read_u32(bytes, at) | (uint64_t)read_u32(bytes, at + 4) << 32;
}

/* A part of bytes; false if it does not lie within. */
static bool part_of(
	const struct basis_bytes *bytes, uint64_t at, uint64_t size, struct basis_bytes *part) {
	if (at > bytes->size || size > bytes->size - at) {
		return false;
	}
	*part = (struct basis_bytes){bytes->data + at, (size_t)size};
	return true;
}

static bool find_parts(struct ktx2 *ktx2, struct error *err) {
	const struct basis_bytes *file = &ktx2->file;
	if (HEADER_BYTES + (size_t)LEVEL_BYTES * ktx2->level_count > file->size ||
		!part_of(file, read_u32(file, 48), read_u32(file, 52), &ktx2->format) ||
		!part_of(file, read_u32(file, 56), read_u32(file, 60), &ktx2->pairs) ||
		!part_of(file, read_u64(file, 64), read_u64(file, 72), &ktx2->global) ||
		!part_of(file, read_u64(file, 80), read_u64(file, 88), &ktx2->level)) {
		return broken(err, "the data is cut off");
	}
	ktx2->level_size = read_u64(file, 96);
	return true;
}

/* Materials want two dimensions: no depth, no array, no cube. */
static bool read_header(struct ktx2 *ktx2, struct error *err) {
	const struct basis_bytes *file = &ktx2->file;
	if (file->size < HEADER_BYTES + LEVEL_BYTES) {
		return broken(err, "the data is cut off");
	}
	const uint32_t format = read_u32(file, 12), levels = read_u32(file, 40);
	ktx2->width = read_u32(file, 20);
	ktx2->height = read_u32(file, 24);
	ktx2->supercompression = read_u32(file, 44);
	ktx2->level_count = levels > 0 ? levels : 1;
	if (format != 0) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET,
			"KTX 2: of Vulkan's format %u, must be Basis Universal's ETC1S or UASTC",
			format);
	}
	if (read_u32(file, 28) != 0 || read_u32(file, 32) != 0 || read_u32(file, 36) != 1) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET,
			"KTX 2: depth %u, %u layers, %u faces; must be one picture (0, 0, 1)",
			read_u32(file, 28), read_u32(file, 32), read_u32(file, 36));
	}
	if (levels > LEVELS_MAX) {
		return broken(err, "more levels than an image can have");
	}
	return find_parts(ktx2, err);
}

/* --- Data format descriptor --- */

static bool read_format(struct ktx2 *ktx2, struct error *err) {
	const struct basis_bytes *format = &ktx2->format;
	if (format->size < FORMAT_BYTES || read_u32(format, 4) != 0) {
		return broken(err, "has no basic data format descriptor");
	}
	const size_t block = read_u32(format, 8) >> 16;
	if (block < FORMAT_BYTES - 4 || block > format->size - 4) {
		return broken(err, "the data format descriptor is cut off");
	}
	ktx2->model = format->data[12];
	if (format->data[15] & ALPHA_PREMULTIPLIED) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET,
			"KTX 2: colours are multiplied by alpha, which glTF's must not be");
	}
	const size_t samples = (block - (FORMAT_BYTES - 4)) / SAMPLE_BYTES;
	ktx2->channel_count = (unsigned)samples;
	for (size_t i = 0; i < samples && i < 2; i++) {
		ktx2->channels[i] = format->data[FORMAT_BYTES + SAMPLE_BYTES * i + 3] & 15;
	}
	return true;
}

/* The textures that KHR_texture_basisu allows, by their channels in the descriptor. */
static const struct texture_type {
	unsigned model, count, channels[2];
	size_t used; // channels of RGBA that the texture has
} texture_types[] = {
	{MODEL_ETC1S, 1, {ETC1S_RGB}, 3},
	{MODEL_ETC1S, 2, {ETC1S_RGB, ETC1S_AAA}, 4},
	{MODEL_ETC1S, 1, {ETC1S_RRR}, 1},
	{MODEL_ETC1S, 2, {ETC1S_RRR, ETC1S_GGG},
		1}, // the second one's place in RGBA is ours to choose
	{MODEL_UASTC, 1, {UASTC_RGB}, 3},
	{MODEL_UASTC, 1, {UASTC_RGBA}, 4},
	{MODEL_UASTC, 1, {UASTC_RRR}, 1},
	{MODEL_UASTC, 1, {UASTC_RG}, 2},
};

static bool find_type(struct ktx2 *ktx2, struct error *err) {
	for (size_t i = 0; i < sizeof texture_types / sizeof texture_types[0]; i++) {
		const struct texture_type *type = &texture_types[i];
		if (ktx2->model == type->model && ktx2->channel_count == type->count &&
			memcmp(ktx2->channels, type->channels, sizeof type->channels) == 0) {
			ktx2->used_channels = type->used;
			return true;
		}
	}
	return error_set(err, ERROR_UNSUPPORTED_ASSET,
		"KTX 2: channels that are neither RGB, RGBA, red, nor red and green");
}

static bool check_format(struct ktx2 *ktx2, struct error *err) {
	const uint32_t by = ktx2->supercompression;
	const bool etc1s = ktx2->model == MODEL_ETC1S && by == SUPER_BASIS_LZ;
	const bool uastc =
		ktx2->model == MODEL_UASTC && (by == SUPER_NONE || by == SUPER_ZSTANDARD);
	if (!etc1s && !uastc) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET,
			"KTX 2: colour model %u with supercompression %u; must be ETC1S (163) with "
			"BasisLZ (1), or UASTC (166) with none (0) or Zstandard (2)",
			ktx2->model, by);
	}
	return find_type(ktx2, err);
}

/* --- Keys and values --- */

/* The first row is on top, and channels are in their places, which KHR_texture_basisu wants; toktx
 * swaps those that red, or red and green, leave unused. */
static bool check_pair(const struct ktx2 *ktx2, const char *key, const struct basis_bytes *value,
	struct error *err) {
	const bool orientation = strcmp(key, "KTXorientation") == 0;
	const char *wanted = orientation ? "rd" : "rgba";
	const size_t length = orientation ? 2 : ktx2->used_channels;
	if (!orientation && strcmp(key, "KTXswizzle") != 0) {
		return true;
	}
	return (value->size >= length && memcmp(value->data, wanted, length) == 0) ||
		error_set(err, ERROR_UNSUPPORTED_ASSET, "KTX 2: %s must be %s", key, wanted);
}

static bool check_pairs(const struct ktx2 *ktx2, struct error *err) {
	const struct basis_bytes *pairs = &ktx2->pairs;
	for (size_t at = 0; at + 4 <= pairs->size;) {
		struct basis_bytes pair;
		if (!part_of(pairs, at + 4, read_u32(pairs, at), &pair)) {
			return broken(err, "a key and its value are cut off");
		}
		const char *key = (const char *)pair.data;
		const size_t length = strnlen(key, pair.size);
		if (length == pair.size) {
			return broken(err, "a key does not end");
		}
		const struct basis_bytes value = {pair.data + length + 1, pair.size - length - 1};
		if (!check_pair(ktx2, key, &value, err)) {
			return false;
		}
		at += 4 + (pair.size + 3) / 4 * 4;
	}
	return true;
}

/* --- Pixels --- */

static bool find_slice(const struct ktx2 *ktx2, const struct basis_bytes *description, size_t at,
	struct basis_bytes *slice, struct error *err) {
	return part_of(&ktx2->level, read_u32(description, at), read_u32(description, at + 4),
		       slice) ||
		broken(err, "the data of the image is cut off");
}

static bool decode_etc1s(const struct ktx2 *ktx2, const struct image *image, struct error *err) {
	const struct basis_bytes *global = &ktx2->global;
	const size_t descriptions = (size_t)DESCRIPTION_BYTES * ktx2->level_count;
	if (global->size < GLOBAL_BYTES + descriptions) {
		return broken(err, "the global data of BasisLZ is cut off");
	}
	const struct basis_bytes first = {global->data + GLOBAL_BYTES, DESCRIPTION_BYTES};
	const uint64_t at = GLOBAL_BYTES + descriptions, endpoints = read_u32(global, 4),
		       selectors = read_u32(global, 8), tables = read_u32(global, 12);
	struct basis_etc1s etc1s = {.endpoint_count = read_u32(global, 0) & 0xffff,
		.selector_count = read_u32(global, 0) >> 16,
		.second_channel = ktx2->channels[1] == ETC1S_AAA ? 3 : 1};
	if (!part_of(global, at, endpoints, &etc1s.endpoints) ||
		!part_of(global, at + endpoints, selectors, &etc1s.selectors) ||
		!part_of(global, at + endpoints + selectors, tables, &etc1s.tables)) {
		return broken(err, "the global data of BasisLZ is cut off");
	}
	if (read_u32(&first, 0) != 0) {
		return broken(err, "the image is a frame of a video");
	}
	if (!find_slice(ktx2, &first, 4, &etc1s.slice, err) ||
		!find_slice(ktx2, &first, 12, &etc1s.second_slice, err)) {
		return false;
	}
	if ((etc1s.second_slice.size > 0) != (ktx2->channel_count == 2)) {
		return broken(err, "as many slices as channels in the descriptor must be there");
	}
	return basis_etc1s_decode(&etc1s, image, err);
}

static bool decode_zstandard(
	const struct basis_bytes *level, unsigned char *blocks, size_t size, struct error *err) {
	if (!delayed_load(&delayed_zstd, err)) {
		return false;
	}
	const size_t got = ZSTD_decompress(blocks, size, level->data, level->size);
	if (ZSTD_isError(got)) {
		return error_set(
			err, ERROR_BROKEN_ASSET, "KTX 2: Zstandard: %s", ZSTD_getErrorName(got));
	}
	return got == size || broken(err, "Zstandard's data has fewer blocks than the image");
}

static bool decode_uastc(const struct ktx2 *ktx2, const struct image *image, struct error *err) {
	const size_t size = basis_block_count(image->width) * basis_block_count(image->height) *
		BASIS_UASTC_BYTES;
	const bool plain = ktx2->supercompression == SUPER_NONE;
	if (ktx2->level_size != size || (plain && ktx2->level.size != size)) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"KTX 2: the image has %zu bytes, and %zu when it is decompressed; must be "
			"%zu",
			ktx2->level.size, (size_t)ktx2->level_size, size);
	}
	if (plain) {
		return basis_uastc_decode(ktx2->level.data, image, err);
	}
	unsigned char *blocks = try_alloc(size, 1, "image", err);
	const bool decoded = blocks && decode_zstandard(&ktx2->level, blocks, size, err) &&
		basis_uastc_decode(blocks, image, err);
	free(blocks);
	return decoded;
}

bool image_ktx2_decode(const struct image_source *source, struct image *image, struct error *err) {
	struct ktx2 ktx2 = {.file = {source->bytes, source->size}};
	if (!read_header(&ktx2, err) || !read_format(&ktx2, err) || !check_format(&ktx2, err) ||
		!check_pairs(&ktx2, err) ||
		!image_allocate(source, ktx2.width, ktx2.height, image, err)) {
		return false;
	}
	return ktx2.model == MODEL_ETC1S ? decode_etc1s(&ktx2, image, err)
					 : decode_uastc(&ktx2, image, err);
}
