// Stitching checked against METHODS A4's closed form, and against linear blend skinning where both
// come to the same.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skinned.h"

static const char stitching[] = "'skin_rigid'";

static void bend_moves_the_known_vertex(void **state) {
	(void)state;
	const float vertex[3] = {0.1f, 1.1f, 0}, expected[3] = {-0.1f, 1.1f, 0};
	const double z[3] = {0, 0, 1};
	float out[3], normal[3];
	skinned_cyl2_vertex(stitching, vertex, 1, z, 90, out, normal);
	for (int k = 0; k < 3; k++) {
		assert_near(out[k], expected[k], 1e-6);
	}
	assert_near(normal[1], 1, 1e-6);
}

static void lesser_weights_have_no_say(void **state) {
	(void)state;
	const float vertex[3] = {0.1f, 1.1f, 0};
	const double z[3] = {0, 0, 1};
	float whole[3], most[3], none[3], normal[3];
	skinned_cyl2_vertex(stitching, vertex, 1, z, 90, whole, normal);
	skinned_cyl2_vertex(stitching, vertex, 0.6f, z, 90, most, normal);
	assert_memory_equal(whole, most, sizeof whole);
	skinned_cyl2_vertex(stitching, vertex, 0.4f, z, 90, none, normal);
	assert_memory_equal(none, vertex, sizeof none);
}

static void identity_keeps_every_bit(void **state) {
	(void)state;
	struct rig *rig = rig_random(5, 6, 101, 4);
	const struct value id = {.kind = VALUE_STRING, .string = "skin_rigid"};
	const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
	double matrices[6][12];
	for (int i = 0; i < 6; i++) {
		memcpy(matrices[i], identity, sizeof identity);
	}
	float positions[303], normals[303];
	skin_matrices(rig, skin_method_find(&id, NULL), (const double(*)[12])matrices, false,
		positions, normals);
	assert_memory_equal(positions, rig->positions, sizeof positions);
	rig_release(rig);
}

static void equals_lbs_where_one_joint_has_all_the_weight(void **state) {
	(void)state;
	struct rig *rig = rig_random(8, 6, 101, 4);
	for (size_t i = 0; i < rig->influence_count; i++) {
		rig->influence_weights[i] = i % 4 == 0 ? 1 : 0;
	}
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	unsigned seed = 3;
	for (int i = 0; i < rig->joint_count; i++) {
		for (int k = 0; k < 4; k++) {
			pose.local[i].rotation[k] = (float)random_number(&seed);
		}
		pose.local[i].scale[i % 3] = 1.5f;
	}
	float *out = xcalloc(101 * 12, sizeof *out);
	skinned_as(rig, stitching, NULL, &pose, out, out + 303);
	skinned_as(rig, "'lbs'", NULL, &pose, out + 606, out + 909);
	for (int i = 0; i < 606; i++) {
		assert_near(out[i], out[606 + i], 1e-5);
	}
	free(out);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bend_moves_the_known_vertex),
		cmocka_unit_test(lesser_weights_have_no_say),
		cmocka_unit_test(identity_keeps_every_bit),
		cmocka_unit_test(equals_lbs_where_one_joint_has_all_the_weight),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
