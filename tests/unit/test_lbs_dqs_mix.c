// The mix of linear blend and dual quaternion skinning checked against both (METHODS A25).
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skin/method.h"
#include "skinned.h"

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};
static const float outside[3] = {0.1f, 0.9f, 0};

/* Skins a random rig, its joints turned and scaled. */
static void skin(struct rig *rig, const char *skinning, float *out) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	for (int i = 0; i < rig->joint_count; i++) {
		set_rotation(&pose.local[i], 0.6, 0, 0.8, 20 + 17 * i);
		pose.local[i].scale[i % 3] = 1.3f;
	}
	skinned_as(rig, skinning, NULL, &pose, out, out + (size_t)rig->vertex_count * 3);
	arena_destroy(arena);
}

/* A random rig of 203 vertices and 7 joints, each vertex painted. */
static struct rig *painted_rig(void) {
	struct rig *rig = rig_random(3, 7, 203, 4);
	rig->dqs_mix = rig_storage(rig, 203, sizeof *rig->dqs_mix, "", NULL);
	for (int i = 0; i < 203; i++) {
		rig->dqs_mix[i] = (float)(i % 5) / 4;
	}
	return rig;
}

struct results {
	float lbs[203 * 6], dqs[203 * 6], mix[203 * 6];
};

static void at_both_ends_it_is_either_to_the_bit(void **state) {
	(void)state;
	struct rig *rig = painted_rig();
	struct results *out = xcalloc(1, sizeof *out);
	skin(rig, "'lbs'", out->lbs);
	skin(rig, "'dqs'", out->dqs);
	assert_true(memcmp(out->lbs, out->dqs, sizeof out->lbs) != 0);
	skin(rig, "{'method':'lbs_dqs_mix','mix':0}", out->mix);
	assert_memory_equal(out->mix, out->lbs, sizeof out->lbs);
	skin(rig, "{'method':'lbs_dqs_mix','mix':1}", out->mix);
	assert_memory_equal(out->mix, out->dqs, sizeof out->dqs);
	free(out);
	rig_release(rig);
}

static void between_it_lies_on_the_line(void **state) {
	(void)state;
	struct rig *rig = painted_rig();
	struct results *out = xcalloc(1, sizeof *out);
	skin(rig, "'lbs'", out->lbs);
	skin(rig, "'dqs'", out->dqs);
	skin(rig, "{'method':'lbs_dqs_mix','mix':0.25}", out->mix);
	for (int i = 0; i < 203 * 3; i++) {
		const double expected = 0.75 * (double)out->lbs[i] + 0.25 * (double)out->dqs[i];
		assert_near(out->mix[i], expected, 1e-5);
	}
	free(out);
	rig_release(rig);
}

static void paint_tells_each_vertex_its_own(void **state) {
	(void)state;
	struct rig *rig = painted_rig();
	struct results *out = xcalloc(1, sizeof *out);
	skin(rig, "'lbs'", out->lbs);
	skin(rig, "'dqs'", out->dqs);
	skin(rig, "{'method':'lbs_dqs_mix','by':'paint'}", out->mix);
	for (int i = 0; i < 203 * 3; i++) {
		const double share = i / 3 % 5 / 4.0;
		const double expected =
			(1 - share) * (double)out->lbs[i] + share * (double)out->dqs[i];
		assert_near(out->mix[i], expected, 1e-5);
	}
	free(out);
	rig_release(rig);
}

static void paint_is_missed(void **state) {
	(void)state;
	struct rig *rig = rig_random(3, 7, 20, 4);
	struct arena *arena = arena_create();
	struct skin_library *library = skin_library_create(NULL, 0);
	const struct skinning_settings settings =
		settings_of(arena, "{'method':'lbs_dqs_mix','by':'paint'}");
	const struct skin_plan_params params = {
		.subject = {.rig = rig, .skinning = settings},
		.clip = -1,
	};
	struct skin_plan plan;
	struct error err = {0};
	assert_false(skin_plan_make(library, &params, &plan, &err));
	assert_int_equal(err.code, ERROR_MISSING_DATA);
	assert_non_null(strstr(err.text, "_DQS_MIX"));
	skin_library_destroy(library);
	arena_destroy(arena);
	rig_release(rig);
}

/* One vertex of cyl2, by twist, against another method. */
static void expect_as(const char *method, const double axis[static 3], double degrees) {
	float got[3], expected[3], normal[3];
	skinned_cyl2_vertex(
		"{'method':'lbs_dqs_mix','by':'twist'}", outside, 0.3f, axis, degrees, got, normal);
	skinned_cyl2_vertex(method, outside, 0.3f, axis, degrees, expected, normal);
	for (int k = 0; k < 3; k++) {
		assert_near(got[k], expected[k], 1e-7);
	}
}

static void by_twist_it_twists_as_dqs_and_bends_as_lbs(void **state) {
	(void)state;
	for (int degrees = 0; degrees < 180; degrees += 30) {
		expect_as("'dqs'", y_axis, degrees);
		expect_as("'lbs'", z_axis, degrees);
	}
}

static void by_twist_a_turn_between_takes_the_squared_cosine(void **state) {
	(void)state;
	// 30 degrees from the bone: cos^2 = 3/4.
	const double axis[3] = {0.5, 0.8660254037844386, 0};
	float got[3], expected[3], normal[3];
	skinned_cyl2_vertex(
		"{'method':'lbs_dqs_mix','by':'twist'}", outside, 0.3f, axis, 100, got, normal);
	skinned_cyl2_vertex(
		"{'method':'lbs_dqs_mix','mix':0.75}", outside, 0.3f, axis, 100, expected, normal);
	for (int k = 0; k < 3; k++) {
		assert_near(got[k], expected[k], 1e-7);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_both_ends_it_is_either_to_the_bit),
		cmocka_unit_test(between_it_lies_on_the_line),
		cmocka_unit_test(paint_tells_each_vertex_its_own),
		cmocka_unit_test(paint_is_missed),
		cmocka_unit_test(by_twist_it_twists_as_dqs_and_bends_as_lbs),
		cmocka_unit_test(by_twist_a_turn_between_takes_the_squared_cosine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
