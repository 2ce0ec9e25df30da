// Pose expressions for tests.
#include "poses.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "json_value.h"
#include "rigs.h"

struct pose pose_of(const struct rig *rig, struct arena *arena, const char *expression) {
	struct pose_context context = pose_context_make(rig, arena, NULL);
	struct pose pose;
	struct error err = {0};
	if (!pose_evaluate(&context, json_value(arena, expression), &pose, &err)) {
		fail_msg("%.200s: %s", expression, err.text);
	}
	return pose;
}

void expect_pose_refusals(const struct rig *rig, const struct pose_refusal *rows, size_t count) {
	for (size_t i = 0; i < count; i++) {
		struct arena *arena = arena_create();
		struct pose_context context = pose_context_make(rig, arena, NULL);
		const struct value *expression = json_value(arena, rows[i].expression);
		struct pose pose;
		struct error err = {0};
		if (pose_evaluate(&context, expression, &pose, &err)) {
			fail_msg("%s: not refused", rows[i].expression);
		}
		expect_error(&err, rows[i].code, rows[i].pointer, rows[i].piece);
		arena_destroy(arena);
	}
}

void expect_same_pose(const struct pose *a, const struct pose *b) {
	assert_memory_equal(a->local, b->local, (size_t)a->joint_count * sizeof *a->local);
	if (a->weight_count > 0) {
		assert_memory_equal(
			a->weights, b->weights, (size_t)a->weight_count * sizeof *a->weights);
	}
}

static void expect_near(const float *a, const float *b, int count, double sign, double tolerance) {
	for (int i = 0; i < count; i++) {
		assert_near(a[i], sign * b[i], tolerance);
	}
}

void expect_near_pose(const struct pose *a, const struct pose *b, double tolerance) {
	for (int i = 0; i < a->joint_count; i++) {
		const struct transform *x = &a->local[i], *y = &b->local[i];
		double dot = 0;
		for (int k = 0; k < 4; k++) {
			dot += x->rotation[k] * y->rotation[k];
		}
		expect_near(x->translation, y->translation, 3, 1, tolerance);
		expect_near(x->rotation, y->rotation, 4, dot < 0 ? -1 : 1, tolerance);
		expect_near(x->scale, y->scale, 3, 1, tolerance);
	}
	expect_near(a->weights, b->weights, a->weight_count, 1, tolerance);
}

const char *random_pose(struct arena *arena, const struct rig *rig, unsigned *seed) {
	const char *joints = "";
	for (int i = 0; i < rig->joint_count; i++) {
		double n[10];
		for (int k = 0; k < 10; k++) {
			n[k] = random_number(seed);
		}
		joints = arena_printf(arena,
			"%s%s'J%d': {'translation': [%.9g, %.9g, %.9g],"
			"'rotation': [%.9g, %.9g, %.9g, %.9g], 'scale': [%.9g, %.9g, %.9g]}",
			joints, i ? ", " : "", i, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7],
			n[8], n[9]);
	}
	return arena_printf(arena, "{'set': 'rest', 'joints': {%s}}", joints);
}
