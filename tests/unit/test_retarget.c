// Retargeting: what is refused, METHODS C.14's known answers, and rigs of other shapes.
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/vec.h"
#include "check.h"
#include "json_value.h"
#include "pose/humanoid/humanoid.h"
#include "poses.h"
#include "rigs.h"
#include "shared_files.h"
#include "trees.h"

#define DEMO "assets/demo/humanoid.glb"

struct pair {
	struct rig *ours, *theirs;
	struct arena *arena;
	struct pose_sources sources;
	struct pose_run run;
};

static void pair_begin(struct pair *pair, struct rig *ours, struct rig *theirs) {
	*pair = (struct pair){.ours = ours, .theirs = theirs, .arena = arena_create()};
	struct pose_source *source = arena_alloc(pair->arena, 1, sizeof *source);
	*source = (struct pose_source){"theirs", theirs};
	pair->sources = (struct pose_sources){source, 1};
	pair->run = (struct pose_run){.arena = pair->arena, .sources = &pair->sources};
}

static void pair_end(struct pair *pair) {
	arena_destroy(pair->arena);
	rig_release(pair->ours);
	rig_release(pair->theirs);
}

/* A pose of theirs on ours; options are more members, each after a comma. */
static struct pose retargeted(struct pair *pair, const char *pose, const char *options) {
	const struct value *expression = json_value(pair->arena,
		arena_printf(pair->arena, "{'retarget': %s, 'rig': 'theirs'%s}", pose, options));
	struct pose_context context = pose_context_make(pair->ours, pair->arena, &pair->run);
	struct pose out;
	struct error err = {0};
	if (!pose_evaluate(&context, expression, &out, &err)) {
		fail_msg("%s %s: %s", pose, options, err.text);
	}
	return out;
}

static double (*world_of(struct pair *pair, const struct rig *rig, const struct pose *pose))[12] {
	double(*world)[12] = arena_alloc(pair->arena, (size_t)rig->joint_count, sizeof *world);
	pose_to_world(rig, pose, world);
	return world;
}

/* A rig of the same joints without those that are named, ended by NULL, for the test to change. */
static struct rig *skeleton_of(const struct rig *rig, const char *const *dropped) {
	struct rig *copy = rig_create();
	int *numbers = calloc((size_t)rig->joint_count, sizeof *numbers);
	copy->joints = rig_storage(
		copy, (size_t)rig->joint_count + 1, sizeof *copy->joints, "a test rig", NULL);
	for (int i = 0; i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		bool drop = false;
		for (const char *const *name = dropped; *name; name++) {
			drop = drop || strcmp(joint->name, *name) == 0;
		}
		numbers[i] = drop ? -1 : copy->joint_count;
		if (!drop) {
			struct joint *to = &copy->joints[copy->joint_count++];
			*to = *joint;
			to->name = xstrndup(joint->name, strlen(joint->name));
			to->parent = joint->parent < 0 ? -1 : numbers[joint->parent];
			to->first_weight = to->weight_count = 0;
		}
	}
	free(numbers);
	return copy;
}

static const char *const none[] = {NULL};

/* Walk at some moments, Wave with its arms up, and every joint turned. */
static const char *const motions[] = {"{'clip': 'Walk', 'time': 0.1}",
	"{'clip': 'Run', 'time': 0.37}", "{'clip': 'Wave', 'time': 1.2}",
	"{'clip': 'Idle', 'time': 0.8}"};
#define MOTIONS (sizeof motions / sizeof *motions)

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'retarget': 'rest'}", ERROR_INVALID_VALUE, "", "\"rig\" is missing"},
		{"{'retarget': 'rest', 'rig': 3}", ERROR_INVALID_VALUE, "/rig", "must be"},
		{"{'retarget': 'rest', 'rig': 'other'}", ERROR_UNKNOWN_RIG, "/rig", "\"other\""},
		{"{'retarget': 'rest', 'rig': ''}", ERROR_UNKNOWN_RIG, "/rig", "\"\""},
		{"{'retarget': 'rest', 'rig': 'theirs', 'maps': 1}", ERROR_UNKNOWN_MEMBER, "/maps",
			"translations, unmapped"},
		{"{'retarget': 'rset', 'rig': 'theirs'}", ERROR_UNKNOWN_OPERATION, "/retarget",
			"rset"},
		{"{'retarget': {'clip': 'Walk'}, 'rig': 'theirs'}", ERROR_UNKNOWN_CLIP,
			"/retarget/clip", "Walk"},
		{"{'retarget': 'rest', 'rig': 'theirs', 'map': 'manual'}", ERROR_INVALID_VALUE,
			"/map", "\"auto\", \"name\" or an object"},
		{"{'retarget': 'rest', 'rig': 'theirs', 'map': {}}", ERROR_INVALID_VALUE, "/map",
			"no pairs"},
		{"{'retarget': 'rest', 'rig': 'theirs', 'map': {'J9': 'J1'}}", ERROR_UNKNOWN_JOINT,
			"/map/J9", "J9"},
		{"{'retarget': 'rest', 'rig': 'theirs', 'map': {'J1': 'J8'}}", ERROR_UNKNOWN_JOINT,
			"/map/J1", "J8"},
		{"{'retarget': 'rest', 'rig': 'theirs', 'map': {'J1': 'J1', 'J2': 'J1'}}",
			ERROR_INVALID_VALUE, "/map/J2", "follows \"J1\" already"},
		{"{'retarget': 'rest', 'rig': 'theirs', 'align': 'pose'}", ERROR_INVALID_VALUE,
			"/align", "\"rest\", \"none\""},
		{"{'retarget': 'rest', 'rig': 'theirs', 'align': {'J7': [0,0,0,1]}}",
			ERROR_UNKNOWN_JOINT, "/align/J7", "J7"},
		{"{'retarget': 'rest', 'rig': 'theirs', 'align': {'J1': [0,0,0,0]}}",
			ERROR_INVALID_VALUE, "/align/J1", "with a length"},
		{"{'retarget': 'rest', 'rig': 'theirs', 'align': {'J1': [0,0,1]}}",
			ERROR_INVALID_VALUE, "/align/J1", "with a length"},
		{"{'retarget': 'rest', 'rig': 'theirs', 'scale': 0}", ERROR_INVALID_VALUE, "/scale",
			"a number from"},
		{"{'retarget': 'rest', 'rig': 'theirs', 'scale': 'feet'}", ERROR_INVALID_VALUE,
			"/scale", "\"hips\", \"none\""},
		{"{'retarget': 'rest', 'rig': 'theirs', 'translations': 'no'}", ERROR_INVALID_VALUE,
			"/translations", "root, all"},
		{"{'retarget': 'rest', 'rig': 'theirs', 'unmapped': 'idle'}",
			ERROR_UNKNOWN_OPERATION, "/unmapped", "idle"},
		{"{'retarget': {'set': 'rest', 'joints': {'J0': {'translation': [3e38,0,0]}}},"
		 " 'rig': 'theirs', 'scale': 1e6}",
			ERROR_INVALID_VALUE, "", "farther than float32"},
		{"{'retarget': 'rest', 'rig': 'strange'}", ERROR_INVALID_VALUE, "/rig",
			"no joint of the two rigs"},
	};
	struct pair pair;
	pair_begin(&pair, rig_random(5, 4, 1, 4), rig_random(6, 4, 1, 4));
	struct rig *strange = rig_tree("a(b,c(d)),e(f,g,h)");
	struct pose_source sources[] = {{"theirs", pair.theirs}, {"strange", strange}};
	pair.sources = (struct pose_sources){sources, 2};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct pose_context context = pose_context_make(pair.ours, pair.arena, &pair.run);
		const struct value *expression = json_value(pair.arena, rows[i].expression);
		struct pose pose;
		struct error err = {0};
		if (pose_evaluate(&context, expression, &pose, &err)) {
			fail_msg("%s: not refused", rows[i].expression);
		}
		expect_error(&err, rows[i].code, rows[i].pointer, rows[i].piece);
	}
	rig_release(strange);
	pair_end(&pair);
}

static void the_same_rig_gives_the_same_pose(void **state) {
	(void)state;
	struct pair pair;
	pair_begin(&pair, rig_random(7, 6, 1, 4), rig_random(7, 6, 1, 4));
	unsigned seed = 3;
	for (int round = 0; round < 50; round++) {
		const char *expression = random_pose(pair.arena, pair.theirs, &seed);
		const struct pose pose = pose_of(pair.theirs, pair.arena, expression);
		const struct pose all = retargeted(&pair, expression, ", 'translations': 'all'");
		expect_same_pose(&all, &pose);
		// Without the root's partner nothing can be copied.
		const char *sheared = arena_printf(pair.arena,
			"{'set': %s, 'joints': {'J0': {'translation': [0,0,0], 'rotation': "
			"[%.9g,%.9g,%.9g,%.9g], 'scale': [1,1,1]}}}",
			expression, pair.theirs->joints[0].rest.rotation[0],
			pair.theirs->joints[0].rest.rotation[1],
			pair.theirs->joints[0].rest.rotation[2],
			pair.theirs->joints[0].rest.rotation[3]);
		memset(pair.theirs->joints[0].rest.translation, 0, 12);
		memset(pair.ours->joints[0].rest.translation, 0, 12);
		const struct pose worked = retargeted(&pair, sheared,
			", 'translations': 'all', 'scale': 'none',"
			"'map': {'J1': 'J1', 'J2': 'J2', 'J3': 'J3', 'J4': 'J4', 'J5': 'J5'}");
		for (int i = 1; i < pose.joint_count; i++) {
			double dot = 0;
			for (int k = 0; k < 4; k++) {
				dot += worked.local[i].rotation[k] * pose.local[i].rotation[k];
			}
			assert_near(fabs(dot), 1, 1e-6);
			for (int k = 0; k < 3; k++) {
				assert_near(worked.local[i].scale[k], pose.local[i].scale[k], 1e-6);
			}
		}
	}
	pair_end(&pair);
}

static void clips_of_the_same_rig_are_the_same_to_the_bit(void **state) {
	(void)state;
	struct pair pair;
	pair_begin(&pair, own_rig(DEMO), own_rig(DEMO));
	for (size_t i = 0; i < MOTIONS; i++) {
		const struct pose pose = pose_of(pair.theirs, pair.arena, motions[i]);
		const struct pose all = retargeted(&pair, motions[i], "");
		expect_same_pose(&all, &pose);
		assert_memory_equal(all.driven, pose.driven, (size_t)pose.joint_count);
	}
	pair_end(&pair);
}

static void joints_that_one_lacks_change_nothing(void **state) {
	(void)state;
	static const char *const dropped[] = {"LeftFingers", "RightToe", NULL};
	for (int round = 0; round < 2; round++) {
		struct rig *whole = own_rig(DEMO), *fewer = skeleton_of(whole, dropped);
		struct pair pair;
		pair_begin(&pair, round ? whole : fewer, round ? fewer : own_rig(DEMO));
		for (size_t i = 0; i < MOTIONS; i++) {
			// A rig of joints only has no clips: its poses are set.
			const char *expression = round
				? "{'set': 'rest', 'joints': {'Hips': {'translation': [1,2,3]}, "
				  "'LeftHand': {'rotation': [0.6,0,0,0.8]}, 'LeftFoot': "
				  "{'rotation': [0,0.28,0,0.96]}}}"
				: motions[i];
			const struct pose pose = pose_of(pair.theirs, pair.arena, expression);
			const struct pose got = retargeted(&pair, expression, "");
			for (int k = 0; k < pair.ours->joint_count; k++) {
				const int theirs =
					rig_find_joint(pair.theirs, pair.ours->joints[k].name);
				assert_memory_equal(&got.local[k],
					theirs >= 0 ? &pose.local[theirs]
						    : &pair.ours->joints[k].rest,
					sizeof got.local[k]);
			}
		}
		pair_end(&pair);
		rig_release(round ? NULL : whole);
	}
}

/* The largest distance between joints of the same number in the world, after theirs are scaled. */
static double distance_of(struct pair *pair, const struct pose *ours, const struct pose *theirs,
	double scale, const double turn[static 4]) {
	double(*a)[12] = world_of(pair, pair->ours, ours);
	double(*b)[12] = world_of(pair, pair->theirs, theirs);
	double largest = 0;
	for (int i = 0; i < pair->ours->joint_count; i++) {
		const int other = rig_find_joint(pair->theirs, pair->ours->joints[i].name);
		if (other < 0) {
			continue;
		}
		double p[3] = {b[other][3] * scale, b[other][7] * scale, b[other][11] * scale};
		quat_rotate(turn, p, p);
		for (int k = 0; k < 3; k++) {
			largest = fmax(largest, fabs(a[i][k * 4 + 3] - p[k]));
		}
	}
	return largest;
}

static const double no_turn[4] = {0, 0, 0, 1};

static void expect_positions(struct pair *pair, const char *options, double scale,
	const double turn[static 4], double tolerance) {
	for (size_t i = 0; i < MOTIONS; i++) {
		const struct pose theirs = pose_of(pair->theirs, pair->arena, motions[i]);
		const struct pose ours = retargeted(pair, motions[i], options);
		assert_near(distance_of(pair, &ours, &theirs, scale, turn), 0, tolerance);
	}
}

static void a_rig_twice_the_size_moves_twice_as_far(void **state) {
	(void)state;
	struct rig *demo = own_rig(DEMO), *large = skeleton_of(demo, none);
	for (int i = 0; i < large->joint_count; i++) {
		for (int k = 0; k < 3; k++) {
			large->joints[i].rest.translation[k] *= 2;
		}
	}
	struct pair pair;
	pair_begin(&pair, large, demo);
	expect_positions(&pair, "", 2, no_turn, 2e-6);
	// A path of one's own.
	const struct pose pose = retargeted(
		&pair, "{'set': 'rest', 'joints': {'Hips': {'translation': [1, 2, 3]}}}", "");
	for (int k = 0; k < 3; k++) {
		assert_near(pose.local[0].translation[k], 2.0 * (k + 1), 1e-6);
	}
	const struct pose given =
		retargeted(&pair, "{'set': 'rest', 'joints': {'Hips': {'translation': [1, 2, 3]}}}",
			", 'scale': 0.5");
	const float *rest = large->joints[0].rest.translation;
	for (int k = 0; k < 3; k++) {
		assert_near(
			given.local[0].translation[k], rest[k] + 0.5 * (k + 1 - rest[k] / 2), 1e-6);
	}
	pair_end(&pair);
}

/* Gives every joint other axes: it turns by a random rotation, its children stay where they are. */
static void turn_axes(struct rig *rig, unsigned seed) {
	double(*turns)[4] = calloc((size_t)rig->joint_count, sizeof *turns);
	for (int i = 0; i < rig->joint_count; i++) {
		struct transform *rest = &rig->joints[i].rest;
		const int parent = rig->joints[i].parent;
		double rotation[4], translation[3], back[4] = {0, 0, 0, 1};
		for (int k = 0; k < 4; k++) {
			turns[i][k] = random_number(&seed);
			rotation[k] = rest->rotation[k];
		}
		quat_normalize(turns[i]);
		for (int k = 0; k < 3; k++) {
			translation[k] = rest->translation[k];
		}
		if (parent >= 0) {
			quat_conjugate(turns[parent], back);
		}
		quat_rotate(back, translation, translation);
		quat_multiply(back, rotation, rotation);
		quat_multiply(rotation, turns[i], rotation);
		quat_normalize(rotation);
		for (int k = 0; k < 3; k++) {
			rest->translation[k] = (float)translation[k];
		}
		for (int k = 0; k < 4; k++) {
			rest->rotation[k] = (float)rotation[k];
		}
	}
	free(turns);
}

static void other_axes_look_the_same(void **state) {
	(void)state;
	struct rig *demo = own_rig(DEMO), *other = skeleton_of(demo, none);
	turn_axes(other, 11);
	struct pair pair;
	pair_begin(&pair, other, demo);
	expect_positions(&pair, "", 1, no_turn, 2e-6);
	expect_positions(&pair, ", 'align': 'none', 'map': 'name'", 1, no_turn, 2e-6);
	expect_positions(&pair, ", 'translations': 'all'", 1, no_turn, 2e-6);
	pair_end(&pair);
}

/* A rig below another root: a node with a rotation and a scale. below undoes the scale. */
static struct rig *below_armature(
	const struct rig *rig, const double turn[static 4], double scale) {
	struct rig *copy = skeleton_of(rig, none);
	memmove(copy->joints + 1, copy->joints, (size_t)copy->joint_count * sizeof *copy->joints);
	copy->joint_count++;
	copy->joints[0] = (struct joint){
		.name = xstrndup("Armature", 8), .parent = -1, .rest = TRANSFORM_IDENTITY};
	for (int k = 0; k < 4; k++) {
		copy->joints[0].rest.rotation[k] = (float)turn[k];
	}
	for (int k = 0; k < 3; k++) {
		copy->joints[0].rest.scale[k] = (float)scale;
	}
	for (int i = 1; i < copy->joint_count; i++) {
		copy->joints[i].index = i;
		copy->joints[i].parent++;
		for (int k = 0; k < 3; k++) {
			copy->joints[i].rest.translation[k] /= (float)scale;
		}
	}
	return copy;
}

/* Undoes the armature's turn in the joint below it. */
static void turn_back(struct rig *rig, const double turn[static 4]) {
	struct transform *rest = &rig->joints[1].rest;
	double back[4], rotation[4], translation[3];
	quat_conjugate(turn, back);
	for (int k = 0; k < 4; k++) {
		rotation[k] = rest->rotation[k];
	}
	for (int k = 0; k < 3; k++) {
		translation[k] = rest->translation[k];
	}
	quat_multiply(back, rotation, rotation);
	quat_rotate(back, translation, translation);
	for (int k = 0; k < 4; k++) {
		rest->rotation[k] = (float)rotation[k];
	}
	for (int k = 0; k < 3; k++) {
		rest->translation[k] = (float)translation[k];
	}
}

static void armatures_of_any_unit_and_axis(void **state) {
	(void)state;
	const double z_up[4] = {-sqrt(0.5), 0, 0, sqrt(0.5)}, yaw[4] = {0, sqrt(0.5), 0, sqrt(0.5)};
	struct pair pair;
	struct rig *demo = own_rig(DEMO), *z = below_armature(demo, z_up, 100);
	turn_back(z, z_up);
	pair_begin(&pair, z, demo);
	expect_positions(&pair, "", 1, no_turn, 5e-6);
	pair_end(&pair);
	// In hundredths, and facing another way.
	demo = own_rig(DEMO);
	struct rig *turned = below_armature(demo, yaw, 0.01);
	pair_begin(&pair, turned, demo);
	expect_positions(&pair, "", 1, yaw, 1e-5);
	pair_end(&pair);
}

static void expect_directions(struct pair *pair, const struct pose *ours, const struct pose *theirs,
	const char *from, const char *to) {
	double(*a)[12] = world_of(pair, pair->ours, ours);
	double(*b)[12] = world_of(pair, pair->theirs, theirs);
	const int j[2] = {rig_find_joint(pair->ours, from), rig_find_joint(pair->ours, to)};
	const int s[2] = {rig_find_joint(pair->theirs, from), rig_find_joint(pair->theirs, to)};
	double ours_to[3], theirs_to[3], cross[3];
	for (int k = 0; k < 3; k++) {
		ours_to[k] = a[j[1]][k * 4 + 3] - a[j[0]][k * 4 + 3];
		theirs_to[k] = b[s[1]][k * 4 + 3] - b[s[0]][k * 4 + 3];
	}
	vec3_normalize(ours_to);
	vec3_normalize(theirs_to);
	vec3_cross(ours_to, theirs_to, cross);
	assert_true(vec3_dot(ours_to, theirs_to) > 0);
	assert_true(asin(fmin(vec3_length(cross), 1)) * 180 / 3.14159265358979 < 0.01);
}

static void a_pose_and_t_pose_point_the_same_way(void **state) {
	(void)state;
	static const char *const bones[][2] = {{"LeftArm", "LeftForeArm"},
		{"LeftForeArm", "LeftHand"}, {"LeftHand", "LeftFingers"},
		{"RightArm", "RightForeArm"}, {"RightForeArm", "RightHand"},
		{"LeftUpLeg", "LeftLeg"}, {"RightLeg", "RightFoot"}, {"RightFoot", "RightToe"},
		{"Hips", "Spine"}, {"Chest", "Neck"}, {"Chest", "LeftShoulder"}};
	struct rig *demo = own_rig(DEMO), *other = skeleton_of(demo, none);
	// 40 degrees about an axis that is none of the body's, and other proportions.
	for (int side = 0; side < 2; side++) {
		const int arm = rig_find_joint(other, side ? "RightArm" : "LeftArm");
		const int elbow = rig_find_joint(other, side ? "RightForeArm" : "LeftForeArm");
		set_rotation(&other->joints[arm].rest, 0.6, 0, 0.8, side ? 40 : -40);
		set_rotation(&other->joints[elbow].rest, 0, 1, 0, side ? 10 : -10);
		other->joints[elbow].rest.translation[0] *= 1.3f;
	}
	turn_axes(other, 5);
	struct pair pair;
	pair_begin(&pair, other, demo);
	for (size_t i = 0; i < MOTIONS; i++) {
		const struct pose theirs = pose_of(pair.theirs, pair.arena, motions[i]);
		const struct pose ours = retargeted(&pair, motions[i], "");
		for (size_t k = 0; k < sizeof bones / sizeof *bones; k++) {
			expect_directions(&pair, &ours, &theirs, bones[k][0], bones[k][1]);
		}
	}
	pair_end(&pair);
}

static void turns_by_hand_do_what_alignment_does(void **state) {
	(void)state;
	struct rig *demo = own_rig(DEMO), *other = skeleton_of(demo, none);
	// The left arm rests 30 degrees farther up about the world's z.
	const int arm = rig_find_joint(other, "LeftArm");
	struct arena *scratch = arena_create();
	const struct pose rest = pose_rest(other, scratch);
	double world[64][12], rotation[4], stretch[9], up[4], local[4];
	pose_to_world(other, &rest, world);
	mat_polar(world[arm], rotation, stretch);
	struct transform turn;
	set_rotation(&turn, 0, 0, 1, 30);
	for (int k = 0; k < 4; k++) {
		up[k] = turn.rotation[k];
	}
	quat_multiply(up, rotation, local);
	mat_polar(world[other->joints[arm].parent], rotation, stretch);
	quat_conjugate(rotation, rotation);
	quat_multiply(rotation, local, local);
	for (int k = 0; k < 4; k++) {
		other->joints[arm].rest.rotation[k] = (float)local[k];
	}
	arena_destroy(scratch);
	struct pair pair;
	pair_begin(&pair, other, demo);
	expect_positions(&pair, ", 'align': {'LeftArm': [0, 0, -0.258819045, 0.965925826]}", 1,
		no_turn, 2e-6);
	pair_end(&pair);
}

/* The demo humanoid under the names of others, and with a joint between. */
static void other_names_and_joints_between(void **state) {
	(void)state;
	static const char *const names[][2] = {{"Hips", "J_Bip_C_Hips"}, {"Spine", "J_Bip_C_Spine"},
		{"Chest", "J_Bip_C_Chest"}, {"Neck", "J_Bip_C_Neck"}, {"Head", "J_Bip_C_Head"},
		{"LeftShoulder", "J_Bip_L_Shoulder"}, {"LeftArm", "J_Bip_L_UpperArm"},
		{"LeftForeArm", "J_Bip_L_LowerArm"}, {"LeftHand", "J_Bip_L_Hand"},
		{"LeftUpLeg", "J_Bip_L_UpperLeg"}, {"LeftLeg", "J_Bip_L_LowerLeg"},
		{"LeftFoot", "J_Bip_L_Foot"}, {"LeftToe", "J_Bip_L_ToeBase"},
		{"RightUpLeg", "J_Bip_R_UpperLeg"}, {"RightLeg", "J_Bip_R_LowerLeg"},
		{"RightFoot", "J_Bip_R_Foot"}, {"RightShoulder", "J_Bip_R_Shoulder"},
		{"RightArm", "J_Bip_R_UpperArm"}, {"RightForeArm", "J_Bip_R_LowerArm"},
		{"RightHand", "J_Bip_R_Hand"}, {"RightToe", "J_Bip_R_ToeBase"}};
	struct rig *demo = own_rig(DEMO), *other = skeleton_of(demo, none);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct joint *joint = &other->joints[rig_find_joint(other, names[i][0])];
		free(joint->name);
		joint->name = xstrndup(names[i][1], strlen(names[i][1]));
	}
	struct pair pair;
	pair_begin(&pair, other, demo);
	for (size_t i = 0; i < MOTIONS; i++) {
		const struct pose theirs = pose_of(pair.theirs, pair.arena, motions[i]);
		const struct pose ours = retargeted(&pair, motions[i], "");
		expect_same_pose(&ours, &theirs);
	}
	pair_end(&pair);
	// A joint of theirs that moves, and that ours lack, is folded into those below it.
	demo = own_rig(DEMO);
	static const char *const shoulder[] = {"LeftShoulder", NULL};
	struct rig *fewer = skeleton_of(demo, shoulder);
	const int arm = rig_find_joint(fewer, "LeftArm");
	fewer->joints[arm].parent = rig_find_joint(fewer, "Chest");
	pair_begin(&pair, fewer, demo);
	const char *shrug =
		"{'set': 'rest', 'joints': {'LeftShoulder': {'rotation': [0,0,0.28,0.96]}}}";
	const struct pose ours = retargeted(&pair, shrug, "");
	const struct pose theirs = pose_of(pair.theirs, pair.arena, shrug);
	expect_directions(&pair, &ours, &theirs, "LeftArm", "LeftForeArm");
	expect_directions(&pair, &ours, &theirs, "LeftForeArm", "LeftHand");
	pair_end(&pair);
}

static void what_is_not_driven_rests_or_is_as_asked(void **state) {
	(void)state;
	struct rig *demo = own_rig(DEMO), *other = skeleton_of(demo, none);
	turn_axes(other, 3);
	struct pair pair;
	pair_begin(&pair, other, demo);
	rig_add_clip(demo, "Nod", 1,
		&(struct constant_channel){
			rig_find_joint(demo, "Neck"), CHANNEL_ROTATION, {0.28f, 0, 0, 0.96f}});
	const struct pose pose = retargeted(&pair, "{'clip': 'Nod'}", "");
	const int neck = rig_find_joint(other, "Neck");
	for (int i = 0; i < other->joint_count; i++) {
		assert_int_equal(pose.driven[i], i == neck ? 1 << CHANNEL_ROTATION : 0);
		if (i != neck) {
			assert_memory_equal(
				&pose.local[i], &other->joints[i].rest, sizeof pose.local[i]);
		}
	}
	const struct pose held = retargeted(&pair, "{'clip': 'Nod'}",
		", 'map': {'Neck': 'Neck'}, 'unmapped': {'set': 'rest', 'joints': "
		"{'LeftArm': {'translation': [1,2,3]}}}");
	const int arm = rig_find_joint(other, "LeftArm");
	assert_near(held.local[arm].translation[1], 2, 0);
	for (int k = 0; k < 4; k++) {
		assert_near(held.local[neck].rotation[k], pose.local[neck].rotation[k], 1e-6);
	}
	pair_end(&pair);
}

static void time_runs_on_in_the_other_rig(void **state) {
	(void)state;
	struct pair pair;
	pair_begin(&pair, own_rig(DEMO), own_rig(DEMO));
	const struct value *expression = json_value(
		pair.arena, "{'retarget': {'clip': 'Walk', 'time': 0.25}, 'rig': 'theirs'}");
	struct pose_context context = pose_context_make(pair.ours, pair.arena, &pair.run);
	struct pose later = pose_rest(pair.ours, pair.arena);
	struct error err = {0};
	assert_true(pose_evaluate_later(&context, expression, 0.5, &later, &err));
	const struct pose expected =
		pose_of(pair.theirs, pair.arena, "{'clip': 'Walk', 'time': 0.75}");
	expect_same_pose(&later, &expected);
	pair_end(&pair);
}

static void morph_weights_go_along(void **state) {
	(void)state;
	struct pair pair;
	pair_begin(&pair, own_rig("assets/demo/head.glb"), own_rig("assets/demo/head.glb"));
	const struct clip *clip = &pair.theirs->clips[0];
	const char *expression = arena_printf(
		pair.arena, "{'clip': '%s', 'time': %.3f}", clip->name, clip->duration_s / 3);
	const struct pose theirs = pose_of(pair.theirs, pair.arena, expression);
	const struct pose ours = retargeted(&pair, expression, "");
	assert_true(ours.weight_count > 0);
	expect_same_pose(&ours, &theirs);
	pair_end(&pair);
}

/* Bones of the limbs that both rigs have, by role; not those to a foot that lies apart, whose place
 * depends on the lengths that are taken off here. */
static double limb_error(struct pair *pair, const struct pose *ours, const struct pose *theirs) {
	static const enum humanoid_role bones[] = {HUMANOID_LEFT_UPPER_ARM, HUMANOID_LEFT_LOWER_ARM,
		HUMANOID_LEFT_UPPER_LEG, HUMANOID_LEFT_LOWER_LEG};
	struct humanoid a, b;
	humanoid_find(pair->ours, pair->arena, &a);
	humanoid_find(pair->theirs, pair->arena, &b);
	double(*our_world)[12] = world_of(pair, pair->ours, ours);
	double(*their_world)[12] = world_of(pair, pair->theirs, theirs);
	double largest = 0;
	for (int i = 0; i < 8; i++) {
		const int role = bones[i / 2] + (i % 2) * HUMANOID_SIDE_ROLES;
		if (a.joints[role] < 0 || a.joints[role + 1] < 0 || b.joints[role] < 0 ||
			b.joints[role + 1] < 0 || a.apart[role + 1] || b.apart[role + 1]) {
			continue;
		}
		double x[3], y[3], cross[3];
		for (int k = 0; k < 3; k++) {
			x[k] = our_world[a.joints[role + 1]][k * 4 + 3] -
				our_world[a.joints[role]][k * 4 + 3];
			y[k] = their_world[b.joints[role + 1]][k * 4 + 3] -
				their_world[b.joints[role]][k * 4 + 3];
		}
		vec3_normalize(x);
		vec3_normalize(y);
		vec3_cross(x, y, cross);
		const double sine = vec3_length(cross);
		largest = fmax(largest, vec3_dot(x, y) > 0 ? sine : 2);
	}
	return asin(fmin(largest, 1)) * 180 / 3.14159265358979;
}

/* Takes off what stretches and shifts limbs, which is no rotation. */
static void rest_lengths(const struct rig *rig, const struct pose *pose) {
	for (int k = 0; k < rig->joint_count; k++) {
		const struct transform *rest = &rig->joints[k].rest;
		memcpy(pose->local[k].translation, rest->translation, sizeof rest->translation);
		memcpy(pose->local[k].scale, rest->scale, sizeof rest->scale);
	}
}

static void real_rigs_move_the_demo_and_back(void **state) {
	(void)state;
	static const char *const paths[] = {"godot-mannequiny/mannequiny.glb",
		"kaykit-adventurers/Characters/gltf/Knight.glb",
		"khronos-RiggedFigure/glTF-Binary/RiggedFigure.glb", "raylib/gltf/robot.glb"};
	for (size_t i = 0; i < 2 * sizeof paths / sizeof *paths; i++) {
		struct rig *demo = own_rig(DEMO), *real = shared_rig(paths[i / 2]);
		struct pair pair;
		pair_begin(&pair, i % 2 ? real : demo, i % 2 ? demo : real);
		double largest = 0;
		for (int c = 0; c < pair.theirs->clip_count && c < 12; c++) {
			const char *expression = arena_printf(pair.arena,
				"{'clip': %d, 'time': %.3f}", pair.theirs->clips[c].index,
				pair.theirs->clips[c].duration_s * 0.37);
			const struct pose theirs = pose_of(pair.theirs, pair.arena, expression);
			const struct pose ours = retargeted(&pair, expression, "");
			rest_lengths(pair.theirs, &theirs);
			rest_lengths(pair.ours, &ours);
			largest = fmax(largest, limb_error(&pair, &ours, &theirs));
		}
		print_message("%s %s the demo: limbs differ by %.6f degrees at most\n",
			paths[i / 2], i % 2 ? "from" : "to", largest);
		assert_true(largest < 0.01);
		pair_end(&pair);
	}
}

static void a_fox_without_names_runs_like_a_fox(void **state) {
	(void)state;
	struct pair pair;
	pair_begin(&pair, shared_rig("derived-public-fox/Fox.no-names.glb"),
		shared_rig("derived-public-fox/Fox.base.glb"));
	const struct pose theirs = pose_of(pair.theirs, pair.arena, "{'clip': 'Run', 'time': 0.3}");
	const struct pose ours = retargeted(&pair, "{'clip': 'Run', 'time': 0.3}", "");
	expect_near_pose(&ours, &theirs, 1e-6);
	pair_end(&pair);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(the_same_rig_gives_the_same_pose),
		cmocka_unit_test(clips_of_the_same_rig_are_the_same_to_the_bit),
		cmocka_unit_test(joints_that_one_lacks_change_nothing),
		cmocka_unit_test(a_rig_twice_the_size_moves_twice_as_far),
		cmocka_unit_test(other_axes_look_the_same),
		cmocka_unit_test(armatures_of_any_unit_and_axis),
		cmocka_unit_test(a_pose_and_t_pose_point_the_same_way),
		cmocka_unit_test(turns_by_hand_do_what_alignment_does),
		cmocka_unit_test(other_names_and_joints_between),
		cmocka_unit_test(what_is_not_driven_rests_or_is_as_asked),
		cmocka_unit_test(time_runs_on_in_the_other_rig),
		cmocka_unit_test(morph_weights_go_along),
		cmocka_unit_test(real_rigs_move_the_demo_and_back),
		cmocka_unit_test(a_fox_without_names_runs_like_a_fox),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
