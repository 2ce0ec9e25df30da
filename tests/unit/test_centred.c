// Spherical joint blending and spherical blend skinning checked against METHODS A7, A10 and each
// other.
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "check.h"
#include "json_value.h"
#include "rigs.h"
#include "skin/centres.h"
#include "skin/palette.h"
#include "skinned.h"

#define DEGREES (180 / 3.14159265358979323846)

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};
static const float beside_joint[3] = {0.1f, 1, 0};
static const char *const both[] = {"'sjb'", "'sbs'"};

static double azimuth(const float p[static 3]) {
	return atan2(-p[2], p[0]) * DEGREES;
}

static void twist_has_the_known_azimuth(void **state) {
	(void)state;
	static const double rows[][2] = {{90, 21.598161}, {179.999, 36.869898}};
	for (int i = 0; i < 4; i++) {
		const double *row = rows[i / 2];
		float out[3], n[3];
		skinned_cyl2_vertex(both[i % 2], beside_joint, 0.25f, y_axis, row[0], out, n);
		assert_near(azimuth(out), row[1], 4e-4);
		assert_near(hypot(out[0], out[2]), 0.1, 1e-7);
		// The normal, +X at rest, turns with the vertex.
		assert_near(azimuth(n), row[1], 4e-4);
	}
}

/* Skins cyl2, all of whose joints were moved, and gives the greatest distance between two methods.
 */
static double distance(const char *one, const char *other, unsigned seed) {
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	for (int j = 0; j < 2; j++) {
		double axis[3], length = 0;
		for (int k = 0; k < 3; k++) {
			axis[k] = random_number(&seed);
			length += axis[k] * axis[k];
			pose.local[0].translation[k] = (float)random_number(&seed);
		}
		length = sqrt(length);
		set_rotation(&pose.local[j], axis[0] / length, axis[1] / length, axis[2] / length,
			170 * random_number(&seed));
	}
	const size_t floats = (size_t)rig->vertex_count * 3;
	float *a = xcalloc(floats * 4, sizeof *a), *b = a + floats * 2;
	skinned_as(rig, one, NULL, &pose, a, a + floats);
	skinned_as(rig, other, NULL, &pose, b, b + floats);
	double greatest = 0;
	for (size_t i = 0; i < floats; i++) {
		greatest = fmax(greatest, fabs((double)a[i] - b[i]));
	}
	free(a);
	arena_destroy(arena);
	rig_release(rig);
	return greatest;
}

static void joints_that_meet_are_skinned_as_by_dqs(void **state) {
	(void)state;
	// METHODS A7: the same map where a parent and its child meet, to 1.4e-15 in doubles.
	for (unsigned seed = 1; seed <= 40; seed++) {
		assert_near(distance("'sjb'", "'dqs'", seed), 0, 3e-6);
		assert_near(distance("'sbs'", "'dqs'", seed), 0, 3e-6);
	}
}

static void cylinder_keeps_the_known_volume(void **state) {
	(void)state;
	// METHODS A11, whose map both have here.
	for (int i = 0; i < 2; i++) {
		assert_near(skinned_cyl2_volume(both[i], y_axis, 90), 0.996379, 2e-6);
		assert_near(skinned_cyl2_volume(both[i], z_axis, 90), 0.998458, 2e-6);
	}
}

static void stretch_is_blended_about_the_joint(void **state) {
	(void)state;
	// METHODS 0.4: twist 90 degrees with stretch diag(2,1,2): 1.5 times as wide at w = 1/2.
	for (int i = 0; i < 2; i++) {
		const float weight = 0.5f;
		struct rig *rig = rig_cyl2_vertices(1, &beside_joint, &weight);
		struct arena *arena = arena_create();
		const struct pose pose = pose_rest(rig, arena);
		set_rotation(&pose.local[1], 0, 1, 0, 90);
		pose.local[1].scale[0] = pose.local[1].scale[2] = 2;
		float out[3], n[3];
		skinned_as(rig, both[i], NULL, &pose, out, n);
		assert_near(hypot(out[0], out[2]) / 0.1, 1.5, 2e-6);
		arena_destroy(arena);
		rig_release(rig);
	}
}

/* A palette of a pose, with what it was made of. */
struct prepared_pose {
	struct arena *arena;
	struct skin_library *library;
	struct skin_plan plan;
	struct skin_palette palette;
	bool ok;
	struct error err;
};

static struct prepared_pose prepare_pose(
	const struct rig *rig, const char *skinning, const struct pose *pose) {
	struct prepared_pose out = {
		.arena = arena_create(), .library = skin_library_create(NULL, 0)};
	const struct skinning_settings settings = settings_of(out.arena, skinning);
	const struct skin_plan_params params = {
		.subject = {.rig = rig, .skinning = settings},
		.clip = -1,
	};
	assert_true(skin_plan_make(out.library, &params, &out.plan, &out.err));
	double(*world)[12] = arena_alloc(out.arena, (size_t)rig->joint_count, sizeof *world);
	double(*matrices)[12] = arena_alloc(out.arena, (size_t)rig->slot_count, sizeof *matrices);
	pose_to_world(rig, pose, world);
	palette_build(rig, (const double(*)[12])world, matrices);
	const struct prepare_job job = {.rig = rig,
		.matrices = (const double(*)[12])matrices,
		.world = (const double(*)[12])world,
		.local = pose->local,
		.arena = out.arena};
	out.ok = skin_plan_prepare(&out.plan, &job, &out.palette, &out.err);
	return out;
}

static void prepared_pose_finish(struct prepared_pose *prepared) {
	skin_plan_finish(&prepared->plan);
	skin_library_destroy(prepared->library);
	arena_destroy(prepared->arena);
}

/* The position of the centre of a rig's only set. */
static void centre_of(const struct rig *rig, const struct pose *pose, float out[static 3]) {
	struct prepared_pose prepared = prepare_pose(rig, "'sbs'", pose);
	const uint32_t row = skin_data_read_words(prepared.plan.base.data, CENTRES_ROWS)[0];
	assert_int_equal(row, rig->slot_count);
	memcpy(out,
		prepared.palette.floats + rig->slot_count * CENTRES_ENTRY_FLOATS +
			row * CENTRES_ROW_FLOATS,
		3 * sizeof *out);
	prepared_pose_finish(&prepared);
}

static void centre_of_a_bend_is_the_joint(void **state) {
	(void)state;
	const float weight = 0.3f;
	struct rig *rig = rig_cyl2_vertices(1, &beside_joint, &weight);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], 0, 0, 1, 90);
	float centre[3];
	centre_of(rig, &pose, centre);
	const float joint[3] = {0, 1, 0};
	for (int k = 0; k < 3; k++) {
		assert_near(centre[k], joint[k], 1e-6);
	}
	// A twist leaves the centre's place along its axis open: it stays at the joints' middle.
	set_rotation(&pose.local[1], 0, 1, 0, 90);
	centre_of(rig, &pose, centre);
	assert_near(centre[1], 0.3, 1e-6);
	arena_destroy(arena);
	rig_release(rig);
}

/* The least squares that METHODS states, over pairs, by the normal equations and Cramer's rule. */
static void centre_by_pairs(const double (*matrices)[12], int count, double out[static 3]) {
	double n[9] = {0}, g[3] = {0};
	for (int a = 0; a < count; a++) {
		for (int b = a + 1; b < count; b++) {
			for (int row = 0; row < 3; row++) {
				const double *p = &matrices[a][row * 4], *q = &matrices[b][row * 4];
				for (int i = 0; i < 3; i++) {
					for (int j = 0; j < 3; j++) {
						n[i * 3 + j] += (p[i] - q[i]) * (p[j] - q[j]);
					}
					g[i] += (p[i] - q[i]) * (q[3] - p[3]);
				}
			}
		}
	}
	const double m[12] = {n[0], n[1], n[2], 0, n[3], n[4], n[5], 0, n[6], n[7], n[8], 0};
	double inverse[12];
	assert_true(mat_invert(m, inverse));
	mat_map_direction(inverse, g, out);
}

static void centre_of_four_joints_is_the_least_squares(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 20; seed++) {
		struct rig *rig = rig_random(seed, 4, 1, 4);
		struct arena *arena = arena_create();
		const struct pose pose = pose_rest(rig, arena);
		for (int j = 0; j < 4; j++) {
			for (int k = 0; k < 4; k++) {
				pose.local[j].rotation[k] += 0.3f * (float)random_number(&seed);
			}
		}
		double world[4][12], matrices[4][12], expected[3];
		float centre[3];
		pose_to_world(rig, &pose, world);
		palette_build(rig, (const double(*)[12])world, matrices);
		centre_by_pairs((const double(*)[12])matrices, 4, expected);
		centre_of(rig, &pose, centre);
		for (int k = 0; k < 3; k++) {
			assert_near(centre[k], expected[k], 2e-6 * (1 + fabs(expected[k])));
		}
		arena_destroy(arena);
		rig_release(rig);
	}
}

/* Parent 0 with children 1 and 2 that begin in one point, and 3 that does not; each
 * vertex' slots as given, its weights the same. */
static struct rig *forked_rig(int count, const uint16_t (*slots)[4], const float *weights) {
	struct rig *rig = rig_random(3, 4, count, 4);
	for (int j = 1; j < 4; j++) {
		rig->joints[j].parent = 0;
	}
	for (int k = 0; k < 3; k++) {
		rig->joints[2].rest.translation[k] = rig->joints[1].rest.translation[k];
	}
	rig_bind(rig);
	for (int i = 0; i < count; i++) {
		memcpy(rig->influence_slots + i * 4, slots[i], sizeof slots[i]);
		memcpy(rig->influence_weights + i * 4, weights, 4 * sizeof *weights);
	}
	return rig;
}

static void bones_that_meet_are_told_from_others(void **state) {
	(void)state;
	static const uint16_t slots[6][4] = {
		{1, 2, 2, 2}, // siblings that begin in one point
		{0, 1, 2, 2}, // and their parent
		{0, 3, 0, 0}, // a parent and another child
		{2, 3, 2, 2}, // siblings apart
		{0, 2, 3, 2}, // and their parent
		{3, 3, 3, 3}, // one joint
	};
	static const float weights[4] = {0.4f, 0.3f, 0.2f, 0.1f};
	static const bool meets[6] = {true, true, true, false, false, true};
	struct rig *rig = forked_rig(6, slots, weights);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	struct prepared_pose prepared = prepare_pose(rig, "'sjb'", &pose);
	const struct skin_data *data = prepared.plan.base.data;
	const uint32_t *rows = skin_data_read_words(data, CENTRES_ROWS);
	for (int i = 0; i < 6; i++) {
		assert_int_equal(rows[i] < 4, meets[i]);
	}
	assert_int_equal(data->fallback_vertices, 2);
	assert_int_equal(data->flags, SKIN_FLAG_SJB_CONSTRAINT);
	prepared_pose_finish(&prepared);
	prepared = prepare_pose(rig, "{'method': 'sjb', 'fallback': 'error'}", &pose);
	assert_false(prepared.ok);
	assert_int_equal(prepared.err.code, ERROR_INVALID_VALUE);
	assert_non_null(strstr(prepared.err.text, "2 of 6"));
	prepared_pose_finish(&prepared);
	arena_destroy(arena);
	rig_release(rig);
}

static void a_parent_without_a_slot_is_passed_over(void **state) {
	(void)state;
	// Joint 1 moves no vertex and has no slot: joint 2 follows joint 0.
	struct rig *rig = rig_random(5, 3, 4, 4);
	rig->slots[1] = rig->slots[2];
	rig->slot_count = rig->primitives[0].slot_count = 2;
	for (int i = 0; i < 16; i++) {
		rig->influence_slots[i] = i % 4 == 1;
		rig->influence_weights[i] = (const float[4]){0.75f, 0.25f, 0, 0}[i % 4];
	}
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	struct prepared_pose prepared = prepare_pose(rig, "'sjb'", &pose);
	assert_true(prepared.ok);
	assert_int_equal(prepared.plan.base.data->fallback_vertices, 0);
	assert_int_equal(skin_data_read_words(prepared.plan.base.data, CENTRES_ROWS)[0], 1);
	prepared_pose_finish(&prepared);
	arena_destroy(arena);
	rig_release(rig);
}

static void vertices_that_fall_back_are_those_of_sbs(void **state) {
	(void)state;
	struct rig *rig = rig_random(11, 9, 500, 8);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	unsigned seed = 4;
	for (int j = 0; j < 9; j++) {
		for (int k = 0; k < 4; k++) {
			pose.local[j].rotation[k] += 0.5f * (float)random_number(&seed);
		}
		pose.local[j].scale[0] = 1.5f;
	}
	float *sjb = xcalloc(500 * 12, sizeof *sjb), *sbs = sjb + 500 * 6;
	skinned_as(rig, "'sjb'", NULL, &pose, sjb, sjb + 1500);
	skinned_as(rig, "'sbs'", NULL, &pose, sbs, sbs + 1500);
	assert_memory_equal(sjb, sbs, 500 * 6 * sizeof *sjb);
	free(sjb);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twist_has_the_known_azimuth),
		cmocka_unit_test(joints_that_meet_are_skinned_as_by_dqs),
		cmocka_unit_test(cylinder_keeps_the_known_volume),
		cmocka_unit_test(stretch_is_blended_about_the_joint),
		cmocka_unit_test(centre_of_a_bend_is_the_joint),
		cmocka_unit_test(centre_of_four_joints_is_the_least_squares),
		cmocka_unit_test(bones_that_meet_are_told_from_others),
		cmocka_unit_test(a_parent_without_a_slot_is_passed_over),
		cmocka_unit_test(vertices_that_fall_back_are_those_of_sbs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
