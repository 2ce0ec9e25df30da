// Turntables: one distance and one place to look at, and nothing cut off from any side.
#include "view/turntable.h"

#include "check.h"
#include "json_value.h"
#include "rigs.h"

#define POINTS 40
#define YAWS 36

static void fill(unsigned *seed, float *points, double *yaws_deg) {
	for (int i = 0; i < POINTS * 3; i++) {
		points[i] = (float)((1 + i % 3) * random_number(seed) + i % 3);
	}
	for (int i = 0; i < YAWS; i++) {
		yaws_deg[i] = 10 * i + 3;
	}
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

static void refuses_to_turn_a_camera_that_has_its_place(void **state) {
	(void)state;
	const double yaws_deg[2] = {0, 90};
	struct camera_settings out;
	for (int kind = CAMERA_ORBIT + 1; kind <= CAMERA_MATRICES; kind++) {
		const struct camera_settings settings = {
			.kind = (enum camera_kind)kind, .fov_deg = 30};
		struct error err = {0};
		assert_false(turntable_settle(&settings, 1, yaws_deg, 2, NULL, 0, &out, &err));
		expect_error(&err, ERROR_INVALID_VALUE, "/camera", "goes around its target");
	}
}

static void nothing_is_cut_off_from_any_side(void **state) {
	(void)state;
	unsigned seed = 7;
	for (int round = 0; round < 40; round++) {
		float points[POINTS * 3];
		double yaws_deg[YAWS];
		fill(&seed, points, yaws_deg);
		const struct camera_settings settings = {
			.pitch_deg = 90 * random_number(&seed),
			.fov_deg = 15 + round,
			.orthographic = round % 2 == 1,
			.has_target = round % 4 > 1,
			.target = {0.1, 0.8, 0.3},
		};
		struct camera_settings settled;
		assert_true(turntable_settle(
			&settings, 1.2, yaws_deg, YAWS, points, POINTS, &settled, NULL));
		double farthest = 0, eyes = 0;
		for (int i = 0; i < YAWS; i++) {
			struct camera camera;
			settled.yaw_deg = yaws_deg[i];
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
		// One of the pictures is filled up to the margin.
		assert_near(farthest, 0.96, 1e-4);
	}
}

static void what_is_given_stays(void **state) {
	(void)state;
	unsigned seed = 9;
	float points[POINTS * 3];
	double yaws_deg[YAWS];
	fill(&seed, points, yaws_deg);
	struct camera_settings out;
	const struct camera_settings near = {.fov_deg = 30, .distance = 2, .yaw_deg = 40};
	assert_true(turntable_settle(&near, 1, yaws_deg, YAWS, points, POINTS, &out, NULL));
	assert_near(out.distance, 2, 0);
	assert_near(out.yaw_deg, 40, 0);
	const struct camera_settings flat = {.orthographic = true, .view_height = 3};
	assert_true(turntable_settle(&flat, 1, yaws_deg, YAWS, points, POINTS, &out, NULL));
	assert_near(out.view_height, 3, 0);
}

static void one_picture_is_framed_by_itself(void **state) {
	(void)state;
	const double yaw_deg = 20;
	const float point[3] = {1, 2, 3};
	const struct camera_settings settings = {.fov_deg = 30, .yaw_deg = 20};
	struct camera_settings out;
	assert_true(turntable_settle(&settings, 1, &yaw_deg, 1, point, 1, &out, NULL));
	assert_memory_equal(&out, &settings, sizeof out);
}

static void nothing_at_all_can_be_turned(void **state) {
	(void)state;
	const double yaws_deg[2] = {0, 90};
	const struct camera_settings settings = {.fov_deg = 30};
	struct camera_settings out;
	struct camera camera;
	assert_true(turntable_settle(&settings, 1, yaws_deg, 2, NULL, 0, &out, NULL));
	assert_true(camera_make(&out, 1, NULL, 0, &camera, NULL));
	for (int i = 0; i < 16; i++) {
		assert_true(isfinite(camera.view_projection[i]));
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_to_turn_a_camera_that_has_its_place),
		cmocka_unit_test(nothing_is_cut_off_from_any_side),
		cmocka_unit_test(what_is_given_stays),
		cmocka_unit_test(one_picture_is_framed_by_itself),
		cmocka_unit_test(nothing_at_all_can_be_turned),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
