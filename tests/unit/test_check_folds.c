// surface/collapse, twist, inverted and volume, held against closed forms.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "checked.h"
#include "rigs.h"
#include "shared_files.h"

/* closed forms. */
static void a_half_turn_wrings_the_cylinder(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_finding *collapse =
		checked_finding(&checked, "surface/collapse", "twist");
	assert_non_null(collapse);
	assert_int_equal(collapse->level, CHECK_ERROR);
	assert_string_equal(collapse->at.joint, "J1");
	assert_near(collapse->at.time_s, 2, 1e-6);
	assert_near(collapse->at.value, 1, 1e-6);
	assert_near(checked_param(&collapse->at, "dqs"), 0, 1e-6);
	// The ring at the joint.
	assert_int_equal(collapse->at.vertex_count, 16);
	const struct check_finding *twist = checked_finding(&checked, "surface/twist", "twist");
	assert_near(twist->at.value, 180, 1e-4);
	assert_near(checked_value(&checked, "surface/inverted", "twist"), 0.020852, 1e-6);
	assert_near(checked_value(&checked, "surface/volume", "twist"), 0.166667, 1e-6);
	checked_finish(&checked);
	rig_release(rig);
}

static void a_right_angle_folds_the_cylinder(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_measurement *collapse =
		checked_measurement(&checked, "surface/collapse", "bend");
	assert_near(collapse->value, 0.242885, 1e-6);
	assert_near(checked_param(collapse, "least"), 0.707107, 1e-6);
	assert_near(checked_value(&checked, "surface/twist", "bend"), 0, 1e-4);
	const struct check_measurement *volume =
		checked_measurement(&checked, "surface/volume", "bend");
	assert_near(volume->value, 0.0425, 1e-6);
	assert_near(checked_param(volume, "ratio"), 0.9575, 1e-6);
	assert_near(checked_value(&checked, "surface/inverted", "bend"), 0, 0);
	assert_null(checked_finding(&checked, "surface/volume", "bend"));
	checked_finish(&checked);
	rig_release(rig);
}

/* A clip that turns joint 1 about +Y by some degrees. */
static void add_turn(struct rig *rig, const char *name, double degrees) {
	struct constant_channel turn = {1, CHANNEL_ROTATION, {0}};
	struct transform transform;
	set_rotation(&transform, 0, 1, 0, degrees);
	memcpy(turn.values, transform.rotation, sizeof transform.rotation);
	rig_add_clip(rig, name, 1, &turn);
}

/* Half way between the joints' motions the radius is that of the cosine of half the angle, and the
 * 5th percentile of 9 rings of 16 vertices is among those of the middle ring. */
static void the_collapse_is_the_cosine_of_half_the_twist(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	add_turn(rig, "Third", 120);
	add_turn(rig, "Over", 200);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "surface/collapse", "Third"), 0.5, 1e-6);
	assert_near(checked_value(&checked, "surface/twist", "Third"), 120, 1e-4);
	// More than half a turn is less than one the other way round.
	assert_near(checked_value(&checked, "surface/twist", "Over"), 160, 1e-4);
	checked_finish(&checked);
	rig_release(rig);
}

/* A twist of the whole figure, and one of the rest pose, is none. */
static void only_the_turn_from_the_rest_pose_twists(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	set_rotation(&rig->joints[1].rest, 0, 1, 0, 90);
	rig_bind(rig);
	struct constant_channel turns[2] = {{0, CHANNEL_ROTATION, {0}}, {1, CHANNEL_ROTATION, {0}}};
	struct transform transform;
	set_rotation(&transform, 0, 1, 0, 170);
	memcpy(turns[0].values, transform.rotation, sizeof transform.rotation);
	set_rotation(&transform, 0, 1, 0, 120);
	memcpy(turns[1].values, transform.rotation, sizeof transform.rotation);
	rig_add_clip(rig, "Turn", 2, turns);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "surface/twist", "Turn"), 30, 1e-4);
	assert_near(checked_value(&checked, "surface/collapse", "Turn"),
		1 - cos(15 * acos(-1) / 180), 1e-6);
	checked_finish(&checked);
	rig_release(rig);
}

/* Half a turn takes linear skinning to the axis, and dual quaternions leave the radius of 0.1. */
static void methods_differ_by_what_collapses(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	add_turn(rig, "Half", 180);
	add_turn(rig, "None", 0);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_measurement *half =
		checked_measurement(&checked, "surface/method", "Half");
	assert_near(half->value, 0.1 / checked.file.length, 1e-6);
	assert_in_range(half->vertices[0], 20 * 16, 21 * 16 - 1);
	assert_near(checked_value(&checked, "surface/method", "None"), 0, 1e-7);
	assert_int_equal(checked_finding(&checked, "surface/method", "Half")->level, CHECK_NOTE);
	checked_finish(&checked);
	rig_release(rig);
}

/* Mirrored by the root at rest, the figure is as sound as before. */
static void a_mirrored_figure_is_sound(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	rig->joints[0].rest.scale[0] = -1;
	add_turn(rig, "Still", 0);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "surface/inverted", "Still"), 0, 0);
	assert_near(checked_value(&checked, "surface/volume", "Still"), 0, 1e-6);
	checked_finish(&checked);
	rig_release(rig);
}

/* A joint scaled by -1 along an axis turns half of the cylinder inside out. */
static void a_scale_below_zero_inverts(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const struct constant_channel mirror = {0, CHANNEL_SCALE, {-1, 1, 1}};
	rig_add_clip(rig, "Mirror", 1, &mirror);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "surface/inverted", "Mirror"), 1, 1e-9);
	assert_near(checked_value(&checked, "surface/volume", "Mirror"), 2, 1e-6);
	const struct check_finding *finding =
		checked_finding(&checked, "surface/inverted", "Mirror");
	assert_int_equal(finding->level, CHECK_ERROR);
	assert_int_equal(finding->at.triangle_count, CHECK_ELEMENTS_MAX);
	checked_finish(&checked);
	rig_release(rig);
}

/* A morph target that makes the cylinder thinner by 90 %, as a blink does: no deformation by the
 * skin, however short the edges are. */
static void a_morph_target_is_no_collapse(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const size_t floats = (size_t)rig->vertex_count * 3;
	float *thin = rig_storage(rig, floats, sizeof *thin, "a target", NULL);
	for (size_t i = 0; i < floats; i++) {
		thin[i] = i % 3 == 1 ? 0 : -0.9f * rig->positions[i];
	}
	rig->weight_count = rig->joints[0].weight_count = 1;
	rig->rest_weights = rig_storage(rig, 1, sizeof(float), "weights", NULL);
	rig->primitives[0].target_count = 1;
	rig->primitives[0].targets = calloc(1, sizeof *rig->primitives[0].targets);
	rig->primitives[0].targets[0].positions = thin;
	const struct constant_channel on = {0, CHANNEL_WEIGHTS, {1}};
	rig_add_clip(rig, "Thin", 1, &on);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "surface/shrink", "Thin"), 1, 1e-4);
	assert_near(checked_value(&checked, "surface/stretch", "Thin"), 1, 1e-4);
	assert_near(checked_value(&checked, "surface/collapse", "Thin"), 0, 1e-5);
	assert_near(checked_value(&checked, "surface/volume", "Thin"), 0, 1e-4);
	assert_near(checked_value(&checked, "surface/inverted", "Thin"), 0, 0);
	checked_finish(&checked);
	rig_release(rig);
}

/* Measured by another implementation. */
static void the_demo_figure_folds_as_known(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	static const struct {
		const char *rule;
		double expected, tolerance;
	} rows[] = {
		{"surface/collapse", 0.37, 0.001},
		{"surface/volume", 0.0353, 1e-4},
		{"surface/inverted", 0.00364, 5e-6},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double most = 0;
		for (size_t k = 0; k < checked.file.clip_count; k++) {
			most = fmax(most,
				checked_value(&checked, rows[i].rule, checked.file.clips[k].name));
		}
		assert_near(most, rows[i].expected, rows[i].tolerance);
	}
	checked_finish(&checked);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_half_turn_wrings_the_cylinder),
		cmocka_unit_test(a_right_angle_folds_the_cylinder),
		cmocka_unit_test(the_collapse_is_the_cosine_of_half_the_twist),
		cmocka_unit_test(only_the_turn_from_the_rest_pose_twists),
		cmocka_unit_test(methods_differ_by_what_collapses),
		cmocka_unit_test(a_mirrored_figure_is_sound),
		cmocka_unit_test(a_scale_below_zero_inverts),
		cmocka_unit_test(a_morph_target_is_no_collapse),
		cmocka_unit_test(the_demo_figure_folds_as_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
