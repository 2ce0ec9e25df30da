// Averages of poses: who has a say in what, and poses averaged in place.
#include "pose/blend/average.h"

#include <string.h>

#include "base/lanes.h"
#include "check.h"
#include "pose/blend/average_lanes.h"
#include "poses.h"
#include "rigs.h"

#define JOINTS 4

/* Random poses of a rig. */
struct fixture {
	struct rig *rig;
	struct arena *arena;
	struct pose a, b;
};

static struct fixture begin(void) {
	struct fixture f = {.rig = rig_random(7, JOINTS, 1, 4), .arena = arena_create()};
	unsigned seed = 31;
	f.a = pose_of(f.rig, f.arena, random_pose(f.arena, f.rig, &seed));
	f.b = pose_of(f.rig, f.arena, random_pose(f.arena, f.rig, &seed));
	return f;
}

static void end(struct fixture *f) {
	arena_destroy(f->arena);
	rig_release(f->rig);
}

static struct pose average_of(
	const struct fixture *f, const struct average_input *inputs, size_t count) {
	struct pose out = pose_rest(f->rig, f->arena);
	average_poses(f->rig, inputs, count, AVERAGE_NLERP, &out);
	return out;
}

static void nobody_rests(void **state) {
	(void)state;
	struct fixture f = begin();
	const struct pose rest = pose_rest(f.rig, f.arena);
	const struct average_input inputs[2] = {
		{.weight = 3, .pose = NULL}, {.weight = 0, .pose = &f.a}};
	for (size_t count = 0; count <= 2; count++) {
		const struct pose pose = average_of(&f, inputs, count);
		expect_same_pose(&pose, &rest);
		assert_memory_equal(pose.driven, rest.driven, JOINTS);
	}
	end(&f);
}

static void whole_inputs_have_a_say_where_another_drives(void **state) {
	(void)state;
	struct fixture f = begin();
	// J1 is driven by both, J2 by a alone, J3 by none.
	const unsigned char a[JOINTS] = {DRIVEN_ALL, DRIVEN_ALL, DRIVEN_ALL, 0};
	const unsigned char b[JOINTS] = {DRIVEN_ALL, DRIVEN_ALL, 0, 0};
	memcpy(f.a.driven, a, JOINTS);
	memcpy(f.b.driven, b, JOINTS);
	f.a.local[3] = f.rig->joints[3].rest;
	f.b.local[2] = f.rig->joints[2].rest;
	f.b.local[3] = f.rig->joints[3].rest;
	struct average_input inputs[2] = {{.weight = 1, .pose = &f.a}, {.weight = 3, .pose = &f.b}};
	const struct pose plain = average_of(&f, inputs, 2);
	inputs[0].whole = inputs[1].whole = true;
	const struct pose whole = average_of(&f, inputs, 2);
	assert_memory_equal(plain.local, whole.local, 2 * sizeof *plain.local);
	assert_memory_equal(&plain.local[2], &f.a.local[2], sizeof *plain.local);
	for (int k = 0; k < 3; k++) {
		assert_near(whole.local[2].translation[k],
			0.25 * f.a.local[2].translation[k] + 0.75 * f.b.local[2].translation[k],
			1e-7);
	}
	assert_memory_equal(&whole.local[3], &f.rig->joints[3].rest, sizeof *whole.local);
	const unsigned char bits = DRIVEN_ALL & ~(1 << CHANNEL_WEIGHTS);
	const unsigned char driven[JOINTS] = {bits, bits, bits, 0};
	assert_memory_equal(whole.driven, driven, JOINTS);
	assert_memory_equal(plain.driven, driven, JOINTS);
	end(&f);
}

static void out_may_be_an_input(void **state) {
	(void)state;
	struct fixture f = begin();
	const float mask[JOINTS] = {0, 0.25f, 1, 0.5f};
	const struct average_input inputs[2] = {
		{.weight = 1, .pose = &f.a, .mask = mask}, {.weight = 1, .pose = &f.b}};
	const struct pose apart = average_of(&f, inputs, 2);
	average_poses(f.rig, inputs, 2, AVERAGE_NLERP, &f.a);
	expect_same_pose(&f.a, &apart);
	assert_memory_equal(f.a.driven, apart.driven, JOINTS);
	end(&f);
}

#define MANY 23
#define POSES 3

/* Checks the average of one joint against the formula. Everything is driven. */
static void expect_average(
	const struct average_input *inputs, int joint, const struct transform *actual) {
	double weights[POSES], rotations[POSES][4], sum = 0, mean[4], place[3] = {0};
	for (int i = 0; i < POSES; i++) {
		weights[i] = inputs[i].weight * (double)inputs[i].mask[joint];
		sum += weights[i];
	}
	for (int i = 0; i < POSES; i++) {
		const struct transform *local = &inputs[i].pose->local[joint];
		weights[i] /= sum;
		for (int k = 0; k < 4; k++) {
			rotations[i][k] = local->rotation[k];
		}
		for (int k = 0; k < 3; k++) {
			place[k] += weights[i] * local->translation[k];
		}
	}
	average_rotations(AVERAGE_NLERP, (const double(*)[4])rotations, weights, POSES, mean);
	for (int k = 0; k < 4; k++) {
		assert_near(actual->rotation[k], mean[k], 1.5e-7);
	}
	for (int k = 0; k < 3; k++) {
		assert_near(actual->translation[k], place[k], 1e-6);
	}
}

static void runs_of_joints_are_averaged_like_each_of_them(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 50; seed++) {
		struct rig *rig = rig_random(seed, MANY, 1, 4);
		struct arena *arena = arena_create();
		unsigned at = seed;
		struct pose poses[POSES], out = pose_rest(rig, arena);
		float masks[POSES][MANY];
		struct average_input inputs[POSES];
		for (int i = 0; i < POSES; i++) {
			poses[i] = pose_of(rig, arena, random_pose(arena, rig, &at));
			memset(poses[i].driven, DRIVEN_ALL, MANY);
			for (int joint = 0; joint < MANY; joint++) {
				const double next = random_number(&at);
				masks[i][joint] = next < 0.5 && joint ? masks[i][joint - 1]
								      : (float)fabs(next);
			}
			inputs[i] = (struct average_input){1 + i, &poses[i], masks[i], false};
		}
		average_poses(rig, inputs, POSES, AVERAGE_NLERP, &out);
		for (int joint = 0; joint < MANY; joint++) {
			expect_average(inputs, joint, &out.local[joint]);
		}
		arena_destroy(arena);
		rig_release(rig);
	}
}

/* Also where some of four joints have no average. */
static void lanes_have_the_same_bits(void **state) {
	(void)state;
	if (!LANES_CPU_HAS_AVX2()) {
		skip();
	}
	struct rig *rig = rig_random(5, MANY, 1, 4);
	struct arena *arena = arena_create();
	unsigned seed = 3;
	const struct pose a = pose_of(rig, arena, random_pose(arena, rig, &seed));
	const struct pose b = pose_of(rig, arena, random_pose(arena, rig, &seed));
	const float none[4] = {0.5f, 0.5f, 0.5f, 0.5f}, other[4] = {0.5f, -0.5f, 0.5f, -0.5f};
	memcpy(a.local[14].rotation, none, sizeof none);
	memcpy(b.local[14].rotation, other, sizeof other);
	const struct average_share shares[2] = {{0.5, &a}, {0.5, &b}};
	struct transform four[MANY] = {0}, eight[MANY] = {0};
	struct average_joints joints = {shares, 2, 0, 1, MANY, four};
	const int stopped = average_lanes_rotations(&joints);
	average_lanes_translations(&joints);
	average_lanes_scales(&joints);
	joints.out = eight;
	assert_int_equal(average_lanes_rotations_avx2(&joints), stopped);
	average_lanes_translations_avx2(&joints);
	average_lanes_scales_avx2(&joints);
	assert_memory_equal(four, eight, sizeof four);
	arena_destroy(arena);
	rig_release(rig);
}

/* Equal inputs are returned to the bit, whatever the weights, and nothing overflows on the way. */
static void whole_transforms_keep_what_all_say(void **state) {
	(void)state;
	struct fixture f = begin();
	struct pose out = pose_rest(f.rig, f.arena);
	const struct average_input inputs[3] = {
		{1, &f.a, NULL, false}, {3, &f.b, NULL, false}, {2, &f.a, NULL, false}};
	memset(f.a.driven, DRIVEN_TRANSFORM, JOINTS);
	memset(f.b.driven, DRIVEN_TRANSFORM, JOINTS);
	const float alike[3] = {-0.0f, 0.1f, 3.3e38f}, great[3] = {3.3e38f, -3.3e38f, 1};
	for (int joint = 0; joint < JOINTS; joint++) {
		for (int k = 0; k < 3; k++) {
			f.a.local[joint].translation[k] = f.b.local[joint].translation[k] =
				alike[k];
			f.a.local[joint].scale[k] = great[k];
			f.b.local[joint].scale[k] = -great[k];
		}
	}
	average_poses(f.rig, inputs, 3, AVERAGE_NLERP, &out);
	for (int joint = 0; joint < JOINTS; joint++) {
		const struct transform *mean = &out.local[joint];
		assert_memory_equal(mean->translation, alike, sizeof alike);
		for (int k = 0; k < 3; k++) {
			assert_near(mean->scale[k] / great[k], 0, 1e-6);
		}
		assert_int_equal(out.driven[joint], DRIVEN_TRANSFORM);
	}
	end(&f);
}

/* Blocks and what is left of one, two poses and more, and a joint that takes more precision. */
static void whole_transforms_have_the_same_bits(void **state) {
	(void)state;
	if (!LANES_CPU_HAS_AVX2()) {
		skip();
	}
	struct rig *rig = rig_random(5, MANY, 1, 4);
	struct arena *arena = arena_create();
	unsigned seed = 3;
	struct average_whole whole = {.weights = {0.5f, 0.3f, 0.2f}, .turns = true, .end = MANY};
	struct pose poses[POSES];
	for (int i = 0; i < POSES; i++) {
		poses[i] = pose_of(rig, arena, random_pose(arena, rig, &seed));
		whole.local[i] = poses[i].local;
	}
	for (whole.count = 2; whole.count <= POSES; whole.count++) {
		for (whole.first = 0; whole.first < MANY; whole.first++) {
			struct transform four[MANY] = {0}, eight[MANY] = {0};
			whole.out = four;
			const int stopped = average_whole_run(&whole);
			whole.out = eight;
			assert_int_equal(average_whole_run_avx2(&whole), stopped);
			assert_memory_equal(four, eight, sizeof four);
		}
	}
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_rests),
		cmocka_unit_test(whole_inputs_have_a_say_where_another_drives),
		cmocka_unit_test(out_may_be_an_input),
		cmocka_unit_test(runs_of_joints_are_averaged_like_each_of_them),
		cmocka_unit_test(lanes_have_the_same_bits),
		cmocka_unit_test(whole_transforms_keep_what_all_say),
		cmocka_unit_test(whole_transforms_have_the_same_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
