/* One camera for pictures that go around what they show: all from the same distance to the same
 * place, and nothing cut off in any of them. */
#pragma once

#include "view/camera.h"

/* Decides what the settings leave open, for all of the pictures: *out are settings with a target
 * and a distance, or with a target and a height where lines of sight are parallel. The camera of
 * picture i is camera_make() of them, with yaws_deg[i] as yaw_deg, and of the same points.
 *
 * yaws_deg  [yaw_count] of all pictures. One is framed as a picture by itself is, which turns the
 *           eye aside where that shows more: then *out are the settings as they are.
 * points    [count][3] world positions of whatever any of the pictures shows: posed vertices, or
 *           the corners of a box around them
 * aspect    width / height
 * Fails with ERROR_INVALID_VALUE at /camera where several yaws are to be had of a camera that does
 * not orbit. */
bool turntable_settle(const struct camera_settings *settings, double aspect, const double *yaws_deg,
	size_t yaw_count, const float *points, size_t count, struct camera_settings *out,
	struct error *err);
