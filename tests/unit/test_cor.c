// Optimised centres of rotation checked against METHODS A13's figures.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skinned.h"

static void skin_cylinder(
	const char *skinning, const double axis[3], double degrees, struct rig *rig, float *out) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], axis[0], axis[1], axis[2], degrees);
	skinned_as(rig, skinning, NULL, &pose, out, out + rig->vertex_count * 3);
	arena_destroy(arena);
}

/* Every vertex keeps its distance from the axis; V/V0 is 0.990651 twisted by 180 degrees. */
static void twist_keeps_the_radius_and_the_known_volume(void **state) {
	(void)state;
	const double y[3] = {0, 1, 0};
	struct rig *rig = rig_cyl2();
	float *out = xcalloc((size_t)rig->vertex_count * 6, sizeof *out);
	for (int degrees = 30; degrees <= 180; degrees += 50) {
		skin_cylinder("'cor'", y, degrees, rig, out);
		for (int i = 0; i < rig->vertex_count; i++) {
			const float *before = rig->positions + i * 3, *after = out + i * 3;
			assert_near(hypot(after[0], after[2]), hypot(before[0], before[2]), 2e-7);
		}
	}
	assert_near(mesh_volume(rig, out) / mesh_volume(rig, rig->positions), 0.990651, 1e-6);
	free(out);
	rig_release(rig);
}

/* The ring of weight 1/2, where the centre is the joint itself. */
static void the_middle_ring_is_that_of_dual_quaternions(void **state) {
	(void)state;
	const double axes[2][3] = {{0, 1, 0}, {0, 0, 1}};
	struct rig *rig = rig_cyl2();
	const size_t floats = (size_t)rig->vertex_count * 6;
	float *cor = xcalloc(floats, sizeof *cor), *dqs = xcalloc(floats, sizeof *dqs);
	for (int i = 0; i < 2; i++) {
		skin_cylinder("'cor'", axes[i], 120, rig, cor);
		skin_cylinder("'dqs'", axes[i], 120, rig, dqs);
		for (int k = 20 * 16 * 3; k < 21 * 16 * 3; k++) {
			assert_near(cor[k], dqs[k], 1e-6);
			const int normal = rig->vertex_count * 3 + k;
			assert_near(cor[normal], dqs[normal], 1e-6);
		}
	}
	free(cor);
	free(dqs);
	rig_release(rig);
}

/* (0.120427, 0.973163, 0) with the centre of triangles that are not cut, whose height differs from
 * that of ours by up to 2e-4. */
static void bend_moves_the_known_vertex(void **state) {
	(void)state;
	const double z[3] = {0, 0, 1};
	struct rig *rig = rig_cyl2();
	float *out = xcalloc((size_t)rig->vertex_count * 6, sizeof *out);
	skin_cylinder("'cor'", z, 90, rig, out);
	const float *bent = out + 18 * 16 * 3;
	assert_near(bent[0], 0.120427, 2e-4);
	assert_near(bent[1], 0.973163, 2e-4);
	assert_near(bent[2], 0, 1e-6);
	free(out);
	rig_release(rig);
}

static void what_has_no_centre_moves_as_by_linear_blending(void **state) {
	(void)state;
	const float at[3] = {0.1f, 0.9f, 0};
	const double z[3] = {0, 0, 1};
	float cor[3], lbs[3], normal[3];
	for (int i = 0; i <= 2; i++) {
		const float weight = (float)i / 2;
		skinned_cyl2_vertex("'cor'", at, weight, z, 90, cor, normal);
		skinned_cyl2_vertex("'lbs'", at, weight, z, 90, lbs, normal);
		for (int k = 0; k < 3; k++) {
			assert_near(cor[k], lbs[k], 1e-7);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twist_keeps_the_radius_and_the_known_volume),
		cmocka_unit_test(the_middle_ring_is_that_of_dual_quaternions),
		cmocka_unit_test(bend_moves_the_known_vertex),
		cmocka_unit_test(what_has_no_centre_moves_as_by_linear_blending),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
