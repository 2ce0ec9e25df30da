/* Transitions: what is refused, METHODS D.4's number, clips that are made to pass through a common
 * pose (METHODS C.10), and the order of what is found. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "json_value.h"
#include "pose/motion/transition.h"
#include "poses.h"
#include "rigs.h"
#include "shared_files.h"
#include "trees.h"

#define JOINTS 4
#define KEYS 3

/* Rotations of all joints at some moments. */
struct turning {
	float times[KEYS];
	float values[JOINTS][KEYS][4];
};

/* The pose that all turnings have at their key in the middle. */
static void turn_core(unsigned *seed, struct turning *turning) {
	unsigned core = 77;
	for (int i = 0; i < JOINTS; i++) {
		for (int k = 0; k < KEYS; k++) {
			unsigned *from = k == 1 ? &core : seed;
			float *q = turning->values[i][k];
			double sum = 0;
			for (int c = 0; c < 4; c++) {
				q[c] = (float)random_number(from) + (c == 3 ? 1.5f : 0);
				sum += (double)q[c] * q[c];
			}
			for (int c = 0; c < 4; c++) {
				q[c] = (float)(q[c] / sqrt(sum));
			}
		}
	}
}

/* A clip that turns all joints and is in the common pose at core_s. turning must last as long as
 * the rig. */
static void add_turning(struct rig *rig, const char *name, unsigned seed, double core_s,
	double duration_s, struct turning *turning) {
	struct constant_channel channels[JOINTS];
	turn_core(&seed, turning);
	turning->times[0] = 0;
	turning->times[1] = (float)core_s;
	turning->times[2] = (float)duration_s;
	for (int i = 0; i < JOINTS; i++) {
		channels[i] = (struct constant_channel){i, CHANNEL_ROTATION, {0, 0, 0, 1}};
	}
	rig_add_clip(rig, name, JOINTS, channels);
	struct clip *clip = &rig->clips[rig->clip_count - 1];
	for (int i = 0; i < JOINTS; i++) {
		clip->channels[i].key_count = KEYS;
		clip->channels[i].times = turning->times;
		clip->channels[i].values = turning->values[i][0];
	}
	clip->duration_s = (float)duration_s;
}

static int find(
	struct rig *rig, const char *from, const char *to, int most, struct transition *out) {
	struct arena *arena = arena_create();
	struct pose_run run = {.arena = arena};
	struct transition_job job = {.rig = rig, .run = &run};
	job.from = &rig->clips[rig_find_clip(rig, from)];
	job.to = &rig->clips[rig_find_clip(rig, to)];
	int count = -1;
	assert_true(transition_find(&job, out, most, &count, NULL));
	arena_destroy(arena);
	return count;
}

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'transition': 'Walk'}", ERROR_INVALID_VALUE, "/transition", "two clips"},
		{"{'transition': ['Walk']}", ERROR_INVALID_VALUE, "/transition", "two clips"},
		{"{'transition': ['Walk', 'Rnu']}", ERROR_UNKNOWN_CLIP, "/transition/1", "Run"},
		{"{'transition': [{'clip': 'Walk'}, 'Run']}", ERROR_INVALID_VALUE, "/transition/0",
			"an object"},
		{"{'transition': ['Walk', 'Run'], 'tolerance': 1e-4}", ERROR_INVALID_VALUE,
			"/transition", "where they are nearest"},
		{"{'transition': ['Walk', 'Run'], 'tolerance': -1}", ERROR_INVALID_VALUE,
			"/tolerance", "from 0"},
		{"{'transition': ['Walk', 'Walk'], 'at': 1}", ERROR_INVALID_VALUE, "/at", "list"},
		{"{'transition': ['Walk', 'Walk'], 'at': [0, 9]}", ERROR_INVALID_VALUE, "/at/1",
			"not within the clip"},
		{"{'transition': ['Walk', 'Walk'], 'at': [-1, 0]}", ERROR_INVALID_VALUE, "/at/0",
			"not within the clip"},
		{"{'transition': ['Walk', 'Walk'], 'at': [0, 0.3]}", ERROR_INVALID_VALUE, "/at",
			"apart there"},
		{"{'transition': ['Walk', 'Walk'], 'loop': 'no'}", ERROR_INVALID_VALUE, "/loop",
			"ping_pong"},
		{"{'transition': ['Walk', 'Walk'], 'phase': 0}", ERROR_UNKNOWN_MEMBER, "/phase",
			"transition, time, at, tolerance, loop"},
		{"{'scale_time': {'transition': ['Walk', 'Walk'], 'time': 1e308}, 'factor': 1e10}",
			ERROR_INVALID_VALUE, "/scale_time", "farther than numbers"},
		{"{'root_motion': {'transition': ['Walk', 'Walk'], 'loop': 'repeat', 'time': 9},"
		 "'mode': 'accumulate'}",
			ERROR_INVALID_VALUE, "/root_motion", "different numbers of loops"},
	};
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void distances_are_those_of_points_around_joints(void **state) {
	(void)state;
	const float angle = 0.01f;
	struct rig *rig = rig_tree("A");
	struct constant_channel channel = {0, CHANNEL_ROTATION, {0, 0, 0, 1}};
	rig_add_clip(rig, "rest", 1, &channel);
	channel.values[2] = sinf(angle / 2);
	channel.values[3] = cosf(angle / 2);
	rig_add_clip(rig, "turned", 1, &channel);
	struct transition found[2];
	assert_int_equal(find(rig, "rest", "turned", 2, found), 1);
	assert_near(found[0].distance, 2.99999e-4, 1e-9);
	assert_near(found[0].velocity, 0, 0);
	rig_release(rig);
}

static void common_poses_are_found_between_samples(void **state) {
	(void)state;
	struct rig *rig = rig_random(5, JOINTS, 200, 4);
	struct arena *arena = arena_create();
	struct turning turnings[2];
	add_turning(rig, "A", 1, 0.3712, 1, &turnings[0]);
	add_turning(rig, "B", 2, 0.7143, 1.5, &turnings[1]);
	struct transition found[5], back[5];
	const int count = find(rig, "A", "B", 5, found);
	assert_in_range(count, 1, 5);
	assert_near(found[0].from_s, 0.3712, 1e-4);
	assert_near(found[0].to_s, 0.7143, 1e-4);
	assert_true(found[0].distance < 1e-4 && found[0].velocity > 0.1);
	for (int i = 1; i < count; i++) {
		assert_true(found[i].distance > found[i - 1].distance - 1e-4);
		assert_true(fabs(found[i].from_s - found[0].from_s) >= 0.1 ||
			fabs(found[i].to_s - found[0].to_s) >= 0.1);
	}
	assert_int_equal(find(rig, "B", "A", 5, back), count);
	assert_near(back[0].from_s, found[0].to_s, 1e-4);
	assert_near(back[0].to_s, found[0].from_s, 1e-4);
	// The seam of the operation: a step of 1 us on both sides of it.
	double world[2][JOINTS][12];
	for (int i = 0; i < 2; i++) {
		const double time_s = found[0].from_s + (i ? 5e-7 : -5e-7);
		const struct pose pose = pose_of(rig, arena,
			arena_printf(arena, "{'transition': ['A', 'B'], 'time': %.9f}", time_s));
		pose_to_world(rig, &pose, world[i]);
	}
	for (int i = 0; i < JOINTS; i++) {
		for (int k = 0; k < 12; k++) {
			assert_near(world[0][i][k], world[1][i][k], 1e-4);
		}
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void a_clip_is_its_own_neighbour(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct arena *arena = arena_create();
	struct pose_run run = {.arena = arena};
	const struct clip *walk = &rig->clips[rig_find_clip(rig, "Walk")];
	const struct transition_job job = {.rig = rig, .from = walk, .to = walk, .run = &run};
	for (int i = 0; i <= 10; i++) {
		struct transition found;
		const double time_s = walk->duration_s * i / 10;
		transition_measure(&job, time_s, time_s, &found);
		assert_near(found.distance, 0, 0);
		assert_near(found.velocity, 0, 0);
	}
	// The walk goes on where it ends: so much of it can be seen twice.
	struct transition found[5];
	assert_true(find(rig, "Walk", "Walk", 5, found) >= 2);
	assert_near(found[0].from_s, walk->duration_s, 0);
	assert_near(found[0].to_s, 0, 0);
	assert_true(found[0].distance < 1e-6);
	struct transition_end end;
	struct pose pose = pose_of(rig, arena, "{'clip': 'Walk', 'phase': 1}");
	transition_measure_end(rig, walk, walk->duration_s, &pose, arena, &end);
	assert_near(end.distance, 0, 0);
	assert_true(end.speed > 0.5);
	pose = pose_of(rig, arena, "'rest'");
	transition_measure_end(rig, walk, walk->duration_s, &pose, arena, &end);
	assert_true(end.distance > 0.1);
	arena_destroy(arena);
	rig_release(rig);
}

/* Two expressions of the same pose. */
struct pair {
	const char *transition, *clip;
};

static void each_clip_has_its_part_of_the_time(void **state) {
	(void)state;
	static const struct pair pairs[] = {
		{"{'transition': ['A', 'B'], 'time': 0.2}", "{'clip': 'A', 'time': 0.2}"},
		{"{'transition': ['A', 'B'], 'time': -1}", "{'clip': 'A', 'time': 0}"},
		{"{'transition': ['A', 'B'], 'at': [0.25, 0.75], 'time': 0.25}",
			"{'clip': 'B', 'time': 0.75}"},
		{"{'transition': ['A', 'B'], 'at': [0.25, 0.75], 'time': 0.75}",
			"{'clip': 'B', 'time': 1.25}"},
		{"{'transition': ['A', 'B'], 'at': [0.25, 0.75], 'time': 1.5}",
			"{'clip': 'B', 'time': 1.5}"},
		{"{'transition': ['A', 'B'], 'at': [0.25, 0.75], 'time': 1.5, 'loop': 'repeat'}",
			"{'clip': 'B', 'time': 0.5}"},
		{"{'transition': ['A', 'B'], 'at': [0.25, 0.75], 'time': 1.25, 'loop': "
		 "'ping_pong'}",
			"{'clip': 'B', 'time': 1.25}"},
		// All of it lasts a second.
		{"{'reverse': {'transition': ['A', 'B'], 'at': [0.25, 0.75], 'time': 0.875}}",
			"{'clip': 'A', 'time': 0.125}"},
		{"{'scale_time': {'transition': ['A', 'B'], 'at': [0.25, 0.75], 'time': 0.25},"
		 "'factor': 2}",
			"{'clip': 'B', 'time': 1}"},
		{"{'root_motion': {'transition': ['A', 'B'], 'at': [0.25, 0.75], 'time': 0.5},"
		 "'mode': 'accumulate', 'joint': 0}",
			"{'clip': 'B', 'time': 1}"},
	};
	struct rig *rig = rig_random(5, JOINTS, 200, 4);
	struct turning turnings[2];
	add_turning(rig, "A", 1, 0.25, 1, &turnings[0]);
	add_turning(rig, "B", 2, 0.75, 1.5, &turnings[1]);
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct arena *arena = arena_create();
		const struct pose a = pose_of(rig, arena, pairs[i].transition);
		const struct pose b = pose_of(rig, arena, pairs[i].clip);
		expect_near_pose(&a, &b, 1e-6);
		arena_destroy(arena);
	}
	rig_release(rig);
}

static void wild_numbers_have_no_transition(void **state) {
	(void)state;
	struct rig *rig = rig_tree("A(B)");
	const struct constant_channel far[2] = {{0, CHANNEL_SCALE, {3e38f, 3e38f, 3e38f}},
		{1, CHANNEL_TRANSLATION, {3e38f, 3e38f, -3e38f}}};
	rig_add_clip(rig, "far", 2, far);
	rig_add_clip(rig, "near", 1, &(struct constant_channel){0, CHANNEL_SCALE, {1, 1, 1}});
	struct transition found;
	assert_int_equal(find(rig, "near", "far", 1, &found), 0);
	static const struct pose_refusal row = {"{'transition': ['near', 'far']}",
		ERROR_INVALID_VALUE, "/transition", "farther than float32"};
	expect_pose_refusals(rig, &row, 1);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(distances_are_those_of_points_around_joints),
		cmocka_unit_test(common_poses_are_found_between_samples),
		cmocka_unit_test(a_clip_is_its_own_neighbour),
		cmocka_unit_test(each_clip_has_its_part_of_the_time),
		cmocka_unit_test(wild_numbers_have_no_transition),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
