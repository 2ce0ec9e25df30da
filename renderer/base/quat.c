// Unit quaternions.
#include "base/quat.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/angle.h"

static double dot4(const double a[static 4], const double b[static 4]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

void quat_normalize(double q[static 4]) {
	const double length = sqrt(dot4(q, q));
	if (!(length > 1e-150)) {
		q[0] = q[1] = q[2] = 0;
		q[3] = 1;
		return;
	}
	for (int i = 0; i < 4; i++) {
		q[i] /= length;
	}
}

void quat_slerp(
	const double a[static 4], const double b[static 4], double u, double out[static 4]) {
	const double sign = dot4(a, b) < 0 ? -1 : 1;
	double difference[4], sum[4];
	for (int i = 0; i < 4; i++) {
		difference[i] = sign * b[i] - a[i];
		sum[i] = sign * b[i] + a[i];
	}
	// Half the angle from the chords: exact for small angles, where an arc cosine is not.
	const double chord = sqrt(dot4(difference, difference));
	const double angle = 2 * angle_atan2(chord, sqrt(dot4(sum, sum)));
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

void quat_average(const double (*quaternions)[4], const double *weights, int count, int reference,
	double out[static 4]) {
	double sum[4] = {0};
	for (int c = 0; c < count; c++) {
		const double sign = dot4(quaternions[c], quaternions[reference]) < 0 ? -1 : 1;
		for (int i = 0; i < 4; i++) {
			sum[i] += weights[c] * sign * quaternions[c][i];
		}
	}
	const bool cancelled = sqrt(dot4(sum, sum)) < 1e-4;
	memcpy(out, cancelled ? quaternions[reference] : sum, sizeof sum);
	quat_normalize(out);
}
