// Poses of rigs with the same joints, in another order and beside others: what is copied, and
// refused.
#include <string.h>

#include "check.h"
#include "json_value.h"
#include "model/pose_sources.h"
#include "poses.h"
#include "rigs.h"

#define JOINTS 5

static bool copy(struct arena *arena, const struct rig *ours, const struct rig *theirs,
	const char *pose, const char *options, struct pose *out, struct error *err) {
	const struct pose_source source = {"other", theirs};
	const struct pose_sources sources = {&source, 1};
	struct pose_run run = {.arena = arena, .sources = &sources};
	struct pose_context context = pose_context_make(ours, arena, &run);
	const char *text = arena_printf(arena, "{'copy': %s, 'rig': 'other'%s}", pose, options);
	return pose_evaluate(&context, json_value(arena, text), out, err);
}

static void driven_channels_alone_are_taken_to_the_bit(void **state) {
	(void)state;
	struct rig *ours = rig_random(3, JOINTS, 7, 4), *theirs = rig_random(4, JOINTS, 1, 4);
	const struct constant_channel channels[] = {
		{1, CHANNEL_TRANSLATION, {4, 8, 0}},
		{3, CHANNEL_ROTATION, {0, 0.6f, 0, 0.8f}},
	};
	rig_add_clip(theirs, "move", 2, channels);
	struct arena *arena = arena_create();
	struct pose got;
	struct error err = {0};
	assert_true(copy(arena, ours, theirs, "{'clip': 'move'}", "", &got, &err));
	struct pose want = pose_rest(ours, arena);
	memcpy(want.local[1].translation, channels[0].values, sizeof(float[3]));
	memcpy(want.local[3].rotation, channels[1].values, sizeof(float[4]));
	expect_same_pose(&got, &want);
	const unsigned char driven[JOINTS] = {
		0, 1 << CHANNEL_TRANSLATION, 0, 1 << CHANNEL_ROTATION, 0};
	assert_memory_equal(got.driven, driven, JOINTS);
	arena_destroy(arena);
	rig_release(theirs);
	rig_release(ours);
}

static void what_is_lacking_matters_where_it_is_driven(void **state) {
	(void)state;
	struct rig *ours = rig_random(3, JOINTS - 1, 1, 4), *theirs = rig_random(4, JOINTS, 1, 4);
	const struct constant_channel inside = {1, CHANNEL_TRANSLATION, {4, 8, 0}};
	const struct constant_channel outside = {JOINTS - 1, CHANNEL_TRANSLATION, {1, 2, 3}};
	rig_add_clip(theirs, "inside", 1, &inside);
	rig_add_clip(theirs, "outside", 1, &outside);
	struct arena *arena = arena_create();
	struct pose got;
	struct error err = {0};
	assert_true(copy(arena, ours, theirs, "{'clip': 'inside'}", "", &got, &err));
	assert_false(copy(arena, ours, theirs, "{'clip': 'outside'}", "", &got, &err));
	expect_error(&err, ERROR_UNKNOWN_JOINT, "/copy", theirs->joints[JOINTS - 1].name);
	err = (struct error){0};
	assert_true(copy(
		arena, ours, theirs, "{'clip': 'outside'}", ", 'unmatched': 'ignore'", &got, &err));
	const struct pose rest = pose_rest(ours, arena);
	expect_same_pose(&got, &rest);
	arena_destroy(arena);
	rig_release(theirs);
	rig_release(ours);
}

/* The same names, but all joints hang on the first. */
static void a_joint_that_hangs_elsewhere_is_refused(void **state) {
	(void)state;
	struct rig *ours = rig_hub(3, JOINTS, 1, 4), *theirs = rig_random(4, JOINTS, 1, 4);
	struct arena *arena = arena_create();
	struct pose got;
	struct error err = {0};
	assert_false(copy(arena, ours, theirs, "'rest'", "", &got, &err));
	expect_error(&err, ERROR_INVALID_VALUE, "/copy", theirs->joints[2].name);
	arena_destroy(arena);
	rig_release(theirs);
	rig_release(ours);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(driven_channels_alone_are_taken_to_the_bit),
		cmocka_unit_test(what_is_lacking_matters_where_it_is_driven),
		cmocka_unit_test(a_joint_that_hangs_elsewhere_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
