// Cameras of findings, without a renderer.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "checked.h"
#include "interface/evidence.h"
#include "rigs.h"
#include "shared_files.h"

/* Half of what 30 degrees show at distance 1. */
static double slope(void) {
	return tan(acos(-1) / 12);
}

static struct check_finding finding_at(int clip, double time_s, const char *joint) {
	return (struct check_finding){
		.at = {.clip = clip,
			.value = 1,
			.time_s = time_s,
			.sample = clip < 0 ? -1 : 0,
			.joint = joint,
			.joint_index = -1},
		.level = CHECK_WARNING,
		.threshold = 1,
		.count = 1,
	};
}

/* The findings with evidence, in the arena of what was checked. */
static const struct check_finding *show(const struct checked *checked,
	const struct check_finding *findings, size_t count, size_t most) {
	struct check_file file = checked->file;
	file.findings = findings;
	file.finding_count = count;
	const struct check_evidence_job job = {.run = checked->run, .max_findings = most};
	struct error err = {0};
	if (!renderer_check_evidence(NULL, &job, checked->arena, &file, &err)) {
		fail_msg("%s", err.text);
	}
	return file.findings;
}

static struct check_camera camera_of(
	const struct checked *checked, const struct check_finding *finding) {
	const struct check_finding *shown = show(checked, finding, 1, 0);
	assert_true(shown->has_camera);
	assert_int_equal(shown->picture_count, 0);
	return shown->camera;
}

/* The lowest vertex of cyl2 that has a weight of 0.3 for its upper joint. */
static double lowest_of_upper(const struct rig *rig) {
	double lowest = INFINITY;
	for (int v = 0; v < rig->vertex_count; v++) {
		double weight = 0;
		const int count = rig->primitives[0].influence_count;
		for (int k = 0; k < count; k++) {
			const int slot = rig->influence_slots[v * count + k];
			const bool upper = rig->slots[slot].joint == 1;
			weight += upper ? (double)rig->influence_weights[v * count + k] : 0;
		}
		if (weight >= 0.3) {
			lowest = fmin(lowest, (double)rig->positions[3 * v + 1]);
		}
	}
	return lowest;
}

static void the_camera_holds_three_boxes_of_a_joint(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_finding finding = finding_at(0, 0, rig->joints[1].name);
	const struct check_camera camera = camera_of(&checked, &finding);
	const double lowest = lowest_of_upper(rig);
	assert_in_range((int)(lowest * 1000), 800, 1200);
	assert_near(camera.target[0], 0, 1e-6);
	assert_near(camera.target[1], (2 + lowest) / 2, 1e-6);
	assert_near(camera.target[2], 0, 1e-6);
	assert_near(camera.distance, 3 * (2 - lowest) / (2 * slope()), 1e-6);
	assert_near(camera.pitch_deg, 0, 0);
	checked_finish(&checked);
	rig_release(rig);
}

/* Twisted by 180 degrees at 2 s, the end of the cylinder has turned to the other side. */
static void the_camera_goes_to_the_side_that_shows_most(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const int twist = rig_find_clip(rig, "twist");
	assert_in_range(twist, 0, rig->clip_count - 1);
	const double directions[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
	for (int side = 0; side < 4; side++) {
		uint32_t vertices[CHECK_ELEMENTS_MAX];
		size_t count = 0;
		for (int v = 0; v < rig->vertex_count && count < CHECK_ELEMENTS_MAX; v++) {
			const float *p = &rig->positions[3 * v];
			const double towards = (double)p[0] * directions[side][0] +
				(double)p[2] * directions[side][1];
			if (p[1] > 1.6f && p[1] < 1.9f && towards > 0.03) {
				vertices[count++] = (uint32_t)v;
			}
		}
		assert_in_range(count, 20, CHECK_ELEMENTS_MAX);
		for (int turned = 0; turned < 2; turned++) {
			struct check_finding finding = finding_at(twist, turned * 2.0, NULL);
			finding.at.vertices = vertices;
			finding.at.vertex_count = count;
			const struct check_camera camera = camera_of(&checked, &finding);
			assert_near(camera.yaw_deg, fmod(90 * side + 180 * turned, 360), 0);
		}
	}
	checked_finish(&checked);
	rig_release(rig);
}

static void one_vertex_is_seen_from_a_quarter_of_the_figure(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const uint32_t vertex = 40;
	struct check_finding finding = finding_at(-1, NAN, NULL);
	finding.at.vertices = &vertex;
	finding.at.vertex_count = 1;
	const struct check_camera camera = camera_of(&checked, &finding);
	for (int k = 0; k < 3; k++) {
		assert_near(
			camera.target[k], (double)rig->positions[3 * vertex + (uint32_t)k], 1e-6);
	}
	assert_near(checked.file.length, 2, 1e-9);
	assert_near(camera.distance, 0.25 * 2 / (2 * slope()), 1e-9);
	// A triangle is its corners.
	const uint32_t triangle = 10;
	finding.at.vertex_count = 0;
	finding.at.triangles = &triangle;
	finding.at.triangle_count = 1;
	const struct check_camera other = camera_of(&checked, &finding);
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (int corner = 0; corner < 3; corner++) {
		const float *p = &rig->positions[3 * rig->indices[30 + corner]];
		for (int k = 0; k < 3; k++) {
			low[k] = fmin(low[k], (double)p[k]);
			high[k] = fmax(high[k], (double)p[k]);
		}
	}
	for (int k = 0; k < 3; k++) {
		assert_near(other.target[k], (low[k] + high[k]) / 2, 1e-6);
	}
	checked_finish(&checked);
	rig_release(rig);
}

static void the_worst_findings_come_first(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	struct check_finding findings[6];
	for (int i = 0; i < 6; i++) {
		findings[i] = finding_at(0, 0, rig->joints[1].name);
	}
	findings[0].at.value = 2;    // the least of those that count
	findings[1].at.time_s = NAN; // nothing to be seen
	findings[2].at.value = 5;
	findings[3].level = CHECK_NOTE; // less than all warnings
	findings[3].at.value = 9;
	findings[4].suppressed = "as wanted";
	findings[4].at.value = 9;
	findings[5].at.value = 5;
	const bool expected[][6] = {{0}, {0, 0, 1}, {0, 0, 1, 0, 0, 1}, {1, 0, 1, 0, 0, 1},
		{1, 0, 1, 1, 0, 1}, {1, 0, 1, 1, 0, 1}};
	for (size_t most = 1; most < 6; most++) {
		const struct check_finding *shown = show(&checked, findings, 6, most);
		for (int i = 0; i < 6; i++) {
			assert_int_equal(shown[i].has_camera, expected[most][i]);
		}
	}
	checked_finish(&checked);
	rig_release(rig);
}

static void the_ground_is_seen_from_above(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	struct check_finding finding = finding_at(0, 0, rig->joints[1].name);
	for (size_t i = 0; renderer_check_rule(i); i++) {
		const char *id = renderer_check_rule(i)->id;
		if (strcmp(id, "contact/slide") == 0 || strcmp(id, "motion/pop") == 0) {
			finding.at.rule = (int)i;
			const double expected = id[0] == 'c' ? 15 : 0;
			assert_near(camera_of(&checked, &finding).pitch_deg, expected, 0);
		}
	}
	checked_finish(&checked);
	rig_release(rig);
}

/* A joint that moves nothing itself is shown by what hangs on it; a figure without vertices by its
 * joint. */
static void whatever_there_is_gets_a_camera(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2_vertices(0, NULL, NULL);
	const struct constant_channel still = {1, CHANNEL_TRANSLATION, {0, 1, 0}};
	rig_add_clip(rig, "Still", 1, &still);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_finding finding = finding_at(0, 0, rig->joints[1].name);
	const struct check_camera camera = camera_of(&checked, &finding);
	assert_near(camera.target[1], 1, 1e-9);
	assert_true(camera.distance > 0);
	checked_finish(&checked);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_camera_holds_three_boxes_of_a_joint),
		cmocka_unit_test(the_camera_goes_to_the_side_that_shows_most),
		cmocka_unit_test(one_vertex_is_seen_from_a_quarter_of_the_figure),
		cmocka_unit_test(the_worst_findings_come_first),
		cmocka_unit_test(the_ground_is_seen_from_above),
		cmocka_unit_test(whatever_there_is_gets_a_camera),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
