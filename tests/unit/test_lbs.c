// Linear blend skinning checked against METHODS A5's closed forms and its own plain C.
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skin/method.h"

#define DEGREES (180 / 3.14159265358979323846)

static const struct skinning_method *lbs(void) {
	const struct value id = {.kind = VALUE_STRING, .string = "lbs"};
	return skin_method_find(&id, NULL);
}

/* Skins cyl2's joints with joint 1 turned about an axis; one vertex. */
static void skin_one(const float position[static 3], float weight, const double axis[static 3],
	double degrees, float out[static 3]) {
	float at[1][3], normal[3];
	memcpy(at[0], position, sizeof at[0]);
	struct rig *rig = rig_cyl2_vertices(1, at, &weight);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], axis[0], axis[1], axis[2], degrees);
	skin_pose(rig, lbs(), &pose, false, out, normal);
	arena_destroy(arena);
	rig_release(rig);
}

static void twist_has_the_known_radius_and_azimuth(void **state) {
	(void)state;
	static const struct {
		double degrees, quarter_radius, quarter_azimuth, half_radius, half_azimuth;
	} rows[] = {
		{90, 0.790569, 18.4349, 0.707107, 45},
		{120, 0.661438, 19.1066, 0.500000, 60},
		{150, 0.547942, 13.1868, 0.258819, 75},
		{170, 0.505665, 4.9250, 0.087156, 85},
	};
	const double y[3] = {0, 1, 0};
	const float vertex[3] = {0.1f, 1, 0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		float out[3];
		skin_one(vertex, 0.25f, y, rows[i].degrees, out);
		assert_near(hypot(out[0], out[2]) / 0.1, rows[i].quarter_radius, 2e-6);
		assert_near(atan2(-out[2], out[0]) * DEGREES, rows[i].quarter_azimuth, 1e-4);
		skin_one(vertex, 0.5f, y, rows[i].degrees, out);
		assert_near(hypot(out[0], out[2]) / 0.1, rows[i].half_radius, 2e-6);
		assert_near(atan2(-out[2], out[0]) * DEGREES, rows[i].half_azimuth, 1e-4);
	}
}

static void twist_by_180_collapses_to_the_axis(void **state) {
	(void)state;
	const double y[3] = {0, 1, 0};
	const float vertex[3] = {0.1f, 1, 0};
	float out[3];
	skin_one(vertex, 0.5f, y, 180, out);
	assert_near(hypot(out[0], out[2]), 0, 1e-7);
}

static void bend_moves_the_known_vertices(void **state) {
	(void)state;
	static const struct {
		float vertex[3], weight, expected[3];
	} rows[] = {
		{{0.1f, 1, 0}, 0.5f, {0.05f, 1.05f, 0}},
		{{-0.1f, 1, 0}, 0.5f, {-0.05f, 0.95f, 0}},
		{{0.1f, 0.9f, 0}, 0.3f, {0.1f, 0.96f, 0}},
		{{0.1f, 1.1f, 0}, 0.7f, {-0.04f, 1.1f, 0}},
	};
	const double z[3] = {0, 0, 1};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		float out[3];
		skin_one(rows[i].vertex, rows[i].weight, z, 90, out);
		for (int k = 0; k < 3; k++) {
			assert_near(out[k], rows[i].expected[k], 1e-6);
		}
	}
}

static void cylinder_loses_the_known_volume(void **state) {
	(void)state;
	const double whole = cylinder_volume(lbs(), 0, 1, 0, 0);
	assert_near(whole, 0.061229349, 1e-8);
	assert_near(cylinder_volume(lbs(), 0, 1, 0, 180) / whole, 0.833333, 2e-6);
	assert_near(cylinder_volume(lbs(), 0, 1, 0, 90) / whole, 0.915009, 2e-6);
	assert_near(cylinder_volume(lbs(), 0, 0, 1, 90) / whole, 0.957500, 2e-6);
}

static void normals_go_by_the_cofactor_matrix(void **state) {
	(void)state;
	static const struct {
		double diagonal[3];
		float normal[3], expected[3];
	} rows[] = {
		{{2, 1, 1}, {0.70710678f, 0.70710678f, 0}, {0.447214f, 0.894427f, 0}},
		{{0, 1, 1}, {1, 0, 0}, {1, 0, 0}},
		{{-1, 1, 1}, {1, 0, 0}, {1, 0, 0}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const float position[1][3] = {{0.1f, 1, 0}}, weight = 0;
		struct rig *rig = rig_cyl2_vertices(1, position, &weight);
		memcpy(rig->normals, rows[i].normal, sizeof rows[i].normal);
		const double *d = rows[i].diagonal;
		const double m[12] = {d[0], 0, 0, 0, 0, d[1], 0, 0, 0, 0, d[2], 0};
		double matrices[2][12];
		memcpy(matrices[0], m, sizeof m);
		memcpy(matrices[1], m, sizeof m);
		float out[3], normal[3];
		skin_matrices(rig, lbs(), (const double(*)[12])matrices, false, out, normal);
		for (int k = 0; k < 3; k++) {
			assert_near(normal[k], rows[i].expected[k], 1e-6);
		}
		rig_release(rig);
	}
}

/* METHODS 0.10: of a matrix that leaves 1e-9 of two axes the cofactors turn a normal, of one that
 * leaves 1e-11 the matrix itself does, at any scale of all three. */
static void normals_vanish_against_their_matrix(void **state) {
	(void)state;
	static const double scales[] = {1e-30, 1e-12, 5e-6, 1, 1e4, 1e10, 1e12, 1e30};
	for (size_t i = 0; i < 2 * sizeof scales / sizeof *scales; i++) {
		const double scale = scales[i / 2], left = scale * (i % 2 ? 1e-11 : 1e-9);
		const double m[12] = {scale, 0, 0, 0, 0, left, 0, 0, 0, 0, left, 0};
		const float position[1][3] = {{0.1f, 1, 0}}, weight = 0,
			    normal[3] = {0.6f, 0.8f, 0};
		struct rig *rig = rig_cyl2_vertices(1, position, &weight);
		memcpy(rig->normals, normal, sizeof normal);
		double matrices[2][12];
		memcpy(matrices[0], m, sizeof m);
		memcpy(matrices[1], m, sizeof m);
		float at[3], out[3];
		skin_matrices(rig, lbs(), (const double(*)[12])matrices, false, at, out);
		assert_near(out[0], i % 2 ? 1 : 0, 1e-6);
		assert_near(out[1], i % 2 ? 0 : 1, 1e-6);
		rig_release(rig);
	}
}

/* A joint that moves nothing here, however large, changes no bit of the others' normals. */
static void idle_joints_change_no_normal(void **state) {
	(void)state;
	const float position[1][3] = {{0.1f, 1, 0}}, weight = 0, normal[3] = {0.6f, 0.8f, 0};
	struct rig *rig = rig_cyl2_vertices(1, position, &weight);
	memcpy(rig->normals, normal, sizeof normal);
	double matrices[2][12] = {{0.7, 0.1, 0, 0, 0.2, 0.9, 0.3, 0, 0, 0.1, 1.1, 0}, MAT_IDENTITY};
	float at[3], want[3], got[3];
	skin_matrices(rig, lbs(), (const double(*)[12])matrices, false, at, want);
	matrices[1][0] = 1e15;
	skin_matrices(rig, lbs(), (const double(*)[12])matrices, false, at, got);
	assert_memory_equal(got, want, sizeof got);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twist_has_the_known_radius_and_azimuth),
		cmocka_unit_test(twist_by_180_collapses_to_the_axis),
		cmocka_unit_test(bend_moves_the_known_vertices),
		cmocka_unit_test(cylinder_loses_the_known_volume),
		cmocka_unit_test(normals_go_by_the_cofactor_matrix),
		cmocka_unit_test(normals_vanish_against_their_matrix),
		cmocka_unit_test(idle_joints_change_no_normal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
