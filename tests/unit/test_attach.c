// Rigs attached to a joint: every joint has the position of its attachment, or the pose is refused.
#include <math.h>
#include <stdlib.h>

#include "base/mat.h"
#include "check.h"
#include "json_value.h"
#include "poses.h"
#include "rigs.h"

#define JOINTS 5
#define ROUNDS 200

/* The attached pose of ours; false where it is refused, which is at the joint. */
static bool attach(struct arena *arena, const struct rig *ours, const struct rig *theirs,
	const char *text, struct pose *out) {
	const struct pose_source source = {"other", theirs};
	const struct pose_sources sources = {&source, 1};
	struct pose_run run = {.arena = arena, .sources = &sources};
	struct pose_context context = pose_context_make(ours, arena, &run);
	struct error err = {0};
	if (pose_evaluate(&context, json_value(arena, text), out, &err)) {
		return true;
	}
	expect_error(&err, ERROR_INVALID_VALUE, "/joint", "joint");
	return false;
}

static void expect_placed(const struct rig *rig, const struct pose *attached,
	const struct pose *alone, const double way[static 12]) {
	for (int i = 0; i < rig->joint_count; i++) {
		double got[12], want[12], size = 1;
		pose_joint_world(rig, attached, i, got);
		pose_joint_world(rig, alone, i, want);
		mat_multiply(way, want, want);
		for (int k = 0; k < 12; k++) {
			size = fmax(size, fabs(want[k]));
		}
		for (int k = 0; k < 12; k++) {
			assert_near(got[k], want[k], 2e-5 * size);
		}
	}
}

/* to: a pattern of the other rig's pose. Returns how many were not refused. */
static int hold(const char *scale, bool to_is_random) {
	int placed = 0;
	unsigned seed = 12;
	for (int round = 0; round < ROUNDS; round++) {
		struct arena *arena = arena_create();
		struct rig *ours = rig_random((unsigned)round, JOINTS, 1, 4);
		struct rig *theirs = rig_random((unsigned)round + 1000, JOINTS, 1, 4);
		const char *pose = random_pose(arena, ours, &seed);
		const char *to = to_is_random ? random_pose(arena, theirs, &seed) : "'rest'";
		const double x = random_number(&seed), y = random_number(&seed);
		const char *text = arena_printf(arena,
			"{'attach': %s, 'rig': 'other', 'to': %s, 'joint': %d,"
			"'translation': [%.17g, %.17g, 2], 'scale': %s}",
			pose, to, theirs->joints[round % JOINTS].index, x, y, scale);
		struct pose attached;
		if (attach(arena, ours, theirs, text, &attached)) {
			const struct pose alone = pose_of(ours, arena, pose);
			const struct pose holder = pose_of(theirs, arena, to);
			const float where[3] = {(float)x, (float)y, 2}, turned[4] = {0, 0, 0, 1};
			const double factor = strtod(scale, NULL);
			const float scales[3] = {(float)factor, (float)factor, (float)factor};
			double way[12], offset[12];
			pose_joint_world(theirs, &holder, round % JOINTS, way);
			mat_from_transform(where, turned, scales, offset);
			mat_multiply(way, offset, way);
			expect_placed(ours, &attached, &alone, way);
			assert_int_equal(attached.driven[0] & DRIVEN_TRANSFORM, DRIVEN_TRANSFORM);
			placed++;
		}
		rig_release(theirs);
		rig_release(ours);
		arena_destroy(arena);
	}
	return placed;
}

static void every_joint_goes_along(void **state) {
	(void)state;
	assert_int_equal(hold("1", false), ROUNDS);
	assert_int_equal(hold("0.25", false), ROUNDS);
	assert_int_equal(hold("-3", false), ROUNDS);
	assert_int_equal(hold("0", false), ROUNDS);
}

/* Joints that stretch unevenly shear what is at an angle to them. */
static void what_would_shear_is_refused_and_never_wrong(void **state) {
	(void)state;
	assert_true(hold("1", true) < ROUNDS / 10);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_joint_goes_along),
		cmocka_unit_test(what_would_shear_is_refused_and_never_wrong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
