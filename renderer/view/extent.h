/* The extent of points as a camera sees them, and the distance or size that follows for it. */
#pragma once

#include "view/camera.h"

/* For each side of the frustum the greatest of (distance across + slope * distance towards the
 * viewer): where the sides must be. */
struct extent {
	double right, left, top, bottom; // greatest x + z t, -x + z t, y + z s, -y + z s
	double nearest, farthest;        // greatest and least z: towards the viewer is positive
};

/* Of no points. */
struct extent extent_none(void);

/* Grows by points as seen along the camera's axes from a place; slopes are t and s, 0 where lines
 * of sight are parallel. points is [count][3]. */
void extent_add(struct extent *extent, const struct camera *camera, const double from[static 3],
	const double slopes[static 2], const float *points, size_t count);

/* The distance of the eye at which all is seen, but for the way that even a lone point
 * needs. aimed: it looks at that place; else it may move aside.
 * slopes  those that the extent was measured with */
double extent_distance(const struct extent *extent, const double slopes[static 2], bool aimed);

/* Half the height that parallel lines of sight show so that all is seen within a share of it. */
double extent_half_height(const struct extent *extent, double aspect, double fill, bool aimed);

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
