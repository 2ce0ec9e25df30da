// Dense linear algebra checked against small problems with answers known by hand.
#include <string.h>

#include "check.h"
#include "fit/dense.h"

static void inverts_and_tells_the_condition(void **state) {
	(void)state;
	// [2 1; 1 1] has the inverse [1 -1; -1 2]; 1-norms 3 and 3.
	double a[] = {2, 1, 1, 1};
	assert_near(dense_invert(a, 2), 1.0 / 9, 1e-15);
	const double expected[] = {1, -1, -1, 2};
	for (int i = 0; i < 4; i++) {
		assert_near(a[i], expected[i], 1e-15);
	}
	double singular[] = {1, 2, 2, 4};
	assert_true(dense_invert(singular, 2) == 0);
	double broken[] = {1, NAN, 2, 4};
	assert_true(dense_invert(broken, 2) == 0);
}

static void fits_a_line(void **state) {
	(void)state;
	// Through (0, 1), (1, 2), (2, 4): 5/6 + 3/2 t by the normal equations.
	double a[] = {1, 1, 1, 0, 1, 2}, b[] = {1, 2, 4};
	assert_true(dense_least_squares(a, 3, 2, b, 1));
	assert_near(b[0], 5.0 / 6, 1e-14);
	assert_near(b[1], 1.5, 1e-14);
}

static void takes_the_shortest_of_many_solutions(void **state) {
	(void)state;
	// x + 2 y = 5: the shortest is (1, 2).
	double a[] = {1, 2}, b[] = {5, 0};
	assert_int_equal(dense_least_squares_truncated(a, 1, 2, b, 1, 0), 1);
	assert_near(b[0], 1, 1e-14);
	assert_near(b[1], 2, 1e-14);
}

static void leaves_out_what_is_below_the_cut(void **state) {
	(void)state;
	double a[] = {1, 0, 0, 1e-3}, b[] = {1, 1};
	assert_int_equal(dense_least_squares_truncated(a, 2, 2, b, 1, 1e-2), 1);
	assert_near(b[0], 1, 1e-14);
	assert_near(b[1], 0, 1e-14);
	double again[] = {1, 0, 0, 1e-3}, c[] = {1, 1};
	assert_int_equal(dense_least_squares_truncated(again, 2, 2, c, 1, 1e-4), 2);
	assert_near(c[1], 1000, 1e-9);
}

static void takes_a_matrix_apart(void **state) {
	(void)state;
	// Columns (3, 0, 4) and (0, 2, 0): singular values 5 and 2.
	double a[] = {3, 0, 4, 0, 2, 0}, copy[6], u[6], s[2], vt[4];
	memcpy(copy, a, sizeof a);
	assert_true(dense_svd(a, 3, 2, u, s, vt));
	assert_near(s[0], 5, 1e-14);
	assert_near(s[1], 2, 1e-14);
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 2; column++) {
			double sum = 0;
			for (int k = 0; k < 2; k++) {
				sum += u[k * 3 + row] * s[k] * vt[column * 2 + k];
			}
			assert_near(sum, copy[column * 3 + row], 1e-14);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inverts_and_tells_the_condition),
		cmocka_unit_test(fits_a_line),
		cmocka_unit_test(takes_the_shortest_of_many_solutions),
		cmocka_unit_test(leaves_out_what_is_below_the_cut),
		cmocka_unit_test(takes_a_matrix_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
