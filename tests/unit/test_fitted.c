// Every method that is fitted to examples, from a request's settings to vertices: METHODS A8 and
// A15 to A19 on a rig whose examples another method made.
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "check.h"
#include "fit/example.h"
#include "json_value.h"
#include "model/examples.h"
#include "rigs.h"
#include "sculpted.h"
#include "skin/method.h"
#include "skinned.h"

/* A method, and what METHODS promises of it. */
struct fitted_method {
	const char *skinning;
	double example; // the greatest distance from an example, of the size; 0 = none promised
	double left;    // the share of the base's distance that poses left out keep, at most
};

static const struct fitted_method methods[] = {
	{"{'method':'psd'}", 1e-5, 0.25},
	{"{'method':'psd','base':'dqs'}", 1e-5, 0.25},
	{"{'method':'psd','base':'cor'}", 1e-5, 0.25}, // which has data of its own
	{"{'method':'sbe'}", 1e-5, 0.25},
	{"{'method':'sjbbe'}", 1e-5, 0.25},
	{"{'method':'sjbbe','kernel':'chord','clamp':true}", 1e-5, 0.25},
	{"{'method':'eigenskin','share':1}", 1.1e-4, 0.25},
	{"{'method':'eigenskin'}", 0, 0.25},
	// Vertices that follow only joint 0 cannot follow the muscle: this is the remaining error.
	{"{'method':'mwe'}", 0, 0.75},
	{"{'method':'mwe','pcr':true}", 0, 0.75},
	{"{'method':'anim_space'}", 0, 0.85},
};
#define PI 3.14159265358979323846
#define METHOD_COUNT (sizeof methods / sizeof *methods)

/* A muscle: below joint 1 the cylinder swells with the amount. */
static void swell(const struct rig *rig, int vertex, double amount, float *position) {
	(void)rig, (void)vertex;
	const double y = position[1];
	if (y > 0.4 && y < 1) {
		const double bump = sin((y - 0.4) / 0.6 * PI);
		position[0] *= (float)(1 + 0.5 * amount * bump);
		position[2] *= (float)(1 + 0.5 * amount * bump);
	}
}

static double amount_of(double degrees) {
	const double s = sin(degrees / 57.29577951308232 / 2);
	return 2 * s * s;
}

static struct pose bent(struct sculpted *s, double degrees) {
	const struct pose pose = sculpted_pose(s);
	set_rotation(&pose.local[1], 0, 0, 1, degrees);
	return pose;
}

/* cyl2 bent by dqs, with a muscle, at four angles. */
static struct sculpted *bent_cylinder(void) {
	struct sculpted *s = sculpted_create(rig_cyl2(), "lbs", "dqs");
	s->sculpt = swell;
	for (int degrees = 30; degrees <= 120; degrees += 30) {
		const struct pose pose = bent(s, degrees);
		sculpted_add(s, "bend", &pose, amount_of(degrees));
	}
	return s;
}

static float *skinned_at(struct sculpted *s, const char *skinning, const struct examples *examples,
	const struct pose *pose, float **normals) {
	const size_t floats = (size_t)s->rig->vertex_count * 3;
	float *out = arena_alloc(s->arena, floats * 2, sizeof *out);
	skinned_as(s->rig, skinning, examples, pose, out, out + floats);
	if (normals) {
		*normals = out + floats;
	}
	return out;
}

static double size_of(const struct sculpted *s) {
	return fit_size(s->rig->positions, s->rig->vertex_count);
}

static void examples_are_met(void **state) {
	(void)state;
	for (size_t m = 0; m < METHOD_COUNT; m++) {
		struct sculpted *s = bent_cylinder();
		struct examples *examples = sculpted_examples(s);
		for (int e = 0; methods[m].example > 0 && e < s->count; e++) {
			const struct pose pose = sculpted_pose_of(s, e);
			float *normals,
				*out = skinned_at(
					s, methods[m].skinning, examples, &pose, &normals);
			fit_compare(&s->input, e, out, &s->reports[e]);
			assert_true(s->reports[e].residual_max <= methods[m].example * size_of(s));
			for (int i = 0; i < s->rig->vertex_count * 3; i++) {
				assert_near(normals[i], s->examples[e].normals[i], 1.2e-3);
			}
		}
		examples_release(examples);
		sculpted_destroy(s);
	}
}

static void rest_pose_stays(void **state) {
	(void)state;
	for (size_t m = 0; m < METHOD_COUNT; m++) {
		struct sculpted *s = bent_cylinder();
		struct examples *examples = sculpted_examples(s);
		const struct pose rest = sculpted_pose(s);
		float *normals;
		const float *out = skinned_at(s, methods[m].skinning, examples, &rest, &normals);
		for (int i = 0; i < s->rig->vertex_count * 3; i++) {
			assert_near(out[i], s->rig->positions[i], 2e-6);
			assert_near(normals[i], s->rig->normals[i], 1e-4);
		}
		examples_release(examples);
		sculpted_destroy(s);
	}
}

static void poses_left_out_are_nearer_than_by_lbs(void **state) {
	(void)state;
	for (size_t m = 0; m < METHOD_COUNT; m++) {
		struct sculpted *s = bent_cylinder();
		struct examples *examples = sculpted_examples(s);
		double with = 0, without = 0;
		for (int i = 0; i < 4; i++) {
			const struct pose pose = bent(s, 15 + 30 * i);
			const float *truth = sculpted_truth(s, &pose, amount_of(15 + 30 * i), NULL);
			const float *out =
				skinned_at(s, methods[m].skinning, examples, &pose, NULL);
			const float *lbs = skinned_at(s, "{'method':'lbs'}", NULL, &pose, NULL);
			with += pow(sculpted_rms(s, out, truth), 2);
			without += pow(sculpted_rms(s, lbs, truth), 2);
		}
		if (!(sqrt(with / without) < methods[m].left)) {
			fail_msg("%s leaves %g", methods[m].skinning, sqrt(with / without));
		}
		examples_release(examples);
		sculpted_destroy(s);
	}
}

static void the_whole_may_be_moved_t2(void **state) {
	(void)state;
	for (size_t m = 0; m < METHOD_COUNT; m++) {
		struct sculpted *s = bent_cylinder();
		struct examples *examples = sculpted_examples(s);
		struct pose pose = bent(s, 50);
		const float *still = skinned_at(s, methods[m].skinning, examples, &pose, NULL);
		set_rotation(&pose.local[0], 0.48, 0.6, 0.64, 100);
		pose.local[0].translation[0] = 3;
		const float *out = skinned_at(s, methods[m].skinning, examples, &pose, NULL);
		double world[2][12];
		pose_to_world(s->rig, &pose, world);
		for (int v = 0; v < s->rig->vertex_count; v++) {
			const double p[3] = {still[v * 3], still[v * 3 + 1], still[v * 3 + 2]};
			double expected[3];
			mat_map_point(world[0], p, expected);
			for (int k = 0; k < 3; k++) {
				assert_near(out[v * 3 + k], expected[k], 1e-5 * (1 + 2 + 3));
			}
		}
		examples_release(examples);
		sculpted_destroy(s);
	}
}

static void degenerate_joints_give_finite_vertices_t7(void **state) {
	(void)state;
	for (size_t m = 0; m < METHOD_COUNT * 2; m++) {
		struct sculpted *s = bent_cylinder();
		struct examples *examples = sculpted_examples(s);
		struct pose pose = bent(s, 180);
		memset(pose.local[m % 2].scale, 0, sizeof pose.local[0].scale);
		float *normals;
		const float *out =
			skinned_at(s, methods[m / 2].skinning, examples, &pose, &normals);
		for (int v = 0; v < s->rig->vertex_count; v++) {
			const float *n = normals + v * 3;
			assert_near(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-5);
			for (int k = 0; k < 3; k++) {
				assert_true(isfinite(out[v * 3 + k]));
			}
		}
		examples_release(examples);
		sculpted_destroy(s);
	}
}

static void examples_of_lbs_leave_lbs(void **state) {
	(void)state;
	for (size_t m = 0; m < METHOD_COUNT; m++) {
		struct sculpted *s = sculpted_create(rig_cyl2(), "lbs", "lbs");
		for (int degrees = 30; degrees <= 120; degrees += 30) {
			const struct pose pose = bent(s, degrees);
			sculpted_add(s, "bend", &pose, 0);
		}
		struct examples *examples = sculpted_examples(s);
		const struct pose pose = bent(s, 75);
		const float *out = skinned_at(s, methods[m].skinning, examples, &pose, NULL);
		const float *lbs = skinned_at(s, "{'method':'lbs'}", NULL, &pose, NULL);
		const bool over_lbs = !strstr(methods[m].skinning, "base") &&
			!strstr(methods[m].skinning, "sjbbe");
		for (int i = 0; over_lbs && i < s->rig->vertex_count * 3; i++) {
			assert_near(out[i], lbs[i], 5e-6);
		}
		examples_release(examples);
		sculpted_destroy(s);
	}
}

static void animation_space_has_exact_normals(void **state) {
	(void)state;
	// METHODS B3: joint 1 moved by 0.3 along x shears the ramp of slope 2; cyl2's vertex 320 is
	// (0.1, 1, 0).
	struct sculpted *s = sculpted_create(rig_cyl2(), "lbs", "lbs");
	const struct pose example = bent(s, 30);
	sculpted_add(s, "bend", &example, 0);
	struct examples *examples = sculpted_examples(s);
	struct pose pose = sculpted_pose(s);
	pose.local[1].translation[0] = 0.3f;
	float *normals, *exact;
	skinned_at(s, "{'method':'anim_space'}", examples, &pose, &normals);
	assert_near(normals[320 * 3], 0.857493, 1e-5);
	assert_near(normals[320 * 3 + 1], -0.514496, 1e-5);
	assert_near(normals[320 * 3 + 2], 0, 1e-5);
	pose = bent(s, 80);
	skinned_at(s, "{'method':'anim_space'}", examples, &pose, &normals);
	skinned_at(s, "{'method':'lbs','normals':'exact'}", NULL, &pose, &exact);
	for (int i = 0; i < s->rig->vertex_count * 3; i++) {
		assert_near(normals[i], exact[i], 1e-4);
	}
	examples_release(examples);
	sculpted_destroy(s);
}

static void spherical_joint_blending_knows_supports_and_directions(void **state) {
	(void)state;
	// METHODS A8: one example at an arc of 90 degrees; its share at others; twist counts for
	// nothing. What the muscle moves by, below the ramp, tells the share.
	static const double rows[][2] = {{45, 0.497454842}, {60, 0.737190886}, {90, 1},
		{120, 0.764657706}, {-45, -0.042186644}};
	struct sculpted *s = sculpted_create(rig_cyl2(), "sjb", "dqs");
	s->sculpt = swell;
	const struct pose example = bent(s, 90);
	sculpted_add(s, "bend", &example, 1);
	struct examples *examples = sculpted_examples(s);
	const float *v = s->rig->positions + 12 * 16 * 3; // (0.1, 0.6, 0), of joint 0 alone
	const double moved = 0.05 * sin((0.6 - 0.4) / 0.6 * PI);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct pose pose = bent(s, rows[i][0]);
		const float *out = skinned_at(s, "{'method':'sjbbe'}", examples, &pose, NULL);
		assert_near((out[12 * 16 * 3] - v[0]) / moved, rows[i][1], 1e-5);
	}
	const struct pose twisted = sculpted_pose(s);
	set_rotation(&twisted.local[1], 0, 1, 0, 120);
	const float *out = skinned_at(s, "{'method':'sjbbe'}", examples, &twisted, NULL);
	const float *sjb = skinned_at(s, "{'method':'sjb'}", NULL, &twisted, NULL);
	for (int i = 0; i < s->rig->vertex_count * 3; i++) {
		assert_near(out[i], sjb[i], 1e-6); // directions come from float quaternions
	}
	examples_release(examples);
	sculpted_destroy(s);
}

static void normals_that_nobody_gave_turn_with_the_faces(void **state) {
	(void)state;
	// The muscle's side faces lean: its normals are those of the profile r(y), by its slope.
	struct sculpted *s = sculpted_create(rig_cyl2(), "lbs", "lbs");
	s->sculpt = swell;
	const struct pose pose = bent(s, 60);
	sculpted_add(s, "bend", &pose, 1);
	struct examples *examples = sculpted_examples(s);
	examples->items[0].normals = NULL;
	float *normals;
	skinned_at(s, "{'method':'psd'}", examples, &pose, &normals);
	for (int ring = 9; ring <= 15; ring++) { // below the ramp, where joint 0 keeps all still
		// Faces on both sides of the ring, their normals weighed by their areas.
		const double y = ring * 0.05, below = 0.1 * (1 + 0.5 * sin((y - 0.45) / 0.6 * PI));
		const double above = 0.1 * (1 + 0.5 * sin((y - 0.35) / 0.6 * PI));
		const double slope = (above - below) / 0.1;
		const float *n = normals + ring * 16 * 3;
		assert_near(n[1] / n[0], -slope, 0.05);
	}
	assert_true(fabsf(normals[9 * 16 * 3 + 1]) > 0.1);
	examples_release(examples);
	sculpted_destroy(s);
}

/* The data of a method for a rig with examples. */
static const struct skin_data *data_of(struct sculpted *s, const char *skinning,
	const struct examples *examples, struct error *err) {
	struct skin_library *library = skin_library_create(NULL, 0);
	const struct skinning_settings settings = settings_of(s->arena, skinning);
	const struct skin_plan_params params = {
		.subject = {.rig = s->rig, .skinning = settings, .examples = examples},
		.clip = -1,
	};
	struct skin_plan plan = {0};
	const struct skin_data *data = NULL;
	if (skin_plan_make(library, &params, &plan, err)) {
		data = skin_data_retain(plan.requested.data);
	}
	skin_plan_finish(&plan);
	skin_library_destroy(library);
	return data;
}

static void residuals_are_what_skinning_leaves(void **state) {
	(void)state;
	for (size_t m = 0; m < METHOD_COUNT; m++) {
		struct sculpted *s = bent_cylinder();
		struct examples *examples = sculpted_examples(s);
		struct fit_report report = {.example_count = s->count, .examples = s->reports};
		for (int e = 0; e < s->count; e++) {
			const struct pose pose = sculpted_pose_of(s, e);
			fit_compare(&s->input, e,
				skinned_at(s, methods[m].skinning, examples, &pose, NULL),
				&s->reports[e]);
		}
		fit_report_sum(&report);
		const struct skin_data *data = data_of(s, methods[m].skinning, examples, NULL);
		assert_true(data->residual_max == report.residual_max);
		assert_true(data->residual_rms == report.residual_rms);
		assert_int_equal(data->flags, 0);
		skin_data_release(data);
		examples_release(examples);
		sculpted_destroy(s);
	}
}

static void unusable_examples_are_flagged(void **state) {
	(void)state;
	struct sculpted *s = bent_cylinder();
	struct pose flat = sculpted_pose(s);
	set_rotation(&flat.local[1], 0, 1, 0, 180);
	sculpted_add(s, "flat", &flat, 0);
	struct examples *examples = sculpted_examples(s);
	const struct skin_data *data = data_of(s, "{'method':'psd'}", examples, NULL);
	assert_int_equal(data->flags, SKIN_FLAG_PSD_SINGULAR);
	skin_data_release(data);
	// Nearly: weights of one half leave cos(89.999 degrees), 1.7e-5, across the axis.
	set_rotation(&flat.local[1], 0, 1, 0, 179.998);
	sculpted_add(s, "nearly", &flat, 0);
	struct examples *two = sculpted_examples(s);
	data = data_of(s, "{'method':'psd'}", two, NULL);
	assert_int_equal(data->flags, SKIN_FLAG_PSD_SINGULAR | SKIN_FLAG_PSD_CONDITION);
	skin_data_release(data);
	examples_release(two);
	data = data_of(s, "{'method':'psd','base':'dqs'}", examples, NULL);
	assert_int_equal(data->flags, 0);
	skin_data_release(data);
	examples_release(examples);
	sculpted_destroy(s);
}

static void without_examples_it_says_what_to_put(void **state) {
	(void)state;
	for (size_t m = 0; m < METHOD_COUNT; m++) {
		struct sculpted *s = bent_cylinder();
		struct error err = {0};
		assert_null(data_of(s, methods[m].skinning, NULL, &err));
		expect_error(
			&err, ERROR_MISSING_DATA, "/method", "PUT /v1/rigs/{rig}/examples/{name}");
		sculpted_destroy(s);
	}
}

static void poses_that_are_none_are_named(void **state) {
	(void)state;
	struct sculpted *s = bent_cylinder();
	struct examples *examples = sculpted_examples(s);
	examples->items[2].pose = json_value(examples->arena, "{'clip':'gone','time':1}");
	for (size_t m = 0; m < METHOD_COUNT; m++) {
		struct error err = {0};
		assert_null(data_of(s, methods[m].skinning, examples, &err));
		expect_error(
			&err, ERROR_UNKNOWN_CLIP, NULL, "the pose of the example \"02 bend\": ");
	}
	examples_release(examples);
	sculpted_destroy(s);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_are_met),
		cmocka_unit_test(rest_pose_stays),
		cmocka_unit_test(poses_left_out_are_nearer_than_by_lbs),
		cmocka_unit_test(the_whole_may_be_moved_t2),
		cmocka_unit_test(degenerate_joints_give_finite_vertices_t7),
		cmocka_unit_test(examples_of_lbs_leave_lbs),
		cmocka_unit_test(animation_space_has_exact_normals),
		cmocka_unit_test(spherical_joint_blending_knows_supports_and_directions),
		cmocka_unit_test(normals_that_nobody_gave_turn_with_the_faces),
		cmocka_unit_test(residuals_are_what_skinning_leaves),
		cmocka_unit_test(unusable_examples_are_flagged),
		cmocka_unit_test(without_examples_it_says_what_to_put),
		cmocka_unit_test(poses_that_are_none_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
