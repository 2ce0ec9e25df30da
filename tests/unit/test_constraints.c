// Node constraints against three-vrm.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "made_avatars.h"
#include "poses.h"
#include "trees.h"

#define TABLE "tests/unit/avatar_constraints.txt"
#define NUMBERS 53

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'constraints': 'rset'}", ERROR_UNKNOWN_OPERATION, "/constraints", "rset"},
		{"{'constraints': 'rest', 'to': 1}", ERROR_UNKNOWN_MEMBER, "/to", "constraints"},
	};
	static const struct pose_refusal without = {
		"{'set': {'constraints': 'rest'}}", ERROR_MISSING_DATA, "/set", "no avatar"};
	struct rig *rig = rig_tree("A(B)");
	expect_pose_refusals(rig, &without, 1);
	give_avatar(rig);
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static struct rig *make_rig(const double n[static NUMBERS]) {
	struct rig *rig = rig_tree("Root(A0(A1),B0(B1))");
	memset(rig->joints[0].rest.translation, 0, sizeof rig->joints[0].rest.translation);
	for (int i = 0; i < 3; i++) {
		rig->joints[0].rest.scale[i] = 1.5f;
	}
	for (int i = 0; i < 28; i++) {
		struct transform *rest = &rig->joints[1 + i / 7].rest;
		if (i % 7 < 3) {
			rest->translation[i % 7] = (float)n[5 + i];
		} else {
			rest->rotation[i % 7 - 3] = (float)n[5 + i];
		}
	}
	static const enum avatar_constraint_kind kinds[] = {
		AVATAR_ROTATION, AVATAR_ROLL, AVATAR_AIM};
	struct avatar *avatar = give_avatar(rig);
	avatar->constraint_count = 1;
	avatar->constraints = rig_storage(rig, 1, sizeof *avatar->constraints, "constraints", NULL);
	*avatar->constraints = (struct avatar_constraint){
		.kind = kinds[(int)n[0]],
		.joint = 4,
		.source = 2,
		.axis = {n[2], n[3], n[4]},
		.weight = n[1],
	};
	return rig;
}

static const char *write_pose(struct arena *arena, const double rotations[static 16]) {
	static const char *const names[] = {"A0", "A1", "B0", "B1"};
	const char *text = "";
	for (int i = 0; i < 4; i++) {
		const double *q = &rotations[4 * i];
		text = arena_printf(arena, "%s%s'%s': {'rotation': [%.9g, %.9g, %.9g, %.9g]}", text,
			i ? ", " : "", names[i], q[0], q[1], q[2], q[3]);
	}
	return arena_printf(arena, "{'set': 'rest', 'joints': {%s}}", text);
}

static void hold(const double n[static NUMBERS]) {
	struct rig *rig = make_rig(n);
	struct arena *arena = arena_create();
	const char *posed = write_pose(arena, &n[33]);
	const struct pose before = pose_of(rig, arena, posed);
	const struct pose after =
		pose_of(rig, arena, arena_printf(arena, "{'constraints': %s}", posed));
	const float *q = after.local[4].rotation;
	double same = 0;
	for (int i = 0; i < 4; i++) {
		same += q[i] * n[49 + i];
	}
	for (int i = 0; i < 4; i++) {
		assert_near(q[i] * (same < 0 ? -1 : 1), n[49 + i], 1e-6);
	}
	assert_memory_equal(before.local, after.local, 4 * sizeof *after.local);
	arena_destroy(arena);
	rig_release(rig);
}

static void turn_as_three_vrm_does(void **state) {
	(void)state;
	FILE *table = fopen(TABLE, "r");
	assert_non_null(table);
	char line[2048];
	int count = 0;
	while (fgets(line, sizeof line, table)) {
		double n[NUMBERS];
		char *text = line;
		for (int i = 0; i < NUMBERS && line[0] != '#'; i++) {
			n[i] = strtod(text, &text);
		}
		if (line[0] != '#') {
			hold(n);
			count++;
		}
	}
	fclose(table);
	assert_int_equal(count, 24);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(turn_as_three_vrm_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
