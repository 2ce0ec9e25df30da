// What rig_check must refuse of an avatar.
#include "model/avatar.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "model/rig.h"

static void *take(struct rig *rig, size_t count, size_t size) {
	void *array = rig_storage(rig, count, size, "a test rig", NULL);
	assert_non_null(array);
	return array;
}

/* Holds the rig to be refused with this in the message, and frees it. */
static void refuse(struct rig *rig, const char *text) {
	struct error err = {0};
	if (rig_check(rig, &err) || !strstr(err.text, text)) {
		fail_msg("\"%s\", expected \"%s\"", err.text, text);
	}
	assert_int_equal(err.code, ERROR_BROKEN_ASSET);
	rig_release(rig);
}

/* An avatar whose bones are the first joints of a chain. */
static struct rig *avatar_rig(void) {
	struct rig *rig = rig_create();
	rig->joints = take(rig, 20, sizeof *rig->joints);
	for (; rig->joint_count < 20; rig->joint_count++) {
		rig->joints[rig->joint_count] = (struct joint){.name = xstrndup("Joint", 5),
			.parent = rig->joint_count - 1,
			.rest = TRANSFORM_IDENTITY};
	}
	struct avatar *avatar = take(rig, 1, sizeof *avatar);
	avatar->version = "1.0";
	avatar->thumbnail = -1;
	int joint = 0;
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		avatar->bones[i] = avatar_bone_is_required((enum avatar_bone)i) ? joint++ : -1;
	}
	assert_int_equal(joint, 15);
	rig->avatar = avatar;
	return rig;
}

static struct avatar *avatar_of(struct rig *rig) {
	return (struct avatar *)rig->avatar;
}

static void refuses_avatars_without_a_body(void **state) {
	(void)state;
	struct rig *rig = avatar_rig();
	assert_true(rig_check(rig, NULL));
	avatar_of(rig)->bones[AVATAR_BONE_leftFoot] = -1;
	refuse(rig, "leftFoot is missing");
	rig = avatar_rig();
	avatar_of(rig)->bones[AVATAR_BONE_jaw] = 20;
	refuse(rig, "rig avatar bones[8]: joint 20 of 20");
	rig = avatar_rig();
	avatar_of(rig)->bones[AVATAR_BONE_jaw] = 0;
	refuse(rig, "joint 0 of 20, or another bone's");
	rig = avatar_rig();
	avatar_of(rig)->thumbnail = 0;
	refuse(rig, "rig avatar thumbnail[0]");
	rig = avatar_rig();
	avatar_of(rig)->version = "\xff";
	refuse(rig, "no version");
}

static void refuses_expressions_out_of_order(void **state) {
	(void)state;
	static const struct {
		int presets[2];
		const char *names[2], *flaw;
	} cases[] = {
		{{AVATAR_PRESET_angry, AVATAR_PRESET_happy}, {"angry", "happy"}, "preset 0 is out"},
		{{AVATAR_PRESET_happy, AVATAR_PRESET_happy}, {"happy", "happy"}, "preset 0 is out"},
		{{AVATAR_CUSTOM, AVATAR_PRESET_happy}, {"mine", "happy"}, "preset 0 is out"},
		{{AVATAR_CUSTOM, AVATAR_CUSTOM}, {"mine", "mine"}, "two have one name"},
		{{AVATAR_PRESET_happy, AVATAR_CUSTOM}, {"happy", "happy"}, "two have one name"},
		{{AVATAR_PRESET_happy, AVATAR_CUSTOM}, {"glad", "mine"}, "preset 0 is out"},
		{{AVATAR_PRESET_COUNT, AVATAR_CUSTOM}, {"glad", "mine"}, "preset 18 is out"},
		{{AVATAR_CUSTOM, AVATAR_CUSTOM}, {"mine", ""}, "has no name"},
		{{AVATAR_CUSTOM, AVATAR_CUSTOM}, {"mine", "\xff"}, "has no name"},
	};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct rig *rig = avatar_rig();
		struct avatar *avatar = avatar_of(rig);
		avatar->expressions = take(rig, 2, sizeof *avatar->expressions);
		for (; avatar->expression_count < 2; avatar->expression_count++) {
			struct avatar_expression *e =
				&avatar->expressions[avatar->expression_count];
			e->preset = cases[c].presets[avatar->expression_count];
			e->name = cases[c].names[avatar->expression_count];
		}
		refuse(rig, cases[c].flaw);
	}
}

static void refuses_binds_out_of_range(void **state) {
	(void)state;
	static struct avatar_morph morph;
	static struct avatar_tint tint;
	static struct avatar_shift shift;
	for (int c = 0; c < 4; c++) {
		struct rig *rig = avatar_rig();
		struct avatar *avatar = avatar_of(rig);
		avatar->expressions = take(rig, 1, sizeof *avatar->expressions);
		avatar->expressions[0] = (struct avatar_expression){.name = "mine",
			.preset = AVATAR_CUSTOM,
			.morph_count = c == 0,
			.tint_count = c == 1,
			.shift_count = c == 2,
			.morphs = &morph,
			.tints = &tint,
			.shifts = &shift};
		avatar->expressions[0].overrides[2] = c == 3 ? 3 : 0;
		avatar->expression_count = 1;
		refuse(rig,
			c == 0           ? "morph 0 has weight 0 of 0"
				: c == 1 ? "tint 0 of material 0"
				: c == 2 ? "shift 0 of material 0"
					 : "overrides by 3");
	}
}

/* The chain's joints are each other's parents, so that an aim moves all behind its joint. */
static void refuses_constraints_that_read_what_is_to_come(void **state) {
	(void)state;
	enum { ROTATION = AVATAR_ROTATION, AIM = AVATAR_AIM };
	static const struct {
		struct {
			int kind, joint, source;
		} constraints[2];
		const char *flaw; // NULL = sound
	} cases[] = {
		{{{ROTATION, 3, 2}, {ROTATION, 4, 3}}, NULL},
		{{{ROTATION, 4, 3}, {ROTATION, 3, 2}}, "constraints[0]: reads"},
		{{{ROTATION, 3, 4}, {ROTATION, 4, 3}}, "constraints[0]: reads"},
		{{{ROTATION, 3, 4}, {ROTATION, 3, 5}}, "two of them turn one joint"},
		{{{ROTATION, 3, 3}, {ROTATION, 4, 5}}, "constraints[0]: turns joint 3 by 3"},
		{{{ROTATION, 3, 20}, {ROTATION, 4, 5}}, "constraints[0]: turns joint 3 by 20"},
		{{{ROTATION, 3, 9}, {AIM, 5, 2}}, NULL},
		{{{AIM, 5, 2}, {ROTATION, 3, 9}}, "constraints[0]: reads"},
		{{{AIM, 5, 2}, {ROTATION, 5, 9}}, "two of them turn one joint"},
		{{{AIM, 2, 1}, {ROTATION, 1, 9}}, "constraints[0]: reads"},
		{{{AIM, 2, 0}, {ROTATION, 2, 9}}, "two of them turn one joint"},
		{{{AIM, 2, 3}, {ROTATION, 9, 4}}, "constraints[0]: reads"},
		{{{3, 2, 3}, {ROTATION, 9, 4}}, "or is of kind 3"},
	};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct rig *rig = avatar_rig();
		struct avatar *avatar = avatar_of(rig);
		avatar->constraints = take(rig, 2, sizeof *avatar->constraints);
		for (; avatar->constraint_count < 2; avatar->constraint_count++) {
			const int i = avatar->constraint_count;
			avatar->constraints[i] = (struct avatar_constraint){
				.kind = (enum avatar_constraint_kind)cases[c].constraints[i].kind,
				.joint = cases[c].constraints[i].joint,
				.source = cases[c].constraints[i].source,
				.axis = {1, 0, 0},
				.weight = 1};
		}
		if (cases[c].flaw) {
			refuse(rig, cases[c].flaw);
		} else {
			assert_true(rig_check(rig, NULL));
			rig_release(rig);
		}
	}
}

/* An avatar with a sphere, and two springs of a joint each. */
static struct rig *sprung_rig(void) {
	struct rig *rig = avatar_rig();
	struct avatar *avatar = avatar_of(rig);
	avatar->colliders = take(rig, 1, sizeof *avatar->colliders);
	avatar->collider_count = 1;
	avatar->springs = take(rig, 2, sizeof *avatar->springs);
	for (; avatar->spring_count < 2; avatar->spring_count++) {
		struct avatar_spring *spring = &avatar->springs[avatar->spring_count];
		*spring = (struct avatar_spring){
			.name = "", .center = -1, .joint_count = 1, .collider_count = 1};
		spring->joints = take(rig, 2, sizeof *spring->joints);
		spring->colliders = take(rig, 1, sizeof *spring->colliders);
		for (int k = 0; k < 2; k++) {
			spring->joints[k].joint = avatar->spring_count * 2 + k;
			spring->joints[k].tail[1] = 0.5;
		}
	}
	return rig;
}

static void refuses_springs_out_of_range(void **state) {
	(void)state;
	struct rig *rig = sprung_rig();
	assert_true(rig_check(rig, NULL));
	avatar_of(rig)->springs[1].joints[0].joint = 0;
	refuse(rig, "rig avatar springs[1]: joint 0 is out of range or order");
	rig = sprung_rig();
	avatar_of(rig)->springs[0].joint_count = 2;
	assert_true(rig_check(rig, NULL));
	avatar_of(rig)->springs[0].joints[0].joint = 9;
	refuse(rig, "rig avatar springs[0]: joint 1 is out of range or order");
	rig = sprung_rig();
	avatar_of(rig)->springs[0].joints[0].tail[1] = 0;
	refuse(rig, "rig avatar springs[0]: joint 0");
	rig = sprung_rig();
	avatar_of(rig)->springs[0].joints[0].drag = NAN;
	refuse(rig, "rig avatar springs[0]: joint 0");
	rig = sprung_rig();
	avatar_of(rig)->springs[0].colliders[0] = 1;
	refuse(rig, "rig avatar springs[0]: collider 1 of 1");
	rig = sprung_rig();
	avatar_of(rig)->springs[0].center = 20;
	refuse(rig, "centre 20");
	rig = sprung_rig();
	avatar_of(rig)->colliders[0].radius = -1;
	refuse(rig, "rig avatar colliders[0]: numbers");
	rig = sprung_rig();
	avatar_of(rig)->colliders[0].kind = AVATAR_PLANE;
	refuse(rig, "rig avatar colliders[0]: numbers");
}

static void refuses_other_parts_of_avatars(void **state) {
	(void)state;
	struct rig *rig = avatar_rig();
	avatar_of(rig)->has_look_at = true;
	refuse(rig, "rig avatar look_at[0]: maps 0 degrees to 0");
	rig = avatar_rig();
	avatar_of(rig)->views = take(rig, 20, 1);
	avatar_of(rig)->views[19] = 4;
	refuse(rig, "rig avatar views[19]: 4 is none");
	rig = avatar_rig();
	avatar_of(rig)->facts = take(rig, 1, sizeof(struct avatar_fact));
	avatar_of(rig)->facts[0] = (struct avatar_fact){"name", "x", AVATAR_NUMBER, INFINITY};
	avatar_of(rig)->fact_count = 1;
	refuse(rig, "rig avatar facts[0]");
	rig = avatar_rig();
	avatar_of(rig)->fact_count = 1;
	refuse(rig, "rig avatar facts[1]: no such list");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_avatars_without_a_body),
		cmocka_unit_test(refuses_expressions_out_of_order),
		cmocka_unit_test(refuses_binds_out_of_range),
		cmocka_unit_test(refuses_constraints_that_read_what_is_to_come),
		cmocka_unit_test(refuses_springs_out_of_range),
		cmocka_unit_test(refuses_other_parts_of_avatars),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
