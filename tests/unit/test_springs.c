// Spring bones against three-vrm, and against what always holds.
#include <stdio.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"
#include "check.h"
#include "made_avatars.h"
#include "pose/avatar/springs.h"
#include "poses.h"
#include "reach.h"
#include "rigs.h"
#include "trees.h"

#define TABLE "tests/unit/avatar_springs.txt"
#define HEIGHT 1.5 // of the figures in it

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'springs': 'rset'}", ERROR_UNKNOWN_OPERATION, "/springs", "rset"},
		{"{'springs': 'rest', 'seconds': 0}", ERROR_INVALID_VALUE, "/seconds", "above 0"},
		{"{'springs': 'rest', 'seconds': 61}", ERROR_INVALID_VALUE, "/seconds", "60"},
		{"{'springs': 'rest', 'seconds': 1, 'rate': 0}", ERROR_INVALID_VALUE, "/rate", "1"},
		{"{'springs': 'rest', 'drag': 0}", ERROR_UNKNOWN_MEMBER, "/drag", "rate"},
	};
	struct rig *rig = rig_tree("A(B)");
	static const struct pose_refusal without = {
		"{'set': {'springs': 'rest'}}", ERROR_MISSING_DATA, "/set", "no avatar"};
	expect_pose_refusals(rig, &without, 1);
	give_avatar(rig);
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void turn(struct pose *pose, int joint, int axis, double angle_rad) {
	double turn[4] = {0, 0, 0, cos(angle_rad / 2)}, rotation[4];
	turn[axis] = sin(angle_rad / 2);
	for (int i = 0; i < 4; i++) {
		rotation[i] = pose->local[joint].rotation[i];
	}
	quat_multiply(rotation, turn, rotation);
	for (int i = 0; i < 4; i++) {
		pose->local[joint].rotation[i] = (float)rotation[i];
	}
}

/* Where the tail of a bone is. */
static void find_tail(const struct rig *rig, const struct pose *pose,
	const struct avatar_spring_joint *bone, double out[static 3]) {
	double m[12];
	joint_matrix(rig, pose, bone->joint, m);
	mat_map_point(m, bone->tail, out);
}

/* The greatest distance of a tail from where it is with the rotations that were found, in heights.
 */
static double compare(const struct rig *rig, const struct pose *pose, const float (*found)[4]) {
	struct arena *arena = arena_create();
	struct pose other = pose_rest(rig, arena);
	memcpy(other.local, pose->local, (size_t)rig->joint_count * sizeof *other.local);
	for (int i = 0; i < rig->joint_count; i++) {
		if (found[i][3] != 0 || found[i][0] != 0) {
			memcpy(other.local[i].rotation, found[i], sizeof found[i]);
		}
	}
	double worst = 0;
	for (int s = 0; s < rig->avatar->spring_count; s++) {
		for (int i = 0; i < rig->avatar->springs[s].joint_count; i++) {
			double a[3], b[3];
			find_tail(rig, pose, &rig->avatar->springs[s].joints[i], a);
			find_tail(rig, &other, &rig->avatar->springs[s].joints[i], b);
			vec3_sub(a, b, a);
			worst = fmax(worst, vec3_length(a) / HEIGHT);
		}
	}
	arena_destroy(arena);
	return worst;
}

static struct rig *next(FILE *table, struct spring_findings *findings) {
	assert_non_null(table);
	return next_sprung(table, findings);
}

static void settle_where_three_vrm_does(void **state) {
	(void)state;
	FILE *table = fopen(TABLE, "r");
	struct spring_findings found;
	int count = 0;
	for (struct rig *rig = next(table, &found); rig; rig = next(table, &found), count++) {
		struct arena *arena = arena_create();
		struct pose bent = pose_rest(rig, arena);
		turn(&bent, 0, 1, 0.4);
		turn(&bent, 1, 0, -0.3);
		const float *hips = bent.local[0].rotation, *head = bent.local[1].rotation;
		const struct pose pose = pose_of(rig, arena,
			arena_printf(arena,
				"{'springs': {'set': 'rest', 'joints': {"
				"'J0': {'rotation': [%.9g, %.9g, %.9g, %.9g]},"
				"'J1': {'rotation': [%.9g, %.9g, %.9g, %.9g]}}}}",
				hips[0], hips[1], hips[2], hips[3], head[0], head[1], head[2],
				head[3]));
		const double worst = compare(rig, &pose, found.settled);
		print_message("%s: settled %.2g of the height away\n", found.name, worst);
		assert_near(worst, 0, rig->avatar->collider_count > 0 ? 1e-4 : 1e-6);
		arena_destroy(arena);
		rig_release(rig);
	}
	assert_int_equal(count, 5);
	fclose(table);
}

static void swing_as_three_vrm_does(void **state) {
	(void)state;
	FILE *table = fopen(TABLE, "r");
	struct spring_findings found;
	struct error err = {0};
	for (struct rig *rig = next(table, &found); rig; rig = next(table, &found)) {
		struct arena *arena = arena_create();
		struct pose_run run = {.arena = arena};
		const struct springs_payer payer = {&run, NULL};
		struct springs *springs = springs_make(rig, arena);
		struct pose pose = pose_rest(rig, arena);
		assert_true(springs_begin(springs, &pose, &payer, &err));
		for (int k = 1; k <= 180; k++) {
			pose_set_rest(rig, 0, &pose);
			turn(&pose, 0, 1, 0.7 * sin(k / 20.0));
			turn(&pose, 1, 0, 0.4 * sin(k / 13.0));
			assert_true(springs_step(springs, &pose, 1 / 60.0, &payer, &err));
		}
		springs_write(springs, &pose);
		const double worst = compare(rig, &pose, found.swung);
		print_message("%s: swung %.2g of the height away\n", found.name, worst);
		assert_near(worst, 0, 1e-4);
		expect_sound_pose(&pose);
		arena_destroy(arena);
		rig_release(rig);
	}
	fclose(table);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(settle_where_three_vrm_does),
		cmocka_unit_test(swing_as_three_vrm_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
