// Layers: what is refused, METHODS C.8's promises, and both spaces.
#include <string.h>

#include "check.h"
#include "poses.h"
#include "rigs.h"

#define PI 3.14159265358979323846
#define JOINTS 5

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'layers': 'rest'}", ERROR_INVALID_VALUE, "/layers", "must be a list"},
		{"{'layers': []}", ERROR_INVALID_VALUE, "/layers", "must be a list"},
		{"{'layers': [{'pose': 'rest'}]}", ERROR_UNKNOWN_OPERATION, "/layers/0",
			"names a pose operation"},
		{"{'layers': ['rest', 'rest']}", ERROR_INVALID_VALUE, "/layers/1", "an object"},
		{"{'layers': ['rest', {}]}", ERROR_INVALID_VALUE, "/layers/1", "\"pose\""},
		{"{'layers': ['rest', {'pose': 'rset'}]}", ERROR_UNKNOWN_OPERATION,
			"/layers/1/pose", "rset"},
		{"{'layers': ['rest', {'pose': 'rest', 'weight': 0, 'mask': {'J9': 1}}]}",
			ERROR_UNKNOWN_JOINT, "/layers/1/mask/J9", "J9"},
		{"{'layers': ['rest', {'pose': 'rest', 'weight': 1.5}]}", ERROR_INVALID_VALUE,
			"/layers/1/weight", "from 0 to 1 where a layer replaces"},
		{"{'layers': ['rest', {'pose': 'rest', 'mode': 'add', 'weight': -1}]}",
			ERROR_INVALID_VALUE, "/layers/1/weight", "0 or more"},
		{"{'layers': ['rest', {'pose': 'rest', 'mode': 'over'}]}", ERROR_INVALID_VALUE,
			"/layers/1/mode", "replace, add"},
		{"{'layers': ['rest', {'pose': 'rest', 'reference': 'rest'}]}", ERROR_INVALID_VALUE,
			"/layers/1/reference", "\"mode\": \"add\""},
		{"{'layers': ['rest', {'pose': 'rest', 'space': 'world'}]}", ERROR_INVALID_VALUE,
			"/layers/1/space", "local, model"},
		{"{'layers': ['rest', {'pose': 'rest', 'name': 1}]}", ERROR_UNKNOWN_MEMBER,
			"/layers/1/name", "pose, mode"},
		{"{'layers': ['rest', {'pose': {'set': 'rest', 'joints': {'J1': {'translation': "
		 "[9,9,9]}}}, 'mode': 'add', 'weight': 1e300}]}",
			ERROR_INVALID_VALUE, "/layers/1", "joint \"J1\" farther"},
	};
	struct rig *rig = rig_random(5, JOINTS, 1, 4);
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void nothing_and_all_are_exact(void **state) {
	(void)state;
	struct rig *rig = rig_random(5, JOINTS, 1, 4);
	struct arena *arena = arena_create();
	unsigned seed = 51;
	for (int round = 0; round < 20; round++) {
		const char *a = random_pose(arena, rig, &seed), *b = random_pose(arena, rig, &seed);
		const struct pose below = pose_of(rig, arena, a), above = pose_of(rig, arena, b);
		static const char *const nothing[] = {"'weight': 0", "'mask': {'J0': 0}",
			"'space': 'model', 'weight': 0", "'mode': 'add', 'weight': 0",
			"'mode': 'add', 'space': 'model', 'mask': {'J0': 0}"};
		for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
			const struct pose kept = pose_of(rig, arena,
				arena_printf(arena, "{'layers': [%s, {'pose': %s, %s}]}", a, b,
					nothing[i]));
			expect_same_pose(&kept, &below);
		}
		const struct pose whole = pose_of(
			rig, arena, arena_printf(arena, "{'layers': [%s, {'pose': %s}]}", a, b));
		expect_same_pose(&whole, &above);
		const struct pose part = pose_of(rig, arena,
			arena_printf(
				arena, "{'layers': [%s, {'pose': %s, 'mask': {'J2': 1}}]}", a, b));
		assert_memory_equal(part.local, below.local, 2 * sizeof *part.local);
		assert_memory_equal(&part.local[2], &above.local[2], 3 * sizeof *part.local);
		// All of it in the model's space is the pose, too.
		const struct pose model = pose_of(rig, arena,
			arena_printf(
				arena, "{'layers': [%s, {'pose': %s, 'space': 'model'}]}", a, b));
		expect_near_pose(&model, &above, 1e-6);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void each_is_over_those_before(void **state) {
	(void)state;
	struct rig *rig = rig_random(5, JOINTS, 1, 4);
	struct arena *arena = arena_create();
	unsigned seed = 52;
	for (int round = 0; round < 20; round++) {
		const char *a = random_pose(arena, rig, &seed), *b = random_pose(arena, rig, &seed);
		const char *c = random_pose(arena, rig, &seed), *r = random_pose(arena, rig, &seed);
		const struct pose layers = pose_of(rig, arena,
			arena_printf(arena,
				"{'layers': [%s, {'pose': %s, 'weight': 0.25}, {'pose': %s, "
				"'mode': 'add', 'weight': 0.5, 'reference': %s}], 'rotation': "
				"'slerp'}",
				a, b, c, r));
		const struct pose nested = pose_of(rig, arena,
			arena_printf(arena,
				"{'add': %s, 'reference': %s, 'weight': 0.5, 'to':"
				"{'crossfade': [%s, %s], 'share': 0.25, 'rotation': 'slerp'}}",
				c, r, a, b));
		expect_same_pose(&layers, &nested);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void what_a_layer_does_not_drive_stays(void **state) {
	(void)state;
	struct rig *rig = rig_random(5, JOINTS, 1, 4);
	const struct constant_channel move = {3, CHANNEL_TRANSLATION, {4, 8, 0}};
	rig_add_clip(rig, "move", 1, &move);
	struct arena *arena = arena_create();
	unsigned seed = 53;
	const char *a = random_pose(arena, rig, &seed);
	const struct pose below = pose_of(rig, arena, a);
	const char *const spaces[] = {"local", "model"};
	for (int i = 0; i < 2; i++) {
		const struct pose pose = pose_of(rig, arena,
			arena_printf(arena,
				"{'layers': [%s, {'pose': {'clip': 'move'}, 'weight': 0.5, "
				"'space': '%s'}]}",
				a, spaces[i]));
		for (int k = 0; k < 3; k++) {
			assert_near(pose.local[3].translation[k],
				0.5 * (move.values[k] + below.local[3].translation[k]), 1e-6);
		}
		memcpy(pose.local[3].translation, below.local[3].translation, sizeof(float[3]));
		expect_same_pose(&pose, &below);
	}
	// Over a pose that does not drive it, a layer starts from the rest value.
	const struct pose rest = pose_of(rig, arena,
		"{'layers': [{'blend': [{'pose': 'rest', 'weight': 0}]}, {'pose': {'clip': "
		"'move'}, "
		"'weight': 0.25}]}");
	for (int k = 0; k < 3; k++) {
		assert_near(rest.local[3].translation[k],
			0.25 * move.values[k] + 0.75 * rig->joints[3].rest.translation[k], 1e-6);
	}
	assert_int_equal(rest.driven[3], 1 << CHANNEL_TRANSLATION);
	assert_int_equal(rest.driven[2], 0);
	arena_destroy(arena);
	rig_release(rig);
}

static double degrees_about_z(const float *q) {
	return 2 * atan2(q[2], q[3]) * 180 / PI;
}

static const char *about_z(struct arena *arena, double j0, double j1) {
	return arena_printf(arena,
		"{'set': 'rest', 'joints': {'J0': {'rotation': [0,0,%.17g,%.17g]},"
		"'J1': {'rotation': [0,0,%.17g,%.17g]}}}",
		sin(j0 * PI / 360), cos(j0 * PI / 360), sin(j1 * PI / 360), cos(j1 * PI / 360));
}

static void in_the_models_space_an_upper_part_keeps_its_direction(void **state) {
	(void)state;
	// Below, J0 leans 40 degrees and J1 10 more; the layer has J0 upright and J1 at 20.
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	const char *below = about_z(arena, 40, 10), *layer = about_z(arena, 0, 20);
	static const struct {
		const char *members;
		double j0, j1;
	} cases[] = {
		{"'mask': {'J1': 1}", 40, 20},
		{"'mask': {'J1': 1}, 'space': 'model'", 40, -20},               // 20 in all
		{"'mask': {'J1': 1}, 'space': 'model', 'weight': 0.5", 40, -5}, // 35 in all
		{"'mask': {'J0': 0.5}, 'space': 'model'", 20, 15},              // 35 in all
		{"'mask': {'J0': 0.5, 'J1': 0}, 'space': 'model'", 20, 10},     // goes along
		{"'mask': {'J0': {'weight': 1, 'fade': 2}}, 'space': 'model'", 20, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct pose pose = pose_of(rig, arena,
			arena_printf(arena, "{'layers': [%s, {'pose': %s, %s}]}", below, layer,
				cases[i].members));
		assert_near(degrees_about_z(pose.local[0].rotation), cases[i].j0, 2e-5);
		assert_near(degrees_about_z(pose.local[1].rotation), cases[i].j1, 2e-5);
	}
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(nothing_and_all_are_exact),
		cmocka_unit_test(each_is_over_those_before),
		cmocka_unit_test(what_a_layer_does_not_drive_stays),
		cmocka_unit_test(in_the_models_space_an_upper_part_keeps_its_direction),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
