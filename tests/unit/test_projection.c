// Projections against the matrices that glTF 2.0 prints in 3.10.3.
#include "view/projection.h"

#include "check.h"

static void assert_matrix(const double *got, const double want[static 4][4]) {
	for (int row = 0; row < 4; row++) {
		for (int column = 0; column < 4; column++) {
			assert_near(got[column * 4 + row], want[row][column], 1e-12);
		}
	}
}

static void perspective_is_the_one_of_gltf(void **state) {
	(void)state;
	const double a = 1.6, y = 0.7, f = 100, n = 0.1;
	const double slopes[2] = {a * tan(y / 2), tan(y / 2)};
	double m[16], near, far;
	projection_perspective(slopes, n, f, m);
	const double want[4][4] = {
		{1 / (a * tan(0.5 * y)), 0, 0, 0},
		{0, 1 / tan(0.5 * y), 0, 0},
		{0, 0, (f + n) / (n - f), 2 * f * n / (n - f)},
		{0, 0, -1, 0},
	};
	assert_matrix(m, want);
	assert_false(projection_is_orthographic(m));
	projection_depth(m, &near, &far);
	assert_near(near, n, 1e-12);
	assert_near(far, f, 1e-9);
}

static void infinite_perspective_is_the_one_of_gltf(void **state) {
	(void)state;
	const double a = 0.5, y = 1.1, n = 0.25;
	const double slopes[2] = {a * tan(y / 2), tan(y / 2)};
	double m[16], near, far;
	projection_perspective(slopes, n, INFINITY, m);
	const double want[4][4] = {
		{1 / (a * tan(0.5 * y)), 0, 0, 0},
		{0, 1 / tan(0.5 * y), 0, 0},
		{0, 0, -1, -2 * n},
		{0, 0, -1, 0},
	};
	assert_matrix(m, want);
	projection_depth(m, &near, &far);
	assert_near(near, n, 1e-12);
	assert_true(isinf(far));
}

static void orthographic_is_the_one_of_gltf(void **state) {
	(void)state;
	const double r = 3, t = 2, f = 40, n = -4;
	double m[16], near, far;
	projection_orthographic((const double[]){r, t}, n, f, m);
	const double want[4][4] = {
		{1 / r, 0, 0, 0},
		{0, 1 / t, 0, 0},
		{0, 0, 2 / (n - f), (f + n) / (n - f)},
		{0, 0, 0, 1},
	};
	assert_matrix(m, want);
	assert_true(projection_is_orthographic(m));
	projection_depth(m, &near, &far);
	assert_near(near, n, 1e-12);
	assert_near(far, f, 1e-12);
}

static void multiplies_columns(void **state) {
	(void)state;
	double moved[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 4, 5, 1}, scaled[16], out[16];
	projection_orthographic((const double[]){0.5, 0.25}, -1, 1, scaled);
	projection_multiply(scaled, moved, out);
	// Moved first, then scaled.
	assert_near(out[12], 6, 1e-12);
	assert_near(out[13], 16, 1e-12);
	assert_near(out[14], -5, 1e-12);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(perspective_is_the_one_of_gltf),
		cmocka_unit_test(infinite_perspective_is_the_one_of_gltf),
		cmocka_unit_test(orthographic_is_the_one_of_gltf),
		cmocka_unit_test(multiplies_columns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
