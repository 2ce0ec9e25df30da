// rig/bind_rest and rig/weight_island, held against closed forms.
#include <string.h>

#include "check.h"
#include "checked.h"
#include "rigs.h"
#include "shared_files.h"

#define COUNT 8

/* Two squares of half side a, about the heights 0 and 2, on joints 0 and 1. */
static struct rig *rig_of_squares(double a) {
	float positions[COUNT][3], weights[COUNT];
	for (int i = 0; i < COUNT; i++) {
		positions[i][0] = (float)(i & 1 ? a : -a);
		positions[i][1] = i < 4 ? 0 : 2;
		positions[i][2] = (float)(i & 2 ? a : -a);
		weights[i] = i < 4 ? 0 : 1;
	}
	return rig_cyl2_vertices(COUNT, (const float(*)[3])positions, weights);
}

/* Joint 1 rests 1 higher than it is bound: heights of -1 and 1 about the middle become -1.5 and
 * 1.5, and the best scale is in between. */
static void a_rest_pose_that_stretches_is_measured(void **state) {
	(void)state;
	const double a = 0.25;
	struct rig *rig = rig_of_squares(a);
	rig->joints[1].rest.translation[1] = 2;
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const double scale = (2 * a * a + 1.5) / (2 * a * a + 1);
	const double expected = hypot(sqrt(2) * a * (scale - 1), 1.5 - scale);
	assert_near(checked_value(&checked, "rig/bind_rest", NULL), expected / checked.file.length,
		1e-6);
	assert_int_equal(checked_finding(&checked, "rig/bind_rest", NULL)->level, CHECK_NOTE);
	checked_finish(&checked);
	rig_release(rig);
}

/* Turned, moved, scaled and mirrored as a whole, it is the same shape. */
static void similar_rest_poses_deform_nothing(void **state) {
	(void)state;
	for (int mirrored = 0; mirrored < 2; mirrored++) {
		struct rig *rig = rig_cyl2();
		struct transform *root = &rig->joints[0].rest;
		set_rotation(root, 0.6, 0.8, 0, 130);
		for (int k = 0; k < 3; k++) {
			root->translation[k] = (float)(k * 5 - 3);
			root->scale[k] = mirrored && k == 1 ? -3 : 3;
		}
		struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
		assert_near(checked_value(&checked, "rig/bind_rest", NULL), 0, 1e-6);
		checked_finish(&checked);
		rig_release(rig);
	}
}

/* The position of a joint among the slots of the rig's first primitive. */
static int slot_of(const struct rig *rig, const char *joint) {
	int slot = 0;
	while (strcmp(rig->joints[rig->slots[slot].joint].name, joint) != 0) {
		slot++;
	}
	return slot;
}

/* Gives a third of some vertices of the left hand to a foot; every so many of them. */
static int leak(struct rig *rig, int step) {
	const int hand = slot_of(rig, "LeftHand"), foot = slot_of(rig, "RightFoot");
	const struct primitive *p = &rig->primitives[0];
	int found = 0, leaked = 0;
	for (int v = 0; v < p->vertex_count; v++) {
		const size_t at = p->first_influence + (size_t)v * (size_t)p->influence_count;
		if (rig->influence_slots[at] != hand || rig->influence_weights[at] < 0.99f ||
			found++ % step != 0) {
			continue;
		}
		rig->influence_slots[at + 1] = (uint16_t)foot;
		rig->influence_weights[at] = 2 / 3.f;
		rig->influence_weights[at + 1] = 1 / 3.f;
		memset(rig->influence_weights + at + 2, 0,
			(size_t)(p->influence_count - 2) * sizeof(float));
		leaked++;
	}
	return leaked;
}

static void stray_weights_are_islands(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct checked sound = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&sound, "rig/weight_island", NULL), 0, 0);
	const int leaked = leak(rig, 25);
	assert_in_range(leaked, 2, 19);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_finding *finding = checked_finding(&checked, "rig/weight_island", NULL);
	assert_non_null(finding);
	assert_int_equal(finding->level, CHECK_WARNING);
	assert_near(finding->at.value, leaked, 0);
	assert_string_equal(finding->at.joint, "LeftHand");
	assert_int_equal(finding->at.vertex_count, leaked);
	checked_finish(&sound);
	checked_finish(&checked);
	rig_release(rig);
}

/* A region whose vertices all follow the same joint is no island. */
static void regions_are_no_islands(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	assert_true(leak(rig, 1) > 50);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "rig/weight_island", NULL), 0, 0);
	checked_finish(&checked);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rest_pose_that_stretches_is_measured),
		cmocka_unit_test(similar_rest_poses_deform_nothing),
		cmocka_unit_test(stray_weights_are_islands),
		cmocka_unit_test(regions_are_no_islands),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
