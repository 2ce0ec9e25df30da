// Angles, quaternions and matrices held against the C library, closed forms and definitions.
#include <string.h>

#include "base/angle.h"
#include "base/mat.h"
#include "base/quat.h"
#include "check.h"
#include "rigs.h"

#define PI 3.14159265358979323846

static void sine_and_arc_tangent_agree_with_the_c_library(void **state) {
	(void)state;
	for (int i = 0; i <= 100000; i++) {
		const double angle = i * (PI / 2 / 100000);
		assert_near(angle_sin(angle), sin(angle), 2.3e-16);
		assert_near(angle_atan2(sin(angle), fmax(cos(angle), 0)), angle, 7e-16);
	}
}

static void sine_and_cosine_of_any_turns_agree_with_the_c_library(void **state) {
	(void)state;
	for (int i = 0; i <= 10000; i++) {
		const double turns = i * 3.7e-4;
		double sine, cosine;
		angle_sine_cosine(turns, &sine, &cosine);
		assert_near(sine, sin(2 * PI * turns), 4e-15);
		assert_near(cosine, cos(2 * PI * turns), 4e-15);
	}
	// Turns without a fraction left, and without end, are still some angle.
	for (int e = 0; e < 308; e++) {
		double sine, cosine;
		angle_sine_cosine(1.7 * pow(10, e), &sine, &cosine);
		assert_near(sine * sine + cosine * cosine, 1, 1e-15);
	}
}

static void powers_share_and_repeat_a_rotation(void **state) {
	(void)state;
	const double q[4] = {0, 0, -sin(PI / 9), -cos(PI / 9)}; // 40 degrees about z, spelled -q
	double out[4];
	const double shares[] = {0, 0.25, 1, 2, 5, 20};
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		quat_power(q, shares[i], out);
		assert_near(out[2], sin(shares[i] * PI / 9), 1e-14);
		assert_near(out[3], cos(shares[i] * PI / 9), 1e-14);
	}
	const double identity[4] = {0, 0, 0, -1};
	quat_power(identity, 3, out);
	assert_near(out[3], 1, 0);
	assert_near(out[0], 0, 0);
}

static double degrees_about_z(const double q[static 4]) {
	return 2 * atan2(q[2], q[3]) * 180 / PI;
}

static void averages_have_the_known_values(void **state) {
	(void)state;
	// METHODS C.6: 0, 90 and -60 degrees about z, with weights 1/2, 1/4, 1/4.
	double turns[3][4] = {{0, 0, 0, 1}, {0, 0, -sin(PI / 4), -cos(PI / 4)},
		{0, 0, -sin(PI / 6), cos(PI / 6)}};
	const double weights[3] = {0.5, 0.25, 0.25};
	double q[4];
	quat_average(turns, weights, 3, 0, q);
	assert_near(degrees_about_z(q), 6.634561, 5e-7);
	// 90 degrees about x, y and z equally: 60 degrees about (1, 1, 1).
	const double half = sqrt(0.5), thirds[3] = {1 / 3.0, 1 / 3.0, 1 / 3.0};
	const double axes[3][4] = {{half, 0, 0, half}, {0, half, 0, half}, {0, 0, half, half}};
	quat_average(axes, thirds, 3, 0, q);
	for (int i = 0; i < 3; i++) {
		assert_near(q[i], 0.288675135, 1e-9);
	}
	assert_near(q[3], 0.866025404, 1e-9);
	// Half a turn apart there is no nearer sign: as they are written.
	const double opposite[2][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}}, halves[2] = {0.5, 0.5};
	quat_average(opposite, halves, 2, 1, q);
	assert_near(q[0], half, 1e-15);
}

static void slerp_has_the_known_values(void **state) {
	(void)state;
	// METHODS C.1: from the identity to 90 degrees about z.
	const double a[4] = {0, 0, 0, 1}, b[4] = {0, 0, sqrt(0.5), sqrt(0.5)};
	double q[4];
	quat_slerp(a, b, 0.25, q);
	assert_near(q[2], 0.195090322, 1e-9);
	assert_near(q[3], 0.980785280, 1e-9);
	quat_slerp(a, b, 0.5, q);
	assert_near(q[2], 0.382683432, 1e-9);
	assert_near(q[3], 0.923879533, 1e-9);
}

static void slerp_takes_the_shorter_way(void **state) {
	(void)state;
	const double a[4] = {0, 0, 0, 1}, b[4] = {0, 0, -sqrt(0.5), -sqrt(0.5)};
	double q[4];
	quat_slerp(a, b, 0.5, q);
	assert_near(q[2], 0.382683432, 1e-9);
}

static void slerp_turns_evenly_even_between_near_neighbours(void **state) {
	(void)state;
	for (int e = 0; e < 12; e++) {
		const double half = pow(10, -e) * 0.7;
		const double a[4] = {0, 0, 0, 1}, b[4] = {sin(half), 0, 0, cos(half)};
		double q[4];
		quat_slerp(a, b, 0.25, q);
		assert_near(q[0], sin(half / 4), 1e-15 + 1e-13 * half);
	}
}

static void transforms_compose_scale_rotation_translation(void **state) {
	(void)state;
	// METHODS C.4: T(1,2,3) Rz(90) S(2,1,1) maps (1,0,0) to (1,4,3).
	const float t[3] = {1, 2, 3}, r[4] = {0, 0, (float)sqrt(0.5), (float)sqrt(0.5)};
	const float s[3] = {2, 1, 1};
	const double x[3] = {1, 0, 0};
	double m[12], out[3];
	mat_from_transform(t, r, s, m);
	mat_map_point(m, x, out);
	assert_near(out[0], 1, 1e-7);
	assert_near(out[1], 4, 1e-7);
	assert_near(out[2], 3, 1e-7);
}

static void random_matrix(unsigned *seed, double m[static 12]) {
	for (int i = 0; i < 12; i++) {
		m[i] = 2 * random_number(seed);
	}
}

static void inverse_times_matrix_is_identity(void **state) {
	(void)state;
	static const double identity[12] = MAT_IDENTITY;
	unsigned seed = 4;
	for (int i = 0; i < 100; i++) {
		double m[12], inverse[12];
		random_matrix(&seed, m);
		assert_true(mat_invert(m, inverse));
		mat_multiply(inverse, m, inverse);
		for (int k = 0; k < 12; k++) {
			assert_near(inverse[k], identity[k], 1e-10);
		}
	}
	const double flat[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
	double out[12];
	assert_false(mat_invert(flat, out));
}

/* R from the quaternion times S gives the matrix back; R is proper and S symmetric. */
static void assert_polar(const double m[static 12], double tolerance) {
	double q[4], s[9], r[12], product[12];
	mat_polar(m, q, s);
	assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-12);
	const float zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
	const float turn[4] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
	mat_from_transform(zero, turn, one, r);
	const double stretch[12] = {s[0], s[1], s[2], 0, s[3], s[4], s[5], 0, s[6], s[7], s[8], 0};
	mat_multiply(r, stretch, product);
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			assert_near(product[row * 4 + column], m[row * 4 + column], tolerance);
			assert_near(s[row * 3 + column], s[column * 3 + row], 1e-12);
		}
	}
}

static void polar_parts_multiply_to_the_matrix(void **state) {
	(void)state;
	unsigned seed = 9;
	for (int i = 0; i < 200; i++) {
		double m[12];
		random_matrix(&seed, m);
		assert_polar(m, 1e-6); // the quaternion goes through float32 here
	}
}

static void polar_takes_singular_and_mirrored_matrices(void **state) {
	(void)state;
	static const double rows[][12] = {
		{0},
		{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0},
		{0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0},
		{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
		{0, -2, 0, 0, 2, 0, 0, 0, 0, 0, 1e-13, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_polar(rows[i], 1e-6);
	}
}

static void quaternion_from_matrix_takes_every_branch(void **state) {
	(void)state;
	unsigned seed = 2;
	for (int i = 0; i < 400; i++) {
		float q[4];
		double length = 0;
		for (int k = 0; k < 4; k++) {
			q[k] = (float)random_number(&seed) * (i % 4 == k ? 8 : 1);
			length += (double)q[k] * q[k];
		}
		const float zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
		double m[12], back[4];
		mat_from_transform(zero, q, one, m);
		const double rows[9] = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
		mat_to_quaternion(rows, back);
		const double sign = q[3] < 0 ? -1 : 1;
		for (int k = 0; k < 4; k++) {
			assert_near(back[k], sign * q[k] / sqrt(length), 1e-9);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sine_and_arc_tangent_agree_with_the_c_library),
		cmocka_unit_test(sine_and_cosine_of_any_turns_agree_with_the_c_library),
		cmocka_unit_test(powers_share_and_repeat_a_rotation),
		cmocka_unit_test(averages_have_the_known_values),
		cmocka_unit_test(slerp_has_the_known_values),
		cmocka_unit_test(slerp_takes_the_shorter_way),
		cmocka_unit_test(slerp_turns_evenly_even_between_near_neighbours),
		cmocka_unit_test(transforms_compose_scale_rotation_translation),
		cmocka_unit_test(inverse_times_matrix_is_identity),
		cmocka_unit_test(polar_parts_multiply_to_the_matrix),
		cmocka_unit_test(polar_takes_singular_and_mirrored_matrices),
		cmocka_unit_test(quaternion_from_matrix_takes_every_branch),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
