// Affine maps as 3x4 matrices of doubles.
#include "base/mat.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

void mat_multiply(const double a[static 12], const double b[static 12], double out[static 12]) {
	double product[12];
	for (int row = 0; row < 3; row++) {
		const double *r = &a[row * 4];
		for (int column = 0; column < 4; column++) {
			product[row * 4 + column] = r[0] * b[column] + r[1] * b[4 + column] +
				r[2] * b[8 + column] + (column == 3 ? r[3] : 0);
		}
	}
	memcpy(out, product, sizeof product);
}

void mat_from_transform(const float translation[static 3], const float rotation[static 4],
	const float scale[static 3], double out[static 12]) {
	const double rx = rotation[0], ry = rotation[1], rz = rotation[2], rw = rotation[3];
	const double square = rx * rx + ry * ry + rz * rz + rw * rw;
	// Folding 2 / |q|^2 into the products normalises without a square root.
	const double k = square > 0 ? 2 / square : 0;
	const double xx = k * rx * rx, yy = k * ry * ry, zz = k * rz * rz;
	const double xy = k * rx * ry, xz = k * rx * rz, yz = k * ry * rz;
	const double wx = k * rw * rx, wy = k * rw * ry, wz = k * rw * rz;
	const double sx = scale[0], sy = scale[1], sz = scale[2];
	const double m[12] = {
		(1 - yy - zz) * sx,
		(xy - wz) * sy,
		(xz + wy) * sz,
		translation[0],
		(xy + wz) * sx,
		(1 - xx - zz) * sy,
		(yz - wx) * sz,
		translation[1],
		(xz - wy) * sx,
		(yz + wx) * sy,
		(1 - xx - yy) * sz,
		translation[2],
	};
	memcpy(out, m, sizeof m);
}

void mat_map_direction(const double m[static 12], const double a[static 3], double out[static 3]) {
	const double x = a[0], y = a[1], z = a[2];
	for (int row = 0; row < 3; row++) {
		out[row] = m[row * 4] * x + m[row * 4 + 1] * y + m[row * 4 + 2] * z;
	}
}

void mat_map_point(const double m[static 12], const double a[static 3], double out[static 3]) {
	mat_map_direction(m, a, out);
	for (int row = 0; row < 3; row++) {
		out[row] += m[row * 4 + 3];
	}
}

/* The cofactor matrix of the linear part, in rows: det * inverse transpose. */
static void cofactors(const double m[static 12], double out[static 9]) {
	vec3_cross(&m[4], &m[8], &out[0]);
	vec3_cross(&m[8], &m[0], &out[3]);
	vec3_cross(&m[0], &m[4], &out[6]);
}

double mat_determinant(const double m[static 12]) {
	double c[9];
	cofactors(m, c);
	return vec3_dot(&m[0], &c[0]);
}

bool mat_invert(const double m[static 12], double out[static 12]) {
	double c[9], inverse[12];
	cofactors(m, c);
	const double determinant = vec3_dot(&m[0], &c[0]);
	if (!isfinite(determinant) || determinant == 0 || !isfinite(1 / determinant)) {
		return false;
	}
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			inverse[row * 4 + column] = c[column * 3 + row] / determinant;
		}
	}
	for (int row = 0; row < 3; row++) {
		const double *r = &inverse[row * 4];
		inverse[row * 4 + 3] = -(r[0] * m[3] + r[1] * m[7] + r[2] * m[11]);
	}
	memcpy(out, inverse, sizeof inverse);
	return true;
}

void mat_to_columns(const double m[static 12], float columns[static 16]) {
	for (int column = 0; column < 4; column++) {
		for (int row = 0; row < 3; row++) {
			columns[column * 4 + row] = (float)m[row * 4 + column];
		}
		columns[column * 4 + 3] = column == 3 ? 1 : 0;
	}
}

void mat_to_quaternion(const double rows[static 9], double quaternion[static 4]) {
	const double *m = rows;
	const double trace = m[0] + m[4] + m[8];
	// Start from the largest of the four components: the others are divided by it.
	const double squares[4] = {
		1 + 2 * m[0] - trace, 1 + 2 * m[4] - trace, 1 + 2 * m[8] - trace, 1 + trace};
	int largest = 3;
	for (int i = 0; i < 3; i++) {
		largest = squares[i] > squares[largest] ? i : largest;
	}
	double q[4];
	switch (largest) {
	case 0:
		q[0] = squares[0], q[1] = m[1] + m[3], q[2] = m[2] + m[6], q[3] = m[7] - m[5];
		break;
	case 1:
		q[0] = m[1] + m[3], q[1] = squares[1], q[2] = m[5] + m[7], q[3] = m[2] - m[6];
		break;
	case 2:
		q[0] = m[2] + m[6], q[1] = m[5] + m[7], q[2] = squares[2], q[3] = m[3] - m[1];
		break;
	default:
		q[0] = m[7] - m[5], q[1] = m[2] - m[6], q[2] = m[3] - m[1], q[3] = squares[3];
		break;
	}
	const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	const double sign = q[3] < 0 ? -1 : 1;
	for (int i = 0; i < 4; i++) {
		quaternion[i] = sign * q[i] / length;
	}
}

/* --- Polar decomposition, on 3x3 matrices in rows --- */

static double frobenius(const double a[static 9]) {
	double sum = 0;
	for (int i = 0; i < 9; i++) {
		sum += a[i] * a[i];
	}
	return sqrt(sum);
}

static void cofactors3(const double a[static 9], double out[static 9]) {
	vec3_cross(&a[3], &a[6], &out[0]);
	vec3_cross(&a[6], &a[0], &out[3]);
	vec3_cross(&a[0], &a[3], &out[6]);
}

static void transpose_times(
	const double a[static 9], const double b[static 9], double out[static 9]) {
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			out[row * 3 + column] = a[row] * b[column] + a[3 + row] * b[3 + column] +
				a[6 + row] * b[6 + column];
		}
	}
}

/* Newton's iteration with Higham's scaling on a matrix of positive determinant: x becomes its
 * rotation. */
static void newton_rotation(double x[static 9]) {
	for (int step = 0; step < 20; step++) {
		double c[9];
		cofactors3(x, c);
		const double determinant = vec3_dot(&x[0], &c[0]);
		for (int i = 0; i < 9; i++) {
			c[i] /= determinant; // now the inverse transpose
		}
		const double size = frobenius(x);
		const double gamma = sqrt(frobenius(c) / size);
		double change = 0;
		for (int i = 0; i < 9; i++) {
			const double next = 0.5 * (gamma * x[i] + c[i] / gamma);
			change += (next - x[i]) * (next - x[i]);
			x[i] = next;
		}
		if (sqrt(change) < 1e-12 * size) {
			return;
		}
	}
}

/* A unit vector at right angles to the unit vector a. */
static void any_perpendicular(const double a[static 3], double out[static 3]) {
	const int axis = fabs(a[0]) < 0.6 ? 0 : 1;
	double unit[3] = {0, 0, 0};
	unit[axis] = 1;
	vec3_cross(a, unit, out);
	vec3_normalize(out);
}

/* The rotation of a (nearly) singular matrix: R = U V' from the eigenvectors V of A'A, with the
 * images of vanished axes completed to a right-handed U. */
static void singular_rotation(const double a[static 9], double r[static 9]) {
	double gram[9], v[9];
	transpose_times(a, a, gram);
	jacobi_diagonalise(3, gram, v);
	int order[3] = {0, 1, 2};
	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 2 - i; j++) {
			if (gram[order[j] * 4] < gram[order[j + 1] * 4]) {
				const int swap = order[j];
				order[j] = order[j + 1], order[j + 1] = swap;
			}
		}
	}
	double axes[3][3], images[3][3]; // right-handed frames: R takes axes[i] to images[i]
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 3; k++) {
			axes[i][k] = v[k * 3 + order[i]];
		}
		for (int k = 0; k < 3; k++) {
			images[i][k] = vec3_dot(&a[k * 3], axes[i]);
		}
	}
	vec3_cross(axes[0], axes[1], axes[2]);
	const double greatest = sqrt(gram[order[0] * 4]);
	if (!(greatest > 1e-150)) {
		const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
		memcpy(r, identity, sizeof identity);
		return;
	}
	vec3_normalize(images[0]);
	const double along = vec3_dot(images[0], images[1]);
	for (int k = 0; k < 3; k++) {
		images[1][k] -= along * images[0][k];
	}
	if (vec3_length(images[1]) < 1e-9 * greatest) {
		any_perpendicular(images[0], images[1]);
	}
	vec3_normalize(images[1]);
	vec3_cross(images[0], images[1], images[2]);
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			r[row * 3 + column] = images[0][row] * axes[0][column] +
				images[1][row] * axes[1][column] + images[2][row] * axes[2][column];
		}
	}
}

void mat_polar(const double m[static 12], double rotation[static 4], double stretch[static 9]) {
	double a[9], r[9], c[9];
	for (int i = 0; i < 9; i++) {
		a[i] = m[i / 3 * 4 + i % 3];
	}
	cofactors3(a, c);
	const double determinant = vec3_dot(&a[0], &c[0]);
	const double size = frobenius(a);
	if (fabs(determinant) < 1e-9 * size * size * size || size == 0) {
		singular_rotation(a, r);
	} else {
		for (int i = 0; i < 9; i++) {
			r[i] = determinant < 0 ? -a[i] : a[i];
		}
		newton_rotation(r);
	}
	transpose_times(r, a, stretch);
	// Symmetric by theory; rounding is shared out evenly.
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < row; column++) {
			const double mean =
				0.5 * (stretch[row * 3 + column] + stretch[column * 3 + row]);
			stretch[row * 3 + column] = stretch[column * 3 + row] = mean;
		}
	}
	mat_to_quaternion(r, rotation);
}

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
