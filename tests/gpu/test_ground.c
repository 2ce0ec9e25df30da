// The shadow on the ground, checked against the Gaussians that it is meant to be.
#include <math.h>
#include <string.h>

#include "../unit/check.h"
#include "context.h"
#include "image/encode.h"

#define SIZE 128

/* Pixels of a unit, and half of the units that are seen. */
#define SCALE (SIZE / (2 * HALF))
#define HALF 1.6

/* A square of side 2 that lies on the ground, facing up. */
static struct rig *plate(void) {
	static const char text[] =
		"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"mesh\":0,\"rotation\":[-0.70710678,0,0,0.70710678]}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
		"\"type\":\"VEC3\",\"min\":[-1,-1,0],\"max\":[1,1,0]},{\"bufferView\":1,"
		"\"componentType\":5121,\"count\":6,\"type\":\"SCALAR\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"
		"{\"buffer\":0,\"byteOffset\":48,\"byteLength\":6}],"
		"\"buffers\":[{\"byteLength\":54,\"uri\":\"data:application/octet-stream;base64,"
		"AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAACAPwAAgD8AAAAAAACAvwAAgD8AAAAAAAECAAID\"}]}";
	struct error err = {0};
	struct rig *rig = renderer_import(text, sizeof text - 1, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	return rig;
}

/* A picture from straight above, along -Y with z downwards, by parallel lines of sight. */
static void draw(const struct rig *rig, const struct look_settings *look, enum shading mode,
	unsigned char out[static SIZE * SIZE * 4]) {
	struct frame_job job = {
		.subject = {.rig = rig},
		.picture = {.width = SIZE,
			.height = SIZE,
			.samples = 1,
			.shading = {.mode = mode},
			.look = *look,
			.format = picture_format_named("rgba")},
	};
	struct camera_settings *camera = &job.picture.camera;
	camera->kind = CAMERA_MATRICES;
	camera->view[0] = camera->view[6] = camera->view[15] = 1;
	camera->view[9] = -1;
	camera->projection[0] = camera->projection[5] = 1 / HALF;
	camera->projection[10] = -0.1;
	camera->projection[15] = 1;
	struct buffer rgba = {0};
	struct skinning_report report;
	struct error err = {0};
	if (!renderer_frame(gpu_test_renderer(), &job, &rgba, &report, &err)) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(rgba.size, SIZE * SIZE * 4);
	memcpy(out, rgba.data, rgba.size);
	buffer_finish(&rgba);
}

/* The share of a half-plane under a Gaussian at this distance outside of it. */
static double seen(double distance, double sigma) {
	return erfc(distance / (sigma * sqrt(2))) / 2;
}

static void shadow_falls_off_as_two_gaussians_do(void **state) {
	(void)state;
	static unsigned char rgba[SIZE * SIZE * 4];
	struct rig *rig = plate();
	draw(rig, &(struct look_settings){.shadow = true}, SHADING_MATERIAL, rgba);
	const double size = sqrt(8);
	for (int x = SIZE / 2; x < SIZE; x++) {
		const double away = (x + 0.5 - SIZE / 2.0) / SCALE - 1;
		const unsigned char *pixel = rgba + (size_t)(SIZE / 2 * SIZE + x) * 4;
		if (away < 0.02) {
			continue; // the plate itself
		}
		const double touching = 0.4 + 0.6 * exp(-2 * seen(away, 0.01 * size));
		const double near = 0.3 + 0.7 * exp(-2.6 * seen(away, 0.035 * size));
		// A texel of the shadow is a fiftieth of the plate, and its edges are hard.
		if (fabs(pixel[3] / 255.0 - (1 - touching * near)) > 0.05) {
			fail_msg("alpha %d at %.3f from the edge, want %.1f", pixel[3], away,
				255 * (1 - touching * near));
		}
		assert_int_equal(pixel[0] + pixel[1] + pixel[2], 0);
	}
	rig_release(rig);
}

static void shadow_has_an_end(void **state) {
	(void)state;
	static unsigned char rgba[SIZE * SIZE * 4];
	struct rig *rig = plate();
	draw(rig, &(struct look_settings){.shadow = true}, SHADING_PLAIN, rgba);
	for (int i = 0; i < SIZE; i++) {
		assert_int_equal(rgba[i * 4 + 3], 0);
		assert_int_equal(rgba[(size_t)i * SIZE * 4 + 3], 0);
	}
	rig_release(rig);
}

static void grid_rules_the_ground(void **state) {
	(void)state;
	static unsigned char rgba[SIZE * SIZE * 4];
	struct rig *rig = plate();
	draw(rig, &(struct look_settings){.grid = true}, SHADING_SILHOUETTE, rgba);
	// Beside the plate the strongest line is where z is 0.
	const int column = (int)(SIZE / 2.0 + 1.35 * SCALE);
	int greatest = 0, at = 0;
	for (int y = 0; y < SIZE; y++) {
		const int alpha = rgba[(size_t)(y * SIZE + column) * 4 + 3];
		if (alpha > greatest) {
			greatest = alpha;
			at = y;
		}
	}
	assert_true(greatest > 40);
	assert_true(at == SIZE / 2 || at == SIZE / 2 - 1);
	rig_release(rig);
}

static void numbers_have_no_ground(void **state) {
	(void)state;
	struct rig *rig = plate();
	struct frame_job job = {
		.subject = {.rig = rig},
		.picture = {.width = SIZE,
			.height = SIZE,
			.samples = 1,
			.shading = {.mode = SHADING_DEPTH},
			.look = {.grid = true}},
	};
	struct buffer out = {0};
	struct skinning_report report;
	struct error err = {0};
	assert_false(renderer_frame(gpu_test_renderer(), &job, &out, &report, &err));
	assert_int_equal(err.code, ERROR_INVALID_VALUE);
	assert_string_equal(err.pointer, "/grid");
	buffer_finish(&out);
	rig_release(rig);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shadow_falls_off_as_two_gaussians_do),
		cmocka_unit_test(shadow_has_an_end),
		cmocka_unit_test(grid_rules_the_ground),
		cmocka_unit_test(numbers_have_no_ground),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
