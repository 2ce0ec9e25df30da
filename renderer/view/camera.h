/* The camera: what a request says of it, and what must fit into the frame -> matrices. */
#pragma once

#include "base/error.h"
#include "base/settings.h"
#include "model/rig.h"

struct camera {
	double view_projection[16];      // world to clip space (OpenGL's), column-major
	double eye[3];                   // in the world
	double right[3], up[3], back[3]; // its axes in the world, unit; back points at the viewer
};

/* Smallest box around points; [count][3]. Empty for no points. */
struct bounds bounds_of_points(const float *points, size_t count);

/* Grows a to hold b. */
void bounds_add(struct bounds *a, const struct bounds *b);

/* The box's eight corners as points. */
void bounds_corners(const struct bounds *bounds, float corners[static 24]);

/* Whether making this camera looks at points at all: two matrices stand on their own. */
bool camera_needs_points(const struct camera_settings *settings);

/* Which of many points a camera is made by: camera_make() has the same from these as from all of
 * them. Where it looks from a place at the middle of what there is, near and far may be wider. */
#define CAMERA_DIRECTIONS 12
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

/* Makes the camera. What the settings leave open is chosen so that all points lie within the frame,
 * as large as they can be with a margin of 4 %.
 *
 * points  [count][3] world positions, finite; may be empty: then as if one lay at the origin
 * aspect  width / height
 * Fails with ERROR_INVALID_VALUE (at /camera) where no picture can come of it: eye and target in
 * one place, up along the view, a singular view matrix. */
bool camera_make(const struct camera_settings *settings, double aspect, const float *points,
	size_t count, struct camera *out, struct error *err);
