// The pixels of a PNG: filtered by us, deflated by ISA-L.
#include "image/png_rows.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "image/encode.h"

/* Every row is stored as its difference to the row above: for pictures of shaded surfaces on an
 * even ground nearly as small as choosing among all five filters, at a tenth of the cost. */
#define FILTER_UP 2

/* What ISA-L takes at once. */
#define DEFLATE_BYTES_MAX 0x7fffffff

static size_t row_bytes(const struct picture *picture) {
	return (size_t)picture->width * (picture->grey16 ? 2 : 4);
}

/* A row of the picture as PNG stores it: samples of 16 bits have the greater byte first. room is
 * for as many bytes as a row has. */
static const unsigned char *stored_row(const struct picture *picture, int y, unsigned char *room) {
	const size_t width = (size_t)picture->width;
	if (!picture->grey16) {
		return picture->rgba + (size_t)y * width * 4;
	}
	const uint16_t *row = picture->grey16 + (size_t)y * width;
	for (size_t x = 0; x < width; x++) {
		room[x * 2] = (unsigned char)(row[x] >> 8);
		room[x * 2 + 1] = (unsigned char)row[x];
	}
	return room;
}

/* The rows with their filter byte in front, as they go into the deflate stream. rooms are for two
 * rows of 16 bits a sample. */
static void filter_rows(
	const struct picture *picture, unsigned char *const rooms[2], unsigned char *out) {
	const size_t bytes = row_bytes(picture);
	const unsigned char *above = NULL;
	for (int y = 0; y < picture->height; y++) {
		const unsigned char *row = stored_row(picture, y, rooms[y % 2]);
		*out++ = FILTER_UP;
		if (y == 0) {
			memcpy(out, row, bytes);
		}
		for (size_t i = 0; y > 0 && i < bytes; i++) {
			out[i] = (unsigned char)(row[i] - above[i]);
		}
		above = row;
		out += bytes;
	}
}

/* Deflates into a zlib stream: at level 1, which takes a tenth of zlib's time at level 3 for files
 * as large. */
static bool deflate_rows(
	unsigned char *filtered, size_t filtered_bytes, struct buffer *out, struct error *err) {
	// What cannot be made smaller is stored, with five bytes for every 64 KiB.
	const size_t room = filtered_bytes + filtered_bytes / 8192 + 256;
	if (!buffer_try_reserve(out, room, "PNG", err)) {
		return false;
	}
	unsigned char *level_memory = xcalloc(ISAL_DEF_LVL1_DEFAULT, 1);
	struct isal_zstream stream = {0}; // its init leaves tables that change the output
	isal_deflate_stateless_init(&stream);
	stream.level = 1;
	stream.level_buf = level_memory;
	stream.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
	stream.gzip_flag = IGZIP_ZLIB;
	stream.end_of_stream = 1;
	stream.flush = NO_FLUSH;
	stream.next_in = filtered;
	stream.avail_in = (uint32_t)filtered_bytes;
	stream.next_out = out->data + out->size;
	stream.avail_out = (uint32_t)room;
	const int result = isal_deflate_stateless(&stream);
	free(level_memory);
	if (result != COMP_OK) {
		return error_set(
			err, ERROR_INTERNAL, "ISA-L cannot deflate %zu bytes", filtered_bytes);
	}
	out->size += stream.total_out;
	return true;
}

bool png_pack_rows(const struct picture *picture, struct buffer *out, struct error *err) {
	const size_t bytes = row_bytes(picture);
	const size_t filtered_bytes = (bytes + 1) * (size_t)picture->height;
	if (filtered_bytes > DEFLATE_BYTES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "a PNG of %zu bytes", filtered_bytes);
	}
	const size_t room = picture->grey16 ? bytes : 0;
	unsigned char *filtered = try_calloc(filtered_bytes + 2 * room, 1, "PNG rows", err);
	if (!filtered) {
		return false;
	}
	unsigned char *const rooms[2] = {
		filtered + filtered_bytes, filtered + filtered_bytes + room};
	filter_rows(picture, rooms, filtered);
	const bool fine = deflate_rows(filtered, filtered_bytes, out, err);
	free(filtered);
	return fine;
}
