/* The layout of a picture with text. */
#pragma once

#include "base/error.h"
#include "base/settings.h"
#include "image/canvas.h"

/* A picture divided into cells of one size, each with a strip of text below what is drawn. What is
 * left over at the right and at the bottom keeps the background. */
struct layout {
	int columns;
	int width, height; // pixels of a cell
	int strip;         // rows of it that are text's
	const struct glyph_set *letters;
	int margin; // pixels around text
};

/* So many cells with a line of text each: in as many columns as give the largest ones. Fails with
 * ERROR_INVALID_VALUE at the side of the picture that is too small. */
bool layout_cells(const struct picture_settings *picture, size_t count, struct layout *out,
	struct error *err);

/* One cell with a colour scale, its numbers and a line of text. */
bool layout_heat(const struct picture_settings *picture, struct layout *out, struct error *err);

/* The rectangle of the i-th cell, above its strip. */
struct place layout_drawn(const struct layout *layout, size_t i);

/* The background as a canvas has it. */
void layout_background(const struct picture_settings *picture, unsigned char rgba[static 4]);

/* Fills the i-th strip with the background, opaque (over white where it is not), and writes a line
 * in its middle, cut where it is too long. */
void layout_write_label(const struct layout *layout, const struct picture_settings *picture,
	size_t i, const char *text, struct canvas *canvas);

/* The texts of a colour scale. */
struct heat_legend {
	double end;          // distance that the last colour stands for
	bool goes_on;        // and for all that is greater
	const char *caption; // the line below
};

/* Fills the strip with a colour scale from 0 to the end, three numbers, and the caption. */
void layout_write_heat(const struct layout *layout, const struct picture_settings *picture,
	const struct heat_legend *legend, struct canvas *canvas);

/* A colour and what it stands for. */
struct list_entry {
	unsigned char rgb[3]; // sRGB
	const char *label;
};

/* A cell above a list of colours. */
struct list_layout {
	struct layout layout;
	int columns, rows;
	int column_width; // pixels
};

/* As many columns and rows as the labels take, as far as half of the picture has room. Fails like
 * layout_cells. */
bool layout_list(const struct picture_settings *picture, const struct list_entry *entries,
	size_t count, struct list_layout *out, struct error *err);

/* Fills the strip with the list; those that there is no room for are counted in the last place. */
void layout_write_list(const struct list_layout *list, const struct picture_settings *picture,
	const struct list_entry *entries, size_t count, struct canvas *canvas);
