// Blend spaces as expressions: what is refused, and which poses are mixed with which weights.
#include "check.h"
#include "json_value.h"
#include "poses.h"
#include "rigs.h"
#include "shared_files.h"

#define LINE "'blend_space': [{'at': 0, 'pose': 'rest'}, {'at': 1, 'pose': 'rest'}]"

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'blend_space': [], 'at': 0}", ERROR_INVALID_VALUE, "/blend_space", "1 to 256"},
		{"{" LINE "}", ERROR_INVALID_VALUE, "", "\"at\" is missing"},
		{"{'blend_space': [{'at': 0}], 'at': 0}", ERROR_INVALID_VALUE, "/blend_space/0",
			"\"pose\""},
		{"{" LINE ", 'at': [0, 0]}", ERROR_INVALID_VALUE, "/blend_space/0/at",
			"two numbers"},
		{"{'blend_space': [{'at': [0, 0], 'pose': 'rest'}], 'at': 0}", ERROR_INVALID_VALUE,
			"/blend_space/0/at", "a list"},
		{"{" LINE ", 'at': [0, 0, 0]}", ERROR_INVALID_VALUE, "/at", "two numbers"},
		{"{" LINE ", 'at': 2e9}", ERROR_INVALID_VALUE, "/at", "1e9"},
		{"{" LINE ", 'at': 'x'}", ERROR_INVALID_VALUE, "/at", "a string"},
		{"{" LINE ", 'at': 0, 'mode': 'nearest'}", ERROR_INVALID_VALUE, "/mode",
			"triangles, gradient_band"},
		{"{" LINE ", 'at': 0, 'time': 0.5}", ERROR_INVALID_VALUE, "/time",
			"\"synchronised\""},
		{"{" LINE ", 'at': 0, 'markers': 'feet'}", ERROR_INVALID_VALUE, "/markers",
			"\"synchronised\""},
		{"{" LINE ", 'at': 0, 'synchronised': true}", ERROR_INVALID_VALUE,
			"/blend_space/0/pose", "{\"clip\": name}"},
		{"{'blend_space': [{'at': 0, 'pose': {'clip': 'Walk', 'time': 1}}], 'at': 0,"
		 "'synchronised': true}",
			ERROR_INVALID_VALUE, "/blend_space/0/pose", "no more"},
		{"{'blend_space': [{'at': 0, 'pose': {'clip': 'Wlak'}}], 'at': 0,"
		 "'synchronised': true}",
			ERROR_UNKNOWN_CLIP, "/blend_space/0/pose/clip", "Walk"},
		{"{'blend_space': [{'at': 0, 'pose': {'clip': 'Walk'}}, {'at': 1, 'pose': "
		 "{'clip': 'Idle'}}], 'at': 0, 'synchronised': true, 'markers': 'feet'}",
			ERROR_INVALID_VALUE, "/blend_space/1/pose", "no foot"},
		{"{'blend_space': [{'at': 0, 'pose': {'clip': 'Walk'}}], 'at': 0,"
		 "'synchronised': true, 'time': 0, 'phase': 0}",
			ERROR_INVALID_VALUE, "/phase", "one of them"},
		{"{'blend_space': [{'at': 2, 'pose': 'rest'}, {'at': 1, 'pose': 'rest'}, {'at': "
		 "2, 'pose': 'rest'}], 'at': 0}",
			ERROR_INVALID_VALUE, "/blend_space/2", "sample 0"},
		// Also where it has no say.
		{"{'blend_space': [{'at': 0, 'pose': 'rest'}, {'at': 1, 'pose': 'rset'}], 'at': 0}",
			ERROR_UNKNOWN_OPERATION, "/blend_space/1/pose", "rset"},
	};
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void known_weights_mix_the_poses(void **state) {
	(void)state;
	static const struct {
		const char *ats[3], *members;
		double weights[3];
	} cases[] = {
		{{"0", "1", "3"}, "'at': 2", {0, 0.5, 0.5}},
		{{"0", "1", "3"}, "'at': -2", {1, 0, 0}},
		{{"[0, 0]", "[3, 0]", "[0, 3]"}, "'at': [1, 1]", {1 / 3.0, 1 / 3.0, 1 / 3.0}},
		{{"[0, 0]", "[3, 0]", "[0, 3]"}, "'at': [3, 3], 'rotation': 'slerp'",
			{0, 0.5, 0.5}},
		{{"[0, 0]", "[1, 1]", "[3, 3]"}, "'at': [3, 1]", {0, 0.5, 0.5}},
		{{"[0, 0]", "[4, 0]", "[0, 4]"}, "'at': [1, 1], 'mode': 'gradient_band'",
			{0.6, 0.2, 0.2}},
	};
	struct rig *rig = rig_random(8, 4, 1, 4);
	struct arena *arena = arena_create();
	unsigned seed = 71;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *samples = "", *inputs = "";
		for (int k = 0; k < 3; k++) {
			const char *pose = random_pose(arena, rig, &seed);
			samples = arena_printf(arena, "%s%s{'at': %s, 'pose': %s}", samples,
				k ? "," : "", cases[i].ats[k], pose);
			inputs = arena_printf(arena, "%s%s{'pose': %s, 'weight': %.17g}", inputs,
				k ? "," : "", pose, cases[i].weights[k]);
		}
		const struct pose space = pose_of(rig, arena,
			arena_printf(
				arena, "{'blend_space': [%s], %s}", samples, cases[i].members));
		const struct pose blend = pose_of(rig, arena,
			arena_printf(arena, "{'blend': [%s], 'rotation': '%s'}", inputs,
				i == 3 ? "slerp" : "nlerp"));
		expect_near_pose(&space, &blend, 3e-7);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void at_a_sample_it_is_its_pose_to_the_bit(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct arena *arena = arena_create();
	static const char *const modes[] = {"triangles", "gradient_band"};
	for (int i = 0; i < 2; i++) {
		const struct pose space = pose_of(rig, arena,
			arena_printf(arena,
				"{'blend_space': [{'at': [0.1, 0], 'pose': {'clip': 'Idle'}},"
				"{'at': [0, 0.3], 'pose': {'clip': 'Walk', 'time': 0.4}},"
				"{'at': [0.7, 0.2], 'pose': 'rest'}], 'at': [0, 0.3], 'mode': "
				"'%s'}",
				modes[i]));
		const struct pose walk = pose_of(rig, arena, "{'clip': 'Walk', 'time': 0.4}");
		expect_same_pose(&space, &walk);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void synchronised_spaces_are_clips_in_step(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct arena *arena = arena_create();
	static const char *const moments[] = {"'time': 0.4", "'phase': 0.25, 'markers': 'feet'"};
	for (int i = 0; i < 2; i++) {
		const struct pose space = pose_of(rig, arena,
			arena_printf(arena,
				"{'blend_space': [{'at': 1, 'pose': {'clip': 'Walk'}}, {'at': 3, "
				"'pose': {'clip': 'Run'}}], 'at': 1.5, 'synchronised': true, %s}",
				moments[i]));
		const struct pose sync = pose_of(rig, arena,
			arena_printf(arena,
				"{'sync': [{'clip': 'Walk', 'weight': 3}, {'clip': 'Run'}], %s}",
				moments[i]));
		expect_near_pose(&space, &sync, 1e-6);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void a_run_makes_the_triangles_once(void **state) {
	(void)state;
	struct rig *rig = rig_random(8, 4, 1, 4);
	struct arena *arena = arena_create();
	const struct value *expression = json_value(arena,
		"{'blend_space': [{'at': [0, 0], 'pose': 'rest'}, {'at': [1, 0], 'pose': 'rest'},"
		"{'at': [0, 1], 'pose': 'rest'}], 'at': [0, 0]}");
	struct pose_context context = pose_context_make(rig, arena, NULL);
	struct pose first, second;
	struct error err = {0};
	assert_true(pose_evaluate(&context, expression, &first, &err));
	const size_t all = context.run->joints;
	assert_true(pose_evaluate(&context, expression, &second, &err));
	// Later, the one sample that has a say, and the space itself.
	assert_int_equal(all, 4 * 4);
	assert_int_equal(context.run->joints - all, 2 * 4);
	expect_same_pose(&first, &second);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(known_weights_mix_the_poses),
		cmocka_unit_test(at_a_sample_it_is_its_pose_to_the_bit),
		cmocka_unit_test(synchronised_spaces_are_clips_in_step),
		cmocka_unit_test(a_run_makes_the_triangles_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
