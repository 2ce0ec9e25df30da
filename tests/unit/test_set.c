// Settings: what is refused, what is replaced and what is kept.
#include <float.h>
#include <string.h>

#include "check.h"
#include "poses.h"
#include "rigs.h"

/* cyl2 with two morph weights on J1. */
static struct rig *rig_with_weights(void) {
	static float rest[2] = {0.25f, 0};
	struct rig *rig = rig_cyl2();
	rig->joints[1].weight_count = 2;
	rig->weight_count = 2;
	rig->rest_weights = rest;
	return rig;
}

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'set': 'rest', 'joint': {}}", ERROR_UNKNOWN_MEMBER, "/joint",
			"set, joints, weights"},
		{"{'set': 'rest', 'joints': []}", ERROR_INVALID_VALUE, "/joints", "a list"},
		{"{'set': 'rest', 'joints': {'j9': {}}}", ERROR_UNKNOWN_JOINT, "/joints/j9",
			"J0, J1"},
		{"{'set': 'rest', 'joints': {'J1': 1}}", ERROR_INVALID_VALUE, "/joints/J1",
			"an object"},
		{"{'set': 'rest', 'joints': {'J1': {'rotate': 1}}}", ERROR_UNKNOWN_MEMBER,
			"/joints/J1/rotate", "translation, rotation, scale"},
		{"{'set': 'rest', 'joints': {'J1': {'rotation': [0,0,1]}}}", ERROR_INVALID_VALUE,
			"/joints/J1/rotation", "4 numbers"},
		{"{'set': 'rest', 'joints': {'J1': {'rotation': [0,0,0,-0.0]}}}",
			ERROR_INVALID_VALUE, "/joints/J1/rotation", "is zero"},
		{"{'set': 'rest', 'joints': {'J1': {'translation': [0,1e39,0]}}}",
			ERROR_INVALID_VALUE, "/joints/J1/translation/1", "float32"},
		{"{'set': 'rest', 'joints': {'J1': {'scale': [0,'1',0]}}}", ERROR_INVALID_VALUE,
			"/joints/J1/scale/1", "a string"},
		{"{'set': 'rest', 'weights': {'J0': [1]}}", ERROR_INVALID_VALUE, "/weights/J0",
			"no morph weights; of this rig J1 has"},
		{"{'set': 'rest', 'weights': {'J1': [1]}}", ERROR_INVALID_VALUE, "/weights/J1",
			"a list of 2 numbers"},
		{"{'set': 'rest', 'weights': {'J1': 1}}", ERROR_INVALID_VALUE, "/weights/J1",
			"a list of 2 numbers"},
		{"{'set': 'rest', 'weights': {'J1': [1, null]}}", ERROR_INVALID_VALUE,
			"/weights/J1/1", "null"},
		{"{'set': 'rest', 'weights': {'J1': [1e300, 1]}}", ERROR_INVALID_VALUE,
			"/weights/J1/0", "float32"},
		{"{'set': 'rset'}", ERROR_UNKNOWN_OPERATION, "/set", "rset"},
	};
	struct rig *rig = rig_with_weights();
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void only_what_is_named_is_replaced(void **state) {
	(void)state;
	struct rig *rig = rig_with_weights();
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena,
		"{'set': {'set': 'rest', 'joints': {'1': {'scale': [1,2,3]}, 'J0': {'scale': "
		"[4,4,4]}}},"
		"'joints': {'J1': {'translation': [5,6,7]}}, 'weights': {'1': [2, -1]}}");
	const struct transform expected = {{5, 6, 7}, {0, 0, 0, 1}, {1, 2, 3}};
	const float weights[2] = {2, -1};
	assert_memory_equal(&pose.local[1], &expected, sizeof expected);
	assert_memory_equal(pose.weights, weights, sizeof weights);
	assert_near(pose.local[0].scale[0], 4, 0);
	const struct pose kept = pose_of(rig, arena, "{'set': 'rest'}");
	const struct pose rest = pose_of(rig, arena, "'rest'");
	expect_same_pose(&kept, &rest);
	arena_destroy(arena);
	rig_release(rig);
}

static void rotations_are_normalised_whatever_their_length(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	const double lengths[] = {1, 2, 0.1, 1e-320, 1e-200, 1e200, 1e308};
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		const struct pose pose = pose_of(rig, arena,
			arena_printf(arena,
				"{'set': 'rest', 'joints': {'J1': {'rotation': "
				"[%.17g,0,0,%.17g]}}}",
				lengths[i], -lengths[i]));
		assert_near(pose.local[1].rotation[0], sqrt(0.5), 1e-7);
		assert_near(pose.local[1].rotation[3], -sqrt(0.5), 1e-7);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void what_came_out_goes_in_to_the_bit(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	unsigned seed = 4;
	for (int i = 0; i < 200; i++) {
		const struct pose first = pose_of(rig, arena, random_pose(arena, rig, &seed));
		const float *q = first.local[1].rotation;
		const struct pose again = pose_of(rig, arena,
			arena_printf(arena,
				"{'set': 'rest', 'joints': {'J1': {'rotation': "
				"[%.9g,%.9g,%.9g,%.9g]}}}",
				(double)q[0], (double)q[1], (double)q[2], (double)q[3]));
		assert_memory_equal(again.local[1].rotation, q, sizeof(float[4]));
	}
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(only_what_is_named_is_replaced),
		cmocka_unit_test(rotations_are_normalised_whatever_their_length),
		cmocka_unit_test(what_came_out_goes_in_to_the_bit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
