// Nodes of FBX: files made here against the formulas of the format's documentation; and broken
// files.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "check.h"
#include "fbx_builder.h"
#include "import/import.h"

#define ROOT 0

static const int y_up[3] = {0, 1, 2}, plus[3] = {1, 1, 1};

/* --- Worlds, by the rig's joints --- */

static void world_of(const struct rig *rig, const char *name, double out[12]) {
	const int joint = rig_find_joint(rig, name);
	assert_true(joint >= 0);
	fbx_rest_world(rig, joint, out);
}

static void assert_matrix(const double *actual, const double *expected, double tolerance) {
	for (int i = 0; i < 12; i++) {
		assert_near(actual[i], expected[i], tolerance);
	}
}

/* --- Matrices of the format's own formula --- */

static void move(const double by[3], double sign, double m[12]) {
	const double t[12] = {1, 0, 0, sign * by[0], 0, 1, 0, sign * by[1], 0, 0, 1, sign * by[2]};
	mat_multiply(m, t, m);
}

static void scale(const double by[3], double m[12]) {
	const double s[12] = {by[0], 0, 0, 0, 0, by[1], 0, 0, 0, 0, by[2], 0};
	mat_multiply(m, s, m);
}

static void turn_axis(int axis, double degrees, double m[12]) {
	const double c = cos(degrees * M_PI / 180), s = sin(degrees * M_PI / 180);
	const int j = (axis + 1) % 3, k = (axis + 2) % 3;
	double r[12] = MAT_IDENTITY;
	r[j * 4 + j] = r[k * 4 + k] = c;
	r[j * 4 + k] = -s;
	r[k * 4 + j] = s;
	mat_multiply(m, r, m);
}

/* order lists the axes from the first to be turned about. */
static void turn(const char *order, const double degrees[3], double m[12]) {
	for (int i = 2; i >= 0; i--) {
		turn_axis(order[i] - 'X', degrees[order[i] - 'X'], m);
	}
}

static void turn_back(const double degrees[3], double m[12]) {
	double r[12] = MAT_IDENTITY;
	turn("XYZ", degrees, r);
	assert_true(mat_invert(r, r));
	mat_multiply(m, r, m);
}

static const char *const orders[] = {"XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"};

static const struct fbx_property3 pivots[] = {
	{"Lcl Translation", {1, -2, 3}},
	{"RotationOffset", {0.3, 0.1, -0.4}},
	{"RotationPivot", {-0.5, 0.7, 0.2}},
	{"PreRotation", {20, -35, 50}},
	{"Lcl Rotation", {-70, 40, 110}},
	{"PostRotation", {15, 25, -10}},
	{"ScalingOffset", {0.1, -0.3, 0.25}},
	{"ScalingPivot", {0.6, -0.2, 0.9}},
	{"Lcl Scaling", {1.5, 0.5, 2}},
	{NULL, {0}},
};

/* T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1 */
static void formula(int order, double m[12]) {
	const double identity[12] = MAT_IDENTITY;
	memcpy(m, identity, sizeof identity);
	move(pivots[0].values, 1, m);
	move(pivots[1].values, 1, m);
	move(pivots[2].values, 1, m);
	turn("XYZ", pivots[3].values, m);
	turn(orders[order], pivots[4].values, m);
	turn_back(pivots[5].values, m);
	move(pivots[2].values, -1, m);
	move(pivots[6].values, 1, m);
	move(pivots[7].values, 1, m);
	scale(pivots[8].values, m);
	move(pivots[7].values, -1, m);
}

static void put_pivoted(struct fbx_builder *b, double order, double active) {
	fbx_object(b, "Model", 1, "a", "Null");
	fbx_open(b, "Properties70");
	for (int i = 0; pivots[i].name; i++) {
		fbx_property(b, pivots[i].name, pivots[i].values, 3);
	}
	fbx_property(b, "RotationOrder", &order, 1);
	fbx_property(b, "RotationActive", &active, 1);
	fbx_close(b);
	fbx_close(b);
	fbx_connect(b, 1, ROOT, NULL);
}

static void nodes_are_where_the_product_of_their_matrices_is(void **state) {
	(void)state;
	for (int order = 0; order < 6; order++) {
		struct fbx_builder b = fbx_begin_metres(FBX_BINARY_7400);
		double expected[12], actual[12];
		put_pivoted(&b, order, 1);
		struct rig *rig = fbx_build(&b);
		formula(order, expected);
		world_of(rig, "a", actual);
		assert_matrix(actual, expected, 1e-6);
		rig_release(rig);
	}
}

static void rotation_that_is_not_active_is_xyz_alone(void **state) {
	(void)state;
	struct fbx_builder b = fbx_begin_metres(FBX_ASCII);
	double expected[12] = MAT_IDENTITY, actual[12];
	put_pivoted(&b, 5, 0);
	struct rig *rig = fbx_build(&b);
	turn("XYZ", pivots[4].values, expected);
	world_of(rig, "a", actual);
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			assert_near(
				actual[i * 4 + k], expected[i * 4 + k] * pivots[8].values[k], 1e-6);
		}
	}
	rig_release(rig);
}

/* --- Inheritance of scale --- */

static const struct fbx_property3 upper[] = {{"Lcl Translation", {1, 0, 0}},
	{"Lcl Rotation", {0, 0, 30}}, {"Lcl Scaling", {2, 3, 4}}, {NULL, {0}}};
static const struct fbx_property3 middle[] = {{"Lcl Translation", {0, 5, 0}},
	{"Lcl Rotation", {45, 0, 0}}, {"Lcl Scaling", {1.5, 1, 0.5}}, {NULL, {0}}};
static const struct fbx_property3 lower[] = {{"Lcl Translation", {0, 1, 2}},
	{"Lcl Rotation", {0, 60, 0}}, {"Lcl Scaling", {1, 2, 1}}, {NULL, {0}}};

static void put_inheriting(struct fbx_builder *b, int64_t id, const char *name,
	const struct fbx_property3 *properties, double type) {
	fbx_object(b, "Model", id, name, "LimbNode");
	fbx_open(b, "Properties70");
	for (; properties->name; properties++) {
		fbx_property(b, properties->name, properties->values, 3);
	}
	fbx_property(b, "InheritType", &type, 1);
	fbx_close(b);
	fbx_close(b);
	fbx_connect(b, id, id - 1, NULL);
}

/* The frame of a node below one without its scale, which its translation takes instead. */
static void below(const struct fbx_property3 *node, const double inherited[3], double m[12]) {
	double t[3];
	for (int i = 0; i < 3; i++) {
		t[i] = node[0].values[i] * inherited[i];
	}
	move(t, 1, m);
	turn("XYZ", node[1].values, m);
}

static void times(const double a[3], const double b[3], double out[3]) {
	for (int i = 0; i < 3; i++) {
		out[i] = a[i] * b[i];
	}
}

/* Worlds of three nodes, the lower two of one type: componentwise or without the parent's own. */
static void expect_inherited(double type) {
	static const double one[3] = {1, 1, 1};
	double m[12] = MAT_IDENTITY, scales[3][3], above[3], actual[12];
	memcpy(scales[0], upper[2].values, sizeof scales[0]);
	times(middle[2].values, type == 0 ? scales[0] : one, scales[1]);
	times(lower[2].values, type == 0 ? scales[1] : one, scales[2]);
	struct fbx_builder b = fbx_begin_metres(FBX_BINARY_7500);
	put_inheriting(&b, 1, "upper", upper, 1);
	put_inheriting(&b, 2, "middle", middle, type);
	put_inheriting(&b, 3, "lower", lower, type);
	struct rig *rig = fbx_build(&b);
	below(upper, one, m);
	below(middle, scales[0], m);
	memcpy(above, scales[1], sizeof above);
	below(lower, above, m);
	scale(scales[2], m);
	world_of(rig, "lower", actual);
	assert_matrix(actual, m, 1e-5);
	rig_release(rig);
}

static void scale_is_inherited_by_type(void **state) {
	(void)state;
	struct fbx_builder b = fbx_begin_metres(FBX_BINARY_7500);
	double m[12] = MAT_IDENTITY, actual[12];
	put_inheriting(&b, 1, "upper", upper, 1);
	put_inheriting(&b, 2, "middle", middle, 1);
	struct rig *rig = fbx_build(&b);
	below(upper, (const double[3]){1, 1, 1}, m);
	scale(upper[2].values, m);
	below(middle, (const double[3]){1, 1, 1}, m);
	scale(middle[2].values, m);
	world_of(rig, "middle", actual);
	assert_matrix(actual, m, 1e-5);
	rig_release(rig);
	expect_inherited(0);
	expect_inherited(2);
}

/* --- Axes and units --- */

static void expect_place(const int axes[3], const int signs[3], double cm, const double x[3]) {
	struct fbx_builder b = {.spelling = FBX_BINARY_7400};
	const struct fbx_property3 at[] = {{"Lcl Translation", {1, 2, 3}}, {NULL, {0}}};
	const struct fbx_property3 child[] = {{"Lcl Translation", {10, 0, 0}}, {NULL, {0}}};
	double actual[12];
	fbx_begin(&b, 7400, axes, signs, cm);
	fbx_model(&b, 1, "a", "Null", at);
	fbx_model(&b, 2, "b", "Null", child);
	fbx_connect(&b, 1, ROOT, NULL);
	fbx_connect(&b, 2, 1, NULL);
	struct rig *rig = fbx_build(&b);
	world_of(rig, "a", actual);
	for (int i = 0; i < 3; i++) {
		assert_near(actual[i * 4 + 3], x[i] * cm / 100, 1e-6);
	}
	world_of(rig, "b", actual);
	for (int i = 0; i < 3; i++) {
		const double way = axes[i] == 0 ? signs[i] * 10 : 0;
		assert_near(actual[i * 4 + 3], (x[i] + way) * cm / 100, 1e-6);
	}
	rig_release(rig);
}

static void files_come_in_metres_with_y_up(void **state) {
	(void)state;
	expect_place(y_up, plus, 1, (const double[3]){1, 2, 3});
	expect_place(y_up, plus, 254, (const double[3]){1, 2, 3});
	// 3ds Max and Blender: z up, and y away from the viewer.
	expect_place((const int[3]){0, 2, 1}, (const int[3]){1, 1, -1}, 100,
		(const double[3]){1, 3, -2});
	expect_place((const int[3]){1, 0, 2}, (const int[3]){1, -1, 1}, 100,
		(const double[3]){2, -1, 3});
	// Left-handed.
	expect_place(y_up, (const int[3]){1, 1, -1}, 100, (const double[3]){1, 2, -3});
}

/* --- Parents and spelling --- */

/* The last of two parents in the file, also where the other one comes first among the connections;
 * and one whose last parent is in a circle, which hangs on the other one. */
static void of_several_parents_the_last_one_counts(void **state) {
	(void)state;
	static const struct fbx_property3 step[] = {{"Lcl Translation", {1, 0, 0}}, {NULL, {0}}};
	struct fbx_builder b = fbx_begin_metres(FBX_BINARY_7400);
	for (int id = 1; id <= 6; id++) {
		fbx_model(&b, id, (const char[]){(char)('a' + id - 1), '\0'},
			id == 1 ? "Light" : "Null", step);
	}
	fbx_connect(&b, 1, ROOT, NULL);
	fbx_connect(&b, 2, 1, NULL);
	fbx_connect(&b, 3, 2, NULL);
	fbx_connect(&b, 3, 1, NULL);
	fbx_connect(&b, 4, 1, NULL);
	fbx_connect(&b, 4, 5, NULL);
	fbx_connect(&b, 5, 6, NULL);
	fbx_connect(&b, 6, 5, NULL);
	struct rig *rig = fbx_build(&b);
	double world[12];
	world_of(rig, "c", world);
	assert_near(world[3], 3, 1e-6);
	world_of(rig, "d", world);
	assert_near(world[3], 2, 1e-6);
	assert_int_equal(rig->joint_count, 4);
	assert_int_equal(rig->warning_count, 3); // of them, of the light, and of what draws nothing
	assert_string_equal(rig->warnings[0],
		"2 models have several parents; each hangs on the last one in the file");
	assert_string_equal(rig->warnings[1], "1 lights and 0 cameras are left out");
	rig_release(rig);
}

/* Comments among an array's numbers, with a brace; names without values that share a line. */
static void text_is_read_as_others_write_it(void **state) {
	(void)state;
	static const char text[] =
		"; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\n"
		"One:Two:Three: {\nFour:Five:\n}\n"
		"Objects: {\nGeometry: 5, \"Geometry::\", \"Mesh\" {\n"
		"Vertices: *9 {\na: 0,0,0, ; 7 } 8\n100,0,0, ;\n; 9,\n0,100,0\n}\n"
		"PolygonVertexIndex: *3 {\na: 0,1,-3\n}\n}\n"
		"Model: 1, \"Model::a\", \"Mesh\" {\n}\n}\n"
		"Connections: {\nC: \"OO\",1,0\nC: \"OO\",5,1\n}\n";
	static const float expected[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	struct error err = {0};
	struct rig *rig = import_rig(text, sizeof text - 1, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(rig->vertex_count, 3);
	for (int i = 0; i < 9; i++) {
		assert_near(rig->positions[i], expected[i], 1e-6);
	}
	rig_release(rig);
}

/* --- Refusals --- */

static void broken_files_are_refused(void **state) {
	(void)state;
	const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	struct fbx_builder b = {.spelling = FBX_ASCII};
	fbx_begin(&b, 6100, y_up, plus, 1);
	fbx_expect_refusal(&b, ERROR_UNSUPPORTED_MEDIA_TYPE,
		"is an FBX file (text, version 6100), which posed does not read");
	b = fbx_begin_metres(FBX_BINARY_7400);
	fbx_mesh(&b, 5, points, 3, (const int64_t[]){0, 1, -5}, 3);
	fbx_model(&b, 1, "a", "Mesh", NULL);
	fbx_connect(&b, 1, ROOT, NULL);
	fbx_connect(&b, 5, 1, NULL);
	fbx_expect_refusal(
		&b, ERROR_BROKEN_ASSET, "Geometry 5: corner 2 is at point 4, but there are 3");
}

/* A file that is cut at any byte is either refused or read. */
static void files_cut_anywhere_do_no_harm(void **state) {
	(void)state;
	for (enum fbx_spelling spelling = 0; spelling < FBX_SPELLING_COUNT; spelling++) {
		struct fbx_builder b = fbx_begin_metres(spelling);
		fbx_mesh(&b, 5, (const double[]){0, 0, 0, 1, 0, 0, 0, 1, 0}, 3,
			(const int64_t[]){0, 1, -3}, 3);
		put_pivoted(&b, 2, 1);
		fbx_connect(&b, 5, 1, NULL);
		fbx_finish(&b);
		for (size_t size = 0; size < b.out.size; size++) {
			struct error err = {0};
			// An exact block, so that reads past its end are noticed.
			unsigned char *bytes = malloc(size + 1);
			memcpy(bytes, b.out.data, size);
			struct rig *rig = import_rig(bytes, size, &err);
			assert_true(!rig == (err.code != ERROR_NONE));
			rig_release(rig);
			free(bytes);
		}
		buffer_finish(&b.out);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_are_where_the_product_of_their_matrices_is),
		cmocka_unit_test(rotation_that_is_not_active_is_xyz_alone),
		cmocka_unit_test(scale_is_inherited_by_type),
		cmocka_unit_test(files_come_in_metres_with_y_up),
		cmocka_unit_test(of_several_parents_the_last_one_counts),
		cmocka_unit_test(text_is_read_as_others_write_it),
		cmocka_unit_test(broken_files_are_refused),
		cmocka_unit_test(files_cut_anywhere_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
