/* The bytes of colours, as the last kernel to hold them makes them. */
#pragma once

#include "raster/functions.h"
#include "raster/tiles.h"

/* Four bytes of each pixel. */
KERNEL lane_mask pixels_of(struct lanes4 color, enum raster_encoding encoding) {
	if (encoding == RASTER_PLAIN) {
		return lanes_byte(color.x) | lanes_byte(color.y) << 8 | lanes_byte(color.z) << 16 |
			lanes_byte(color.w) << 24;
	}
	const lane_mask alpha = lanes_byte(color.w);
	if (encoding == RASTER_STRAIGHT) {
		const lanes one = (lanes){0} + 1.0f;
		const lanes cover = lanes_select(color.w > 0, color.w, one);
		color.x = color.x / cover;
		color.y = color.y / cover;
		color.z = color.z / cover;
	}
	const lane_mask bytes = lanes_byte(lanes_encode(lanes_clamp(color.x, 0, 1))) |
		lanes_byte(lanes_encode(lanes_clamp(color.y, 0, 1))) << 8 |
		lanes_byte(lanes_encode(lanes_clamp(color.z, 0, 1))) << 16 | alpha << 24;
	return bytes & (alpha != 0);
}
