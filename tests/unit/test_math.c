// Angles, quaternions and matrices checked against the C library, closed forms and definitions.
#include <string.h>

#include "base/elementary.h"
#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"
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

static void directions_have_the_angles_of_the_c_library(void **state) {
	(void)state;
	for (int i = -5000; i <= 5000; i++) {
		const double angle = i * (PI / 5000), length = pow(10, i % 100);
		assert_near(angle_direction(length * sin(angle), length * cos(angle)),
			atan2(sin(angle), cos(angle)), 2e-15);
	}
	assert_near(angle_direction(0, -3), PI, 1e-15);
	assert_near(angle_direction(0, 0), 0, 0);
	assert_near(angle_direction(1e-200, 0), 0, 0);
}

static void exponentials_agree_with_the_c_library(void **state) {
	(void)state;
	for (int i = 0; i < 69000; i++) {
		const double x = i * 0.0101, expected = exp(-x);
		assert_near(decay_exp(x), expected, 2e-15 * expected);
	}
	assert_near(decay_exp(1e300), 0, 0);
}

static void random_unit(unsigned *seed, double *out, int count) {
	double square = 0;
	while (!(square > 1e-4)) {
		square = 0;
		for (int i = 0; i < count; i++) {
			out[i] = random_number(seed);
			square += out[i] * out[i];
		}
	}
	for (int i = 0; i < count; i++) {
		out[i] /= sqrt(square);
	}
}

static void rotations_turn_vectors_as_their_matrices_do(void **state) {
	(void)state;
	unsigned seed = 11;
	for (int round = 0; round < 500; round++) {
		double q[4], v[3], turned[3], m[12], back[4], by_matrix[3];
		random_unit(&seed, q, 4);
		random_unit(&seed, v, 3);
		quat_rotate(q, v, turned);
		const float zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
		const float r[4] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
		mat_from_transform(zero, r, one, m);
		mat_map_direction(m, v, by_matrix);
		// There and back by its vector.
		double vector[3];
		quat_to_vector(q, vector);
		quat_from_vector(vector, back);
		const double sign = q[3] < 0 ? -1 : 1;
		for (int i = 0; i < 4; i++) {
			assert_near(back[i], sign * q[i], 1e-15);
		}
		for (int i = 0; i < 3; i++) {
			assert_near(turned[i], by_matrix[i], 5e-7);
		}
	}
}

static void shortest_arcs_take_one_direction_to_another(void **state) {
	(void)state;
	unsigned seed = 12;
	for (int round = 0; round < 500; round++) {
		double a[3], b[3], q[4], turned[3];
		random_unit(&seed, a, 3);
		random_unit(&seed, b, 3);
		// Every tenth nearly or quite opposite, every other tenth the same.
		for (int i = 0; i < 3 && round % 5 == 0; i++) {
			b[i] = (round % 10 ? 1 : -1) * a[i] + (round % 20 ? 1e-9 * b[i] : 0);
		}
		vec3_normalize(b);
		const double longer[3] = {7e3 * b[0], 7e3 * b[1], 7e3 * b[2]};
		quat_between(a, longer, q);
		quat_rotate(q, a, turned);
		assert_near(vec3_dot(q, a), 0, 1e-9); // about an axis across
		for (int i = 0; i < 3; i++) {
			assert_near(turned[i], b[i], 3e-15);
		}
	}
	const double none[3] = {0, 0, 0}, x[3] = {1, 0, 0};
	double q[4];
	quat_between(none, x, q);
	assert_near(q[3], 1, 0);
}

static void swing_and_twist_have_the_known_values(void **state) {
	(void)state;
	// METHODS 0.5: Rx(40) Ry(70) about y is a twist of 70 degrees and a swing of 40.
	const double x[4] = {sin(PI / 9), 0, 0, cos(PI / 9)};
	const double y[4] = {0, sin(PI * 7 / 36), 0, cos(PI * 7 / 36)};
	const double axis[3] = {0, 1, 0};
	double q[4], swing[4], twist[4];
	quat_multiply(x, y, q);
	quat_swing_twist(q, axis, swing, twist);
	for (int i = 0; i < 4; i++) {
		assert_near(swing[i], x[i], 1e-15);
		assert_near(twist[i], y[i], 1e-15);
	}
	const double half_turn[4] = {1, 0, 0, 0};
	quat_swing_twist(half_turn, axis, swing, twist);
	assert_near(twist[3], 1, 0);
	assert_near(swing[0], 1, 0);
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

static void other_averages_have_the_known_values(void **state) {
	(void)state;
	// METHODS C.6: 0, 90 and -60 degrees about z, with weights 1/2, 1/4, 1/4.
	const double turns[3][4] = {{0, 0, 0, 1}, {0, 0, -sin(PI / 4), -cos(PI / 4)},
		{0, 0, -sin(PI / 6), cos(PI / 6)}};
	const double weights[3] = {0.5, 0.25, 0.25};
	double q[4];
	quat_average_arcs(turns, weights, 3, 0, q);
	assert_near(degrees_about_z(q), 7.5, 1e-9);
	// About one axis the eigenvector is half way to the sum of the turns as complex numbers.
	quat_average_eigen(turns, weights, 3, 0, q);
	const double sine = 0.25 - 0.25 * sin(PI / 3), cosine = 0.5 + 0.25 * cos(PI / 3);
	assert_near(degrees_about_z(q), atan2(sine, cosine) * 180 / PI, 1e-12);
	// 90 degrees about x, y and z equally: all of them the same.
	const double half = sqrt(0.5), thirds[3] = {1 / 3.0, 1 / 3.0, 1 / 3.0};
	const double axes[3][4] = {{half, 0, 0, half}, {0, -half, 0, -half}, {0, 0, half, half}};
	for (int way = 0; way < 2; way++) {
		(way ? quat_average_arcs : quat_average_eigen)(axes, thirds, 3, 0, q);
		for (int i = 0; i < 3; i++) {
			assert_near(q[i], 0.288675135, 1e-9);
		}
		assert_near(q[3], 0.866025404, 1e-9);
	}
	// Half a turn apart, equally, there is no eigenvector between the two.
	const double opposite[2][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}}, halves[2] = {0.5, 0.5};
	quat_average_eigen(opposite, halves, 2, 1, q);
	assert_near(q[1], 1, 0);
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
		cmocka_unit_test(directions_have_the_angles_of_the_c_library),
		cmocka_unit_test(exponentials_agree_with_the_c_library),
		cmocka_unit_test(rotations_turn_vectors_as_their_matrices_do),
		cmocka_unit_test(shortest_arcs_take_one_direction_to_another),
		cmocka_unit_test(swing_and_twist_have_the_known_values),
		cmocka_unit_test(powers_share_and_repeat_a_rotation),
		cmocka_unit_test(averages_have_the_known_values),
		cmocka_unit_test(other_averages_have_the_known_values),
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
