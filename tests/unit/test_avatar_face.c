// Expressions and gazes of avatars against three-vrm.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "made_avatars.h"
#include "model/avatar_face.h"
#include "pose/avatar/gaze.h"
#include "poses.h"
#include "trees.h"

#define NUMBERS_MAX 80

/* The next line's numbers; false at the end. */
static bool next_row(FILE *table, double *numbers, int count) {
	char line[2048];
	assert_non_null(table);
	while (fgets(line, sizeof line, table)) {
		char *text = line;
		for (int i = 0; i < count && line[0] != '#'; i++) {
			numbers[i] = strtod(text, &text);
		}
		if (line[0] != '#') {
			return true;
		}
	}
	return false;
}

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal without[] = {
		{"{'set': {'expression': {}}}", ERROR_MISSING_DATA, "/set", "no avatar"},
		{"{'look_at': [0, 1, 2]}", ERROR_MISSING_DATA, "", "no avatar"},
		{"{'look_at': {'yaw': 3}, 'to': 'rest'}", ERROR_MISSING_DATA, "", "no avatar"},
		{"{'avatar': 'rest'}", ERROR_MISSING_DATA, "", "no avatar"},
		{"{'look_at': 'rest', 'joint': 'J0', 'target': [0, 1, 2], 'to': 'rest'}",
			ERROR_UNKNOWN_MEMBER, "/to", "gaze"},
	};
	static const struct pose_refusal rows[] = {
		{"{'expression': {'smile': 1}}", ERROR_INVALID_VALUE, "/expression/smile",
			"happy, aa, blink"},
		{"{'expression': {'aa': true}}", ERROR_INVALID_VALUE, "/expression/aa", "a number"},
		{"{'expression': 'aa'}", ERROR_INVALID_VALUE, "/expression", "an object"},
		{"{'look_at': [0, 1]}", ERROR_INVALID_VALUE, "/look_at", "3 numbers"},
		{"{'look_at': [0, 1, 1e39]}", ERROR_INVALID_VALUE, "/look_at/2", "farther"},
		{"{'look_at': {'yaw': 181}}", ERROR_INVALID_VALUE, "/look_at/yaw", "180"},
		{"{'look_at': {'yaw': 1}, 'joint': 'a'}", ERROR_UNKNOWN_MEMBER, "/joint", "to"},
		{"{'avatar': 'rset'}", ERROR_UNKNOWN_OPERATION, "/avatar", "rset"},
	};
	struct rig *rig = rig_tree("J0(J1(J2(J3(J4(J5,J6(J7,J8(J9)))))))");
	expect_pose_refusals(rig, without, sizeof without / sizeof *without);
	dress_as_avatar(rig);
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

#define EXPRESSIONS 6
#define MORPHS 5

/* Joint A has the morph weights, B is the head. */
static struct rig *make_face(const double *n) {
	struct rig *rig = rig_tree("A(B)");
	struct avatar *avatar = give_avatar(rig);
	rig->weight_count = rig->joints[0].weight_count = MORPHS;
	rig->rest_weights = rig_storage(rig, MORPHS, sizeof(float), "weights", NULL);
	for (int i = 0; i < MORPHS; i++) {
		rig->rest_weights[i] = 0.25f;
	}
	avatar->bones[AVATAR_BONE_head] = 1;
	avatar->expression_count = EXPRESSIONS;
	avatar->expressions =
		rig_storage(rig, EXPRESSIONS, sizeof *avatar->expressions, "expressions", NULL);
	for (int i = 0; i < EXPRESSIONS; i++, n += 5 + MORPHS) {
		struct avatar_expression *e = &avatar->expressions[i];
		e->preset = (int)n[0];
		e->name = avatar_preset_names[e->preset];
		e->binary = n[1] > 0;
		e->overrides[AVATAR_BLINKS] = (enum avatar_override)n[2];
		e->overrides[AVATAR_LOOKS] = (enum avatar_override)n[3];
		e->overrides[AVATAR_MOUTHS] = (enum avatar_override)n[4];
		e->morphs = rig_storage(rig, MORPHS, sizeof *e->morphs, "morphs", NULL);
		for (int k = 0; k < MORPHS; k++) {
			if (n[5 + k] != 0) {
				e->morphs[e->morph_count++] =
					(struct avatar_morph){k, (float)n[5 + k]};
			}
		}
	}
	assert_true(rig_add_face(rig, NULL));
	return rig;
}

static bool is_named(const struct avatar *avatar, int weight) {
	for (int i = 0; i < avatar->expression_count; i++) {
		for (int k = 0; k < avatar->expressions[i].morph_count; k++) {
			if (avatar->expressions[i].morphs[k].weight == weight) {
				return true;
			}
		}
	}
	return false;
}

static void show_what_three_vrm_shows(void **state) {
	(void)state;
	FILE *table = fopen("tests/unit/avatar_expressions.txt", "r");
	double n[NUMBERS_MAX];
	int count = 0;
	for (; next_row(table, n, EXPRESSIONS * 10 + EXPRESSIONS + MORPHS); count++) {
		struct rig *rig = make_face(n);
		struct arena *arena = arena_create();
		const double *weights = &n[EXPRESSIONS * 10], *found = weights + EXPRESSIONS;
		const char *text = "";
		for (int i = 0; i < EXPRESSIONS; i++) {
			text = arena_printf(arena, "%s%s'%s': %g", text, i ? ", " : "",
				rig->avatar->expressions[i].name, weights[i]);
		}
		const struct pose pose =
			pose_of(rig, arena, arena_printf(arena, "{'expression': {%s}}", text));
		// Two steps are one: weights travel with the pose.
		const struct pose twice = pose_of(rig, arena,
			arena_printf(
				arena, "{'expression': {}, 'to': {'expression': {%s}}}", text));
		const struct pose shown = pose_of(
			rig, arena, arena_printf(arena, "{'avatar': {'expression': {%s}}}", text));
		for (int i = 0; i < MORPHS; i++) {
			const double wanted = is_named(rig->avatar, i) ? found[i] : 0.25;
			assert_near(pose.weights[i], wanted, 1e-6);
		}
		expect_same_pose(&pose, &twice);
		expect_same_pose(&pose, &shown);
		arena_destroy(arena);
		rig_release(rig);
	}
	assert_int_equal(count, 30);
	fclose(table);
}

static void read_range(const double *n, struct avatar_range *range) {
	*range = (struct avatar_range){n[0], n[1]};
}

static struct rig *make_eyes(const double *n) {
	struct rig *rig = rig_tree("Root(Neck(Head(LeftEye,RightEye)))");
	struct avatar *avatar = give_avatar(rig);
	memset(rig->joints[0].rest.translation, 0, sizeof rig->joints[0].rest.translation);
	for (int i = 0; i < 3; i++) {
		rig->joints[0].rest.scale[i] = 1.2f;
		avatar->look_at.head_offset[i] = n[9 + i];
	}
	for (int i = 0; i < 28; i++) {
		struct transform *rest = &rig->joints[1 + i / 7].rest;
		if (i % 7 < 3) {
			rest->translation[i % 7] = (float)n[12 + i];
		} else {
			rest->rotation[i % 7 - 3] = (float)n[12 + i];
		}
	}
	avatar->is_0x = n[0] > 0;
	avatar->has_look_at = true;
	read_range(n + 1, &avatar->look_at.inner);
	read_range(n + 3, &avatar->look_at.outer);
	read_range(n + 5, &avatar->look_at.down);
	read_range(n + 7, &avatar->look_at.up);
	avatar->bones[AVATAR_BONE_head] = 2;
	avatar->bones[AVATAR_BONE_leftEye] = 3;
	avatar->bones[AVATAR_BONE_rightEye] = 4;
	return rig;
}

static void assert_rotation(const float actual[static 4], const double *wanted) {
	double same = 0;
	for (int i = 0; i < 4; i++) {
		same += actual[i] * wanted[i];
	}
	for (int i = 0; i < 4; i++) {
		assert_near(actual[i] * (same < 0 ? -1 : 1), wanted[i], 1e-6);
	}
}

static void look_where_three_vrm_does(void **state) {
	(void)state;
	FILE *table = fopen("tests/unit/avatar_gazes.txt", "r");
	double n[NUMBERS_MAX];
	int count = 0;
	for (; next_row(table, n, 61); count++) {
		struct rig *rig = make_eyes(n);
		struct arena *arena = arena_create();
		const double *q = &n[40], *target = &n[48], *found = &n[51];
		const char *posed = arena_printf(arena,
			"{'set': 'rest', 'joints': {"
			"'Neck': {'rotation': [%.9g, %.9g, %.9g, %.9g]},"
			"'Head': {'rotation': [%.9g, %.9g, %.9g, %.9g]}}}",
			q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]);
		const struct pose before = pose_of(rig, arena, posed);
		const struct gaze gaze = gaze_at(rig, &before, target);
		assert_near(gaze.yaw_deg, found[0], 1e-4);
		assert_near(gaze.pitch_deg, found[1], 1e-4);
		const struct pose pose = pose_of(rig, arena,
			arena_printf(arena, "{'look_at': [%.9g, %.9g, %.9g], 'to': %s}", target[0],
				target[1], target[2], posed));
		assert_rotation(pose.local[3].rotation, &found[2]);
		assert_rotation(pose.local[4].rotation, &found[6]);
		const struct pose by_angles = pose_of(rig, arena,
			arena_printf(arena, "{'look_at': {'yaw': %.9g, 'pitch': %.9g}, 'to': %s}",
				found[0], found[1], posed));
		expect_near_pose(&pose, &by_angles, 1e-6);
		arena_destroy(arena);
		rig_release(rig);
	}
	assert_int_equal(count, 24);
	fclose(table);
}

/* By expressions the outer range counts for both sides, and the four weights are set. */
static void look_by_expressions(void **state) {
	(void)state;
	double n[NUMBERS_MAX] = {0};
	static const int presets[] = {AVATAR_PRESET_lookUp, AVATAR_PRESET_lookDown,
		AVATAR_PRESET_lookLeft, AVATAR_PRESET_lookRight, AVATAR_PRESET_happy,
		AVATAR_PRESET_oh};
	for (int i = 0; i < EXPRESSIONS; i++) {
		n[i * 10] = presets[i];
		n[i * 10 + 5 + (i < MORPHS ? i : 0)] = 1;
	}
	struct rig *rig = make_face(n);
	struct avatar *avatar = rig_storage(rig, 1, sizeof *avatar, "an avatar", NULL);
	*avatar = *rig->avatar;
	avatar->has_look_at = avatar->look_at.by_expressions = true;
	avatar->look_at.inner = (struct avatar_range){45, 9};
	avatar->look_at.outer = (struct avatar_range){60, 1};
	avatar->look_at.down = (struct avatar_range){90, 0.5};
	avatar->look_at.up = (struct avatar_range){30, 0.9};
	rig->avatar = avatar;
	struct arena *arena = arena_create();
	const struct pose left = pose_of(rig, arena,
		"{'look_at': {'yaw': 30, 'pitch': 45}, 'to': {'expression': {'happy': 0.3}}}");
	const float wanted_left[] = {0, 0.25f, 0.5f, 0, 0.3f};
	const struct pose right = pose_of(rig, arena,
		"{'look_at': {'yaw': -90, 'pitch': -10}, 'to': {'look_at': {'yaw': 60}}}");
	const float wanted_right[] = {0.3f, 0, 0, 1, 0};
	for (int i = 0; i < MORPHS; i++) {
		assert_near(left.weights[i], wanted_left[i], 1e-6);
		assert_near(right.weights[i], wanted_right[i], 1e-6);
	}
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(show_what_three_vrm_shows),
		cmocka_unit_test(look_where_three_vrm_does),
		cmocka_unit_test(look_by_expressions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
