// Swing and twist checked against METHODS A23, bones blending and dual quaternions.
#include <string.h>

#include "base/mat.h"
#include "check.h"
#include "rigs.h"
#include "skinned.h"

#define DEGREES (180 / 3.14159265358979323846)

static const double axes[2][3] = {{0, 1, 0}, {0, 0, 1}};
static const float beside_joint[3] = {0.1f, 1, 0};

static void pure_twist_and_pure_swing_are_those_of_bones_blend(void **state) {
	(void)state;
	const float at[3] = {0.06f, 0.9f, -0.08f};
	for (int i = 0; i < 2; i++) {
		for (int w = 0; w <= 8; w++) {
			float a[3], b[3], a_normal[3], b_normal[3];
			const float weight = (float)w / 8;
			skinned_cyl2_vertex("'swing_twist'", at, weight, axes[i], 130, a, a_normal);
			skinned_cyl2_vertex("'bones_blend'", at, weight, axes[i], 130, b, b_normal);
			for (int k = 0; k < 3; k++) {
				assert_near(a[k], b[k], 1e-6);
				assert_near(a_normal[k], b_normal[k], 1e-6);
			}
		}
	}
}

static double azimuth(const float p[static 3]) {
	return atan2(-p[2], p[0]) * DEGREES;
}

static void twist_along_the_bone_is_linear(void **state) {
	(void)state;
	// METHODS A23: twist 180 degrees, weights linear over the bone: azimuth linear, radius r.
	for (int i = 0; i <= 10; i++) {
		const float y = (float)i / 10, at[3] = {0.1f, y, 0};
		float out[3], n[3];
		skinned_cyl2_vertex("'swing_twist'", at, y, axes[0], 179.9, out, n);
		assert_near(azimuth(out), 179.9 * y, 3e-4);
		assert_near(hypot(out[0], out[2]), 0.1, 1e-7);
		assert_near(out[1], y, 2e-7);
		// By the bone alone the weights, here all on the parent, do not matter.
		skinned_cyl2_vertex("{'method': 'swing_twist', 'twist': 'bone'}", at, 0, axes[0],
			179.9, out, n);
		assert_near(azimuth(out), 179.9 * y, 3e-4);
		assert_near(hypot(out[0], out[2]), 0.1, 1e-7);
		assert_near(azimuth(n), 179.9 * y, 3e-4);
	}
}

static void swing_and_twist_go_by_their_own_weights(void **state) {
	(void)state;
	// METHODS 0.5: Rx(40) Ry(70) is a swing of 40 degrees after a twist of 70 about y. At half
	// of the bone's length half of the twist, and a swing of 40 w.
	const float at[1][3] = {{0.1f, 0.5f, 0}}, weight = 0.25f;
	struct rig *rig = rig_cyl2_vertices(1, at, &weight);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	struct transform swing = TRANSFORM_IDENTITY, twist = TRANSFORM_IDENTITY;
	const float zero[3] = {0}, one[3] = {1, 1, 1};
	double a[12], b[12], q[4], stretch[9], expected[3];
	set_rotation(&swing, 1, 0, 0, 40);
	set_rotation(&twist, 0, 1, 0, 70);
	mat_from_transform(zero, swing.rotation, one, a);
	mat_from_transform(zero, twist.rotation, one, b);
	mat_multiply(a, b, a);
	mat_polar(a, q, stretch);
	for (int k = 0; k < 4; k++) {
		pose.local[1].rotation[k] = (float)q[k];
	}
	set_rotation(&swing, 1, 0, 0, 10);
	set_rotation(&twist, 0, 1, 0, 35);
	mat_from_transform(zero, swing.rotation, one, a);
	mat_from_transform(zero, twist.rotation, one, b);
	mat_multiply(a, b, a);
	const double from_joint[3] = {0.1, -0.5, 0};
	mat_map_point(a, from_joint, expected);
	expected[1] += 1;
	float out[3], normal[3];
	skinned_as(rig, "{'method': 'swing_twist', 'twist': 'bone'}", NULL, &pose, out, normal);
	for (int k = 0; k < 3; k++) {
		assert_near(out[k], expected[k], 5e-7);
	}
	arena_destroy(arena);
	rig_release(rig);
}

/* A chain of three joints, and a vertex with such influences. */
static void skin_chain(const char *skinning, const uint16_t slots[static 4],
	const float weights[static 4], bool turns_second, float out[static 6]) {
	struct rig *rig = rig_random(8, 3, 1, 4);
	memcpy(rig->influence_slots, slots, 4 * sizeof *slots);
	memcpy(rig->influence_weights, weights, 4 * sizeof *weights);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[0], 0.6, 0, 0.8, 50);
	set_rotation(&pose.local[2], 0, 0.6, 0.8, 80);
	if (turns_second) {
		set_rotation(&pose.local[1], 0.8, 0.6, 0, 70);
	}
	skinned_as(rig, skinning, NULL, &pose, out, out + 3);
	arena_destroy(arena);
	rig_release(rig);
}

static void other_joints_are_blended_as_dual_quaternions(void **state) {
	(void)state;
	// Joint 1 rests on joint 0, so their pair moves as either: all is dqs. And so it is where a
	// joint and its grandchild are no pair.
	const uint16_t chain[4] = {0, 1, 2, 0}, apart[4] = {0, 2, 0, 0};
	const float weights[4] = {0.5f, 0.3f, 0.2f, 0}, two[4] = {0.75f, 0.25f, 0, 0};
	float own[6], dqs[6];
	skin_chain("'swing_twist'", chain, weights, false, own);
	skin_chain("'dqs'", chain, weights, false, dqs);
	for (int k = 0; k < 6; k++) {
		assert_near(own[k], dqs[k], 2e-6);
	}
	skin_chain("'swing_twist'", apart, two, true, own);
	skin_chain("'dqs'", apart, two, true, dqs);
	for (int k = 0; k < 6; k++) {
		assert_near(own[k], dqs[k], 2e-6);
	}
	// A pair that does move against each other is not.
	skin_chain("'swing_twist'", chain, weights, true, own);
	skin_chain("'dqs'", chain, weights, true, dqs);
	assert_true(fabs(own[0] - dqs[0]) + fabs(own[1] - dqs[1]) + fabs(own[2] - dqs[2]) > 1e-3);
}

static void stretch_is_blended_about_the_joint(void **state) {
	(void)state;
	// METHODS 0.4: twist 90 degrees with stretch diag(2,1,2): 1.5 times as wide at w = 1/2.
	static const char *const methods[] = {"'swing_twist'", "'log_blend'", "'bones_blend'"};
	for (int i = 0; i < 3; i++) {
		const float weight = 0.5f;
		struct rig *rig = rig_cyl2_vertices(1, &beside_joint, &weight);
		struct arena *arena = arena_create();
		const struct pose pose = pose_rest(rig, arena);
		set_rotation(&pose.local[1], 0, 1, 0, 90);
		pose.local[1].scale[0] = pose.local[1].scale[2] = 2;
		float out[3], n[3];
		skinned_as(rig, methods[i], NULL, &pose, out, n);
		assert_near(hypot(out[0], out[2]) / 0.1, 1.5, 2e-6);
		arena_destroy(arena);
		rig_release(rig);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pure_twist_and_pure_swing_are_those_of_bones_blend),
		cmocka_unit_test(twist_along_the_bone_is_linear),
		cmocka_unit_test(swing_and_twist_go_by_their_own_weights),
		cmocka_unit_test(other_joints_are_blended_as_dual_quaternions),
		cmocka_unit_test(stretch_is_blended_about_the_joint),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
