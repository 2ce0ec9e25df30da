// surface/spike, stretch, shrink, tear, bounds and nonfinite, held against closed forms.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "checked.h"
#include "rigs.h"
#include "shared_files.h"
#include "soup.h"

/* Computed in double precision by another implementation. */
static void a_known_bend_has_known_edges(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "surface/stretch", "bend"), 1.520035, 1e-6);
	assert_near(checked_value(&checked, "surface/spike", "bend"), 0.015311, 1e-6);
	// Twisted by half a turn, the ring at the joint is a point.
	assert_near(checked_value(&checked, "surface/shrink", "twist"), 1e6, 0);
	assert_near(checked_measurement(&checked, "surface/shrink", "twist")->time_s, 2, 1e-6);
	const struct check_finding *finding = checked_finding(&checked, "surface/shrink", "twist");
	assert_int_equal(finding->level, CHECK_ERROR);
	assert_null(checked_finding(&checked, "surface/stretch", "bend"));
	assert_near(checked_value(&checked, "surface/tear", "bend"), 0, 0);
	assert_near(checked_value(&checked, "surface/nonfinite", "bend"), 0, 0);
	assert_true(checked.file.has_bounds);
	checked_finish(&checked);
	rig_release(rig);
}

/* A clip that turns joint 1 about +Y by some degrees. */
static void add_twist(struct rig *rig, double degrees) {
	struct constant_channel turn = {1, CHANNEL_ROTATION, {0}};
	struct transform transform;
	set_rotation(&transform, 0, 1, 0, degrees);
	memcpy(turn.values, transform.rotation, sizeof transform.rotation);
	rig_add_clip(rig, "Turn", 1, &turn);
}

/* Half of a vertex follows joint 0, where all of it should follow joint 1. */
static void leak(struct rig *rig, int vertex) {
	rig->influence_slots[vertex * 4 + 1] = 0;
	rig->influence_weights[vertex * 4] = 0.5f;
	rig->influence_weights[vertex * 4 + 1] = 0.5f;
}

/* cyl2 turned by half a turn: the vertex comes to lie on the axis, so that its longest edge grows
 * from the cylinder's edge or diagonal to the distance of a point of its rings from the axis. */
static void a_leaked_weight_is_a_spike(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const int vertex = 35 * 16 + 3;
	add_twist(rig, 180);
	leak(rig, vertex);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const double pi = acos(-1), side = 0.2 * sin(pi / 16);
	const double growths[] = {
		0.1 - side, hypot(0.1, 0.05) - 0.05, hypot(0.1, 0.05) - hypot(side, 0.05)};
	double most = 0;
	for (int i = 0; i < 3; i++) {
		most = fmax(most, growths[i]);
	}
	const struct check_measurement *spike =
		checked_measurement(&checked, "surface/spike", "Turn");
	assert_near(spike->value, most / checked.file.length, 1e-6);
	assert_string_equal(spike->joint, "J1");
	assert_int_equal(spike->vertices[0], vertex);
	checked_finish(&checked);
	rig_release(rig);
}

/* The same leak on one side of a seam opens it by half of the way between the two motions. */
static void a_seam_with_other_weights_tears(void **state) {
	(void)state;
	struct rig *whole = rig_cyl2();
	int *owner = calloc((size_t)whole->index_count, sizeof *owner);
	struct rig *rig = soup_of(whole, owner);
	add_twist(rig, 30);
	struct checked sound = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&sound, "surface/tear", "Turn"), 0, 1e-8);
	int vertex = 0;
	while (owner[vertex] != 35 * 16 + 3) {
		vertex++;
	}
	leak(rig, vertex);
	struct checked torn = checked_rig(rig, CHECK_PROFILE_GAME);
	const double gap = 0.5 * 0.1 * 2 * sin(acos(-1) / 12) / torn.file.length;
	const struct check_finding *finding = checked_finding(&torn, "surface/tear", "Turn");
	assert_non_null(finding);
	assert_near(finding->at.value, gap, 1e-6);
	assert_string_equal(finding->at.joint, "J1");
	bool listed = false;
	for (size_t i = 0; i < finding->at.vertex_count; i++) {
		listed |= finding->at.vertices[i] == (uint32_t)vertex;
	}
	assert_true(listed);
	// All of it follows the other joint: the seam is still at the near one.
	rig->influence_slots[vertex * 4] = 0;
	rig->influence_weights[vertex * 4] = 1;
	rig->influence_weights[vertex * 4 + 1] = 0;
	struct checked far = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&far, "surface/tear", "Turn"), 2 * gap, 1e-6);
	assert_string_equal(checked_measurement(&far, "surface/tear", "Turn")->joint, "J1");
	checked_finish(&far);
	checked_finish(&sound);
	checked_finish(&torn);
	free(owner);
	rig_release(rig);
	rig_release(whole);
}

/* The cylinder's upper half goes 3 up: it leaves the box by 3, and the figure is 2 long. */
static void bounds_are_left_by_the_way(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const struct constant_channel up = {1, CHANNEL_TRANSLATION, {0, 4, 0}};
	rig_add_clip(rig, "Up", 1, &up);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "surface/bounds", "Up"), 3 / checked.file.length, 1e-6);
	assert_near(checked.file.bounds_max[1], 5, 1e-5);
	assert_near(checked.file.bounds_min[1], 0, 1e-6);
	assert_int_equal(checked_finding(&checked, "surface/bounds", "Up")->level, CHECK_NOTE);
	checked_finish(&checked);
	rig_release(rig);
}

/* Scales beyond float32: all vertices that the joint moves are nowhere. */
static void vertices_at_no_place_are_counted(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const struct constant_channel huge[] = {
		{1, CHANNEL_SCALE, {3e38f, 3e38f, 3e38f}}, {1, CHANNEL_TRANSLATION, {3e38f, 0, 0}}};
	rig->joints[1].rest.scale[0] = 1;
	rig_add_clip(rig, "Huge", 2, huge);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_finding *finding =
		checked_finding(&checked, "surface/nonfinite", "Huge");
	assert_non_null(finding);
	assert_int_equal(finding->level, CHECK_ERROR);
	assert_true(finding->at.value >= 1);
	assert_true(isfinite(checked_value(&checked, "surface/spike", "Huge")));
	checked_finish(&checked);
	rig_release(rig);
}

/* The demo figure is sound. */
static void the_demo_figure_has_no_finding(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	for (size_t i = 0; i < checked.file.finding_count; i++) {
		assert_true(checked.file.findings[i].level <= CHECK_NOTE);
	}
	double stretch = 0, spike = 0;
	for (size_t i = 0; i < checked.file.clip_count; i++) {
		const char *clip = checked.file.clips[i].name;
		stretch = fmax(stretch, checked_value(&checked, "surface/stretch", clip));
		spike = fmax(spike, checked_value(&checked, "surface/spike", clip));
	}
	// Measured by another implementation.
	assert_near(stretch, 1.42, 0.005);
	assert_near(spike, 0.017, 5e-4);
	checked_finish(&checked);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_bend_has_known_edges),
		cmocka_unit_test(a_leaked_weight_is_a_spike),
		cmocka_unit_test(a_seam_with_other_weights_tears),
		cmocka_unit_test(bounds_are_left_by_the_way),
		cmocka_unit_test(vertices_at_no_place_are_counted),
		cmocka_unit_test(the_demo_figure_has_no_finding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
