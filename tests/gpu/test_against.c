// Pictures of two versions of an asset against each other.
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/checked.h"
#include "../unit/rigs.h"
#include "../unit/shared_files.h"
#include "context.h"
#include "interface/against.h"

/* A run of the rules of pictures alone, with all its steps taken. */
static struct check_run *begin(const struct rig *rig, struct arena *arena) {
	static const char *const only[] = {"picture/*", "surface/bounds", NULL};
	struct check_profile *profile = arena_alloc(arena, 1, sizeof *profile);
	*profile = check_profile_builtin(CHECK_PROFILE_GAME);
	profile->only = only;
	const struct check_job job = {
		.rig = rig,
		.facts = facts_of_rig(rig, arena),
		.profile = profile,
		.path = "test.glb",
	};
	struct error err = {0};
	struct check_run *run = renderer_check_begin(&job, arena, &err);
	for (size_t i = 0; i < renderer_check_steps(run); i++) {
		assert_true(renderer_check_step(run, i, &err));
	}
	return run;
}

static struct checked compare(const struct rig *before, const struct rig *after, double work) {
	struct checked checked = {.arena = arena_create()};
	checked.run = begin(after, checked.arena);
	const struct check_against_job job = {
		.before = begin(before, checked.arena),
		.after = checked.run,
		.renderer = gpu_test_renderer(),
		.picture_work = work,
	};
	struct error err = {0};
	for (size_t i = 0; i < renderer_check_steps(checked.run); i++) {
		if (!renderer_check_against_pictures(&job, i, &err)) {
			fail_msg("%s", err.text);
		}
	}
	renderer_check_finish(checked.run, &checked.file);
	return checked;
}

static void a_file_looks_like_itself(void **state) {
	(void)state;
	struct rig *before = own_rig("assets/demo/cyl2.glb");
	struct rig *after = own_rig("assets/demo/cyl2.glb");
	struct checked checked = compare(before, after, 0);
	static const char *const clips[] = {"bend", "twist"};
	for (int i = 0; i < 2; i++) {
		assert_near(checked_value(&checked, "picture/difference", clips[i]), 0, 0);
		assert_near(checked_value(&checked, "picture/ssim", clips[i]), 1, 0);
		assert_near(checked_value(&checked, "picture/flip", clips[i]), 0, 0);
		assert_null(checked_finding(&checked, "picture/flip", clips[i]));
	}
	checked_finish(&checked);
	rig_release(before);
	rig_release(after);
}

/* cyl2 with a clip that turns its upper joint about +Z. */
static struct rig *turned(double degrees) {
	struct rig *rig = rig_cyl2();
	struct constant_channel turn = {1, CHANNEL_ROTATION, {0}};
	struct transform transform;
	set_rotation(&transform, 0, 0, 1, degrees);
	memcpy(turn.values, transform.rotation, sizeof transform.rotation);
	rig_add_clip(rig, "Turn", 1, &turn);
	return rig;
}

static void what_turns_more_looks_more_different(void **state) {
	(void)state;
	struct rig *before = turned(0), *little = turned(1), *much = turned(40);
	struct checked near = compare(before, little, 0), far = compare(before, much, 0);
	const double flips[2] = {checked_value(&near, "picture/flip", "Turn"),
		checked_value(&far, "picture/flip", "Turn")};
	const double similarities[2] = {checked_value(&near, "picture/ssim", "Turn"),
		checked_value(&far, "picture/ssim", "Turn")};
	assert_true(0 < flips[0] && flips[0] < flips[1] && flips[1] < 1);
	assert_true(similarities[1] < similarities[0] && similarities[0] < 1);
	assert_true(checked_value(&far, "picture/difference", "Turn") > 0.1);
	const struct check_measurement *flip = checked_measurement(&far, "picture/flip", "Turn");
	assert_true(checked_param(flip, "p99") > flip->value);
	const struct check_finding *finding = checked_finding(&far, "picture/flip", "Turn");
	assert_non_null(finding);
	assert_true(finding->level >= CHECK_WARNING);
	assert_non_null(checked_finding(&far, "picture/ssim", "Turn"));
	checked_finish(&near);
	checked_finish(&far);
	rig_release(before);
	rig_release(little);
	rig_release(much);
}

static void clips_beyond_the_budget_are_skipped(void **state) {
	(void)state;
	struct rig *before = turned(0), *after = turned(40);
	struct checked checked = compare(before, after, 1);
	assert_non_null(checked_skip(&checked, "picture/flip", "Turn"));
	checked_finish(&checked);
	rig_release(before);
	rig_release(after);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_looks_like_itself),
		cmocka_unit_test(what_turns_more_looks_more_different),
		cmocka_unit_test(clips_beyond_the_budget_are_skipped),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
