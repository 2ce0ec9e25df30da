// Properties of every pose expression, on random ones of the demo humanoid as an avatar.
#include <string.h>

#include "check.h"
#include "expressions.h"
#include "json_value.h"
#include "made_avatars.h"
#include "pose/operations.h"
#include "poses.h"
#include "shared_files.h"

#define EXPRESSIONS 100
#define DEPTH 3
#define AGAIN 20           // evaluations that take no memory
#define ARENA_ALIGNMENT 16 // what an allocation of a byte takes

static int set_up(void **state) {
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	dress_as_avatar(rig);
	*state = rig;
	return 0;
}

static int tear_down(void **state) {
	rig_release(*state);
	return 0;
}

static void expect_sound(const struct pose *pose, const char *text) {
	for (int i = 0; i < pose->joint_count; i++) {
		const struct transform *local = &pose->local[i];
		double square = 0;
		for (int k = 0; k < 4; k++) {
			square += (double)local->rotation[k] * local->rotation[k];
		}
		for (int k = 0; k < 3; k++) {
			if (!isfinite(local->translation[k]) || !isfinite(local->scale[k])) {
				fail_msg("joint %d is not finite: %.900s", i, text);
			}
		}
		if (!(fabs(square - 1) < 1e-5)) {
			fail_msg("joint %d's rotation is not unit: %.900s", i, text);
		}
	}
	for (int i = 0; i < pose->weight_count; i++) {
		assert_true(isfinite(pose->weights[i]));
	}
}

/* True if there is such a pose; a refusal must name the position and the reason. */
static bool evaluate(
	const struct rig *rig, struct arena *arena, const char *text, struct pose *pose) {
	const struct pose_source other = {"other", rig};
	const struct pose_sources sources = {&other, 1};
	struct pose_run run = {.arena = arena, .sources = &sources};
	struct pose_context context = pose_context_make(rig, arena, &run);
	const struct value *expression = json_value(arena, text);
	struct error err = {0};
	if (pose_evaluate(&context, expression, pose, &err)) {
		return true;
	}
	if (!err.has_pointer || err.code == ERROR_INTERNAL) {
		fail_msg("%.700s: %.200s", text, err.text);
	}
	return false;
}

static void every_operation_has_a_row(void **state) {
	(void)state;
	for (size_t i = 0; operation_at(i); i++) {
		size_t row = 0;
		while (expression_row_name(row) &&
			strcmp(expression_row_name(row), operation_at(i)->name) != 0) {
			row++;
		}
		if (!expression_row_name(row)) {
			fail_msg("no row for \"%s\" in expressions.c", operation_at(i)->name);
		}
	}
}

/* Each operation has to be taken often enough for its row to be of use. */
static void poses_are_finite_with_unit_rotations(void **state) {
	for (size_t row = 0; expression_row_name(row); row++) {
		struct decisions decisions = {.seed = 1 + (unsigned)row};
		int taken = 0;
		for (int i = 0; i < EXPRESSIONS; i++) {
			struct arena *arena = arena_create();
			const char *text = expression_of_row(&decisions, *state, arena, DEPTH, row);
			struct pose pose;
			if (evaluate(*state, arena, text, &pose)) {
				expect_sound(&pose, text);
				taken++;
			}
			arena_destroy(arena);
		}
		if (taken < EXPRESSIONS / 4) {
			fail_msg("only %d of %d of \"%s\" are poses", taken, EXPRESSIONS,
				expression_row_name(row));
		}
	}
}

static void the_same_expression_gives_the_same_bytes(void **state) {
	struct decisions decisions = {.seed = 77};
	for (int i = 0; i < EXPRESSIONS; i++) {
		struct arena *arena = arena_create();
		const char *text = expression_make(&decisions, *state, arena, DEPTH);
		struct pose a, b;
		if (evaluate(*state, arena, text, &a)) {
			assert_true(evaluate(*state, arena, text, &b));
			expect_same_pose(&a, &b);
		}
		arena_destroy(arena);
	}
}

/* Two patterns that evaluate to the same pose, for any poses A and B. */
struct identity {
	const char *left, *right;
	double tolerance; // 0 = to the bit
};

static const struct identity identities[] = {
	{"{'blend': [{'pose': A, 'weight': 1}, {'pose': B, 'weight': 0}]}", "A", 0},
	{"{'blend': [{'pose': B, 'weight': 0}, {'pose': A, 'weight': 3}]}", "A", 0},
	{"{'blend': [{'pose': {'blend': [{'pose': A}, {'pose': B, 'weight': 2}]}}]}",
		"{'blend': [{'pose': A}, {'pose': B, 'weight': 2}]}", 0},
	{"{'blend': [{'pose': A, 'weight': 3}, {'pose': B, 'weight': 2}]}",
		"{'blend': [{'pose': B, 'weight': 2000}, {'pose': A, 'weight': 3000}]}", 1e-6},
	{"{'blend': [{'pose': A}, {'pose': A, 'weight': 5}]}", "A", 1e-6},
	{"{'add': A, 'to': B, 'reference': A}", "B", 0},
	{"{'add': A, 'to': B, 'weight': 0}", "B", 0},
	{"{'add': A, 'to': B, 'reference': B}", "A", 1e-5},
	{"{'mirror': {'mirror': A}}", "A", 1e-6},
	{"{'mirror': {'mirror': A, 'axis': 'z'}, 'axis': 'z'}", "A", 1e-6},
	{"{'reset': A}", "'rest'", 0},
	{"{'reset': A, 'weight': 0}", "A", 0},
	{"{'reset': A, 'joints': []}", "A", 0},
	{"{'reset': A, 'weight': 0.25}",
		"{'blend': [{'pose': A, 'weight': 3}, {'pose': 'rest'}], 'rotation': 'slerp'}",
		1e-5},
	{"{'scale_time': A, 'factor': 1}", "A", 0},
	{"{'reverse': {'reverse': A}}", "A", 0},
	{"{'reverse': {'scale_time': A, 'factor': 3}}",
		"{'scale_time': {'reverse': A}, 'factor': 3}", 0},
	{"{'retarget': A, 'rig': 'other', 'translations': 'all'}", "A", 0},
	{"{'retarget': A, 'rig': 'other', 'translations': 'all', 'scale': 'none', 'unmapped': B}",
		"A", 0},
	{"{'copy': A, 'rig': 'other'}", "A", 0},
	{"{'copy': {'copy': A, 'rig': 'other'}, 'rig': 'other', 'unmatched': 'ignore'}", "A", 0},
	{"{'playlist': [{'pose': A, 'start': 0}]}", "A", 0},
	{"{'playlist': [{'pose': B, 'start': 0}, {'pose': A, 'start': 0}]}", "A", 0},
	{"{'playlist': [{'pose': A, 'start': 0}, {'pose': B, 'start': 1}]}", "A", 0},
	{"{'transition': ['Walk', 'Walk'], 'at': [0.4, 0.4], 'time': 0.7}",
		"{'clip': 'Walk', 'time': 0.7}", 0},
	{"{'set': A}", "A", 0},
};

#define IDENTITY_COUNT (sizeof identities / sizeof *identities)

static const char *replace(struct arena *arena, const char *pattern, const char *a, const char *b) {
	const char *text = "";
	for (const char *c = pattern; *c; c++) {
		const char one[2] = {*c == '\'' ? '"' : *c, '\0'};
		text = arena_printf(arena, "%s%s", text, *c == 'A' ? a : *c == 'B' ? b : one);
	}
	return text;
}

/* Poses that drive everything, so that nobody's silence changes who has a say. */
static const char *make_full(
	struct decisions *decisions, const struct rig *rig, struct arena *arena) {
	return arena_printf(arena, "{\"add\": %s, \"to\": \"rest\"}",
		expression_make(decisions, rig, arena, DEPTH - 1));
}

static void hold(const struct rig *rig, const struct identity *identity,
	struct decisions *decisions, int *held) {
	struct arena *arena = arena_create();
	const char *a = make_full(decisions, rig, arena), *b = make_full(decisions, rig, arena);
	struct pose left, right;
	if (evaluate(rig, arena, replace(arena, identity->left, a, b), &left) &&
		evaluate(rig, arena, replace(arena, identity->right, a, b), &right)) {
		if (identity->tolerance == 0) {
			expect_same_pose(&left, &right);
		} else {
			expect_near_pose(&left, &right, identity->tolerance);
		}
		(*held)++;
	}
	arena_destroy(arena);
}

/* The address of the arena's next allocation, at the beginning of a block that has room for many.
 */
static const unsigned char *fresh_block(struct arena *arena) {
	arena_alloc(arena, 1, 1 << 20);
	return arena_alloc(arena, 1, 1);
}

/* Operations that follow a motion evaluate its poses thousands of times with one arena: no byte may
 * be allocated from it each time. */
static void going_on_takes_no_more_memory(void **state) {
	const struct rig *rig = *state;
	struct decisions decisions = {.seed = 11};
	for (size_t row = 0; expression_row_name(row); row++) {
		for (int i = 0; i < 10; i++) {
			struct arena *arena = arena_create();
			const struct value *expression = json_value(
				arena, expression_of_row(&decisions, rig, arena, DEPTH, row));
			const struct pose_source other = {"other", rig};
			const struct pose_sources sources = {&other, 1};
			struct pose_run run = {.arena = arena, .sources = &sources};
			struct pose_context context = pose_context_make(rig, arena, &run);
			struct pose pose = pose_rest(rig, arena);
			bool ok = pose_evaluate_into(&context, expression, &pose, NULL);
			const unsigned char *before = fresh_block(arena);
			for (int k = 0; ok && k < AGAIN; k++) {
				ok = pose_evaluate_into(&context, expression, &pose, NULL);
			}
			const unsigned char *after = arena_alloc(arena, 1, 1);
			if (after != before + ARENA_ALIGNMENT) {
				fail_msg("%s takes memory each time", expression_row_name(row));
			}
			arena_destroy(arena);
		}
	}
}

static void identities_hold(void **state) {
	for (size_t i = 0; i < IDENTITY_COUNT; i++) {
		struct decisions decisions = {.seed = 1000 + (unsigned)i};
		int held = 0;
		for (int k = 0; k < EXPRESSIONS / 3; k++) {
			hold(*state, &identities[i], &decisions, &held);
		}
		if (held < EXPRESSIONS / 6) {
			fail_msg("%s was held only %d times", identities[i].left, held);
		}
	}
}

/* Above and below one joint, two poses share the skeleton without touching one another. */
static void masks_partition(void **state) {
	const struct rig *rig = *state;
	struct decisions decisions = {.seed = 5};
	for (int i = 0; i < EXPRESSIONS; i++) {
		struct arena *arena = arena_create();
		const char *a = make_full(&decisions, rig, arena);
		const char *b = make_full(&decisions, rig, arena);
		const int joint = (int)decide(&decisions, (unsigned)rig->joint_count);
		const char *name = rig->joints[joint].name;
		struct pose pose_a, pose_b, both;
		const char *text = arena_printf(arena,
			"{\"blend\": [{\"pose\": %s, \"mask\": {\"%s\": 1}},"
			"{\"pose\": %s, \"mask\": {\"%s\": 0}}]}",
			a, name, b, name);
		if (evaluate(rig, arena, text, &both)) {
			bool *below = arena_alloc(arena, (size_t)rig->joint_count, sizeof *below);
			assert_true(evaluate(rig, arena, a, &pose_a));
			assert_true(evaluate(rig, arena, b, &pose_b));
			for (int k = 0; k < rig->joint_count; k++) {
				const int parent = rig->joints[k].parent;
				below[k] = k == joint || (parent >= 0 && below[parent]);
				const struct pose *from = below[k] ? &pose_a : &pose_b;
				assert_memory_equal(
					&both.local[k], &from->local[k], sizeof both.local[k]);
			}
		}
		arena_destroy(arena);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_has_a_row),
		cmocka_unit_test(poses_are_finite_with_unit_rotations),
		cmocka_unit_test(the_same_expression_gives_the_same_bytes),
		cmocka_unit_test(going_on_takes_no_more_memory),
		cmocka_unit_test(identities_hold),
		cmocka_unit_test(masks_partition),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
