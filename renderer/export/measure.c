// Boxes around positions, several numbers of each axis at once.
#include "export/surface.h"

#include <math.h>

#include "base/lanes.h"

#define NUMBERS (3 * LANE_COUNT)

/* Extremes per lane of three registers, which hold as many positions as there are lanes: a lane
 * always holds the same axis. */
struct measured {
	lanes least[3], most[3];
};

KERNEL void measure_lanes(const float *positions, struct measured *measured) {
	for (int i = 0; i < 3; i++) {
		const lanes p = lanes_load(positions + i * LANE_COUNT);
		measured->least[i] = lanes_select(p < measured->least[i], p, measured->least[i]);
		measured->most[i] = lanes_select(p > measured->most[i], p, measured->most[i]);
	}
}

LANES_TARGET void LANES_NAME(measure_positions)(
	const float *positions, size_t vertices, struct bounds *bounds) {
	const lanes infinity = (lanes){0} + INFINITY;
	struct measured measured = {
		{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
	size_t i = 0;
	for (; i + LANE_COUNT <= vertices; i += LANE_COUNT) {
		measure_lanes(positions + i * 3, &measured);
	}
	float least[NUMBERS], most[NUMBERS];
	memcpy(least, measured.least, sizeof least);
	memcpy(most, measured.most, sizeof most);
	for (size_t k = 0; i * 3 + k < vertices * 3; k++) {
		const float p = positions[i * 3 + k];
		least[k] = p < least[k] ? p : least[k];
		most[k] = p > most[k] ? p : most[k];
	}
	for (size_t k = 0; k < NUMBERS; k++) {
		// The order of lanes would decide between 0 and -0; adding a zero removes the sign.
		bounds->min[k % 3] = fmin(bounds->min[k % 3], (double)least[k]) + 0.0;
		bounds->max[k % 3] = fmax(bounds->max[k % 3], (double)most[k]) + 0.0;
	}
}
