// Averages of poses: who has a say in what, and poses averaged in place.
#include "pose/average.h"

#include <string.h>

#include "check.h"
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
	average_poses(f->rig, inputs, count, AVERAGE_NLERP, f->arena, &out);
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
	average_poses(f.rig, inputs, 2, AVERAGE_NLERP, f.arena, &f.a);
	expect_same_pose(&f.a, &apart);
	assert_memory_equal(f.a.driven, apart.driven, JOINTS);
	end(&f);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_rests),
		cmocka_unit_test(whole_inputs_have_a_say_where_another_drives),
		cmocka_unit_test(out_may_be_an_input),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
