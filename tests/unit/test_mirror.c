// Mirrored poses: what is refused, whose partner is whose, and where joints come to in the world.
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/quat.h"
#include "check.h"
#include "made_avatars.h"
#include "pose/find.h"
#include "poses.h"
#include "rigs.h"
#include "trees.h"

#define JOINTS 9

static const char *const names[JOINTS] = {
	"Root", "Spine", "LeftArm", "RightArm", "hand_l", "hand_r", "Head", "Toe.L", "Toe.R"};
static const int parents[JOINTS] = {-1, 0, 1, 1, 2, 3, 1, 0, 0};

static void rename_joint(struct rig *rig, int joint, const char *name) {
	free(rig->joints[joint].name);
	rig->joints[joint].name = xstrndup(name, strlen(name));
}

/* The local rest transforms that put the joints where world frames [JOINTS] are. */
static void place(struct rig *rig, double (*frames)[4], double (*positions)[3]) {
	for (int i = 0; i < JOINTS; i++) {
		const int parent = parents[i];
		double q[4], t[3], inverse[4] = {0, 0, 0, 1};
		memcpy(q, frames[i], sizeof q);
		memcpy(t, positions[i], sizeof t);
		if (parent >= 0) {
			quat_conjugate(frames[parent], inverse);
			quat_multiply(inverse, q, q);
			for (int k = 0; k < 3; k++) {
				t[k] -= positions[parent][k];
			}
			quat_rotate(inverse, t, t);
		}
		for (int k = 0; k < 4; k++) {
			rig->joints[i].rest.rotation[k] = (float)q[k];
		}
		for (int k = 0; k < 3; k++) {
			rig->joints[i].rest.translation[k] = (float)t[k];
		}
	}
}

/* Joints whose places are symmetric about x = 0 and whose axes point anywhere. */
static struct rig *rig_symmetric(unsigned seed) {
	struct rig *rig = rig_random(seed, JOINTS, 1, 4);
	double frames[JOINTS][4], positions[JOINTS][3];
	for (int i = 0; i < JOINTS; i++) {
		rename_joint(rig, i, names[i]);
		rig->joints[i].parent = parents[i];
		for (int k = 0; k < 4; k++) {
			frames[i][k] = random_number(&seed) + 0.01;
		}
		quat_normalize(frames[i]);
		const bool right = i == 3 || i == 5 || i == 8;
		const bool left = i == 2 || i == 4 || i == 7;
		for (int k = 0; k < 3; k++) {
			positions[i][k] = right ? positions[i - 1][k] : random_number(&seed);
		}
		positions[i][0] = right ? -positions[i - 1][0] : left ? positions[i][0] : 0;
	}
	place(rig, frames, positions);
	return rig;
}

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'mirror': 'rset'}", ERROR_UNKNOWN_OPERATION, "/mirror", "rset"},
		{"{'mirror': 'rest', 'pair': {}}", ERROR_UNKNOWN_MEMBER, "/pair",
			"mirror, pairs, axis"},
		{"{'mirror': 'rest', 'axis': 'w'}", ERROR_INVALID_VALUE, "/axis", "x, y, z"},
		{"{'mirror': 'rest', 'pairs': []}", ERROR_INVALID_VALUE, "/pairs", "a list"},
		{"{'mirror': 'rest', 'pairs': {'Heat': 'Head'}}", ERROR_UNKNOWN_JOINT,
			"/pairs/Heat", "Head"},
		{"{'mirror': 'rest', 'pairs': {'Head': 'Heat'}}", ERROR_UNKNOWN_JOINT,
			"/pairs/Head", "Head"},
		{"{'mirror': 'rest', 'pairs': {'Head': 'Spine', 'Root': 'Spine'}}",
			ERROR_INVALID_VALUE, "/pairs/Root",
			"joint \"Spine\" is in a pair with \"Head\""},
		{"{'mirror': 'rest', 'pairs': {'Head': 'Spine', 'Spine': 'Root'}}",
			ERROR_INVALID_VALUE, "/pairs/Spine", "\"Head\" already"},
		{"{'mirror': {'set': 'rest', 'joints': {'Head': {'translation': [3e38, 3e38, "
		 "3e38]}}}, 'pairs': {'Head': 'Toe.L'}}",
			ERROR_INVALID_VALUE, "/mirror", "joint \"Toe.L\" is farther"},
	};
	struct rig *rig = rig_symmetric(3);
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void names_tell_the_sides(void **state) {
	(void)state;
	static const char *const known[][2] = {
		{"mixamorig:LeftArm", "mixamorig:RightArm"},
		{"upleft1", "upright1"},
		{"LEFT_EYE", "RIGHT_EYE"},
		{"J_Bip_L_Hand", "J_Bip_R_Hand"},
		{"Bip01 L Thigh", "Bip01 R Thigh"},
		{"thigh_l", "thigh_r"},
		{"hand.L.001", "hand.R.001"},
		{"L_Foot", "R_Foot"},
		{"UpperLegL", "UpperLegR"},
		{"lThigh", "rThigh"},
		{"Leftist", NULL},
		{"Heel", NULL},
		{"heeR", NULL},
		{"Bal", NULL},
		{"Bar", NULL},
	};
	const int count = sizeof known / sizeof *known;
	struct rig *rig = rig_random(1, 2 * count, 1, 4);
	int partners[2 * sizeof known / sizeof *known];
	for (int i = 0; i < count; i++) {
		rename_joint(rig, 2 * i, known[i][0]);
		if (known[i][1]) {
			rename_joint(rig, 2 * i + 1, known[i][1]);
		}
	}
	for (int i = 0; i < 2 * count; i++) {
		partners[i] = -1;
	}
	struct arena *arena = arena_create();
	pairs_by_name(rig, partners, arena);
	for (int i = 0; i < count; i++) {
		assert_int_equal(partners[2 * i], 2 * i + (known[i][1] ? 1 : 0));
		assert_int_equal(partners[2 * i + 1], 2 * i + (known[i][1] ? 0 : 1));
	}
	arena_destroy(arena);
	rig_release(rig);
}

/* The motion of each joint relative to rest: W W_rest^-1. */
static void motions(
	const struct rig *rig, struct arena *arena, const struct pose *pose, double (*out)[12]) {
	double rest[JOINTS][12];
	const struct pose resting = pose_rest(rig, arena);
	pose_to_world(rig, &resting, rest);
	pose_to_world(rig, pose, out);
	for (int i = 0; i < JOINTS; i++) {
		double inverse[12];
		assert_true(mat_invert(rest[i], inverse));
		mat_multiply(out[i], inverse, out[i]);
	}
}

static const int partner_of[JOINTS] = {0, 1, 3, 2, 5, 4, 6, 8, 7};

/* Turns and moves every joint at random, and grows it alike in all directions. */
static const char *random_motion(struct arena *arena, const struct rig *rig, unsigned *seed) {
	const char *joints = "";
	for (int i = 0; i < JOINTS; i++) {
		double n[8];
		for (int k = 0; k < 8; k++) {
			n[k] = random_number(seed);
		}
		joints = arena_printf(arena,
			"%s%s'%s': {'translation': [%.9g, %.9g, %.9g],"
			"'rotation': [%.9g, %.9g, %.9g, %.9g], 'scale': [%.9g, %.9g, %.9g]}",
			joints, i ? ", " : "", rig->joints[i].name, n[0], n[1], n[2], n[3], n[4],
			n[5], n[6], 1.5 + n[7], 1.5 + n[7], 1.5 + n[7]);
	}
	return arena_printf(arena, "{'set': 'rest', 'joints': {%s}}", joints);
}

static void what_moves_on_one_side_moves_on_the_other(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 50; seed++) {
		struct rig *rig = rig_symmetric(seed);
		struct arena *arena = arena_create();
		unsigned numbers = seed * 7;
		const char *text = random_motion(arena, rig, &numbers);
		const struct pose pose = pose_of(rig, arena, text);
		const struct pose mirrored =
			pose_of(rig, arena, arena_printf(arena, "{'mirror': %s}", text));
		double before[JOINTS][12], after[JOINTS][12];
		motions(rig, arena, &pose, before);
		motions(rig, arena, &mirrored, after);
		for (int i = 0; i < JOINTS; i++) {
			for (int k = 0; k < 12; k++) {
				const bool crosses = (k / 4 == 0) != (k % 4 == 0);
				assert_near(after[partner_of[i]][k],
					crosses ? -before[i][k] : before[i][k], 1e-5);
			}
		}
		arena_destroy(arena);
		rig_release(rig);
	}
}

static void twice_is_the_pose_and_rest_is_rest(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 50; seed++) {
		struct rig *rig = rig_symmetric(seed);
		struct arena *arena = arena_create();
		unsigned numbers = seed * 11;
		// A rig that looks different on its two sides, with reflected axes on one.
		rig->joints[2].rest.scale[0] = -1;
		rig->joints[2].rest.translation[1] += 0.3f;
		rig->joints[7].rest.scale[2] = 0;
		const char *text = random_motion(arena, rig, &numbers);
		const struct pose pose = pose_of(rig, arena, text);
		for (int axis = 0; axis < 3; axis++) {
			const char *twice = arena_printf(arena,
				"{'mirror': {'mirror': %s, 'axis': '%c'}, 'axis': '%c'}", text,
				'x' + axis, 'x' + axis);
			const struct pose again = pose_of(rig, arena, twice);
			expect_near_pose(&again, &pose, 1e-6);
			const struct pose rest = pose_of(rig, arena,
				arena_printf(
					arena, "{'mirror': 'rest', 'axis': '%c'}", 'x' + axis));
			const struct pose resting = pose_rest(rig, arena);
			expect_same_pose(&rest, &resting);
		}
		arena_destroy(arena);
		rig_release(rig);
	}
}

/* The right arm is the left one with its x turned round, as where one side was made from the other
 * by a scale of -1. */
static void reflected_axes_mirror_each_other(void **state) {
	(void)state;
	struct rig *rig = rig_symmetric(4);
	struct arena *arena = arena_create();
	static const float arm[3] = {1, 2, 3};
	for (int i = 0; i < JOINTS; i++) {
		struct transform *rest = &rig->joints[i].rest;
		memcpy(rest->rotation, (float[4]){0, 0, 0, 1}, sizeof rest->rotation);
		memcpy(rest->translation, arm, sizeof arm);
		rest->translation[0] = i == 2 || i == 7 ? 1 : i == 3 || i == 8 ? -1 : 0;
	}
	rig->joints[3].rest.scale[0] = -1;
	const char *text = "{'set': 'rest', 'joints': {"
			   "'LeftArm': {'rotation': [0.1, 0.3, 0.5, 0.7], 'scale': [1, 2, 3]},"
			   "'hand_l': {'rotation': [0.6, 0, 0.5, 0.2], 'translation': [4, 5, 6]}}}";
	const struct pose pose = pose_of(rig, arena, text);
	const struct pose mirrored =
		pose_of(rig, arena, arena_printf(arena, "{'mirror': %s}", text));
	double before[JOINTS][12], after[JOINTS][12];
	motions(rig, arena, &pose, before);
	motions(rig, arena, &mirrored, after);
	for (int i = 0; i < JOINTS; i++) {
		for (int k = 0; k < 12; k++) {
			const bool crosses = (k / 4 == 0) != (k % 4 == 0);
			assert_near(after[partner_of[i]][k], crosses ? -before[i][k] : before[i][k],
				1e-5);
		}
	}
	// Below a reflection all is told as on the other side.
	expect_near_pose(
		&(struct pose){.joint_count = 1, .local = (struct transform *)&mirrored.local[5]},
		&(struct pose){.joint_count = 1, .local = (struct transform *)&pose.local[4]},
		1e-6);
	arena_destroy(arena);
	rig_release(rig);
}

/* Of joints that rest unturned, a rotation (x, y, z, w) is (x, -y, -z, w) mirrored in x. The file
 * says which is left, against what the names say; a pair that is given goes before both. */
static void avatars_know_their_sides(void **state) {
	(void)state;
	struct rig *rig = rig_tree("Root(a,b,ArmL,ArmR)");
	struct arena *arena = arena_create();
	struct avatar *avatar = give_avatar(rig);
	avatar->bones[AVATAR_BONE_leftUpperLeg] = 1;
	avatar->bones[AVATAR_BONE_rightUpperLeg] = 2;
	avatar->bones[AVATAR_BONE_leftHand] = 4;
	const struct pose pose = pose_of(rig, arena,
		"{'mirror': {'set': 'rest', 'joints': {'a': {'rotation': [0.6, 0, 0.8, 0]}, "
		"'ArmL': {'rotation': [0, 0.6, 0, 0.8]}}}}");
	const float leg[4] = {0.6f, 0, -0.8f, 0}, arm[4] = {0, -0.6f, 0, 0.8f};
	double dots[2] = {0, 0};
	for (int i = 0; i < 4; i++) {
		dots[0] += (double)pose.local[2].rotation[i] * (double)leg[i];
		dots[1] += (double)pose.local[4].rotation[i] * (double)arm[i];
		assert_near((double)pose.local[1].rotation[i], i == 3, 0);
	}
	assert_near(fabs(dots[0]), 1, 1e-6);
	assert_near(fabs(dots[1]), 1, 1e-6);
	const struct pose given = pose_of(rig, arena,
		"{'mirror': {'set': 'rest', 'joints': {'a': {'rotation': [0.6, 0, 0.8, 0]}}}, "
		"'pairs': {'a': 'ArmR'}}");
	assert_near((double)given.local[2].rotation[3], 1, 0);
	arena_destroy(arena);
	rig_release(rig);
}

static void pairs_that_are_given_come_first(void **state) {
	(void)state;
	struct rig *rig = rig_symmetric(5);
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena,
		"{'mirror': {'set': 'rest', 'joints': {'LeftArm': {'scale': [2, 2, 2]},"
		"'hand_l': {'scale': [3, 3, 3]}, 'Toe.L': {'scale': [4, 4, 4]}}},"
		"'pairs': {'Head': 'LeftArm', 'hand_l': 'hand_l'}}");
	static const float expected[JOINTS] = {1, 1, 1, 1, 3, 1, 2, 1, 4};
	for (int i = 0; i < JOINTS; i++) {
		assert_near(pose.local[i].scale[0], expected[i], 0);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void a_clip_drives_the_partners(void **state) {
	(void)state;
	struct rig *rig = rig_symmetric(6);
	struct arena *arena = arena_create();
	const struct constant_channel channels[] = {
		{.joint = 2, .path = CHANNEL_ROTATION, .values = {1, 0, 0, 0}},
		{.joint = 7, .path = CHANNEL_SCALE, .values = {1, 2, 2}},
	};
	rig_add_clip(rig, "Move", 2, channels);
	const struct pose pose = pose_of(rig, arena, "{'mirror': {'clip': 'Move'}}");
	for (int i = 0; i < JOINTS; i++) {
		assert_int_equal(pose.driven[i],
			i == 3           ? 1 << CHANNEL_ROTATION
				: i == 8 ? 1 << CHANNEL_SCALE
					 : 0);
	}
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(names_tell_the_sides),
		cmocka_unit_test(what_moves_on_one_side_moves_on_the_other),
		cmocka_unit_test(twice_is_the_pose_and_rest_is_rest),
		cmocka_unit_test(reflected_axes_mirror_each_other),
		cmocka_unit_test(avatars_know_their_sides),
		cmocka_unit_test(pairs_that_are_given_come_first),
		cmocka_unit_test(a_clip_drives_the_partners),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
