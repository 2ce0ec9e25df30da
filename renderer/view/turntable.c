// One camera for all pictures of a turntable.
#include "view/turntable.h"

#include <math.h>

#include "view/extent.h"

#define PI 3.14159265358979323846

/* Least cosine of the pitch at which raising the target is worth it: seen from above it moves
 * hardly anything in the picture. */
#define LEAST_COSINE 0.1

struct turning {
	struct camera_settings *settings; // decided so far, with a target
	double slopes[2];
	const double *yaws_deg;
	size_t yaw_count;
	const float *points;
	size_t count;
};

/* The greatest extent in any of the pictures. */
static struct extent measure_all(const struct turning *turning) {
	struct extent all = extent_none();
	for (size_t i = 0; i < turning->yaw_count; i++) {
		turning->settings->yaw_deg = turning->yaws_deg[i];
		struct camera camera;
		camera_orbit_axes(turning->settings, &camera);
		extent_add(&all, &camera, turning->settings->target, turning->slopes,
			turning->points, turning->count);
	}
	return all;
}

/* Puts the target into the middle of the box, and as high as leaves the same room above and
 * below: raising it by h lowers the top by h (cos + slope sin), and the bottom by h (slope sin -
 * cos). */
static void choose_target(struct turning *turning) {
	struct camera_settings *settings = turning->settings;
	const struct bounds box = bounds_of_points(turning->points, turning->count);
	for (int k = 0; k < 3; k++) {
		settings->target[k] = (box.min[k] + box.max[k]) / 2;
	}
	settings->has_target = true;
	const double cosine = cos(settings->pitch_deg * PI / 180);
	const struct extent e = measure_all(turning);
	if (cosine > LEAST_COSINE) {
		settings->target[1] += (e.top - e.bottom) / (2 * cosine);
	}
}

bool turntable_settle(const struct camera_settings *settings, double aspect, const double *yaws_deg,
	size_t yaw_count, const float *points, size_t count, struct camera_settings *out,
	struct error *err) {
	static const float origin[3] = {0, 0, 0};
	*out = *settings;
	if (yaw_count <= 1) {
		return true;
	}
	if (settings->kind != CAMERA_ORBIT) {
		return error_at(err, ERROR_INVALID_VALUE, "/camera",
			"a turntable goes around its target; this camera has its own place: give "
			"it yaw, pitch or a preset, or leave it out");
	}
	const double slope = camera_slope(settings) * camera_fill(settings);
	struct turning turning = {
		.settings = out,
		.slopes = {slope * aspect, slope},
		.yaws_deg = yaws_deg,
		.yaw_count = yaw_count,
		.points = count > 0 ? points : origin,
		.count = count > 0 ? count : 1,
	};
	const double yaw_deg = out->yaw_deg;
	if (!settings->has_target) {
		choose_target(&turning);
	}
	const struct extent e = measure_all(&turning);
	if (settings->orthographic && settings->view_height <= 0) {
		out->view_height = 2 * extent_half_height(&e, aspect, camera_fill(settings), true);
	} else if (!settings->orthographic && settings->distance <= 0) {
		out->distance = extent_distance(&e, turning.slopes, true);
	}
	out->yaw_deg = yaw_deg;
	return true;
}
