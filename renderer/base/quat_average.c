// Averages of unit quaternions.
#include "base/quat_average.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/jacobi.h"
#include "base/quat.h"

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
