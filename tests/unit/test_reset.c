// Joints back at rest: what is refused, which joints and channels, and how far.
#include <string.h>

#include "check.h"
#include "poses.h"
#include "rigs.h"

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'reset': 'rset'}", ERROR_UNKNOWN_OPERATION, "/reset", "rset"},
		{"{'reset': 'rest', 'joint': 'J1'}", ERROR_UNKNOWN_MEMBER, "/joint",
			"reset, joints, mask, channels, weight"},
		{"{'reset': 'rest', 'joints': 'J1'}", ERROR_INVALID_VALUE, "/joints", "a list"},
		{"{'reset': 'rest', 'joints': ['J0', 'J9']}", ERROR_UNKNOWN_JOINT, "/joints/1",
			"J1"},
		{"{'reset': 'rest', 'joints': [true]}", ERROR_INVALID_VALUE, "/joints/0",
			"a boolean"},
		{"{'reset': 'rest', 'mask': {'J0': 2}}", ERROR_INVALID_VALUE, "/mask/J0",
			"from 0 to 1"},
		{"{'reset': 'rest', 'mask': {'J0': 1}, 'joints': ['J0']}", ERROR_INVALID_VALUE,
			"/mask", "give one of them"},
		{"{'reset': 'rest', 'channels': 'scale'}", ERROR_INVALID_VALUE, "/channels",
			"a list"},
		{"{'reset': 'rest', 'channels': ['scale', 'size']}", ERROR_INVALID_VALUE,
			"/channels/1", "translation, rotation, scale, weights"},
		{"{'reset': 'rest', 'channels': [0]}", ERROR_INVALID_VALUE, "/channels/0",
			"translation"},
		{"{'reset': 'rest', 'weight': 1.5}", ERROR_INVALID_VALUE, "/weight", "1.5"},
		{"{'reset': 'rest', 'weight': -1}", ERROR_INVALID_VALUE, "/weight", "-1"},
	};
	struct rig *rig = rig_cyl2();
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

#define JOINTS 5

/* Finds the channels of a random pose of a chain that are at rest after an operation, as bits by
 * joint; fails the test if one is neither at rest nor unchanged. */
static void find_resting(const char *rest_of_operation, unsigned resting[static JOINTS]) {
	struct rig *rig = rig_random(9, JOINTS, 3, 4);
	struct arena *arena = arena_create();
	unsigned seed = 5;
	const char *text = random_pose(arena, rig, &seed);
	const struct pose before = pose_of(rig, arena, text), rest = pose_rest(rig, arena);
	const struct pose after = pose_of(
		rig, arena, arena_printf(arena, "{'reset': %s%s}", text, rest_of_operation));
	for (int i = 0; i < JOINTS; i++) {
		resting[i] = 0;
		for (int path = CHANNEL_TRANSLATION; path <= CHANNEL_SCALE; path++) {
			int width;
			const float *was = pose_channel(rig, &before, i, path, &width);
			const float *rests = pose_channel(rig, &rest, i, path, &width);
			const float *is = pose_channel(rig, &after, i, path, &width);
			const size_t bytes = (size_t)width * sizeof *is;
			const bool reset = memcmp(is, rests, bytes) == 0;
			assert_true(reset || memcmp(is, was, bytes) == 0);
			resting[i] |= reset ? 1u << path : 0;
		}
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void joints_and_channels_that_are_named_rest_to_the_bit(void **state) {
	(void)state;
	static const struct {
		const char *members;
		unsigned resting[JOINTS];
	} rows[] = {
		{"", {7, 7, 7, 7, 7}},
		{", 'weight': 0", {0, 0, 0, 0, 0}},
		{", 'joints': ['J1', 3]", {0, 7, 0, 7, 0}},
		{", 'joints': []", {0, 0, 0, 0, 0}},
		{", 'mask': {'J1': 1, 'J3': 0}", {0, 7, 7, 0, 0}},
		{", 'channels': ['rotation']", {2, 2, 2, 2, 2}},
		{", 'channels': []", {0, 0, 0, 0, 0}},
		{", 'channels': ['scale', 'translation', 'scale'], 'joints': [0]", {5, 0, 0, 0, 0}},
		{", 'channels': ['weights']", {0, 0, 0, 0, 0}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		unsigned resting[JOINTS];
		find_resting(rows[i].members, resting);
		assert_memory_equal(resting, rows[i].resting, sizeof resting);
	}
}

static void a_weight_goes_part_of_the_way(void **state) {
	(void)state;
	static float rest_weights[2] = {0.25f, 0};
	struct rig *rig = rig_cyl2();
	rig->joints[1].weight_count = 2;
	rig->weight_count = 2;
	rig->rest_weights = rest_weights;
	struct arena *arena = arena_create();
	// 90 degrees about z, of which 3/8 are left: 33.75.
	const struct pose pose = pose_of(rig, arena,
		"{'reset': {'set': 'rest', 'joints': {'J1': {'translation': [8, 1, 0],"
		"'rotation': [0, 0, 1, 1], 'scale': [1, 2, 3]}}, 'weights': {'J1': [1.25, 8]}},"
		"'mask': {'J1': 0.625}}");
	const struct transform *local = &pose.local[1];
	const double half = 33.75 / 2 * acos(-1) / 180;
	assert_near(local->rotation[2], sin(half), 1e-7);
	assert_near(local->rotation[3], cos(half), 1e-7);
	assert_near(local->translation[0], 3, 0);
	assert_near(local->translation[1], 1, 0);
	assert_near(local->scale[2], 1 + 2 * 0.375, 0);
	assert_near(pose.weights[0], 0.25 + 0.375, 0);
	assert_near(pose.weights[1], 3, 0);
	arena_destroy(arena);
	rig_release(rig);
}

static void what_is_reset_is_driven(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	const struct constant_channel channel = {
		.joint = 1, .path = CHANNEL_SCALE, .values = {2, 2, 2}};
	rig_add_clip(rig, "Grow", 1, &channel);
	const struct pose pose = pose_of(rig, arena,
		"{'reset': {'clip': 'Grow'}, 'joints': ['J0'], 'channels': ['rotation']}");
	assert_int_equal(pose.driven[0], 1 << CHANNEL_ROTATION);
	assert_int_equal(pose.driven[1], 1 << CHANNEL_SCALE);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(joints_and_channels_that_are_named_rest_to_the_bit),
		cmocka_unit_test(a_weight_goes_part_of_the_way),
		cmocka_unit_test(what_is_reset_is_driven),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
