// Stretchable, twistable bones checked against METHODS A24's closed forms, and against the methods
// that they blend like.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skinned.h"

#define DEGREES (180 / 3.14159265358979323846)

static const char *const both[] = {
	"{'method': 'stbs', 'blend': 'lbs'}", "{'method': 'stbs', 'blend': 'dqs'}"};

/* Vertices of cyl2's joints, all on joint 0 or all on joint 1. The bone of joint 0 goes from 0 to 1
 * on +Y, that of joint 1 from 1 as far as its vertices reach. */
static void skin_vertices(const char *skinning, int count, const float (*positions)[3],
	float weight, void (*change)(struct pose *pose), float (*out)[3], float (*normals)[3]) {
	float *weights = xcalloc((size_t)count, sizeof *weights);
	for (int i = 0; i < count; i++) {
		weights[i] = weight;
	}
	struct rig *rig = rig_cyl2_vertices(count, positions, weights);
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(rig, arena);
	change(&pose);
	skinned_as(rig, skinning, NULL, &pose, out[0], normals[0]);
	arena_destroy(arena);
	rig_release(rig);
	free(weights);
}

static void assert_at(const float *out, double x, double y, double z) {
	assert_near(out[0], x, 1e-6);
	assert_near(out[1], y, 1e-6);
	assert_near(out[2], z, 1e-6);
}

static void stretch_by_scale(struct pose *pose) {
	pose->local[0].scale[1] = 1.5f;
}

/* The child moves away along the bone, and the joint itself has no scale. */
static void stretch_by_child(struct pose *pose) {
	pose->local[1].translation[1] = 1.5f;
}

static void stretch_both_ways(struct pose *pose) {
	pose->local[0].scale[1] = 0.75f;
	pose->local[1].translation[1] = 2;
}

static void bone_stretches_to_the_known_places(void **state) {
	(void)state;
	void (*const changes[])(struct pose *) = {
		stretch_by_scale, stretch_by_child, stretch_both_ways};
	const float v[4][3] = {{0.1f, 0.4f, 0}, {0.1f, 1.2f, 0}, {0.1f, -0.2f, 0}, {0.1f, 0, 0}};
	for (int i = 0; i < 6; i++) {
		float out[4][3], normals[4][3];
		skin_vertices(both[i % 2], 4, v, 0, changes[i / 2], out, normals);
		assert_at(out[0], 0.1, 0.6, 0);
		assert_at(out[1], 0.1, 1.7, 0);  // beyond the end all of 0.5, and no more
		assert_at(out[2], 0.1, -0.2, 0); // before the start nothing
		assert_at(out[3], 0.1, 0, 0);
	}
}

static void twist_tip(struct pose *pose) {
	set_rotation(&pose->local[1], 0, 1, 0, 120);
}

static void twist_grows_evenly_along_the_bone(void **state) {
	(void)state;
	// The last vertex ends joint 1's bone at y = 2.
	const float v[4][3] = {{0.1f, 1, 0}, {0.1f, 1.5f, 0}, {0.1f, 1.25f, 0}, {0.1f, 2, 0}};
	const double degrees[4] = {0, 60, 30, 120};
	for (int i = 0; i < 2; i++) {
		float out[4][3], normals[4][3];
		skin_vertices(both[i], 4, v, 1, twist_tip, out, normals);
		for (int k = 0; k < 4; k++) {
			assert_near(hypot(out[k][0], out[k][2]), 0.1, 1e-7);
			assert_near(atan2(-out[k][2], out[k][0]) * DEGREES, degrees[k], 1e-4);
			assert_near(
				atan2(-normals[k][2], normals[k][0]) * DEGREES, degrees[k], 1e-4);
			assert_near(out[k][1], v[k][1], 1e-6);
		}
	}
}

static void bend_and_twist_tip(struct pose *pose) {
	// Ry(90) first, then Rz(90): the swing takes the bone from +Y to -X.
	const float half = 0.70710678f;
	const float q[4] = {half * half, half * half, half * half, half * half};
	memcpy(pose->local[1].rotation, (const float[4]){-q[0], q[1], q[2], q[3]}, sizeof q);
}

static void swing_is_the_whole_bones(void **state) {
	(void)state;
	const float v[3][3] = {{0.1f, 1, 0}, {0.1f, 1.5f, 0}, {0.1f, 2, 0}};
	for (int i = 0; i < 2; i++) {
		float out[3][3], normals[3][3];
		skin_vertices(both[i], 3, v, 1, bend_and_twist_tip, out, normals);
		for (int k = 0; k < 3; k++) {
			const double twist = 45 * k / DEGREES;
			assert_at(out[k], -0.5 * k, 1 + 0.1 * cos(twist), -0.1 * sin(twist));
		}
	}
}

static void bend_tip(struct pose *pose) {
	set_rotation(&pose->local[1], 0, 0, 1, 70);
}

static void move_and_widen(struct pose *pose) {
	set_rotation(&pose->local[0], 0.6, 0, 0.8, 40);
	pose->local[0].translation[2] = 0.4f;
	pose->local[0].scale[0] = 1.5f;
	pose->local[1].scale[0] = 0.8f;
	set_rotation(&pose->local[1], 0, 0, 1, -35);
}

/* cyl2 with weights of its own; how far its vertices are apart under two settings. */
static double apart(const char *a, const char *b, void (*change)(struct pose *pose)) {
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(rig, arena);
	change(&pose);
	const size_t count = (size_t)rig->vertex_count * 3;
	float *out = xcalloc(count * 4, sizeof *out);
	skinned_as(rig, a, NULL, &pose, out, out + 2 * count);
	skinned_as(rig, b, NULL, &pose, out + count, out + 3 * count);
	double most = 0;
	for (size_t i = 0; i < count; i++) {
		most = fmax(most, fabs((double)out[i] - (double)out[count + i]));
	}
	free(out);
	arena_destroy(arena);
	rig_release(rig);
	return most;
}

static void without_twist_or_stretch_it_is_what_it_blends_like(void **state) {
	(void)state;
	assert_near(apart(both[0], "'lbs'", bend_tip), 0, 1e-6);
	assert_near(apart(both[1], "'dqs'", bend_tip), 0, 1e-6);
	assert_near(apart(both[0], "'lbs'", move_and_widen), 0, 2e-6);
	assert_near(apart(both[1], "'dqs'", move_and_widen), 0, 2e-6);
	// And with them it is not.
	assert_true(apart(both[0], "'lbs'", twist_tip) > 0.05);
	assert_true(apart(both[1], "'dqs'", twist_tip) > 0.05);
}

/* A pose that linear blending leaves alone, below scaled joints: both ways of blending agree there.
 */
static void stretch_under_scale(struct pose *pose) {
	pose->local[0].scale[0] = pose->local[0].scale[1] = pose->local[0].scale[2] = 2;
	pose->local[1].scale[1] = 1.5f;
}

static void ways_of_blending_agree_under_scale(void **state) {
	(void)state;
	// Joint 1's bone goes from 1 to 2, then from 2 to 5; joint 0's own is a stretch by 2, whose
	// cross-section grows as well.
	const float v[3][3] = {{0.1f, 1.5f, 0}, {0.1f, 2, 0}, {0.1f, 0.5f, 0}};
	for (int i = 0; i < 2; i++) {
		float out[3][3], normals[3][3];
		skin_vertices(both[i], 3, v, 1, stretch_under_scale, out, normals);
		assert_at(out[0], 0.2, 3.5, 0);
		assert_at(out[1], 0.2, 5, 0);
		assert_at(out[2], 0.2, 1, 0); // before its start as joint 0 has it
	}
}

static void grow(struct pose *pose) {
	for (int k = 0; k < 3; k++) {
		pose->local[1].scale[k] = 0.5f;
	}
	pose->local[0].rotation[1] = 0.6f, pose->local[0].rotation[3] = 0.8f;
}

/* The scale that joint 1 has of joint 0 is not its own; the twist of a joint with none above is not
 * told. */
static void only_what_is_the_joints_own_is_spread(void **state) {
	(void)state;
	const float v[2][3] = {{0.1f, 1.5f, 0}, {0.1f, 2, 0}};
	float out[2][3], normals[2][3];
	skin_vertices(both[0], 2, v, 1, stretch_by_scale, out, normals);
	assert_at(out[0], 0.1, 2.25, 0);
	assert_at(out[1], 0.1, 3, 0);
	skin_vertices(both[0], 2, v, 1, grow, out, normals);
	assert_at(out[0], 0.05 * 0.28, 1.25, -0.05 * 0.96);
	assert_at(out[1], 0.05 * 0.28, 1.5, -0.05 * 0.96);
}

/* Linearly blended a twist of 180 degrees collapses where half the weight is each joint's; spread
 * over the bone, joint 0 and the start of joint 1 do not differ. */
static void no_candy_wrapper_at_the_joint(void **state) {
	(void)state;
	const float v[2][3] = {{0.1f, 1, 0}, {0.1f, 2, 0}};
	const float weights[2] = {0.5f, 1};
	struct rig *rig = rig_cyl2_vertices(2, v, weights);
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], 0, 1, 0, 170);
	float out[6], normals[6];
	skinned_as(rig, both[0], NULL, &pose, out, normals);
	assert_near(hypot(out[0], out[2]), 0.1, 1e-6);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bone_stretches_to_the_known_places),
		cmocka_unit_test(twist_grows_evenly_along_the_bone),
		cmocka_unit_test(swing_is_the_whole_bones),
		cmocka_unit_test(without_twist_or_stretch_it_is_what_it_blends_like),
		cmocka_unit_test(only_what_is_the_joints_own_is_spread),
		cmocka_unit_test(ways_of_blending_agree_under_scale),
		cmocka_unit_test(no_candy_wrapper_at_the_joint),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
