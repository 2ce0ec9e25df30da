// Eigenvalues and eigenvectors of small symmetric matrices.
#include "base/jacobi.h"

#include <math.h>

/* One rotation that clears s[p][q] of a symmetric matrix; v collects the eigenvectors as columns.
 */
static void rotate(int size, double *s, double *v, int p, int q) {
	const double off = s[p * size + q];
	if (off == 0) {
		return;
	}
	const double theta = (s[q * size + q] - s[p * size + p]) / (2 * off);
	const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
	const double c = 1 / sqrt(t * t + 1), d = t * c;
	for (int k = 0; k < size; k++) {
		const double a = s[k * size + p], b = s[k * size + q];
		s[k * size + p] = c * a - d * b;
		s[k * size + q] = d * a + c * b;
	}
	for (int k = 0; k < size; k++) {
		const double a = s[p * size + k], b = s[q * size + k];
		s[p * size + k] = c * a - d * b;
		s[q * size + k] = d * a + c * b;
	}
	for (int k = 0; k < size; k++) {
		const double a = v[k * size + p], b = v[k * size + q];
		v[k * size + p] = c * a - d * b;
		v[k * size + q] = d * a + c * b;
	}
}

void jacobi_diagonalise(int size, double *symmetric, double *vectors) {
	for (int i = 0; i < size * size; i++) {
		vectors[i] = i % (size + 1) == 0;
	}
	for (int sweep = 0; sweep < 12; sweep++) {
		for (int p = 0; p < size; p++) {
			for (int q = p + 1; q < size; q++) {
				rotate(size, symmetric, vectors, p, q);
			}
		}
	}
}
