// Framing: every point inside, and as large as can be.
#include <string.h>

#include "check.h"
#include "rigs.h"
#include "view/camera.h"
#include "view/extent.h"

#define POINTS 60

static void project(const struct camera *camera, const float *p, double out[static 3]) {
	double clip[4];
	for (int row = 0; row < 4; row++) {
		clip[row] = camera->view_projection[12 + row];
		for (int k = 0; k < 3; k++) {
			clip[row] += camera->view_projection[k * 4 + row] * p[k];
		}
	}
	assert_true(clip[3] > 0);
	for (int k = 0; k < 3; k++) {
		out[k] = clip[k] / clip[3];
	}
}

static void refuses_what_gives_no_picture(void **state) {
	(void)state;
	struct camera camera;
	struct error err = {0};
	struct camera_settings settings = {
		.kind = CAMERA_LOOK, .fov_deg = 30, .has_target = true, .up = {0, 1, 0}};
	assert_false(camera_make(&settings, 1, NULL, 0, &camera, &err));
	assert_string_equal(err.pointer, "/camera/eye");
	err = (struct error){0};
	settings.eye[1] = 3;
	assert_false(camera_make(&settings, 1, NULL, 0, &camera, &err));
	assert_string_equal(err.pointer, "/camera/up");
	err = (struct error){0};
	settings.kind = CAMERA_MATRICES;
	assert_false(camera_make(&settings, 1, NULL, 0, &camera, &err));
	assert_string_equal(err.pointer, "/camera/view");
}

static void refuses_projections_that_cannot_be_undone(void **state) {
	(void)state;
	static const struct {
		double projection[16];
		bool ok;
	} cases[] = {
		{{0}, false},
		{{1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300,
			 1e300, 1e300, 1e300, 1e300, 1e300},
			false},
		// No depth; depth that is the same as w; beyond float; upside down and far.
		{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, false},
		{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, 2, 2}, false},
		{{1e39, 0, 0, 0, 0, 1e39, 0, 0, 0, 0, 1e39, 0, 0, 0, 0, 1e39}, false},
		{{2, 0, 0, 0, 0, -2, 0, 0, 0, 0, -1, -1, 0, 0, -2e-9, 0}, true},
		{{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, -0.1, 0, 0, 0, 0, 1}, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct camera_settings settings = {.kind = CAMERA_MATRICES,
			.view = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -5, 1}};
		memcpy(settings.projection, cases[i].projection, sizeof settings.projection);
		struct camera camera;
		struct error err = {0};
		assert_int_equal(camera_make(&settings, 1, NULL, 0, &camera, &err), cases[i].ok);
		assert_string_equal(err.pointer, cases[i].ok ? "" : "/camera/projection");
	}
}

static void fitted_points_fill_the_frame(void **state) {
	(void)state;
	unsigned seed = 5;
	for (int round = 0; round < 50; round++) {
		float points[POINTS * 3];
		const double size = pow(10, round % 7 - 3);
		for (int i = 0; i < POINTS * 3; i++) {
			points[i] = (float)(size * (random_number(&seed) + (i % 3)));
		}
		const struct camera_settings settings = {
			.yaw_deg = 360 * random_number(&seed),
			.pitch_deg = 90 * random_number(&seed),
			.fov_deg = 20 + round,
		};
		struct camera camera;
		const double aspect = round % 3 == 0 ? 0.5 : round % 3 == 1 ? 1 : 2;
		assert_true(camera_make(&settings, aspect, points, POINTS, &camera, NULL));
		double least[2] = {9, 9}, most[2] = {-9, -9};
		for (int i = 0; i < POINTS; i++) {
			double at[3];
			project(&camera, points + i * 3, at);
			for (int k = 0; k < 2; k++) {
				least[k] = fmin(least[k], at[k]);
				most[k] = fmax(most[k], at[k]);
			}
			assert_true(fabs(at[2]) <= 1);
		}
		// The longer side fills 96 % of the frame and lies in its middle.
		const double widest = fmax(most[0] - least[0], most[1] - least[1]) / 2;
		assert_near(widest, 0.96, 1e-3);
		const int side = most[0] - least[0] > most[1] - least[1] ? 0 : 1;
		assert_near(most[side] + least[side], 0, 1e-3);
	}
}

static void yaw_turns_from_plus_z_to_plus_x(void **state) {
	(void)state;
	const float point[3] = {0, 0, 0};
	struct camera_settings settings = {.distance = 5, .fov_deg = 40};
	struct camera camera;
	assert_true(camera_make(&settings, 1, point, 1, &camera, NULL));
	assert_near(camera.eye[2], 5, 1e-12);
	settings.yaw_deg = 90;
	assert_true(camera_make(&settings, 1, point, 1, &camera, NULL));
	assert_near(camera.eye[0], 5, 1e-12);
	settings.pitch_deg = 90;
	assert_true(camera_make(&settings, 1, point, 1, &camera, NULL));
	assert_near(camera.eye[1], 5, 1e-12);
}

static void look_agrees_with_orbit(void **state) {
	(void)state;
	const float points[6] = {0, 0, 0, 1, 2, 3};
	const struct camera_settings orbit = {.yaw_deg = 40,
		.pitch_deg = 20,
		.distance = 9,
		.fov_deg = 35,
		.has_target = true,
		.target = {0.5, 1, 0}};
	struct camera a, b;
	assert_true(camera_make(&orbit, 1.5, points, 2, &a, NULL));
	struct camera_settings look = {.kind = CAMERA_LOOK,
		.fov_deg = 35,
		.up = {0, 2, 0},
		.has_target = true,
		.target = {0.5, 1, 0}};
	memcpy(look.eye, a.eye, sizeof look.eye);
	assert_true(camera_make(&look, 1.5, points, 2, &b, NULL));
	for (int i = 0; i < 16; i++) {
		assert_near(b.view_projection[i], a.view_projection[i], 1e-9);
	}
}

static void view_alone_gets_the_projection_that_the_camera_has(void **state) {
	(void)state;
	const float points[6] = {0, 0, 0, 1, 2, 3};
	const struct camera_settings look = {
		.kind = CAMERA_LOOK, .fov_deg = 35, .eye = {0.5, 1, 9}, .up = {0, 1, 0}};
	struct camera_settings view = {.kind = CAMERA_MATRICES,
		.fov_deg = 35,
		.no_projection = true,
		.view = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.5, -1, -9, 1}};
	struct camera a, b;
	assert_true(camera_needs_points(&view));
	assert_true(camera_make(&look, 1.5, points, 2, &a, NULL));
	assert_true(camera_make(&view, 1.5, points, 2, &b, NULL));
	for (int i = 0; i < 16; i++) {
		assert_near(b.view_projection[i], a.view_projection[i], 1e-9);
	}
	// Points in front, behind and none at all: still a picture.
	for (size_t count = 0; count < 3; count++) {
		view.view[14] = count == 2 ? 4 : -9;
		assert_true(camera_make(&view, 1.5, points, count, &b, NULL));
		for (int i = 0; i < 16; i++) {
			assert_true(isfinite(b.view_projection[i]));
		}
	}
	view.no_projection = false;
	assert_false(camera_needs_points(&view));
}

static void lone_point_and_no_point_give_a_camera(void **state) {
	(void)state;
	const float point[3] = {4, 5, 6};
	const struct camera_settings settings = {.yaw_deg = 10, .fov_deg = 30};
	struct camera camera;
	double at[3];
	assert_true(camera_make(&settings, 1, point, 1, &camera, NULL));
	project(&camera, point, at);
	assert_near(at[0], 0, 1e-6);
	assert_true(camera_make(&settings, 1, NULL, 0, &camera, NULL));
	for (int i = 0; i < 16; i++) {
		assert_true(isfinite(camera.view_projection[i]));
	}
}

/* Checks that a camera from the extremes of points, given in two parts, equals that of all of them.
 */
static void check_extremes(const struct camera_settings *settings, bool exact) {
	float points[300 * 3];
	unsigned seed = 3;
	for (size_t i = 0; i < 900; i++) {
		points[i] = (float)random_number(&seed) + (float)(i % 3);
	}
	struct camera_extremes extremes;
	struct camera all, some;
	camera_extremes_begin(settings, 1.5, &extremes);
	camera_extremes_add(&extremes, points, 100);
	camera_extremes_add(&extremes, points + 300, 200);
	camera_extremes_end(&extremes);
	assert_true(camera_make(settings, 1.5, points, 300, &all, NULL));
	assert_true(camera_make(settings, 1.5, extremes.points[0], extremes.count, &some, NULL));
	for (int i = 0; i < 16; i++) {
		// Near and far, which may be wider, are in the third row.
		if (exact || i % 4 != 2) {
			assert_near(some.view_projection[i], all.view_projection[i], 1e-12);
		}
	}
	for (int i = 0; i < 3; i++) {
		assert_near(some.eye[i], all.eye[i], 1e-12);
	}
}

static void extremes_give_the_camera_that_all_points_give(void **state) {
	(void)state;
	const struct camera_settings orbit = {.yaw_deg = 35, .pitch_deg = 50, .fov_deg = 40};
	struct camera_settings target = orbit;
	target.has_target = true;
	target.target[0] = 3;
	struct camera_settings look = {.kind = CAMERA_LOOK, .fov_deg = 40, .eye = {4, 5, 6}};
	look.up[1] = 1;
	struct camera_settings at = look;
	at.has_target = true;
	const struct camera_settings view = {.kind = CAMERA_MATRICES,
		.fov_deg = 40,
		.no_projection = true,
		.view = {1, 0, 0.2, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -9, 1}};
	check_extremes(&orbit, true);
	check_extremes(&target, true);
	check_extremes(&at, true);
	check_extremes(&view, true);
	check_extremes(&look, false);
}

static void no_extremes_are_no_points(void **state) {
	(void)state;
	const struct camera_settings orbit = {.fov_deg = 40};
	struct camera_extremes extremes;
	camera_extremes_begin(&orbit, 1, &extremes);
	camera_extremes_add(&extremes, NULL, 0);
	camera_extremes_end(&extremes);
	assert_int_equal(extremes.count, 0);
}

/* The greatest share of the frame's half that any point takes, for each side, 1 at the edge:
 * right, left, top, bottom. */
static void reach_of(
	const struct camera *camera, const float *points, size_t count, double sides[static 4]) {
	sides[0] = sides[1] = sides[2] = sides[3] = -9;
	for (size_t i = 0; i < count; i++) {
		double at[3];
		project(camera, points + i * 3, at);
		assert_true(fabs(at[2]) <= 1);
		for (int k = 0; k < 2; k++) {
			sides[2 * k] = fmax(sides[2 * k], at[k]);
			sides[2 * k + 1] = fmax(sides[2 * k + 1], -at[k]);
		}
	}
}

static void fill_points(unsigned *seed, double size, float *points) {
	for (int i = 0; i < POINTS * 3; i++) {
		points[i] = (float)(size * (random_number(seed) + (i % 3)));
	}
}

static void margins_are_kept_to_the_letter(void **state) {
	(void)state;
	unsigned seed = 11;
	for (int round = 0; round < 80; round++) {
		float points[POINTS * 3];
		fill_points(&seed, pow(10, round % 7 - 3), points);
		const double margin = (round % 5) * 0.1;
		const struct camera_settings settings = {
			.yaw_deg = 360 * random_number(&seed),
			.pitch_deg = 90 * random_number(&seed),
			.fov_deg = 20 + round,
			.margin_change = margin - CAMERA_MARGIN,
			.orthographic = round % 2 == 1,
		};
		struct camera camera;
		double sides[4];
		assert_true(camera_make(&settings, 1.5, points, POINTS, &camera, NULL));
		reach_of(&camera, points, POINTS, sides);
		const double fill = 1 - 2 * margin;
		// One pair of sides keeps just the margin free, the other no less.
		const int pair = sides[0] > sides[2] ? 0 : 2;
		assert_near(sides[pair], fill, 1e-4);
		assert_near(sides[pair + 1], fill, 1e-4);
		assert_true(sides[2 - pair] < fill && sides[3 - pair] < fill);
	}
}

static void parallel_sight_shows_the_height_that_is_asked_for(void **state) {
	(void)state;
	const float points[6] = {-1, 0, 5, 1, 4, -3};
	const struct camera_settings settings = {.orthographic = true, .view_height = 8};
	struct camera camera;
	double at[3];
	assert_true(camera_make(&settings, 2, points, 2, &camera, NULL));
	assert_true(camera.orthographic);
	// 4 of 8 units high, 2 of 16 wide, in the middle, at whatever distance.
	project(&camera, points, at);
	assert_near(at[0], -0.125, 1e-12);
	assert_near(at[1], -0.5, 1e-12);
	assert_true(at[2] > -1 && at[2] < 0);
	project(&camera, points + 3, at);
	assert_near(at[0], 0.125, 1e-12);
	assert_near(at[1], 0.5, 1e-12);
	assert_true(at[2] > 0 && at[2] < 1);
}

static void parallel_sight_from_an_eye_goes_through_it(void **state) {
	(void)state;
	const float points[6] = {-1, 0, 5, 1, 4, -3};
	const struct camera_settings settings = {.kind = CAMERA_LOOK,
		.orthographic = true,
		.has_target = true,
		.eye = {0, 1, 2},
		.target = {0, 1, 0},
		.up = {0, 1, 0}};
	struct camera camera;
	double at[3];
	assert_true(camera_make(&settings, 1, points, 2, &camera, NULL));
	// The line of sight is at x 0, y 1: the farthest point is 3 above it. One is behind the
	// eye.
	project(&camera, points, at);
	assert_near(at[0], -0.96 / 3, 1e-12);
	assert_near(at[1], -0.96 / 3, 1e-12);
	project(&camera, points + 3, at);
	assert_near(at[0], 0.96 / 3, 1e-12);
	assert_near(at[1], 0.96, 1e-12);
	assert_true(fabs(at[2]) < 1);
}

static void holds_points_that_it_was_not_made_for(void **state) {
	(void)state;
	const float points[6] = {0, 0, 0, 1, 1, 1};
	const float others[6] = {0, 0, -50, 0.5F, 0, 1.5F};
	for (int i = 0; i < 2; i++) {
		const struct camera_settings settings = {.fov_deg = 30, .orthographic = i == 1};
		struct camera camera;
		double before[3], after[3];
		assert_true(camera_make(&settings, 1, points, 2, &camera, NULL));
		project(&camera, others, before);
		assert_true(before[2] > 1);
		camera_hold(&camera, others, 2);
		for (size_t k = 0; k < 2; k++) {
			project(&camera, others + k * 3, after);
			assert_true(fabs(after[2]) <= 1);
		}
		// Nothing moves in the picture.
		project(&camera, others, after);
		assert_near(after[0], before[0], 1e-12);
		assert_near(after[1], before[1], 1e-12);
	}
}

static void parallel_extremes_give_the_camera_that_all_points_give(void **state) {
	(void)state;
	unsigned seed = 3;
	float points[POINTS * 3];
	fill_points(&seed, 2, points);
	const struct camera_settings cases[] = {
		{.yaw_deg = 20, .pitch_deg = 30, .orthographic = true},
		{.yaw_deg = 20, .orthographic = true, .has_target = true, .target = {1, 1, 1}},
		{.kind = CAMERA_LOOK,
			.orthographic = true,
			.eye = {9, 3, 4},
			.up = {0, 1, 0},
			.has_target = true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct camera_extremes extremes;
		camera_extremes_begin(&cases[i], 1.3, &extremes);
		camera_extremes_add(&extremes, points, POINTS);
		camera_extremes_end(&extremes);
		struct camera all, few;
		assert_true(camera_make(&cases[i], 1.3, points, POINTS, &all, NULL));
		assert_true(camera_make(
			&cases[i], 1.3, extremes.points[0], extremes.count, &few, NULL));
		assert_memory_equal(
			all.view_projection, few.view_projection, sizeof all.view_projection);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_gives_no_picture),
		cmocka_unit_test(refuses_projections_that_cannot_be_undone),
		cmocka_unit_test(fitted_points_fill_the_frame),
		cmocka_unit_test(yaw_turns_from_plus_z_to_plus_x),
		cmocka_unit_test(look_agrees_with_orbit),
		cmocka_unit_test(view_alone_gets_the_projection_that_the_camera_has),
		cmocka_unit_test(lone_point_and_no_point_give_a_camera),
		cmocka_unit_test(extremes_give_the_camera_that_all_points_give),
		cmocka_unit_test(no_extremes_are_no_points),
		cmocka_unit_test(margins_are_kept_to_the_letter),
		cmocka_unit_test(parallel_sight_shows_the_height_that_is_asked_for),
		cmocka_unit_test(parallel_sight_from_an_eye_goes_through_it),
		cmocka_unit_test(holds_points_that_it_was_not_made_for),
		cmocka_unit_test(parallel_extremes_give_the_camera_that_all_points_give),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
