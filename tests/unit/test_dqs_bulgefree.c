// Bulge-free dual quaternion skinning checked against METHODS A12's numbers.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skin/bones.h"
#include "skinned.h"

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};
static const float outside[3] = {0.1f, 0.9f, 0};

/* Distance from cyl2's bone 0, (0, 0, 0) to (0, 1, 0), which does not move. */
static double distance_to_bone(const float v[static 3]) {
	const double from[3] = {0, 0, 0}, to[3] = {0, 1, 0};
	return bone_distance(from, to, (const double[3]){(double)v[0], (double)v[1], (double)v[2]});
}

static void bend_goes_back_to_the_bound_distance(void **state) {
	(void)state;
	float before[3], after[3], normal[3];
	skinned_cyl2_vertex("{'method':'dqs'}", outside, 0.3f, z_axis, 90, before, normal);
	assert_near(distance_to_bone(before), 0.1338643, 1e-6);
	skinned_cyl2_vertex("{'method':'dqs_bulgefree'}", outside, 0.3f, z_axis, 90, after, normal);
	assert_near(after[0], 0.1, 1e-6);
	assert_near(after[1], 0.9543892, 1e-6);
	assert_near(after[2], 0, 1e-6);
	assert_near(distance_to_bone(after) / 0.1, 1, 1e-6);
}

static void smoothly_what_bulges_far_goes_all_the_way(void **state) {
	(void)state;
	// By a third of the distance: past the first tenth the step is over.
	float sharp[3], smooth[3], normal[3];
	skinned_cyl2_vertex("{'method':'dqs_bulgefree'}", outside, 0.3f, z_axis, 90, sharp, normal);
	skinned_cyl2_vertex("{'method':'dqs_bulgefree','smooth':true}", outside, 0.3f, z_axis, 90,
		smooth, normal);
	assert_memory_equal(smooth, sharp, sizeof sharp);
}

static void smoothly_a_small_bulge_goes_partly(void **state) {
	(void)state;
	float before[3], sharp[3], smooth[3], normal[3];
	const double degrees = 15;
	skinned_cyl2_vertex("{'method':'dqs'}", outside, 0.3f, z_axis, degrees, before, normal);
	skinned_cyl2_vertex(
		"{'method':'dqs_bulgefree'}", outside, 0.3f, z_axis, degrees, sharp, normal);
	skinned_cyl2_vertex("{'method':'dqs_bulgefree','smooth':true}", outside, 0.3f, z_axis,
		degrees, smooth, normal);
	const double t = (distance_to_bone(before) - 0.1) / 0.01;
	assert_true(0.1 < t && t < 0.9); // else this shows nothing
	const double share = t * t * (3 - 2 * t);
	for (int k = 0; k < 3; k++) {
		const double mixed =
			(double)before[k] + share * ((double)sharp[k] - (double)before[k]);
		assert_near(smooth[k], mixed, 1e-6);
	}
}

static void twist_is_that_of_dqs(void **state) {
	(void)state;
	for (int degrees = 15; degrees < 180; degrees += 15) {
		for (int w = 0; w <= 10; w++) {
			float a[3], b[3], normal[3];
			skinned_cyl2_vertex("{'method':'dqs'}", outside, (float)w / 10, y_axis,
				degrees, a, normal);
			skinned_cyl2_vertex("{'method':'dqs_bulgefree'}", outside, (float)w / 10,
				y_axis, degrees, b, normal);
			for (int k = 0; k < 3; k++) {
				assert_near(b[k], a[k], 1e-6);
			}
		}
	}
}

static void what_is_nearer_stays(void **state) {
	(void)state;
	// Inside the bend dqs brings vertices nearer to the bone: nothing pushes them out.
	const float inside[3] = {-0.1f, 0.9f, 0};
	float a[3], b[3], normal[3];
	skinned_cyl2_vertex("{'method':'dqs'}", inside, 0.3f, z_axis, 90, a, normal);
	assert_true(distance_to_bone(a) < 0.099);
	skinned_cyl2_vertex("{'method':'dqs_bulgefree'}", inside, 0.3f, z_axis, 90, b, normal);
	assert_memory_equal(a, b, sizeof a);
}

static void bones_run_from_joint_to_child_and_to_the_tip(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	struct bone bones[2];
	bones_find(rig, arena, bones);
	const double expected[2][6] = {{0, 0, 0, 0, 1, 0}, {0, 1, 0, 0, 2, 0}};
	for (int i = 0; i < 2; i++) {
		assert_int_equal(bones[i].parent, i - 1);
		for (int k = 0; k < 3; k++) {
			assert_near(bones[i].from[k], expected[i][k], 1e-12);
			assert_near(bones[i].to[k], expected[i][3 + k], 1e-12);
		}
	}
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bend_goes_back_to_the_bound_distance),
		cmocka_unit_test(smoothly_what_bulges_far_goes_all_the_way),
		cmocka_unit_test(smoothly_a_small_bulge_goes_partly),
		cmocka_unit_test(twist_is_that_of_dqs),
		cmocka_unit_test(what_is_nearer_stays),
		cmocka_unit_test(bones_run_from_joint_to_child_and_to_the_tip),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
