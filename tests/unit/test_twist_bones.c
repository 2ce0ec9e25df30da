// Twist bones checked against METHODS A6's closed form, and against linear blend skinning.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skin/motion.h"
#include "skinned.h"

#define DEGREES (180 / 3.14159265358979323846)

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

static const char *settings_for(int helpers) {
	static char text[64];
	snprintf(text, sizeof text, "{'method': 'twist_bones', 'helpers': %d}", helpers);
	return text;
}

/* Least radius, as a share, over all weights that joint 1 may have. */
static double min_radius(const char *skinning, double degrees) {
	const float vertex[3] = {0.1f, 1, 0};
	double least = 1;
	for (int i = 0; i <= 240; i++) {
		float out[3], normal[3];
		skinned_cyl2_vertex(skinning, vertex, (float)i / 240, y_axis, degrees, out, normal);
		least = fmin(least, hypot(out[0], out[2]) / 0.1);
	}
	return least;
}

static void candy_wrapper_keeps_the_known_radius(void **state) {
	(void)state;
	static const struct {
		int helpers;
		double radius;
	} rows[] = {{2, 0.707107}, {3, 0.866025}, {4, 0.923880}, {5, 0.951057}, {8, 0.980785}};
	assert_near(min_radius("'lbs'", 180), 0, 1e-6);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		// 240 weights hit the middle between helpers for all of these.
		assert_near(min_radius(settings_for(rows[i].helpers), 180), rows[i].radius, 2e-6);
		const double half = 90 / (2.0 * rows[i].helpers) / DEGREES;
		assert_near(min_radius(settings_for(rows[i].helpers), 90), cos(half), 2e-6);
	}
}

static void twist_is_even_at_the_helpers(void **state) {
	(void)state;
	const float vertex[3] = {0.1f, 1, 0};
	for (int i = 0; i <= 4; i++) {
		float out[3], normal[3];
		skinned_cyl2_vertex(
			settings_for(4), vertex, (float)i / 4, y_axis, 120, out, normal);
		assert_near(atan2(-out[2], out[0]) * DEGREES, 120 * i / 4.0, 1e-4);
		assert_near(hypot(out[0], out[2]), 0.1, 1e-7);
		assert_near(atan2(-normal[2], normal[0]) * DEGREES, 120 * i / 4.0, 1e-4);
	}
}

static void helpers_bend_about_the_joint(void **state) {
	(void)state;
	const float vertex[3] = {0.1f, 1, 0};
	for (int i = 0; i <= 2; i++) {
		float out[3], normal[3];
		skinned_cyl2_vertex(settings_for(2), vertex, (float)i / 2, z_axis, 90, out, normal);
		const double angle = 45 * i / DEGREES;
		assert_near(out[0], 0.1 * cos(angle), 1e-6);
		assert_near(out[1], 1 + 0.1 * sin(angle), 1e-6);
	}
}

static void ends_are_the_joints_themselves(void **state) {
	(void)state;
	struct rig *rig = rig_random(6, 9, 151, 4);
	for (size_t i = 0; i < rig->influence_count; i++) {
		rig->influence_weights[i] = i % 4 == 0 ? 1 : 0;
	}
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	unsigned seed = 3;
	for (int i = 0; i < rig->joint_count; i++) {
		set_rotation(&pose.local[i], 0, 1, 0, 60 * random_number(&seed));
		pose.local[i].scale[i % 3] = 1.2f;
	}
	float *out = xcalloc(151 * 12, sizeof *out);
	skinned_as(rig, settings_for(5), NULL, &pose, out, out + 453);
	skinned_as(rig, "'lbs'", NULL, &pose, out + 906, out + 1359);
	for (int i = 0; i < 906; i++) {
		assert_near(out[i], out[906 + i], 1e-5);
	}
	free(out);
	arena_destroy(arena);
	rig_release(rig);
}

/* Scaling, shearing by it and moving are linear in the weight, as for lbs. */
static void without_rotation_it_is_lbs(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	pose.local[1].scale[0] = 2;
	pose.local[1].scale[1] = 0.5f;
	pose.local[1].translation[0] = 0.3f;
	const size_t count = (size_t)rig->vertex_count * 3;
	float *out = xcalloc(count * 4, sizeof *out);
	skinned_as(rig, settings_for(3), NULL, &pose, out, out + count);
	skinned_as(rig, "'lbs'", NULL, &pose, out + 2 * count, out + 3 * count);
	for (size_t i = 0; i < count * 2; i++) {
		assert_near(out[i], out[2 * count + i], 1e-5);
	}
	free(out);
	arena_destroy(arena);
	rig_release(rig);
}

/* Between any two neighbouring weights the result moves a little only. */
static void chains_of_joints_blend_without_jumps(void **state) {
	(void)state;
	struct rig *rig = rig_random(1, 4, 2001, 4);
	for (int i = 0; i < 2001; i++) {
		// From joints 0 and 1 over 1 and 2 to 2 and 3.
		const double t = 3 * i / 2000.0;
		struct {
			double weight;
			uint16_t slot;
		} all[4], other;
		for (int k = 0; k < 4; k++) {
			all[k].weight = fmax(0, 1 - fabs(t - k) / 1.5);
			all[k].slot = (uint16_t)k;
		}
		double sum = 0;
		for (int k = 0; k < 4; k++) {
			sum += all[k].weight;
			for (int m = k; m > 0 && all[m].weight > all[m - 1].weight; m--) {
				other = all[m], all[m] = all[m - 1], all[m - 1] = other;
			}
		}
		for (int k = 0; k < 4; k++) {
			rig->influence_weights[i * 4 + k] = (float)(all[k].weight / sum);
			rig->influence_slots[i * 4 + k] =
				all[k].weight > 0 ? all[k].slot : all[0].slot;
		}
		memcpy(rig->positions + i * 3, rig->positions, 3 * sizeof(float));
	}
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	for (int i = 1; i < 4; i++) {
		set_rotation(&pose.local[i], 0, 1, 0, 80);
	}
	float *out = xcalloc(2001 * 6, sizeof *out);
	skinned_as(rig, settings_for(4), NULL, &pose, out, out + 6003);
	for (int i = 1; i < 2001; i++) {
		for (int k = 0; k < 3; k++) {
			assert_near(out[i * 3 + k], out[i * 3 - 3 + k], 0.05);
		}
	}
	free(out);
	arena_destroy(arena);
	rig_release(rig);
}

static void swing_and_twist_are_told_apart(void **state) {
	(void)state;
	// METHODS 0.5: Rx(40) Ry(70) about y.
	const double x = 20 / DEGREES, y = 35 / DEGREES;
	const double q[4] = {sin(x) * cos(y), cos(x) * sin(y), sin(x) * sin(y), cos(x) * cos(y)};
	double swing[4], twist[4];
	turns_swing_twist(q, y_axis, swing, twist);
	assert_near(2 * atan2(twist[1], twist[3]) * DEGREES, 70, 1e-9);
	assert_near(2 * atan2(swing[0], swing[3]) * DEGREES, 40, 1e-9);
	assert_near(swing[1], 0, 1e-12);
	const double none[3] = {0};
	turns_swing_twist(q, none, swing, twist);
	assert_near(swing[0], q[0], 1e-12);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(candy_wrapper_keeps_the_known_radius),
		cmocka_unit_test(twist_is_even_at_the_helpers),
		cmocka_unit_test(helpers_bend_about_the_joint),
		cmocka_unit_test(ends_are_the_joints_themselves),
		cmocka_unit_test(without_rotation_it_is_lbs),
		cmocka_unit_test(chains_of_joints_blend_without_jumps),
		cmocka_unit_test(swing_and_twist_are_told_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
