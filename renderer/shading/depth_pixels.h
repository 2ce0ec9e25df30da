/* Depth as it was read from a target -> grey: raw is [count] of four bytes, the bits of a float,
 * lowest first; all bits set = nothing is there. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/settings.h"

/* Distances along the view that grey begins and ends at, near <= far. */
struct depth_range {
	double near, far;
};

/* That of the settings, and for what they leave open of what is there; 0 to 0 where nothing is. */
struct depth_range depth_range_of(
	const struct shading_settings *settings, const unsigned char *raw, size_t count);

/* Grey for near is 0, for far 254, and what is beyond is as near and far; where nothing is stands
 * the background (sRGB, straight alpha, [0, 1]). In place. */
void depth_to_colors(const struct depth_range *range, const double background[static 4],
	unsigned char *raw, size_t count);

/* The same from 0 to 65534; where nothing is, 65535. grey may be where raw begins. */
void depth_to_grey16(
	const struct depth_range *range, const unsigned char *raw, size_t count, uint16_t *grey);
