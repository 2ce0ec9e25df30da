/* The map of a sprite sheet: where its frames are, as JSON. */
#pragma once

#include <stddef.h>

#include "base/buffer.h"

struct sheet_map {
	size_t columns, rows;          // frames stand row after row from the top, without gaps
	size_t count;                  // of them
	int frame_width, frame_height; // pixels
	double duration_s;             // that each is shown
};

/* Appends {"columns", "rows", "width", "height", "frames": [{"x", "y", "w", "h", "duration"}]},
 * with sizes and places in pixels from the left top corner and seconds. */
void sheet_write_map(const struct sheet_map *map, struct buffer *out);
