// Fewer influences, before any method: METHODS 0.3.5.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skin/method.h"
#include "skinned.h"

#define VERTICES 57
#define JOINTS 9

/* Holds the variant's influences against the rig's own: the kmax greatest, divided by their sum. */
static void expect_greatest(const struct rig *rig, const struct rig *cut, int kmax) {
	const int count = rig->primitives[0].influence_count;
	const int room = cut->primitives[0].influence_count;
	for (int v = 0; v < VERTICES; v++) {
		const float *from = rig->influence_weights + v * count;
		double sum = 0;
		for (int k = 0; k < kmax; k++) {
			sum += (double)from[k];
		}
		for (int k = 0; k < room; k++) {
			const int to = v * room + k;
			assert_near(cut->influence_weights[to],
				k < kmax ? (double)from[k] / sum : 0, 1e-7);
			assert_int_equal(cut->influence_slots[to],
				rig->influence_slots[v * count + (k < kmax ? k : 0)]);
		}
	}
}

static void the_greatest_are_kept_and_sum_to_1(void **state) {
	(void)state;
	static const int rooms[] = {0, 1, 4, 4, 4, 8, 8, 8};
	struct rig *rig = rig_random(5, JOINTS, VERTICES, 8);
	for (int kmax = 1; kmax < 8; kmax++) {
		char skinning[64];
		snprintf(skinning, sizeof skinning, "{'method':'dqs','kmax':%d}", kmax);
		struct rig *cut = skinned_rig(rig, skinning);
		struct error err = {0};
		for (int i = 0; i < JOINTS; i++) {
			set_rotation(
				&cut->joints[i].rest, 0, 1, 0, 0); // what rig_check() wants unit
		}
		assert_true(rig_check(cut, &err));
		assert_int_equal(cut->primitives[0].influence_count, rooms[kmax]);
		expect_greatest(rig, cut, kmax);
		rig_release(cut);
	}
	rig_release(rig);
}

static void nothing_is_made_where_nothing_is_lost(void **state) {
	(void)state;
	struct rig *rig = rig_random(5, JOINTS, VERTICES, 4);
	static const char *const settings[] = {
		"{'method':'lbs','kmax':4}", "{'method':'lbs','kmax':256}", "'lbs'"};
	for (int i = 0; i < 3; i++) {
		struct rig *same = skinned_rig(rig, settings[i]);
		assert_ptr_equal(same, rig);
		rig_release(same);
	}
	rig_release(rig);
}

/* One influence leaves lbs and dqs no choice: both are stitching. */
static void one_influence_is_stitching(void **state) {
	(void)state;
	struct rig *rig = rig_random(8, JOINTS, VERTICES, 8);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	for (int i = 0; i < JOINTS; i++) {
		set_rotation(&pose.local[i], 0.6, 0, 0.8, 25 * i);
	}
	static float expected[VERTICES * 6], got[VERTICES * 6];
	skinned_as(rig, "'skin_rigid'", NULL, &pose, expected, expected + VERTICES * 3);
	static const char *const settings[] = {
		"{'method':'lbs','kmax':1}", "{'method':'dqs','kmax':1}"};
	for (int i = 0; i < 2; i++) {
		skinned_as(rig, settings[i], NULL, &pose, got, got + VERTICES * 3);
		for (int k = 0; k < VERTICES * 6; k++) {
			assert_near(got[k], expected[k], 1e-5);
		}
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void the_loss_is_told(void **state) {
	(void)state;
	struct rig *rig = rig_random(5, JOINTS, VERTICES, 8);
	struct arena *arena = arena_create();
	struct skin_library *library = skin_library_create(NULL, 0);
	const struct skinning_settings settings = settings_of(arena, "{'method':'lbs','kmax':2}");
	const struct skin_plan_params params = {
		.subject = {.rig = rig, .skinning = settings},
		.clip = -1,
	};
	struct skin_plan plan;
	assert_true(skin_plan_make(library, &params, &plan, NULL));
	double most = 0;
	for (int v = 0; v < VERTICES; v++) {
		double lost = 0;
		for (int k = 2; k < 8; k++) {
			lost += (double)rig->influence_weights[v * 8 + k];
		}
		most = fmax(most, lost);
	}
	assert_true(plan.kmax.data->flags == SKIN_FLAG_W_TRUNC);
	assert_near(plan.kmax.data->dropped_weight, most, 1e-6);
	skin_plan_finish(&plan);
	skin_library_destroy(library);
	arena_destroy(arena);
	rig_release(rig);
}

static void what_is_no_count_is_refused(void **state) {
	(void)state;
	static const char *const settings[] = {"{'method':'lbs','kmax':0}",
		"{'method':'lbs','kmax':1.5}", "{'method':'lbs','kmax':257}",
		"{'method':'lbs','kmax':'4'}"};
	for (int i = 0; i < 4; i++) {
		struct arena *arena = arena_create();
		const struct skinning_settings wrong = settings_of(arena, settings[i]);
		struct error err = {0};
		assert_false(skin_plan_check(NULL, &wrong, &err));
		assert_int_equal(err.code, ERROR_INVALID_VALUE);
		arena_destroy(arena);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_count_is_refused),
		cmocka_unit_test(the_greatest_are_kept_and_sum_to_1),
		cmocka_unit_test(nothing_is_made_where_nothing_is_lost),
		cmocka_unit_test(one_influence_is_stitching),
		cmocka_unit_test(the_loss_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
