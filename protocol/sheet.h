/* The map of a sprite sheet: where its frames are, as JSON. */
#pragma once

#include <stddef.h>

#include "base/buffer.h"

/* As the API names it, its media type, and the ending of its files. */
#define SHEET_MAP_NAME "sheet_json"
#define SHEET_MAP_TYPE "application/json"
#define SHEET_MAP_ENDING "json"

struct sheet_map {
	size_t columns, rows;          // frames stand row after row from the top, without gaps
	size_t count;                  // of them
	int frame_width, frame_height; // pixels
	double duration_s;             // that each is shown, without begins_s
	const double
		*begins_s; // [count + 1] when each begins to be shown, and the last ends; or NULL
};

/* Appends {"columns", "rows", "width", "height", "frames": [{"x", "y", "w", "h", "duration"}]},
 * with sizes and places in pixels from the left top corner and seconds. */
void sheet_write_map(const struct sheet_map *map, struct buffer *out);
