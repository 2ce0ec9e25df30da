// Units that joints and bind spaces are in: the same poses give the same vertices.
#include <stdlib.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skinned.h"

static const char *const ways[] = {
	"'cor'",
	"'ddm'",
	"{'method': 'ddm', 'variant': 'v1'}",
	"{'method': 'ddm', 'variant': 'v2'}",
	"{'method': 'ddm', 'variant': 'v3'}",
	"{'method': 'ddm', 'variant': 'v4'}",
	"{'method': 'ddm', 'variant': 'v5'}",
	"{'method': 'ddm', 'variant': 'v3', 'scale': 'ignore'}",
	"'delta_mush'",
	"{'method': 'lbs', 'normals': 'exact'}",
};

/* The skeleton in units of its own, under a root that scales it back: W is scaled by unit, and the
 * inverse bind matrices undo that. */
static void scale_joints(struct rig *rig, double unit) {
	for (int i = 0; i < 3; i++) {
		rig->joints[0].rest.scale[i] = (float)unit;
		rig->joints[1].rest.translation[i] /= (float)unit;
	}
	for (int i = 0; i < rig->slot_count * 12; i++) {
		rig->slots[i / 12].inverse_bind[i % 12] /= unit;
	}
}

/* The mesh in units of its own, which the inverse bind matrices undo. */
static void scale_mesh(struct rig *rig, double unit) {
	for (int i = 0; i < rig->vertex_count * 3; i++) {
		rig->positions[i] = (float)(rig->positions[i] / unit);
	}
	for (int i = 0; i < rig->slot_count * 12; i++) {
		rig->slots[i / 12].inverse_bind[i % 12] *= i % 4 == 3 ? 1 : unit;
	}
}

/* Both in the same units, as files in centimetres are, and the root scales all of them. */
static void scale_both(struct rig *rig, double unit) {
	scale_joints(rig, unit);
	scale_mesh(rig, unit);
}

static void bend(void (*scale)(struct rig *rig, double unit), const char *skinning, float *out) {
	struct rig *rig = rig_cyl2();
	if (scale) {
		scale(rig, 1.0 / 128);
	}
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], 0, 0, 1, 70);
	skinned_as(rig, skinning, NULL, &pose, out, out + rig->vertex_count * 3);
	arena_destroy(arena);
	rig_release(rig);
}

static void assert_same(void (*scale)(struct rig *rig, double unit)) {
	float *before = xcalloc(658 * 6, sizeof *before), *after = xcalloc(658 * 6, sizeof *after);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		bend(NULL, ways[i], before);
		bend(scale, ways[i], after);
		for (int k = 0; k < 658 * 6; k++) {
			if (!(fabs((double)after[k] - (double)before[k]) < 4e-6)) {
				fail_msg("%s: number %d is %g, was %g", ways[i], k,
					(double)after[k], (double)before[k]);
			}
		}
	}
	free(before);
	free(after);
}

static void units_of_the_skeleton_do_not_matter(void **state) {
	(void)state;
	assert_same(scale_joints);
}

static void units_of_the_mesh_do_not_matter(void **state) {
	(void)state;
	assert_same(scale_mesh);
}

static void units_of_both_do_not_matter(void **state) {
	(void)state;
	assert_same(scale_both);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_of_the_skeleton_do_not_matter),
		cmocka_unit_test(units_of_the_mesh_do_not_matter),
		cmocka_unit_test(units_of_both_do_not_matter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
