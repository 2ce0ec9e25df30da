/* Which of many points a camera is made by, so that not all of them need to be kept. */
#pragma once

#include "view/camera.h"

#define CAMERA_DIRECTIONS 12

/* camera_make() has the same from these points as from all of them. Where it looks from a place at
 * the middle of what there is, near, far and what else it chooses may be wider. */
struct camera_extremes {
	bool boxed; // the box' corners count, too
	size_t direction_count, count;
	double directions[CAMERA_DIRECTIONS][3];
	double reach[CAMERA_DIRECTIONS];        // of the farthest point in each
	float points[CAMERA_DIRECTIONS + 8][3]; // these points; [count] for camera_make()
};

/* Begins without points, for these settings. */
void camera_extremes_begin(
	const struct camera_settings *settings, double aspect, struct camera_extremes *extremes);

/* Adds points, [count][3], finite. */
void camera_extremes_add(struct camera_extremes *extremes, const float *points, size_t count);

/* Fills in the points that count. */
void camera_extremes_end(struct camera_extremes *extremes);
