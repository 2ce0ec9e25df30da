// Joints to world and to palette matrices, four at once and one after another.
#include <string.h>

#include "base/lanes.h"
#include "base/mat.h"
#include "check.h"
#include "pose/pose.h"
#include "poses.h"
#include "rigs.h"
#include "skin/palette.h"

#define JOINTS 23

struct fixture {
	struct rig *rig;
	struct arena *arena;
	struct pose pose;
	double plain[JOINTS][12]; // by the functions for one matrix
};

/* A tree of joints in a random pose, with rotations that are not unit and one that is zero. */
static struct fixture begin(unsigned seed) {
	struct fixture f = {.rig = rig_random(seed, JOINTS, 1, 4), .arena = arena_create()};
	for (int i = 1; i < JOINTS; i++) {
		f.rig->joints[i].parent = (int)(i * fabs(random_number(&seed))) - (i % 7 == 0);
	}
	f.pose = pose_of(f.rig, f.arena, random_pose(f.arena, f.rig, &seed));
	for (int k = 0; k < 4; k++) {
		f.pose.local[3].rotation[k] *= 3;
		f.pose.local[9].rotation[k] = 0;
	}
	for (int i = 0; i < JOINTS; i++) {
		const struct transform *local = &f.pose.local[i];
		mat_from_transform(local->translation, local->rotation, local->scale, f.plain[i]);
		if (f.rig->joints[i].parent >= 0) {
			mat_multiply(f.plain[f.rig->joints[i].parent], f.plain[i], f.plain[i]);
		}
	}
	return f;
}

static void end(struct fixture *f) {
	arena_destroy(f->arena);
	rig_release(f->rig);
}

static void world_has_the_bits_of_single_matrices(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 50; seed++) {
		struct fixture f = begin(seed);
		double world[JOINTS][12], four[JOINTS][12];
		pose_to_world(f.rig, &f.pose, world);
		world_build(f.rig, f.pose.local, NULL, JOINTS, four);
		assert_memory_equal(world, f.plain, sizeof world);
		assert_memory_equal(four, f.plain, sizeof four);
		end(&f);
	}
}

static void only_what_is_needed_is_written(void **state) {
	(void)state;
	struct fixture f = begin(7);
	double world[JOINTS][12];
	memset(world, 0, sizeof world);
	int needed[JOINTS], count = 0, joint = JOINTS - 1;
	for (; joint >= 0; joint = f.rig->joints[joint].parent) {
		memmove(needed + 1, needed, (size_t)count++ * sizeof *needed);
		needed[0] = joint;
	}
	world_build(f.rig, f.pose.local, needed, count, world);
	for (int i = 0, k = 0; i < JOINTS; i++) {
		const double nothing[12] = {0};
		const bool is_needed = k < count && needed[k] == i;
		k += is_needed;
		assert_memory_equal(world[i], is_needed ? f.plain[i] : nothing, sizeof nothing);
	}
	end(&f);
}

static void palette_has_the_bits_of_single_matrices(void **state) {
	(void)state;
	struct fixture f = begin(11);
	double matrices[JOINTS][12];
	palette_build(f.rig, (const double(*)[12])f.plain, matrices);
	for (int i = 0; i < f.rig->slot_count; i++) {
		double expected[12];
		mat_multiply(
			f.plain[f.rig->slots[i].joint], f.rig->slots[i].inverse_bind, expected);
		assert_memory_equal(matrices[i], expected, sizeof expected);
		float entry[PALETTE_MATRIX_FLOATS];
		palette_write_matrix(expected, entry);
		for (int k = 0; k < PALETTE_MATRIX_FLOATS; k++) {
			assert_true(entry[k] == (k < 12 ? (float)expected[k] : 0));
		}
	}
	end(&f);
}

/* Slots on every third joint: the rest of the tree moves vertices only where it is above one. */
static void what_moves_no_vertex_is_left_out_to_the_bit(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 50; seed++) {
		struct fixture f = begin(seed);
		for (int i = 0; i < f.rig->slot_count; i++) {
			f.rig->slots[i].joint = i % (JOINTS / 3) * 3;
		}
		double all[JOINTS][12], some[JOINTS][12], matrices[2][JOINTS][12];
		assert_true(rig_find_moving(f.rig, NULL));
		assert_in_range(f.rig->moving_count, JOINTS / 3, JOINTS - 1);
		memset(some, 0, sizeof some);
		pose_to_world(f.rig, &f.pose, all);
		pose_to_moving(f.rig, &f.pose, some);
		palette_build(f.rig, (const double(*)[12])all, matrices[0]);
		palette_build(f.rig, (const double(*)[12])some, matrices[1]);
		assert_memory_equal(matrices[0], matrices[1], sizeof matrices[0]);
		const int before = f.rig->moving_count;
		assert_true(rig_find_moving(f.rig, NULL));
		assert_int_equal(f.rig->moving_count, before);
		end(&f);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(world_has_the_bits_of_single_matrices),
		cmocka_unit_test(only_what_is_needed_is_written),
		cmocka_unit_test(what_moves_no_vertex_is_left_out_to_the_bit),
		cmocka_unit_test(palette_has_the_bits_of_single_matrices),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
