/* The bytes of colours, as the last kernel to hold them makes them. */
#pragma once

#include "raster/functions.h"
#include "raster/tiles.h"

/* The byte of a light as sRGB, which lies between 0 and 1.0001. */
KERNEL lane_mask encoded_byte(lanes light) {
	const lanes encoded = lanes_encode(lanes_clamp(light, 0, 1));
	return __builtin_convertvector(encoded * 255 + 0.5F, lane_mask);
}

/* Four bytes of each pixel. */
KERNEL lane_mask pixels_of(struct lanes4 color, enum raster_encoding encoding) {
	if (encoding == RASTER_PLAIN) {
		return lanes_byte(color.x) | lanes_byte(color.y) << 8 | lanes_byte(color.z) << 16 |
			lanes_byte(color.w) << 24;
	}
	const lane_mask alpha = lanes_byte(color.w);
	const lanes one = (lanes){0} + 1.0f;
	if (encoding == RASTER_STRAIGHT && !lanes_all(color.w == one)) {
		const lanes cover = lanes_select(color.w > 0, color.w, one);
		color.x = color.x / cover;
		color.y = color.y / cover;
		color.z = color.z / cover;
	}
	const lane_mask bytes = encoded_byte(color.x) | encoded_byte(color.y) << 8 |
		encoded_byte(color.z) << 16 | alpha << 24;
	return bytes & (alpha != 0);
}
