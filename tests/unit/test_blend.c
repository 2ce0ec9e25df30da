// Blends: what is refused, the known answers of METHODS C.6, and what holds for any poses.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "poses.h"
#include "rigs.h"

#define PI 3.14159265358979323846
#define JOINTS 6

/* Six joints J0 to J5 in a chain with the clips "body", which turns and moves all of them, and
 * "arm", which moves J4 alone. */
static struct rig *rig_with_clips(void) {
	struct rig *rig = rig_random(3, JOINTS, 1, 4);
	struct constant_channel body[2 * JOINTS];
	for (int i = 0; i < JOINTS; i++) {
		body[2 * i] = (struct constant_channel){i, CHANNEL_TRANSLATION, {1, 2, 3}};
		body[2 * i + 1] =
			(struct constant_channel){i, CHANNEL_ROTATION, {0, 0.6f, 0, 0.8f}};
	}
	rig_add_clip(rig, "body", 2 * JOINTS, body);
	const struct constant_channel arm[1] = {{4, CHANNEL_TRANSLATION, {5, 4, 3}}};
	rig_add_clip(rig, "arm", 1, arm);
	return rig;
}

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'blend': 'rest'}", ERROR_INVALID_VALUE, "/blend", "at least one"},
		{"{'blend': []}", ERROR_INVALID_VALUE, "/blend", "at least one"},
		{"{'blend': ['rest']}", ERROR_INVALID_VALUE, "/blend/0", "must be an object"},
		{"{'blend': [{'weight': 1}]}", ERROR_INVALID_VALUE, "/blend/0",
			"\"pose\" is missing"},
		{"{'blend': [{'pose': 'rest', 'wieght': 1}]}", ERROR_UNKNOWN_MEMBER,
			"/blend/0/wieght", "pose, weight, mask"},
		{"{'blend': [{'pose': 'rest', 'weight': -1e-300}]}", ERROR_INVALID_VALUE,
			"/blend/0/weight", "0 or more"},
		{"{'blend': [{'pose': 'rest', 'weight': '1'}]}", ERROR_INVALID_VALUE,
			"/blend/0/weight", "a number"},
		{"{'blend': [{'pose': 'rest'}], 'rotation': 'lerp'}", ERROR_INVALID_VALUE,
			"/rotation", "nlerp, slerp, markley, karcher"},
		{"{'blend': [{'pose': 'rest'}], 'mode': 1}", ERROR_UNKNOWN_MEMBER, "/mode",
			"blend, rotation"},
		{"{'blend': [{'pose': 'rest'}, {'pose': {'clip': 'bdoy'}, 'weight': 0}]}",
			ERROR_UNKNOWN_CLIP, "/blend/1/pose/clip", "\"bdoy\""},
		{"{'blend': [{'pose': 'rest', 'mask': 1}]}", ERROR_INVALID_VALUE, "/blend/0/mask",
			"a number"},
		{"{'blend': [{'pose': 'rest', 'mask': {'J1': 1.01}}]}", ERROR_INVALID_VALUE,
			"/blend/0/mask/J1", "from 0 to 1"},
		{"{'blend': [{'pose': 'rest', 'mask': {'J1': null}}]}", ERROR_INVALID_VALUE,
			"/blend/0/mask/J1", "null"},
		{"{'blend': [{'pose': 'rest', 'mask': {'J9': 1}}]}", ERROR_UNKNOWN_JOINT,
			"/blend/0/mask/J9", "the nearest: J0, J1, J2"},
		{"{'blend': [{'pose': 'rest', 'mask': {'6': 1}}]}", ERROR_UNKNOWN_JOINT,
			"/blend/0/mask/6", "no joint \"6\""},
		{"{'blend': [{'pose': 'rest', 'mask': {'01': 1}}]}", ERROR_UNKNOWN_JOINT,
			"/blend/0/mask/01", "no joint \"01\""},
		{"{'blend': [{'pose': 'rest', 'mask': {'J1': 1, '1': 1}}]}", ERROR_INVALID_VALUE,
			"/blend/0/mask/1", "joint 1 is \"J1\""},
		{"{'blend': [{'pose': {'blend': [{'pose': {'clop': 1}}]}}]}",
			ERROR_UNKNOWN_OPERATION, "/blend/0/pose/blend/0/pose", "{\"blend\"}"},
	};
	struct rig *rig = rig_with_clips();
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

struct fixture {
	struct rig *rig;
	struct arena *arena;
};

static struct fixture begin(void) {
	return (struct fixture){rig_with_clips(), arena_create()};
}

static void end(struct fixture *fixture) {
	arena_destroy(fixture->arena);
	rig_release(fixture->rig);
}

static struct pose of(const struct fixture *fixture, const char *expression) {
	return pose_of(fixture->rig, fixture->arena, expression);
}

/* Three poses of J1, turned about z by these angles, with the weights 2, 1, 1. */
static double blended_degrees(const double degrees[static 3], const char *rotation) {
	struct fixture f = begin();
	double half[3];
	for (int i = 0; i < 3; i++) {
		half[i] = degrees[i] * PI / 360;
	}
	const struct pose pose = of(&f,
		arena_printf(f.arena,
			"{'blend': ["
			"{'pose': {'set': 'rest', 'joints': {'J1': {'rotation': "
			"[0,0,%.17g,%.17g]}}},"
			" 'weight': 2},"
			"{'pose': {'set': 'rest', 'joints': {'J1': {'rotation': "
			"[0,0,%.17g,%.17g]}}}},"
			"{'pose': {'set': 'rest', 'joints': {'J1': {'rotation': "
			"[0,0,%.17g,%.17g]}}}}"
			"], 'rotation': '%s'}",
			sin(half[0]), cos(half[0]), sin(half[1]), cos(half[1]), sin(half[2]),
			cos(half[2]), rotation));
	const float *q = pose.local[1].rotation;
	const double found = 2 * atan2(q[2], q[3]) * 180 / PI;
	end(&f);
	return found;
}

static void turns_have_the_known_averages(void **state) {
	(void)state;
	const double turns[3] = {0, 90, -60}, swapped[3] = {0, -60, 90};
	assert_near(blended_degrees(turns, "nlerp"), 6.634561, 1e-5);
	assert_near(blended_degrees(swapped, "nlerp"), 6.634561, 1e-5);
	assert_near(blended_degrees(turns, "slerp"), 7.5, 1e-5);
	assert_near(blended_degrees(swapped, "slerp"), 7.5, 1e-5);
	assert_near(blended_degrees(turns, "karcher"), 7.5, 1e-5);
	const double sine = 0.25 - 0.25 * sin(PI / 3), cosine = 0.5 + 0.25 * cos(PI / 3);
	assert_near(blended_degrees(turns, "markley"), atan2(sine, cosine) * 180 / PI, 1e-5);
}

static const float *three_axes(const struct fixture *f, const char *order, const char *rotation) {
	const char *items = "";
	for (int i = 0; i < 3; i++) {
		const char *axis = order[i] == 'x' ? "1,0,0,1"
			: order[i] == 'y'          ? "0,1,0,1"
						   : "0,0,1,1";
		items = arena_printf(f->arena,
			"%s%s{'pose': {'set': 'rest', 'joints': {'1': {'rotation': [%s]}}}}", items,
			i ? "," : "", axis);
	}
	const struct pose pose =
		of(f, arena_printf(f->arena, "{'blend': [%s], 'rotation': '%s'}", items, rotation));
	return pose.local[1].rotation;
}

static void three_axes_average_to_their_middle_and_pairs_depend_on_the_order(void **state) {
	(void)state;
	struct fixture f = begin();
	const char *const orders[] = {"xyz", "yzx", "zyx"};
	for (int i = 0; i < 3; i++) {
		static const char *const orderless[] = {"nlerp", "markley", "karcher"};
		for (int way = 0; way < 3; way++) {
			const float *q = three_axes(&f, orders[i], orderless[way]);
			for (int k = 0; k < 4; k++) {
				assert_near(q[k], k < 3 ? 0.288675135 : 0.866025404, 1e-7);
			}
		}
	}
	const float *a = three_axes(&f, "xyz", "slerp"), *b = three_axes(&f, "zyx", "slerp");
	double dot = 0;
	for (int k = 0; k < 4; k++) {
		dot += (double)a[k] * b[k];
	}
	assert_near(2 * acos(dot) * 180 / PI, 4.246967, 1e-2);
	end(&f);
}

static void weights_are_shares_of_their_sum(void **state) {
	(void)state;
	struct fixture f = begin();
	const char *const format = "{'blend': ["
				   "{'pose': {'set': 'rest', 'joints': {'J2': {'translation': "
				   "[8,0,0]}}}, 'weight': %g},"
				   "{'pose': {'set': 'rest', 'joints': {'J2': {'translation': "
				   "[0,8,0]}}}, 'weight': %g},"
				   "{'pose': {'set': 'rest', 'joints': {'J2': {'translation': "
				   "[0,0,8]}}}, 'weight': %g}]}";
	const double scales[] = {1, 1000, 1e-3, 1e300, 1e-300, 5e-324};
	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
		const struct pose pose =
			of(&f, arena_printf(f.arena, format, 2 * scales[i], scales[i], scales[i]));
		const float *t = pose.local[2].translation;
		assert_near(t[0], 4, 1e-6);
		assert_near(t[1], 2, 1e-6);
		assert_near(t[2], 2, 1e-6);
	}
	end(&f);
}

static void who_does_not_drive_a_joint_has_no_say_there(void **state) {
	(void)state;
	struct fixture f = begin();
	const struct pose pose =
		of(&f, "{'blend': [{'pose': {'clip': 'body'}}, {'pose': {'clip': 'arm'}}]}");
	const struct pose body = of(&f, "{'clip': 'body'}");
	for (int i = 0; i < JOINTS; i++) {
		assert_memory_equal(
			pose.local[i].rotation, body.local[i].rotation, sizeof(float[4]));
		if (i != 4) {
			assert_memory_equal(&pose.local[i], &body.local[i], sizeof pose.local[i]);
		}
	}
	const float middle[3] = {3, 3, 3};
	assert_memory_equal(pose.local[4].translation, middle, sizeof middle);
	// "rest" drives everything, and so has a say where the clip has none.
	const struct pose rest = of(&f, "{'blend': [{'pose': 'rest'}, {'pose': {'clip': 'arm'}}]}");
	for (int k = 0; k < 3; k++) {
		const double r = f.rig->joints[4].rest.translation[k];
		assert_near(rest.local[4].translation[k], (r + 5 - k) / 2, 1e-6);
	}
	end(&f);
}

static void nested_poses_drive_what_their_parts_drive(void **state) {
	(void)state;
	static const struct {
		const char *expression;
		int joint;
		unsigned driven;
	} cases[] = {
		{"'rest'", 0, DRIVEN_ALL},
		{"{'clip': 'arm'}", 4, 1 << CHANNEL_TRANSLATION},
		{"{'clip': 'arm'}", 3, 0},
		{"{'set': {'clip': 'arm'}, 'joints': {'J3': {'scale': [1,1,1]}}}", 3,
			1 << CHANNEL_SCALE},
		{"{'set': {'clip': 'arm'}, 'joints': {'J3': {}}}", 3, 0},
		{"{'blend': [{'pose': {'clip': 'arm'}}, {'pose': {'clip': 'body'}, 'weight': 0}]}",
			0, 0},
		{"{'blend': [{'pose': {'clip': 'body'}, 'mask': {'J4': 1}}]}", 3, 0},
		{"{'blend': [{'pose': {'clip': 'body'}, 'mask': {'J4': 1}}]}", 5,
			1 << CHANNEL_TRANSLATION | 1 << CHANNEL_ROTATION},
		{"{'add': {'clip': 'arm'}, 'to': {'clip': 'arm'}}", 3, 0},
		{"{'add': {'clip': 'arm'}, 'to': {'clip': 'body'}}", 3,
			1 << CHANNEL_TRANSLATION | 1 << CHANNEL_ROTATION},
		{"{'add': {'clip': 'body'}, 'to': {'clip': 'arm'}}", 3,
			1 << CHANNEL_TRANSLATION | 1 << CHANNEL_ROTATION},
	};
	struct fixture f = begin();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct pose pose = of(&f, cases[i].expression);
		if (pose.driven[cases[i].joint] != cases[i].driven) {
			fail_msg("%s: joint %d has %d", cases[i].expression, cases[i].joint,
				pose.driven[cases[i].joint]);
		}
	}
	end(&f);
}

static void no_weight_at_all_is_the_rest_pose(void **state) {
	(void)state;
	struct fixture f = begin();
	const struct pose rest = of(&f, "'rest'");
	const struct pose none = of(&f,
		"{'blend': [{'pose': {'clip': 'body'}, 'weight': 0}, {'pose': {'clip': 'arm'},"
		" 'mask': {'J0': 0}}]}");
	expect_same_pose(&none, &rest);
	end(&f);
}

static void lone_input_comes_out_to_the_bit(void **state) {
	(void)state;
	struct fixture f = begin();
	unsigned seed = 11;
	for (int round = 0; round < 20; round++) {
		const char *a = random_pose(f.arena, f.rig, &seed);
		const char *b = random_pose(f.arena, f.rig, &seed);
		const struct pose alone = of(&f, a);
		for (int i = 0; i < 2; i++) {
			const struct pose chosen = of(&f,
				arena_printf(f.arena,
					"{'blend': [{'pose': %s, 'weight': 0}, {'pose': %s, "
					"'weight': "
					"1e-9, 'mask': {'J0': 0.3}}], 'rotation': '%s'}",
					b, a, i ? "slerp" : "nlerp"));
			expect_same_pose(&chosen, &alone);
		}
	}
	end(&f);
}

static void order_does_not_matter_with_nlerp(void **state) {
	(void)state;
	struct fixture f = begin();
	unsigned seed = 12;
	for (int round = 0; round < 50; round++) {
		const char *items[3];
		for (int i = 0; i < 3; i++) {
			items[i] = arena_printf(f.arena, "{'pose': %s, 'weight': %.9g}",
				random_pose(f.arena, f.rig, &seed), 2 + random_number(&seed));
		}
		const struct pose forth = of(&f,
			arena_printf(
				f.arena, "{'blend': [%s, %s, %s]}", items[0], items[1], items[2]));
		const struct pose back = of(&f,
			arena_printf(
				f.arena, "{'blend': [%s, %s, %s]}", items[2], items[0], items[1]));
		expect_near_pose(&forth, &back, 1.2e-7);
		for (int i = 0; i < JOINTS; i++) {
			const float *q = forth.local[i].rotation;
			assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 3e-7);
		}
	}
	end(&f);
}

static void masks_part_a_pose_between_two(void **state) {
	(void)state;
	struct fixture f = begin();
	unsigned seed = 13;
	for (int round = 0; round < 20; round++) {
		const char *a = random_pose(f.arena, f.rig, &seed);
		const char *b = random_pose(f.arena, f.rig, &seed);
		const struct pose pose_a = of(&f, a), pose_b = of(&f, b);
		const struct pose parted = of(&f,
			arena_printf(f.arena,
				"{'blend': [{'pose': %s, 'mask': {'J2': 1, 'J4': 0}},"
				"{'pose': %s, 'mask': {'2': 0, 'J4': 1}}, "
				"{'pose': %s, 'mask': {'J2': 0}}]}",
				a, b, b));
		for (int i = 0; i < JOINTS; i++) {
			const struct pose *from = i == 2 || i == 3 ? &pose_a : &pose_b;
			assert_memory_equal(
				&parted.local[i], &from->local[i], sizeof(struct transform));
		}
		// A mask's value and a weight are the same thing.
		const struct pose masked = of(&f,
			arena_printf(f.arena,
				"{'blend': [{'pose': %s, 'mask': {'J0': 0.25}}, {'pose': %s}]}", a,
				b));
		const struct pose weighted = of(&f,
			arena_printf(f.arena,
				"{'blend': [{'pose': %s}, {'pose': %s, 'weight': 4}]}", a, b));
		expect_same_pose(&masked, &weighted);
	}
	end(&f);
}

static void nested_weights_multiply(void **state) {
	(void)state;
	struct fixture f = begin();
	unsigned seed = 14;
	for (int round = 0; round < 20; round++) {
		const char *poses[3];
		for (int i = 0; i < 3; i++) {
			// Turned little: the inner average's length is lost when it is normalised.
			poses[i] =
				arena_printf(f.arena, "{'add': %s, 'to': 'rest', 'weight': 1e-3}",
					random_pose(f.arena, f.rig, &seed));
		}
		const struct pose nested = of(&f,
			arena_printf(f.arena,
				"{'blend': [{'pose': {'blend': [{'pose': %s, 'weight': 30}, "
				"{'pose': %s, "
				"'weight': 10}]}, 'weight': 3}, {'pose': %s, 'weight': 1}]}",
				poses[0], poses[1], poses[2]));
		const struct pose flat = of(&f,
			arena_printf(f.arena,
				"{'blend': [{'pose': %s, 'weight': 9}, {'pose': %s, 'weight': 3}, "
				"{'pose': %s, 'weight': 4}]}",
				poses[0], poses[1], poses[2]));
		expect_near_pose(&nested, &flat, 2e-6);
	}
	end(&f);
}

static void opposite_spellings_are_one_rotation(void **state) {
	(void)state;
	struct fixture f = begin();
	const char *const rotations[] = {"nlerp", "slerp"};
	for (int i = 0; i < 2; i++) {
		const struct pose pose = of(&f,
			arena_printf(f.arena,
				"{'blend': ["
				"{'pose': {'set': 'rest', 'joints': {'J1': {'rotation': "
				"[0,0.6,0,0.8]}}}},"
				"{'pose': {'set': 'rest', 'joints': {'J1': {'rotation': "
				"[0,-0.6,0,-0.8]}}}}"
				"], 'rotation': '%s'}",
				rotations[i]));
		assert_near(pose.local[1].rotation[1], 0.6, 1e-7);
		assert_near(pose.local[1].rotation[3], 0.8, 1e-7);
	}
	end(&f);
}

static void morph_weights_are_blended_by_joint(void **state) {
	(void)state;
	struct fixture f = begin();
	static float rest[3] = {0.5f, 0, 0};
	f.rig->joints[2].weight_count = 2;
	f.rig->joints[3].first_weight = 2;
	f.rig->joints[3].weight_count = 1;
	f.rig->weight_count = 3;
	f.rig->rest_weights = rest;
	const struct constant_channel face[1] = {{2, CHANNEL_WEIGHTS, {1, 3}}};
	rig_add_clip(f.rig, "face", 1, face);
	const struct pose pose = of(&f,
		"{'blend': [{'pose': {'clip': 'face'}, 'weight': 3}, "
		"{'pose': {'set': {'clip': 'arm'}, 'weights': {'J2': [0, -1], 'J3': [7]}}}]}");
	const float expected[3] = {0.75f, 2, 7};
	assert_memory_equal(pose.weights, expected, sizeof expected);
	const struct pose masked =
		of(&f, "{'blend': [{'pose': {'clip': 'face'}, 'mask': {'J3': 1}}]}");
	assert_memory_equal(masked.weights, rest, sizeof rest);
	end(&f);
}

static void deep_nesting_reuses_poses_and_width_has_a_bound(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	// A slot of this rig takes 4.5 MB: fourteen of them at once.
	struct rig *rig = rig_random(1, 100000, 1, 4);
	const char *deep = "'rest'", *wide = "";
	for (int i = 0; i < 20; i++) {
		deep = arena_printf(arena,
			"{'blend': [{'pose': {'add': 'rest', 'to': %s}, 'weight': 0}, {'pose': "
			"'rest'}]}",
			i % 3 ? "'rest'" : deep);
		wide = arena_printf(arena, "%s%s{'pose': 'rest'}", wide, i ? ", " : "");
	}
	pose_of(rig, arena, deep);
	const struct pose_refusal refusal = {
		arena_printf(arena, "{'blend': [%s]}", wide), ERROR_TOO_LARGE, NULL, "blend fewer"};
	expect_pose_refusals(rig, &refusal, 1);
	rig_release(rig);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(turns_have_the_known_averages),
		cmocka_unit_test(three_axes_average_to_their_middle_and_pairs_depend_on_the_order),
		cmocka_unit_test(weights_are_shares_of_their_sum),
		cmocka_unit_test(who_does_not_drive_a_joint_has_no_say_there),
		cmocka_unit_test(nested_poses_drive_what_their_parts_drive),
		cmocka_unit_test(no_weight_at_all_is_the_rest_pose),
		cmocka_unit_test(lone_input_comes_out_to_the_bit),
		cmocka_unit_test(order_does_not_matter_with_nlerp),
		cmocka_unit_test(masks_part_a_pose_between_two),
		cmocka_unit_test(nested_weights_multiply),
		cmocka_unit_test(opposite_spellings_are_one_rotation),
		cmocka_unit_test(morph_weights_are_blended_by_joint),
		cmocka_unit_test(deep_nesting_reuses_poses_and_width_has_a_bound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
