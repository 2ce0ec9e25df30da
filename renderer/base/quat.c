// Unit quaternions.
#include "base/quat.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/elementary.h"
#include "base/mat.h"
#include "base/vec.h"

double quat_dot(const double a[static 4], const double b[static 4]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

void quat_normalize(double q[static 4]) {
	const double length = sqrt(quat_dot(q, q));
	if (!(length > 1e-150)) {
		q[0] = q[1] = q[2] = 0;
		q[3] = 1;
		return;
	}
	for (int i = 0; i < 4; i++) {
		q[i] /= length;
	}
}

bool quat_normalize_any(const struct value *source, double q[static 4], struct error *err) {
	double greatest = 0;
	for (int i = 0; i < 4; i++) {
		greatest = fmax(greatest, fabs(q[i]));
	}
	if (greatest == 0) {
		return value_error(source, err, ERROR_INVALID_VALUE,
			"the rotation is zero, must be a quaternion [x, y, z, w] with a length");
	}
	for (int i = 0; i < 4; i++) {
		q[i] /= greatest; // the square of a length may leave double's range
	}
	quat_normalize(q);
	return true;
}

bool quat_is_unit(const double q[static 4]) {
	return fabs(quat_dot(q, q) - 1) < 1e-6;
}

void quat_slerp(
	const double a[static 4], const double b[static 4], double u, double out[static 4]) {
	const double sign = quat_dot(a, b) < 0 ? -1 : 1;
	double difference[4], sum[4];
	for (int i = 0; i < 4; i++) {
		difference[i] = sign * b[i] - a[i];
		sum[i] = sign * b[i] + a[i];
	}
	// Half the angle from the chords: exact for small angles, where an arc cosine is not.
	const double chord = sqrt(quat_dot(difference, difference));
	const double angle = 2 * angle_atan2(chord, sqrt(quat_dot(sum, sum)));
	double from = 1 - u, to = u;
	if (angle > 1e-6) {
		const double whole = angle_sin(angle);
		from = angle_sin((1 - u) * angle) / whole;
		to = angle_sin(u * angle) / whole;
	}
	for (int i = 0; i < 4; i++) {
		out[i] = from * a[i] + to * sign * b[i];
	}
	quat_normalize(out);
}

void quat_multiply(const double a[static 4], const double b[static 4], double out[static 4]) {
	const double product[4] = {
		a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
		a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
		a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
		a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
	};
	memcpy(out, product, sizeof product);
}

void quat_conjugate(const double q[static 4], double out[static 4]) {
	for (int i = 0; i < 3; i++) {
		out[i] = -q[i];
	}
	out[3] = q[3];
}

void quat_power(const double q[static 4], double share, double out[static 4]) {
	const double sign = q[3] < 0 ? -1 : 1;
	const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
	if (!(length > 1e-150)) {
		out[0] = out[1] = out[2] = 0;
		out[3] = 1;
		return;
	}
	const double two_pi = 6.28318530717958647692;
	double sine, cosine;
	angle_sine_cosine(angle_atan2(length, sign * q[3]) / two_pi * share, &sine, &cosine);
	for (int i = 0; i < 3; i++) {
		out[i] = sign * q[i] / length * sine;
	}
	out[3] = cosine;
}

void quat_rotate(const double q[static 4], const double v[static 3], double out[static 3]) {
	// METHODS 0.5: v + 2 u x (u x v + w v).
	double inner[3], outer[3];
	vec3_cross(q, v, inner);
	for (int i = 0; i < 3; i++) {
		inner[i] += q[3] * v[i];
	}
	vec3_cross(q, inner, outer);
	for (int i = 0; i < 3; i++) {
		out[i] = v[i] + 2 * outer[i];
	}
}

/* A unit vector at right angles to a unit one: to the coordinate axis that it is least along. */
static void any_across(const double v[static 3], double out[static 3]) {
	int least = 0;
	for (int i = 1; i < 3; i++) {
		least = fabs(v[i]) < fabs(v[least]) ? i : least;
	}
	double axis[3] = {0};
	axis[least] = 1;
	vec3_cross(axis, v, out);
	vec3_normalize(out);
}

/* For unit vectors that are almost opposite, where the direction half way is all rounding: half a
 * turn about the axis across both, and from there the little that is left. */
static void between_opposite(
	const double a[static 3], const double b[static 3], double out[static 4]) {
	double axis[3], half_turn[4] = {0}, rest[4];
	const double away[3] = {-a[0], -a[1], -a[2]};
	vec3_cross(a, b, axis);
	if (!(vec3_length(axis) > 1e-12) || !vec3_normalize(axis)) {
		any_across(a, axis);
	}
	const double along = vec3_dot(axis, a);
	for (int i = 0; i < 3; i++) {
		half_turn[i] = axis[i] - along * a[i];
	}
	quat_normalize(half_turn);
	quat_between(away, b, rest);
	quat_multiply(rest, half_turn, out);
}

void quat_between(const double from[static 3], const double to[static 3], double out[static 4]) {
	double a[3], b[3], half[3];
	memcpy(a, from, sizeof a);
	memcpy(b, to, sizeof b);
	if (!vec3_normalize(a) || !vec3_normalize(b)) {
		memcpy(out, (const double[4]){0, 0, 0, 1}, 4 * sizeof *out);
		return;
	}
	for (int i = 0; i < 3; i++) {
		half[i] = a[i] + b[i];
	}
	if (vec3_dot(a, b) < -0.99) {
		between_opposite(a, b, out);
		return;
	}
	vec3_normalize(half);
	vec3_cross(a, half, out);
	out[3] = vec3_dot(a, half);
	quat_normalize(out);
}

void quat_to_vector(const double q[static 4], double out[static 3]) {
	const double length = vec3_length(q), sign = q[3] < 0 ? -1 : 1;
	const double angle = 2 * angle_direction(length, fabs(q[3]));
	for (int i = 0; i < 3; i++) {
		out[i] = length > 1e-12 ? sign * angle * q[i] / length : 0;
	}
}

void quat_from_vector(const double vector[static 3], double out[static 4]) {
	const double angle = vec3_length(vector), four_pi = 12.5663706143591729539;
	double sine, cosine;
	angle_sine_cosine(angle / four_pi, &sine, &cosine);
	for (int i = 0; i < 3; i++) {
		out[i] = angle > 1e-150 ? vector[i] / angle * sine : 0;
	}
	out[3] = cosine;
	quat_normalize(out);
}

void quat_swing_twist(const double q[static 4], const double axis[static 3], double swing[static 4],
	double twist[static 4]) {
	const double along = vec3_dot(q, axis);
	const double length = sqrt(along * along + q[3] * q[3]);
	memcpy(twist, (const double[4]){0, 0, 0, 1}, 4 * sizeof *twist);
	if (length > 1e-9) {
		for (int i = 0; i < 3; i++) {
			twist[i] = along * axis[i] / length;
		}
		twist[3] = q[3] / length;
		quat_normalize(twist);
	}
	double inverse[4];
	quat_conjugate(twist, inverse);
	quat_multiply(q, inverse, swing);
}

void quat_average(const double (*quaternions)[4], const double *weights, int count, int reference,
	double out[static 4]) {
	double sum[4] = {0};
	for (int c = 0; c < count; c++) {
		const double sign = quat_dot(quaternions[c], quaternions[reference]) < 0 ? -1 : 1;
		for (int i = 0; i < 4; i++) {
			sum[i] += weights[c] * sign * quaternions[c][i];
		}
	}
	const bool cancelled = sqrt(quat_dot(sum, sum)) < 1e-4;
	memcpy(out, cancelled ? quaternions[reference] : sum, sizeof sum);
	quat_normalize(out);
}

void quat_average_eigen(const double (*quaternions)[4], const double *weights, int count,
	int reference, double out[static 4]) {
	double sum[16] = {0}, vectors[16];
	for (int c = 0; c < count; c++) {
		for (int i = 0; i < 16; i++) {
			sum[i] += weights[c] * quaternions[c][i / 4] * quaternions[c][i % 4];
		}
	}
	jacobi_diagonalise(4, sum, vectors);
	int greatest = 0;
	for (int i = 1; i < 4; i++) {
		greatest = sum[i * 5] > sum[greatest * 5] ? i : greatest;
	}
	double second = 0;
	for (int i = 0; i < 4; i++) {
		second = i != greatest ? fmax(second, sum[i * 5]) : second;
	}
	for (int i = 0; i < 4; i++) {
		out[i] = vectors[i * 4 + greatest];
	}
	const double sign = quat_dot(out, quaternions[reference]) < 0 ? -1 : 1;
	for (int i = 0; i < 4; i++) {
		out[i] = sum[greatest * 5] - second < 1e-8 ? quaternions[reference][i]
							   : sign * out[i];
	}
	quat_normalize(out);
}

void quat_average_arcs(const double (*quaternions)[4], const double *weights, int count,
	int reference, double out[static 4]) {
	quat_average(quaternions, weights, count, reference, out);
	for (int step = 0; step < 10; step++) {
		double sum[3] = {0};
		double inverse[4], turn[4], vector[3];
		quat_conjugate(out, inverse);
		for (int c = 0; c < count; c++) {
			quat_multiply(inverse, quaternions[c], turn);
			quat_to_vector(turn, vector);
			for (int i = 0; i < 3; i++) {
				sum[i] += weights[c] * vector[i];
			}
		}
		quat_from_vector(sum, turn);
		quat_multiply(out, turn, out);
		quat_normalize(out);
		if (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] < 1e-18) {
			return;
		}
	}
}
