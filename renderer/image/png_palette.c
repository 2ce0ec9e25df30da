// PNG files with a palette: a fraction of the bytes, for pictures of few colours.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "image/encode.h"
#include "image/png_file.h"

/* Places in the table of cells: a power of two, of which at most a quarter are taken. */
#define TABLE 1024

/* The colours of a cube of some steps a side, which share one of the palette. */
struct cell {
	unsigned key;    // of its place in the cube of colours, plus one; 0 = none
	unsigned sum[3]; // of its pixels' channels
	unsigned count;
	unsigned char index; // in the palette
};

struct cells {
	struct cell table[TABLE];
	int count; // taken
};

/* The cell of a pixel, which is new if it has no count; NULL = there are too many. */
static struct cell *find_cell(struct cells *cells, const unsigned char *pixel, unsigned step) {
	const unsigned key = (pixel[0] / step << 16 | pixel[1] / step << 8 | pixel[2] / step) + 1;
	unsigned at = key * 2654435761u >> 22; // Knuth's multiplicative hash, of 10 bits
	while (cells->table[at].key && cells->table[at].key != key) {
		at = (at + 1) % TABLE;
	}
	struct cell *cell = &cells->table[at];
	if (!cell->key) {
		if (cells->count == PNG_COLORS_MAX) {
			return NULL;
		}
		cell->key = key;
		cell->index = (unsigned char)cells->count++;
	}
	return cell;
}

/* Cells with a side of so many steps; false if they are too many. */
static bool fill_cells(
	struct cells *cells, const struct picture *picture, unsigned step, unsigned char *indices) {
	const size_t pixels = (size_t)picture->width * (size_t)picture->height;
	memset(cells, 0, sizeof *cells);
	for (size_t i = 0; i < pixels; i++) {
		const unsigned char *pixel = picture->rgba + 4 * i;
		struct cell *cell = find_cell(cells, pixel, step);
		if (!cell) {
			return false;
		}
		for (int k = 0; k < 3; k++) {
			cell->sum[k] += pixel[k];
		}
		cell->count++;
		indices[i] = cell->index;
	}
	return true;
}

/* Each cell becomes the mean of its pixels. */
static void set_colors(const struct cells *cells, struct png_indexed *out) {
	for (int i = 0; i < TABLE; i++) {
		const struct cell *cell = &cells->table[i];
		for (int k = 0; cell->key && k < 3; k++) {
			out->colors[cell->index][k] =
				(unsigned char)((cell->sum[k] + cell->count / 2) / cell->count);
		}
	}
	out->color_count = cells->count;
}

bool encode_png_palette(const struct picture *picture, struct buffer *out, struct error *err) {
	const size_t pixels = (size_t)picture->width * (size_t)picture->height;
	unsigned char *indices = try_calloc(pixels, 1, "PNG", err);
	struct png_file *file = indices ? png_file_create(err) : NULL;
	bool ok = false;
	if (file) {
		struct cells *cells = xcalloc(1, sizeof *cells);
		struct png_indexed indexed = {
			.width = picture->width, .height = picture->height, .indices = indices};
		unsigned step = 1;
		while (!fill_cells(cells, picture, step, indices)) {
			step++;
		}
		set_colors(cells, &indexed);
		free(cells);
		ok = png_file_indexed(file, &indexed, out, err);
	}
	png_file_destroy(file);
	free(indices);
	return ok;
}
