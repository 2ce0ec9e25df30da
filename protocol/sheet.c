// The map of a sprite sheet.
#include "sheet.h"

#include "base/json_write.h"

static void write_frame(const struct sheet_map *map, size_t i, struct json_writer *json) {
	const double *begin_s = map->begins_s ? &map->begins_s[i] : NULL;
	json_write_begin_object(json);
	json_write_member_integer(json, "x", (int64_t)(i % map->columns) * map->frame_width);
	json_write_member_integer(json, "y", (int64_t)(i / map->columns) * map->frame_height);
	json_write_member_integer(json, "w", map->frame_width);
	json_write_member_integer(json, "h", map->frame_height);
	json_write_key(json, "duration");
	json_write_double(json, begin_s ? begin_s[1] - begin_s[0] : map->duration_s);
	json_write_end_object(json);
}

void sheet_write_map(const struct sheet_map *map, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_integer(&json, "columns", (int64_t)map->columns);
	json_write_member_integer(&json, "rows", (int64_t)map->rows);
	json_write_member_integer(&json, "width", (int64_t)map->columns * map->frame_width);
	json_write_member_integer(&json, "height", (int64_t)map->rows * map->frame_height);
	json_write_key(&json, "frames");
	json_write_begin_list(&json);
	for (size_t i = 0; i < map->count; i++) {
		write_frame(map, i, &json);
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
}
