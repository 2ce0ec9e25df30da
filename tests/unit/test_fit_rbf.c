// Interpolation between poses checked against METHODS A8, A16 and G12, and closed forms.
#include <stdlib.h>
#include <string.h>

#include "base/quat.h"
#include "check.h"
#include "fit/dense.h"
#include "fit/equations.h"
#include "fit/rbf.h"
#include "rigs.h"

#define PI 3.14159265358979323846
#define DEGREES (180 / PI)

/* --- Metrics and kernels --- */

static void arcs_and_chords_are_geometry(void **state) {
	(void)state;
	for (int i = 0; i <= 12; i++) {
		const double angle = PI * i / 12, a[3] = {0, 1, 0};
		const double b[3] = {0, cos(angle), sin(angle)};
		assert_near(metric_arc(a, b), angle, 1e-15 + 1e-15 * angle);
		assert_near(metric_chord(a, b), 2 * sin(angle / 2), 1e-15);
	}
}

static void angles_between_rotations_ignore_the_sign(void **state) {
	(void)state;
	for (int i = 0; i <= 12; i++) {
		const double half = PI * i / 24, a[4] = {0, 0, sin(0.3), cos(0.3)};
		const double b[4] = {0, 0, sin(0.3 + half), cos(0.3 + half)};
		const double c[4] = {-b[0], -b[1], -b[2], -b[3]};
		assert_near(metric_angle(a, b), 2 * half, 2e-15);
		assert_near(metric_angle(a, c), 2 * half, 2e-15);
	}
}

static void rotation_vectors_have_axis_and_angle(void **state) {
	(void)state;
	const double angle = 2.5, s = sin(angle / 2), q[4] = {s * 0.6, 0, s * 0.8, cos(angle / 2)};
	const double minus[4] = {-q[0], -q[1], -q[2], -q[3]}, identity[4] = {0, 0, 0, 1};
	double v[3];
	for (int i = 0; i < 2; i++) {
		quat_to_vector(i ? minus : q, v);
		assert_near(v[0], 0.6 * angle, 1e-14);
		assert_near(v[1], 0, 1e-15);
		assert_near(v[2], 0.8 * angle, 1e-14);
	}
	quat_to_vector(identity, v);
	assert_true(v[0] == 0 && v[1] == 0 && v[2] == 0);
}

static void gaussian_is_the_librarys(void **state) {
	(void)state;
	for (double x = 0; x < 30; x += 0.0137) {
		const double expected = exp(-(x * x) / 1.69);
		assert_near(kernel_gaussian(x, 1.3), expected, 4e-15 * (1 + x * x) * expected);
	}
	assert_true(kernel_gaussian(0, 2) == 1);
	assert_true(kernel_gaussian(1e200, 1) == 0);
}

static void bspline_is_the_sum_of_four_to_one(void **state) {
	(void)state;
	assert_near(kernel_bspline(0, 3), 2.0 / 3, 1e-16);
	assert_near(kernel_bspline(3, 3), 1.0 / 6, 1e-16);
	assert_true(kernel_bspline(6, 3) == 0 && kernel_bspline(7, 3) == 0);
	for (double t = 0; t < 1; t += 0.1) { // a partition of unity over the integers
		const double sum = kernel_bspline(t, 1) + kernel_bspline(1 - t, 1) +
			kernel_bspline(1 + t, 1) + kernel_bspline(2 - t, 1);
		assert_near(sum, 1, 1e-15);
	}
}

/* --- Interpolation --- */

/* A joint that turns about z; its bone points along x. */
static struct transform turned(double angle) {
	struct transform t = TRANSFORM_IDENTITY;
	set_rotation(&t, 0, 0, 1, angle * DEGREES);
	return t;
}

/* One joint with centres at rest and turned by angles; cardinal: output e is 1 at centre e + 1. */
static struct rbf make(struct arena *arena, enum rbf_metric metric, enum rbf_kernel kernel,
	int count, const double *angles) {
	static struct rbf_joint joint;
	const struct rbf_joint axis = {0, 1, {1, 0, 0}}, rest = {0, 1, {0, 0, 0, 1}};
	joint = metric == RBF_ANGLE ? rest : axis;
	struct rbf rbf = {.metric = metric,
		.kernel = kernel,
		.joint_count = 1,
		.joints = &joint,
		.centre_count = count + 1,
		.output_count = count};
	rbf.features = arena_alloc(arena, (size_t)(count + 1) * 4, sizeof *rbf.features);
	for (int i = 0; i <= count; i++) {
		const struct transform t = turned(i ? angles[i - 1] : 0);
		rbf_feature(&rbf, &t, rbf.features + (size_t)i * 4);
	}
	return rbf;
}

static double *cardinal_values(struct arena *arena, int count) {
	double *values = arena_alloc(arena, (size_t)((count + 1) * count), sizeof *values);
	for (int e = 0; e < count; e++) {
		values[(e + 1) * count + e] = 1;
	}
	return values;
}

static double at(const struct rbf *rbf, double angle, int output) {
	double feature[4], outputs[16];
	const struct transform t = turned(angle);
	rbf_evaluate(rbf, &t, feature, outputs);
	return outputs[output];
}

static void one_example_has_the_known_coefficients(void **state) {
	(void)state;
	// METHODS A8: example at gamma, coefficient at beta.
	static const double rows[][3] = {
		{PI / 2, PI / 4, 0.497454842},
		{PI / 2, PI / 2, 1},
		{PI / 2, 0, 0},
		{PI / 2, PI / 3, 0.737190886},
		{PI / 2, 2 * PI / 3, 0.764657706},
		{PI / 2, -PI / 4, -0.042186644},
		{1, 0.5, 0.569348994},
		{2, 1, 0.361262684},
	};
	static const enum rbf_metric metrics[] = {RBF_ARC, RBF_ANGLE};
	for (size_t i = 0; i < sizeof rows / sizeof *rows * 2; i++) {
		const double *row = rows[i / 2];
		struct arena *arena = arena_create();
		struct rbf rbf = make(arena, metrics[i % 2], RBF_GAUSSIAN, 1, row);
		double rcond;
		rbf_set_widths(&rbf, 1, arena);
		assert_true(rbf_solve(&rbf, cardinal_values(arena, 1), 0, arena, &rcond, NULL));
		// Rotations come in float: 6e-8 rad.
		assert_near(at(&rbf, row[1], 0), row[2], 2e-7);
		arena_destroy(arena);
	}
}

/* The least eigenvalue of a symmetric positive definite matrix is the inverse's greatest. */
static double least_eigenvalue(double *matrix, int n) {
	double u[64], s[8], vt[64];
	assert_true(dense_svd(matrix, n, n, u, s, vt));
	double least = INFINITY;
	for (int k = 0; k < n; k++) { // the sign is that of u_k . v_k
		double sign = 0;
		for (int i = 0; i < n; i++) {
			sign += u[k * n + i] * vt[i * n + k];
		}
		least = fmin(least, sign < 0 ? -s[k] : s[k]);
	}
	return least;
}

static void arcs_are_not_always_positive_definite(void **state) {
	(void)state;
	// METHODS A8, G12: four directions 90 degrees apart on a great circle.
	static const double rows[][3] = {{1, 0.830442, 0.747645}, {2, 0.005522, 0.154818},
		{2.0122, 0.000011, 0.151938}, {2.2, -0.071, NAN}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows * 2; i++) {
		const double *row = rows[i / 2], expected = row[1 + i % 2];
		double matrix[16];
		for (int cell = 0; cell < 16; cell++) {
			const double a = PI / 2 * (cell / 4), b = PI / 2 * (cell % 4);
			const double p[3] = {cos(a), sin(a), 0}, q[3] = {cos(b), sin(b), 0};
			const double distance = i % 2 ? metric_chord(p, q) : metric_arc(p, q);
			matrix[cell] = kernel_gaussian(distance, row[0]);
		}
		const double least = least_eigenvalue(matrix, 4);
		if (isfinite(expected)) {
			assert_near(least, expected, row[0] == 2.2 ? 5e-4 : 2e-6);
		}
		assert_true(i % 2 == 0 || least > 0);
	}
}

static void refuses_what_is_not_determined(void **state) {
	(void)state;
	const double angles[] = {PI / 2, PI, -PI / 2};
	struct arena *arena = arena_create();
	double rcond;
	struct rbf rbf = make(arena, RBF_ARC, RBF_GAUSSIAN, 3, angles);
	// At this width, a = exp(-(pi/2 / width)^2) solves a^3 + a^2 + a = 1, to all digits.
	rbf_set_widths(&rbf, PI / 2 / sqrt(-log(0.5436890126920764)), arena);
	struct error err = {0};
	assert_false(rbf_solve(&rbf, cardinal_values(arena, 3), 0, arena, &rcond, &err));
	assert_int_equal(err.code, ERROR_BROKEN_ASSET);
	assert_true(rcond < RBF_MIN_RCOND);
	rbf.metric = RBF_CHORD;
	assert_true(rbf_solve(&rbf, cardinal_values(arena, 3), 0, arena, &rcond, NULL));
	arena_destroy(arena);
}

static void takes_the_values_at_the_centres(void **state) {
	(void)state;
	const double angles[] = {0.5, 1.2, -0.8, 2};
	for (int kind = 0; kind < 6; kind++) {
		struct arena *arena = arena_create();
		struct rbf rbf = make(
			arena, (enum rbf_metric)(kind / 2), (enum rbf_kernel)(kind % 2), 4, angles);
		double *values = cardinal_values(arena, 4), rcond;
		rbf_set_widths(&rbf, 0, arena);
		assert_true(rbf_solve(&rbf, values, 0, arena, &rcond, NULL));
		for (int i = 0; i < 5; i++) {
			for (int e = 0; e < 4; e++) {
				assert_near(at(&rbf, i ? angles[i - 1] : 0, e), i == e + 1, 1e-12);
			}
		}
		arena_destroy(arena);
	}
}

static void widths_come_from_the_nearest(void **state) {
	(void)state;
	const double angles[] = {0.5, 1.5};
	struct arena *arena = arena_create();
	struct rbf rbf = make(arena, RBF_ANGLE, RBF_BSPLINE, 2, angles);
	rbf_set_widths(&rbf, 0, arena);
	const double expected[] = {0.5, 0.5, 1};
	for (int i = 0; i < 3; i++) {
		assert_near(rbf.widths[i], expected[i], 2e-7);
	}
	rbf.kernel = RBF_GAUSSIAN;
	rbf_set_widths(&rbf, 0, arena);
	assert_near(rbf.widths[0], 2.0 / 3, 2e-7);
	assert_true(rbf.widths[0] == rbf.widths[2]);
	arena_destroy(arena);
}

static void linear_part_is_the_angle_between_two_poses(void **state) {
	(void)state;
	// METHODS A16, the two-pose case: the share is the angle over the example's.
	const double angle = 1.4;
	struct arena *arena = arena_create();
	struct rbf rbf = make(arena, RBF_ANGLE, RBF_BSPLINE, 1, &angle);
	double *values = cardinal_values(arena, 1), rcond;
	assert_true(rbf_fit_linear(&rbf, values, arena, NULL));
	rbf_set_widths(&rbf, 0, arena);
	assert_true(rbf_solve(&rbf, values, 0, arena, &rcond, NULL));
	for (double share = -0.5; share <= 1.5; share += 0.25) {
		assert_near(at(&rbf, share * angle, 0), share, 3e-7);
	}
	arena_destroy(arena);
}

static void linear_part_and_residual_sum_to_one(void **state) {
	(void)state;
	// METHODS A16: cardinal weights, the rest pose's among them, sum to 1 everywhere.
	const double angles[] = {0.5, 1.2, -0.8, 2, 2.9};
	enum { N = 5 };
	struct arena *arena = arena_create();
	struct rbf rbf = make(arena, RBF_ANGLE, RBF_BSPLINE, N, angles);
	rbf.output_count = N + 1;
	double *values = arena_alloc(arena, (N + 1) * (N + 1), sizeof *values), rcond;
	for (int i = 0; i <= N; i++) {
		values[i * (N + 1) + i] = 1;
	}
	assert_true(rbf_fit_linear(&rbf, values, arena, NULL));
	rbf_set_widths(&rbf, 0, arena);
	assert_true(rbf_solve(&rbf, values, 0, arena, &rcond, NULL));
	for (double angle = -3; angle <= 3; angle += 0.37) {
		double sum = 0;
		for (int e = 0; e <= N; e++) {
			sum += at(&rbf, angle, e);
		}
		assert_near(sum, 1, 1e-12);
	}
	for (int i = 0; i <= N; i++) {
		for (int e = 0; e <= N; e++) {
			assert_near(at(&rbf, i ? angles[i - 1] : 0, e), i == e, 1e-12);
		}
	}
	arena_destroy(arena);
}

static void joints_add_as_in_space(void **state) {
	(void)state;
	struct transform a[2] = {TRANSFORM_IDENTITY, TRANSFORM_IDENTITY};
	struct transform b[2] = {turned(0.3), turned(-0.4)};
	struct rbf_joint joints[] = {{0, 1, {0, 0, 0, 1}}, {1, 1, {0, 0, 0, 1}}};
	const struct rbf rbf = {.metric = RBF_ANGLE, .joint_count = 2, .joints = joints};
	double from[8], to[8];
	rbf_feature(&rbf, a, from);
	rbf_feature(&rbf, b, to);
	assert_near(rbf_distance(&rbf, from, to), 0.5, 1e-7);
	joints[1].importance = 4; // as if it turned twice as far
	assert_near(rbf_distance(&rbf, from, to), sqrt(0.09 + 0.64), 1e-7);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arcs_and_chords_are_geometry),
		cmocka_unit_test(angles_between_rotations_ignore_the_sign),
		cmocka_unit_test(rotation_vectors_have_axis_and_angle),
		cmocka_unit_test(gaussian_is_the_librarys),
		cmocka_unit_test(bspline_is_the_sum_of_four_to_one),
		cmocka_unit_test(one_example_has_the_known_coefficients),
		cmocka_unit_test(arcs_are_not_always_positive_definite),
		cmocka_unit_test(refuses_what_is_not_determined),
		cmocka_unit_test(takes_the_values_at_the_centres),
		cmocka_unit_test(widths_come_from_the_nearest),
		cmocka_unit_test(linear_part_is_the_angle_between_two_poses),
		cmocka_unit_test(linear_part_and_residual_sum_to_one),
		cmocka_unit_test(joints_add_as_in_space),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
