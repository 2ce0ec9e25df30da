// Dual quaternion skinning checked against METHODS A11's and 0.4's closed forms.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skin/method.h"

#define DEGREES (180 / 3.14159265358979323846)

static const struct skinning_method *dqs(void) {
	const struct value id = {.kind = VALUE_STRING, .string = "dqs"};
	return skin_method_find(&id, NULL);
}

/* Skins one vertex of cyl2's joints, joint 1 turned and scaled. */
static void skin_one(const float position[static 3], float weight, const double axis[static 3],
	double degrees, const float scale[static 3], float out[static 3]) {
	float at[1][3], normal[3];
	memcpy(at[0], position, sizeof at[0]);
	struct rig *rig = rig_cyl2_vertices(1, at, &weight);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], axis[0], axis[1], axis[2], degrees);
	memcpy(pose.local[1].scale, scale, 3 * sizeof *scale);
	skin_pose(rig, dqs(), &pose, false, out, normal);
	arena_destroy(arena);
	rig_release(rig);
}

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};
static const float no_scale[3] = {1, 1, 1};
static const float vertex_at_joint[3] = {0.1f, 1, 0};

static void twist_keeps_the_radius(void **state) {
	(void)state;
	for (int degrees = 0; degrees <= 180; degrees += 15) {
		for (int w = 0; w <= 10; w++) {
			float out[3];
			skin_one(vertex_at_joint, (float)w / 10, y_axis, degrees, no_scale, out);
			assert_near(hypot(out[0], out[2]), 0.1, 1e-6 * 0.1 + 1e-7);
		}
	}
}

static void twist_has_the_known_azimuth(void **state) {
	(void)state;
	static const double rows[][2] = {
		{90, 21.598161}, {120, 27.795772}, {150, 33.020030}, {179.999, 36.869898}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		float out[3];
		skin_one(vertex_at_joint, 0.25f, y_axis, rows[i][0], no_scale, out);
		assert_near(atan2(-out[2], out[0]) * DEGREES, rows[i][1], 4e-4);
		skin_one(vertex_at_joint, 0.5f, y_axis, rows[i][0], no_scale, out);
		assert_near(atan2(-out[2], out[0]) * DEGREES, rows[i][0] / 2, 1e-4);
	}
}

static void sign_follows_the_pivot_past_180(void **state) {
	(void)state;
	// METHODS 0.6: +89.5 degrees at 179, -89.5 at 181.
	float out[3];
	skin_one(vertex_at_joint, 0.5f, y_axis, 179, no_scale, out);
	assert_near(atan2(-out[2], out[0]) * DEGREES, 89.5, 1e-3);
	skin_one(vertex_at_joint, 0.5f, y_axis, 181, no_scale, out);
	assert_near(atan2(-out[2], out[0]) * DEGREES, -89.5, 1e-3);
}

static void bend_bulges_as_known(void **state) {
	(void)state;
	float out[3];
	skin_one(vertex_at_joint, 0.5f, z_axis, 90, no_scale, out);
	assert_near(out[0], 0.0707107, 1e-6);
	assert_near(out[1], 1.0707107, 1e-6);
	assert_near(out[2], 0, 1e-6);
}

static void stretch_is_blended_about_the_joint(void **state) {
	(void)state;
	// METHODS 0.4: twist 90 degrees with stretch diag(2,1,2) at the joint: radius 1.5 at w =
	// 1/2.
	const float wide[3] = {2, 1, 2};
	float out[3];
	skin_one(vertex_at_joint, 0.5f, y_axis, 90, wide, out);
	assert_near(hypot(out[0], out[2]) / 0.1, 1.5, 2e-6);
}

static void cylinder_keeps_the_known_volume(void **state) {
	(void)state;
	const double whole = cylinder_volume(dqs(), 0, 1, 0, 0);
	assert_near(cylinder_volume(dqs(), 0, 1, 0, 179.9999) / whole, 0.990651, 1e-5);
	assert_near(cylinder_volume(dqs(), 0, 1, 0, 90) / whole, 0.996379, 2e-6);
	assert_near(cylinder_volume(dqs(), 0, 0, 1, 90) / whole, 0.998458, 2e-6);
}

static void distance_to_lbs_is_known(void **state) {
	(void)state;
	static const struct {
		double axis[3], degrees, expected;
	} rows[] = {
		{{0, 1, 0}, 180, 0.1},
		{{0, 1, 0}, 90, 0.029289},
		{{0, 0, 1}, 90, 0.034326},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig *rig = rig_cyl2();
		struct arena *arena = arena_create();
		const struct pose pose = pose_rest(rig, arena);
		const double *axis = rows[i].axis;
		set_rotation(&pose.local[1], axis[0], axis[1], axis[2], rows[i].degrees);
		const size_t floats = (size_t)rig->vertex_count * 3;
		float *a = xcalloc(floats * 4, sizeof *a), *b = a + floats * 2;
		skin_pose(rig, skin_method(0), &pose, false, a, a + floats);
		skin_pose(rig, dqs(), &pose, false, b, b + floats);
		double greatest = 0;
		for (size_t v = 0; v < floats; v += 3) {
			const double dx = a[v] - b[v], dy = a[v + 1] - b[v + 1],
				     dz = a[v + 2] - b[v + 2];
			greatest = fmax(greatest, sqrt(dx * dx + dy * dy + dz * dz));
		}
		assert_near(greatest, rows[i].expected, 2e-6);
		free(a);
		arena_destroy(arena);
		rig_release(rig);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twist_keeps_the_radius),
		cmocka_unit_test(twist_has_the_known_azimuth),
		cmocka_unit_test(sign_follows_the_pivot_past_180),
		cmocka_unit_test(bend_bulges_as_known),
		cmocka_unit_test(stretch_is_blended_about_the_joint),
		cmocka_unit_test(cylinder_keeps_the_known_volume),
		cmocka_unit_test(distance_to_lbs_is_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
