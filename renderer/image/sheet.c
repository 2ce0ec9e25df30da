// A sprite sheet: one PNG of all frames, row after row, with a map of them as JSON in a text chunk
// of the keyword "posed". A row of frames is deflated as soon as it is full.
#include <isa-l/igzip_lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "image/encode.h"
#include "image/png_file.h"
#include "image/sequence.h"

/* Pixels of a side: what graphics hardware takes as a texture. */
#define SIDE_MAX 16384

/* Row filters of PNG: none, and the difference to the row above. */
#define FILTER_NONE 0
#define FILTER_UP 2

#define BLOCK_BYTES 65536

struct sheet {
	const struct sequence_settings *settings;
	struct sheet_layout layout;
	struct png_file *file;
	struct isal_zstream stream;
	unsigned char *level_memory; // the stream's
	unsigned char *band; // [height of a frame][1 + layout.width * 4] rows with their filter
	size_t frames;       // added so far
	struct buffer deflated;
};

struct sheet_layout sequence_sheet_layout(const struct sequence_settings *settings) {
	const double area = (double)settings->count * settings->height / settings->width;
	size_t columns =
		settings->columns > 0 ? (size_t)settings->columns : (size_t)ceil(sqrt(area) - 1e-9);
	columns = columns > settings->count ? settings->count : columns;
	columns = columns > 0 ? columns : 1;
	const size_t rows = (settings->count + columns - 1) / columns;
	return (struct sheet_layout){
		columns, rows, columns * (size_t)settings->width, rows * (size_t)settings->height};
}

static bool check(const struct sequence_settings *settings, struct error *err) {
	const struct sheet_layout layout = sequence_sheet_layout(settings);
	return (layout.width <= SIDE_MAX && layout.height <= SIDE_MAX) ||
		error_at(err, ERROR_TOO_LARGE, settings->columns > 0 ? "/columns" : "",
			"a sheet of %zu x %zu frames is %zu x %zu pixels; a side may have %d",
			layout.columns, layout.rows, layout.width, layout.height, SIDE_MAX);
}

static bool pack(const struct sequence_settings *settings, const unsigned char *rgba,
	struct buffer *packed, struct error *err) {
	const size_t bytes = (size_t)settings->width * (size_t)settings->height * 4;
	return buffer_try_append(packed, rgba, bytes, "frame", err);
}

static void close(void *sequence) {
	struct sheet *sheet = sequence;
	if (sheet) {
		png_file_destroy(sheet->file);
		buffer_finish(&sheet->deflated);
		free(sheet->level_memory);
		free(sheet->band);
		free(sheet);
	}
}

static size_t row_bytes(const struct sheet *sheet) {
	return 1 + sheet->layout.width * 4;
}

static void begin_stream(struct sheet *sheet) {
	isal_deflate_init(&sheet->stream);
	sheet->level_memory = xcalloc(ISAL_DEF_LVL1_DEFAULT, 1);
	sheet->stream.level = 1;
	sheet->stream.level_buf = sheet->level_memory;
	sheet->stream.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
	sheet->stream.gzip_flag = IGZIP_ZLIB;
}

static bool begin_file(struct sheet *sheet, struct buffer *out, struct error *err) {
	const struct picture like = {
		.width = (int)sheet->layout.width, .height = (int)sheet->layout.height};
	const struct png_text map = {"posed", sheet->settings->map};
	return png_file_begin(sheet->file, &like, sheet->settings->map ? &map : NULL, out, err);
}

static void *open(const struct sequence_settings *settings, struct buffer *out, struct error *err) {
	struct sheet *sheet = xcalloc(1, sizeof *sheet);
	sheet->settings = settings;
	sheet->layout = sequence_sheet_layout(settings);
	sheet->file = png_file_create(err);
	sheet->band = try_calloc(row_bytes(sheet), (size_t)settings->height, "sheet", err);
	if (!sheet->file || !sheet->band || !begin_file(sheet, out, err)) {
		close(sheet);
		return NULL;
	}
	begin_stream(sheet);
	return sheet;
}

/* Turns the band's rows into their differences, from below since each needs the one above it; the
 * first stands for itself. */
static void filter_band(struct sheet *sheet) {
	const size_t bytes = row_bytes(sheet);
	for (int y = sheet->settings->height - 1; y > 0; y--) {
		unsigned char *row = sheet->band + (size_t)y * bytes;
		const unsigned char *above = row - bytes;
		row[0] = FILTER_UP;
		for (size_t i = 1; i < bytes; i++) {
			row[i] = (unsigned char)(row[i] - above[i]);
		}
	}
	sheet->band[0] = FILTER_NONE;
}

/* Deflates the band into sheet->deflated. */
static bool deflate_band(struct sheet *sheet, bool last, struct error *err) {
	struct isal_zstream *stream = &sheet->stream;
	stream->next_in = sheet->band;
	stream->avail_in = (uint32_t)(row_bytes(sheet) * (size_t)sheet->settings->height);
	stream->end_of_stream = last;
	do {
		struct buffer *deflated = &sheet->deflated;
		if (!buffer_try_reserve(deflated, BLOCK_BYTES, "sheet", err)) {
			return false;
		}
		stream->next_out = deflated->data + deflated->size;
		stream->avail_out = BLOCK_BYTES;
		const int result = isal_deflate(stream);
		if (result != COMP_OK) {
			return error_set(err, ERROR_INTERNAL, "ISA-L: error %d", result);
		}
		deflated->size += BLOCK_BYTES - stream->avail_out;
	} while (stream->avail_out == 0);
	return true;
}

static bool put_band(struct sheet *sheet, bool last, struct buffer *out, struct error *err) {
	filter_band(sheet);
	if (!deflate_band(sheet, last, err)) {
		return false;
	}
	const struct png_chunk pixels = {
		.type = "IDAT", .data = sheet->deflated.data, .data_bytes = sheet->deflated.size};
	const bool ok = png_file_chunk(sheet->file, &pixels, out, err);
	sheet->deflated.size = 0;
	memset(sheet->band, 0, row_bytes(sheet) * (size_t)sheet->settings->height);
	return ok;
}

static void copy_frame(struct sheet *sheet, const unsigned char *rgba, size_t column) {
	const size_t bytes = (size_t)sheet->settings->width * 4;
	for (int y = 0; y < sheet->settings->height; y++) {
		memcpy(sheet->band + (size_t)y * row_bytes(sheet) + 1 + column * bytes,
			rgba + (size_t)y * bytes, bytes);
	}
}

static bool add(
	void *sequence, const struct buffer *packed, struct buffer *out, struct error *err) {
	struct sheet *sheet = sequence;
	const size_t column = sheet->frames++ % sheet->layout.columns;
	const bool last = sheet->frames == sheet->settings->count;
	copy_frame(sheet, packed->data, column);
	return (column + 1 < sheet->layout.columns && !last) || put_band(sheet, last, out, err);
}

static bool end(void *sequence, struct buffer *out, struct error *err) {
	struct sheet *sheet = sequence;
	return png_file_end(sheet->file, out, err);
}

const struct sequence_format sequence_sheet = {
	.name = "sheet",
	.title = "one PNG of all frames with a map of them inside",
	.media_type = "image/png",
	.ending = "png",
	.check = check,
	.pack = pack,
	.open = open,
	.add = add,
	.end = end,
	.close = close,
};
