// Log-matrix blending checked against METHODS A14: bones blending, and a blend in double precision.
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/vec.h"
#include "check.h"
#include "rigs.h"
#include "skin/palette.h"
#include "skinned.h"

/* The pose of cyl2 with both joints turned and the first one moved. */
static void random_turns(const struct pose *pose, unsigned seed) {
	for (int j = 0; j < 2; j++) {
		double axis[3];
		for (int k = 0; k < 3; k++) {
			axis[k] = random_number(&seed);
			pose->local[0].translation[k] = (float)random_number(&seed);
		}
		vec3_normalize(axis);
		set_rotation(
			&pose->local[j], axis[0], axis[1], axis[2], 170 * random_number(&seed));
	}
}

static void joints_that_meet_are_skinned_as_by_bones_blend(void **state) {
	(void)state;
	// METHODS A14: the same to 8e-14 in doubles.
	struct rig *rig = rig_cyl2();
	const size_t floats = (size_t)rig->vertex_count * 3;
	float *a = xcalloc(floats * 4, sizeof *a), *b = a + floats * 2;
	for (unsigned seed = 1; seed <= 40; seed++) {
		struct arena *arena = arena_create();
		const struct pose pose = pose_rest(rig, arena);
		random_turns(&pose, seed);
		skinned_as(rig, "'log_blend'", NULL, &pose, a, a + floats);
		skinned_as(rig, "'bones_blend'", NULL, &pose, b, b + floats);
		for (size_t i = 0; i < floats; i++) {
			assert_near(a[i], b[i], 4e-6);
			assert_near(a[floats + i], b[floats + i], 4e-6);
		}
		arena_destroy(arena);
	}
	free(a);
	rig_release(rig);
}

/* Skins a vertex beside cyl2's joint, half way through a twist of 90 degrees, with the root turned
 * by some degrees about X. */
static void skin_turned(const char *skinning, double degrees, float out[static 3]) {
	const float at[1][3] = {{0.1f, 1, 0}}, weight = 0.5f;
	struct rig *rig = rig_cyl2_vertices(1, at, &weight);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[0], 1, 0, 0, degrees);
	set_rotation(&pose.local[1], 0, 1, 0, 90);
	float normal[3];
	skinned_as(rig, skinning, NULL, &pose, out, normal);
	arena_destroy(arena);
	rig_release(rig);
}

/* The distance of the vertex of a turned rig from the turned vertex. */
static double variance(const char *skinning) {
	float upright[3], turned[3];
	skin_turned(skinning, 0, upright);
	skin_turned(skinning, 90, turned);
	const double x = turned[0] - upright[0], y = turned[1] + upright[2],
		     z = turned[2] - upright[1];
	return sqrt(x * x + y * y + z * z);
}

static void without_a_pivot_the_blend_depends_on_where_the_rig_is(void **state) {
	(void)state;
	assert_near(variance("{'method': 'log_blend', 'pivot': 'none'}"), 0.0915258, 1e-6);
	assert_near(variance("'log_blend'"), 0, 1e-6);
}

/* A motion's logarithm as METHODS A14 writes it: omega and u. */
static void log_by_doubles(const double q[static 4], const double b[static 3],
	double omega[static 3], double u[static 3]) {
	const double sign = q[3] < 0 ? -1 : 1, s = vec3_length(q);
	const double angle = 2 * atan2(s, fabs(q[3]));
	double once[3], twice[3];
	for (int i = 0; i < 3; i++) {
		omega[i] = s > 0 ? sign * angle * q[i] / s : 0;
	}
	const double kappa = angle > 1e-4
		? (1 - angle * sin(angle) / (2 * (1 - cos(angle)))) / (angle * angle)
		: 1.0 / 12;
	vec3_cross(omega, b, once);
	vec3_cross(omega, once, twice);
	for (int i = 0; i < 3; i++) {
		u[i] = b[i] - once[i] / 2 + kappa * twice[i];
	}
}

/* exp of a screw by the series of its 4x4 matrix, on one point. */
static void exp_by_doubles(const double omega[static 3], const double u[static 3],
	const double v[static 3], double out[static 3]) {
	double term[3], turned[3];
	memcpy(out, v, 3 * sizeof *out);
	memcpy(term, v, sizeof term);
	for (int n = 1; n < 60; n++) {
		vec3_cross(omega, term, turned);
		for (int i = 0; i < 3; i++) {
			term[i] = (turned[i] + (n == 1 ? u[i] : 0)) / n;
			out[i] += term[i];
		}
	}
}

static void blend_by_doubles(
	const struct rig *rig, const double (*matrices)[12], int vertex, double out[static 3]) {
	const float *weights = rig->influence_weights + vertex * 4;
	const uint16_t *slots = rig->influence_slots + vertex * 4;
	int first = slots[0];
	for (int k = 1; k < 4; k++) {
		first = slots[k] < first ? slots[k] : first;
	}
	double inverse[12], omega[3] = {0}, u[3] = {0}, moved[3];
	assert_true(mat_invert(matrices[first], inverse));
	for (int k = 0; k < 4; k++) {
		double m[12], q[4], stretch[9], one[3], along[3];
		mat_multiply(inverse, matrices[slots[k]], m);
		mat_polar(m, q, stretch);
		const double b[3] = {m[3], m[7], m[11]};
		log_by_doubles(q, b, one, along);
		for (int i = 0; i < 3; i++) {
			omega[i] += weights[k] * one[i];
			u[i] += weights[k] * along[i];
		}
	}
	const float *p = rig->positions + vertex * 3;
	const double v[3] = {p[0], p[1], p[2]};
	exp_by_doubles(omega, u, v, moved);
	mat_map_point(matrices[first], moved, out);
}

static void four_joints_are_blended_as_their_logarithms(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 10; seed++) {
		struct rig *rig = rig_random(seed, 6, 200, 4);
		struct arena *arena = arena_create();
		const struct pose pose = pose_rest(rig, arena);
		for (int j = 0; j < 6; j++) {
			for (int k = 0; k < 4; k++) {
				pose.local[j].rotation[k] += 0.3f * (float)random_number(&seed);
			}
		}
		double world[6][12], matrices[6][12];
		float out[600], normals[600];
		pose_to_world(rig, &pose, world);
		palette_build(rig, (const double(*)[12])world, matrices);
		skinned_as(rig, "'log_blend'", NULL, &pose, out, normals);
		for (int i = 0; i < 200; i++) {
			double expected[3];
			blend_by_doubles(rig, (const double(*)[12])matrices, i, expected);
			for (int k = 0; k < 3; k++) {
				assert_near(out[i * 3 + k], expected[k], 5e-6);
			}
		}
		arena_destroy(arena);
		rig_release(rig);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joints_that_meet_are_skinned_as_by_bones_blend),
		cmocka_unit_test(without_a_pivot_the_blend_depends_on_where_the_rig_is),
		cmocka_unit_test(four_joints_are_blended_as_their_logarithms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
