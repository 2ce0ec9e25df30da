// Orbits that go all the way round what they look at.
#include "view/turntable.h"

#include <math.h>
#include <string.h>

#include "view/camera.h"

#define PI 3.14159265358979323846

/* Least cosine of the pitch with which moving the target up moves the picture. */
#define UPRIGHT_MIN 1e-3

struct tilt {
	double sine, cosine; // of the pitch
	/* Half of what is to be filled at distance 1, across and up; 0 where lines of sight are
	 * parallel. */
	double slopes[2];
};

static struct tilt tilt_of(const struct turntable_reach *reach) {
	const struct camera_settings *settings = &reach->settings;
	const double pitch = settings->pitch_deg * PI / 180;
	const double up = camera_slope(settings) * camera_fill(settings);
	return (struct tilt){
		.sine = sin(pitch),
		.cosine = cos(pitch),
		.slopes = {up * reach->aspect, up},
	};
}

void turntable_reach_begin(struct turntable_reach *reach, const struct camera_settings *settings,
	double aspect, const double axis[static 3]) {
	*reach = (struct turntable_reach){
		.settings = *settings,
		.aspect = aspect,
		.side = 0,
		.top = -INFINITY,
		.bottom = -INFINITY,
		.nearest = -INFINITY,
		.farthest = INFINITY,
	};
	memcpy(reach->axis, settings->has_target ? settings->target : axis, sizeof reach->axis);
}

/* A point on a circle of radius r at height h is at x = r cos a, y = h cos p - r sin a sin p and
 * z = r sin a cos p + h sin p before a camera with pitch p; each of x + z s and y + z s is greatest
 * for one angle a. */
void turntable_reach_add(struct turntable_reach *reach, const float *points, size_t count) {
	const struct tilt t = tilt_of(reach);
	const double across = t.slopes[0] * t.cosine;
	const double wide = sqrt(1 + across * across);
	const double over = fabs(t.slopes[1] * t.cosine - t.sine);
	const double under = fabs(t.slopes[1] * t.cosine + t.sine);
	for (size_t i = 0; i < count; i++) {
		const double x = points[i * 3] - reach->axis[0];
		const double h = points[i * 3 + 1] - reach->axis[1];
		const double z = points[i * 3 + 2] - reach->axis[2];
		const double r = sqrt(x * x + z * z);
		reach->side = fmax(reach->side, r * wide + h * t.slopes[0] * t.sine);
		reach->top = fmax(reach->top, h * (t.cosine + t.slopes[1] * t.sine) + r * over);
		reach->bottom =
			fmax(reach->bottom, -h * (t.cosine - t.slopes[1] * t.sine) + r * under);
		reach->nearest = fmax(reach->nearest, r * t.cosine + h * t.sine);
		reach->farthest = fmin(reach->farthest, -r * t.cosine + h * t.sine);
	}
}

/* Moves the target along the axis to where as much is free above as below. */
static void choose_target(struct turntable_reach *reach, const struct tilt *t) {
	const bool movable = !reach->settings.has_target && t->cosine > UPRIGHT_MIN;
	const double up = movable ? (reach->top - reach->bottom) / (2 * t->cosine) : 0;
	reach->axis[1] += up;
	reach->side -= up * t->slopes[0] * t->sine;
	reach->top -= up * (t->cosine + t->slopes[1] * t->sine);
	reach->bottom += up * (t->cosine - t->slopes[1] * t->sine);
	reach->nearest -= up * t->sine;
	reach->farthest -= up * t->sine;
}

static double choose_distance(const struct turntable_reach *reach, const struct tilt *t) {
	const double high = fmax(reach->top, reach->bottom) / t->slopes[1];
	// A lone point still needs some way to the eye.
	const double least =
		fmax(reach->nearest, 0) + 1e-3 * (fabs(reach->nearest - reach->farthest) + 1e-3);
	return fmax(fmax(reach->side / t->slopes[0], high), least);
}

struct camera_settings turntable_reach_end(const struct turntable_reach *reach) {
	struct turntable_reach moved = *reach;
	const struct tilt t = tilt_of(reach);
	struct camera_settings *settings = &moved.settings;
	const double fill = camera_fill(settings);
	if (reach->farthest > reach->nearest) {
		const float lone[3] = {
			(float)reach->axis[0], (float)reach->axis[1], (float)reach->axis[2]};
		turntable_reach_add(&moved, lone, 1);
	}
	choose_target(&moved, &t);
	settings->has_target = true;
	memcpy(settings->target, moved.axis, sizeof settings->target);
	if (settings->orthographic) {
		const double half =
			fmax(fmax(moved.top, moved.bottom), fmax(moved.side, 1e-6) / moved.aspect);
		settings->view_height =
			settings->view_height > 0 ? settings->view_height : 2 * half / fill;
	} else if (settings->distance == 0) {
		settings->distance = choose_distance(&moved, &t);
	}
	return *settings;
}
