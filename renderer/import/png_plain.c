// Plain PNGs: chunks, and what ISA-L inflates of them.
#include "import/png_plain.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/limits.h"

/* Bytes of rows that are inflated at a time: they stay in the cache. */
#define ROWS_BYTES 131072

struct chunk {
	const unsigned char *type; // four letters
	const unsigned char *data;
	size_t size;
};

struct reader {
	const unsigned char *bytes;
	size_t left;
	size_t width, height;
	int channels;
	struct inflate_state inflate;
};

/* Chunks that do not change how pixels are read. */
static const char harmless[][5] = {"bKGD", "cHRM", "eXIf", "gAMA", "iCCP", "iTXt", "pHYs", "sBIT",
	"sRGB", "tEXt", "tIME", "zTXt"};

static uint32_t read_number(const unsigned char *bytes) {
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
		bytes[3];
}

/* The next chunk, if it is whole and its checksum is right. */
static bool next_chunk(struct reader *reader, struct chunk *chunk) {
	if (reader->left < 12) {
		return false;
	}
	chunk->size = read_number(reader->bytes);
	if (chunk->size > reader->left - 12) {
		return false;
	}
	chunk->type = reader->bytes + 4;
	chunk->data = reader->bytes + 8;
	reader->bytes += 12 + chunk->size;
	reader->left -= 12 + chunk->size;
	return crc32_gzip_refl(0, chunk->type, 4 + chunk->size) == read_number(reader->bytes - 4);
}

static bool is(const struct chunk *chunk, const char *type) {
	return memcmp(chunk->type, type, 4) == 0;
}

static bool is_harmless(const struct chunk *chunk) {
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
		if (is(chunk, harmless[i])) {
			return true;
		}
	}
	return false;
}

static bool read_head(struct reader *reader, size_t max_bytes) {
	struct chunk head;
	if (!next_chunk(reader, &head) || !is(&head, "IHDR") || head.size != 13) {
		return false;
	}
	reader->width = read_number(head.data);
	reader->height = read_number(head.data + 4);
	const unsigned char *kind =
		head.data + 8; // depth, colours, compression, filters, interlace
	reader->channels = kind[1] == 6 ? 4 : 3;
	return kind[0] == 8 && (kind[1] == 2 || kind[1] == 6) && !kind[2] && !kind[3] && !kind[4] &&
		reader->width > 0 && reader->height > 0 && reader->width <= IMAGE_SIDE_MAX &&
		reader->height <= IMAGE_SIDE_MAX &&
		reader->width * reader->height <= IMAGE_PIXELS_MAX &&
		reader->width * reader->height * 4 <= max_bytes;
}

/* The first chunk of pixels. */
static bool find_pixels(struct reader *reader, struct chunk *chunk) {
	do {
		if (!next_chunk(reader, chunk)) {
			return false;
		}
	} while (is_harmless(chunk));
	return is(chunk, "IDAT");
}

/* Fills bytes from this chunk and the following ones, or less at the end of the stream. */
static bool inflate(struct reader *reader, unsigned char *bytes, size_t size) {
	struct inflate_state *state = &reader->inflate;
	state->next_out = bytes;
	state->avail_out = (uint32_t)size;
	while (state->avail_out > 0 && state->block_state != ISAL_BLOCK_FINISH) {
		struct chunk chunk;
		if (state->avail_in == 0) {
			if (!next_chunk(reader, &chunk) || !is(&chunk, "IDAT")) {
				return false;
			}
			state->next_in = (unsigned char *)(uintptr_t)chunk.data;
			state->avail_in = (uint32_t)chunk.size;
		}
		if (isal_inflate(state) < 0) {
			return false;
		}
	}
	return true;
}

/* Nothing may come behind the last row but the stream's checksum, which is right at its end. */
static bool has_ended(struct reader *reader) {
	unsigned char behind;
	return inflate(reader, &behind, 1) && reader->inflate.avail_out == 1 &&
		reader->inflate.avail_in == 0;
}

static bool read_rows(struct reader *reader, unsigned char *room, size_t room_rows,
	const unsigned char *zeros, struct image *image) {
	const size_t stride = 1 + reader->width * (size_t)reader->channels;
	for (size_t y = 0; y < reader->height; y += room_rows) {
		unsigned char *rgba = image->rgba + y * reader->width * 4;
		const size_t left = reader->height - y;
		const struct png_rows rows = {
			.filtered = room,
			.width = reader->width,
			.channels = reader->channels,
			.count = left < room_rows ? left : room_rows,
			.above = y ? rgba - reader->width * 4 : zeros,
			.rgba = rgba,
		};
		if (!inflate(reader, room, rows.count * stride) || reader->inflate.avail_out > 0 ||
			!png_unfilter(&rows)) {
			return false;
		}
	}
	return has_ended(reader);
}

static bool read_pixels(struct reader *reader, struct image *image) {
	struct chunk first;
	if (!find_pixels(reader, &first)) {
		return false;
	}
	const size_t stride = 1 + reader->width * (size_t)reader->channels;
	const size_t most = ROWS_BYTES / stride + 2;
	const size_t room_rows = most < reader->height ? most : reader->height;
	unsigned char *room = try_calloc(room_rows * stride + 4, 1, "rows", NULL);
	unsigned char *zeros = try_calloc(reader->width, 4, "a row", NULL);
	isal_inflate_init(&reader->inflate);
	reader->inflate.crc_flag = ISAL_ZLIB;
	reader->inflate.next_in = (unsigned char *)(uintptr_t)first.data;
	reader->inflate.avail_in = (uint32_t)first.size;
	const bool ok = room && zeros && read_rows(reader, room, room_rows, zeros, image);
	free(room);
	free(zeros);
	return ok;
}

#define SIGNATURE_BYTES 8

bool png_plain_decode(const struct image_source *source, struct image *image) {
	struct reader *reader = try_calloc(1, sizeof *reader, "a reader", NULL);
	if (!reader) {
		return false;
	}
	reader->bytes = source->bytes + SIGNATURE_BYTES;
	reader->left = source->size - SIGNATURE_BYTES;
	const bool ok = read_head(reader, source->max_bytes) &&
		image_allocate(source, reader->width, reader->height, image, NULL) &&
		read_pixels(reader, image);
	free(reader);
	if (!ok) {
		free(image->rgba);
		image->rgba = NULL;
	}
	return ok;
}
