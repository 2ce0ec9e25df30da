// Turntables: one distance and one place to look at, and nothing cut off from any side.
#include "view/turntable.h"

#include "check.h"
#include "json_value.h"
#include "rigs.h"
#include "view/camera.h"

#define POINTS 40
#define YAWS 360

static void fill(unsigned *seed, float *points) {
	for (int i = 0; i < POINTS * 3; i++) {
		points[i] = (float)((1 + i % 3) * random_number(seed) + i % 3);
	}
}

/* The orbit for points about the middle of their box. */
static struct camera_settings settle(
	const struct camera_settings *settings, const float *points, size_t count) {
	const struct bounds box = bounds_of_points(points, count);
	double middle[3] = {0, 0, 0};
	for (int k = 0; count > 0 && k < 3; k++) {
		middle[k] = (box.min[k] + box.max[k]) / 2;
	}
	struct turntable_reach reach;
	turntable_reach_begin(&reach, settings, 1.2, middle);
	// In two parts, as they come from many poses.
	turntable_reach_add(&reach, points, count / 3);
	turntable_reach_add(&reach, points + count / 3 * 3, count - count / 3);
	return turntable_reach_end(&reach);
}

/* The greatest share of the frame's half that any point takes in this picture. */
static double reach_of(const struct camera *camera, const float *points) {
	double reach = 0;
	for (int i = 0; i < POINTS; i++) {
		double clip[4];
		for (int row = 0; row < 4; row++) {
			const double *m = camera->view_projection + row;
			clip[row] = m[0] * points[i * 3] + m[4] * points[i * 3 + 1] +
				m[8] * points[i * 3 + 2] + m[12];
		}
		for (int k = 0; k < 3; k++) {
			assert_true(fabs(clip[k]) <= clip[3]);
		}
		reach = fmax(reach, fmax(fabs(clip[0]), fabs(clip[1])) / clip[3]);
	}
	return reach;
}

static void nothing_is_cut_off_from_any_side(void **state) {
	(void)state;
	unsigned seed = 7;
	for (int round = 0; round < 40; round++) {
		float points[POINTS * 3];
		fill(&seed, points);
		const struct camera_settings settings = {
			.pitch_deg = 90 * random_number(&seed),
			.fov_deg = 15 + round,
			.orthographic = round % 2 == 1,
			.has_target = round % 4 > 1,
			.target = {0.1, 0.8, 0.3},
		};
		struct camera_settings settled = settle(&settings, points, POINTS);
		double farthest = 0, eyes = 0;
		for (int i = 0; i < YAWS; i++) {
			struct camera camera;
			settled.yaw_deg = i;
			assert_true(camera_make(&settled, 1.2, points, POINTS, &camera, NULL));
			farthest = fmax(farthest, reach_of(&camera, points));
			double square = 0;
			for (int k = 0; k < 3; k++) {
				square += pow(camera.eye[k] - settled.target[k], 2);
			}
			assert_true(i == 0 || settings.orthographic ||
				fabs(sqrt(square) - eyes) < 1e-9);
			eyes = sqrt(square);
		}
		// Some angle between two of these fills the picture up to the margin.
		assert_true(farthest <= 0.96 + 1e-9);
		assert_near(farthest, 0.96, 1e-3);
	}
}

static void what_is_given_stays(void **state) {
	(void)state;
	unsigned seed = 9;
	float points[POINTS * 3];
	fill(&seed, points);
	const struct camera_settings near = {.fov_deg = 30, .distance = 2, .yaw_deg = 40};
	struct camera_settings out = settle(&near, points, POINTS);
	assert_near(out.distance, 2, 0);
	assert_near(out.yaw_deg, 40, 0);
	assert_true(out.has_target);
	const struct camera_settings flat = {.orthographic = true, .view_height = 3};
	assert_near(settle(&flat, points, POINTS).view_height, 3, 0);
	const struct camera_settings aimed = {
		.fov_deg = 30, .has_target = true, .target = {1, 2, 3}};
	out = settle(&aimed, points, POINTS);
	for (int k = 0; k < 3; k++) {
		assert_near(out.target[k], aimed.target[k], 0);
	}
}

static void as_much_is_free_above_as_below(void **state) {
	(void)state;
	const float points[] = {0, 0, 0, 0.2f, 2, 0, 0.2f, 1.5f, 0};
	const struct camera_settings settings = {.fov_deg = 30};
	const struct camera_settings out = settle(&settings, points, 3);
	assert_near(out.target[0], 0.1, 1e-6);
	assert_near(out.target[1], 1, 1e-6);
	assert_near(out.target[2], 0, 1e-9);
}

static void nothing_at_all_can_be_turned(void **state) {
	(void)state;
	const struct camera_settings rows[] = {{.fov_deg = 30}, {.orthographic = true}};
	for (int k = 0; k < 2; k++) {
		const struct camera_settings out = settle(&rows[k], NULL, 0);
		struct camera camera;
		assert_true(camera_make(&out, 1, NULL, 0, &camera, NULL));
		for (int i = 0; i < 16; i++) {
			assert_true(isfinite(camera.view_projection[i]));
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_cut_off_from_any_side),
		cmocka_unit_test(what_is_given_stays),
		cmocka_unit_test(as_much_is_free_above_as_below),
		cmocka_unit_test(nothing_at_all_can_be_turned),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
