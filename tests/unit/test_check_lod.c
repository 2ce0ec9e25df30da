// lod/shape, lod/joints and lod/order, held against closed forms.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "checked.h"
#include "rigs.h"

static void rename_joint(struct rig *rig, int joint, const char *name) {
	free(rig->joints[joint].name);
	rig->joints[joint].name = xstrndup(name, strlen(name));
}

/* Two unit boxes on joint 0, of which the second one lies farther along x, and so many triangles of
 * it; at nodes that are named as levels. */
static struct rig *rig_of_levels(float x, int triangles) {
	static const uint32_t faces[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6,
		7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
	struct rig *rig = rig_random(1, 4, 16, 4);
	for (int i = 0; i < rig->joint_count; i++) {
		rig->joints[i].rest = (struct transform)TRANSFORM_IDENTITY;
	}
	rig_bind(rig);
	for (int v = 0; v < 16; v++) {
		for (int k = 0; k < 3; k++) {
			rig->positions[v * 3 + k] =
				(float)(v >> (2 - k) & 1) + (v >= 8 && k == 0 ? x : 0);
		}
		for (int k = 0; k < 4; k++) {
			rig->influence_slots[v * 4 + k] = 0;
			rig->influence_weights[v * 4 + k] = k == 0;
		}
	}
	rig->indices = rig_storage(rig, 72, sizeof *rig->indices, "boxes", NULL);
	memcpy(rig->indices, faces, sizeof faces);
	memcpy(rig->indices + 36, faces, sizeof faces);
	rig->index_count = 72;
	struct primitive *levels = rig_storage(rig, 2, sizeof *levels, "levels", NULL);
	levels[0] = levels[1] = rig->primitives[0];
	levels[0].vertex_count = levels[1].vertex_count = levels[1].first_vertex = 8;
	levels[0].index_count = levels[1].first_index = 36;
	levels[1].index_count = triangles * 3;
	levels[1].first_influence = 8 * 4;
	levels[0].joint = 2;
	levels[1].joint = 3;
	// No level is below another one.
	rig->joints[2].parent = rig->joints[3].parent = 0;
	rig->primitives = levels;
	rig->primitive_count = 2;
	rename_joint(rig, 2, "Box_LOD0");
	rename_joint(rig, 3, "Box_lod1");
	return rig;
}

/* Half of the corners stay on the first box' edges, and half are beyond its side. */
static void shapes_are_compared(void **state) {
	(void)state;
	struct rig *rig = rig_of_levels(0.03f, 10);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_finding *shape = checked_finding(&checked, "lod/shape", NULL);
	assert_non_null(shape);
	assert_near(shape->at.value, 0.03 / checked.file.length, 1e-6);
	assert_string_equal(shape->at.joint, "Box_lod1");
	assert_near(checked_value(&checked, "lod/joints", NULL), 0, 0);
	assert_near(checked_value(&checked, "lod/order", NULL), 0, 0);
	checked_finish(&checked);
	rig_release(rig);
}

/* A clip that moves a joint which the finer level does not follow tells the shapes apart. */
static void poses_and_joints_are_compared(void **state) {
	(void)state;
	struct rig *rig = rig_of_levels(0, 10);
	struct checked alike = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&alike, "lod/shape", NULL), 0, 1e-7);
	for (int v = 8; v < 16; v++) {
		rig->influence_slots[v * 4] = 1;
	}
	const struct constant_channel move = {1, CHANNEL_TRANSLATION, {0, 0, 0.2f}};
	rig_add_clip(rig, "Move", 1, &move);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "lod/shape", NULL), 0.2 / checked.file.length, 1e-6);
	const struct check_finding *joints = checked_finding(&checked, "lod/joints", NULL);
	assert_near(joints->at.value, 1, 0);
	assert_string_equal(joints->at.joint, "J1");
	checked_finish(&alike);
	checked_finish(&checked);
	rig_release(rig);
}

static void a_level_as_fine_as_the_one_before_is_told(void **state) {
	(void)state;
	struct rig *rig = rig_of_levels(0, 12);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_finding *order = checked_finding(&checked, "lod/order", NULL);
	assert_non_null(order);
	assert_string_equal(order->at.joint, "Box_lod1");
	assert_near(checked_param(&order->at, "triangles"), 12, 0);
	checked_finish(&checked);
	rig_release(rig);
}

static void figures_without_levels_skip(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_string_equal(checked_skip(&checked, "lod/shape", NULL), "no two levels of detail");
	assert_non_null(checked_skip(&checked, "lod/order", NULL));
	checked_finish(&checked);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_are_compared),
		cmocka_unit_test(poses_and_joints_are_compared),
		cmocka_unit_test(a_level_as_fine_as_the_one_before_is_told),
		cmocka_unit_test(figures_without_levels_skip),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
