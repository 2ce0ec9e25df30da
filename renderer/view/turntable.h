/* Orbits that go all the way round what they look at. */
#pragma once

#include "base/settings.h"

/* The extent of points that turn about an upright axis before it, so that it can be the
 * same from every side: of all points on all circles about the axis, how far the frame's sides are
 * pushed outwards. */
struct turntable_reach {
	struct camera_settings settings; // an orbit
	double aspect;                   // width / height
	double axis[3];                  // a point on it
	double side, top, bottom;        // greatest distance across and up, with what perspective
					 // adds of the distance towards the viewer
	double nearest, farthest;        // towards the viewer
};

/* Begins without points. axis: x and z of the axis, y about where the points are. */
void turntable_reach_begin(struct turntable_reach *reach, const struct camera_settings *settings,
	double aspect, const double axis[static 3]);

/* Adds points, [count][3], finite. */
void turntable_reach_add(struct turntable_reach *reach, const float *points, size_t count);

/* The orbit with what it left open chosen, and the same for every yaw: its target lies on the axis,
 * and all points are within the frame wherever they turn to, as large as they can be. Without
 * points as if one lay on the axis. */
struct camera_settings turntable_reach_end(const struct turntable_reach *reach);
