// Radial basis functions over poses.
#include "fit/rbf.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec.h"
#include "fit/dense.h"
#include "fit/equations.h"

/* Directions in which poses spread by less than this share of how far they spread at most are none.
 * Joints that do not move have float32's rounding noise, about 1e-7, and what is linear in that
 * moves vertices from frame to frame. What is left out here is left to the radial functions. */
#define MIN_SPREAD 1e-3

static void rotation_of(const struct transform *local, double q[static 4]) {
	for (int i = 0; i < 4; i++) {
		q[i] = local->rotation[i];
	}
	quat_normalize(q);
}

/* v turned by the unit quaternion q. */
static void rotate(const double q[static 4], const double v[static 3], double out[static 3]) {
	const double point[4] = {v[0], v[1], v[2], 0};
	double inverse[4], turned[4];
	quat_conjugate(q, inverse);
	quat_multiply(q, point, turned);
	quat_multiply(turned, inverse, turned);
	memcpy(out, turned, 3 * sizeof *out);
}

void rbf_feature(const struct rbf *rbf, const struct transform *local, double *feature) {
	for (int i = 0; i < rbf->joint_count; i++) {
		const struct rbf_joint *joint = &rbf->joints[i];
		double q[4], rest[4], *out = feature + (size_t)i * 4;
		rotation_of(&local[joint->joint], q);
		if (rbf->metric == RBF_ANGLE) {
			quat_conjugate(joint->reference, rest);
			quat_multiply(rest, q, out);
		} else {
			rotate(q, joint->reference, out);
			out[3] = 0;
		}
	}
}

static double angles_between(const struct rbf *rbf, const double *a, const double *b) {
	double square = 0;
	for (int i = 0; i < rbf->joint_count; i++) {
		const double angle = metric_angle(a + (size_t)i * 4, b + (size_t)i * 4);
		square += rbf->joints[i].importance * angle * angle;
	}
	return sqrt(square);
}

double rbf_distance(const struct rbf *rbf, const double *a, const double *b) {
	switch (rbf->metric) {
	case RBF_ARC:
		return metric_arc(a, b);
	case RBF_CHORD:
		return metric_chord(a, b);
	case RBF_ANGLE:
		break;
	}
	return angles_between(rbf, a, b);
}

double rbf_angle(const struct rbf *rbf, const double *a, const double *b) {
	return rbf->metric == RBF_ANGLE ? angles_between(rbf, a, b) : metric_arc(a, b);
}

static const double *centre(const struct rbf *rbf, int i) {
	return rbf->features + (size_t)i * (size_t)rbf->joint_count * 4;
}

static double nearest(const struct rbf *rbf, int of) {
	double least = INFINITY;
	for (int i = 0; i < rbf->centre_count; i++) {
		if (i != of) {
			least = fmin(least, rbf_distance(rbf, centre(rbf, of), centre(rbf, i)));
		}
	}
	return least;
}

void rbf_set_widths(struct rbf *rbf, double width, struct arena *arena) {
	assert(rbf->centre_count >= 2);
	const int count = rbf->centre_count;
	rbf->widths = arena_alloc(arena, (size_t)count, sizeof *rbf->widths);
	double sum = 0;
	for (int i = 0; i < count; i++) {
		rbf->widths[i] = width > 0 ? width : nearest(rbf, i);
		sum += rbf->widths[i];
	}
	for (int i = 0; width <= 0 && rbf->kernel == RBF_GAUSSIAN && i < count; i++) {
		rbf->widths[i] = sum / count;
	}
}

/* The i-th centre's function at a feature. */
static double radial(const struct rbf *rbf, int i, const double *feature) {
	const double distance = rbf_distance(rbf, feature, centre(rbf, i));
	return rbf->kernel == RBF_GAUSSIAN ? kernel_gaussian(distance, rbf->widths[i])
					   : kernel_bspline(distance, rbf->widths[i]);
}

/* out [rows][columns] = a [rows][inner] b [inner][columns], a by columns, b and out by rows. */
static void multiply(
	const double *a, const double *b, int rows, int inner, int columns, double *out) {
	for (int row = 0; row < rows; row++) {
		for (int column = 0; column < columns; column++) {
			double sum = 0;
			for (int k = 0; k < inner; k++) {
				sum += a[(size_t)k * (size_t)rows + (size_t)row] *
					b[(size_t)k * (size_t)columns + (size_t)column];
			}
			out[(size_t)row * (size_t)columns + (size_t)column] = sum;
		}
	}
}

bool rbf_solve(struct rbf *rbf, const double *values, double ridge, struct arena *arena,
	double *rcond, struct error *err) {
	const int n = rbf->centre_count;
	double *matrix = arena_alloc(arena, (size_t)n * (size_t)n, sizeof *matrix);
	for (int i = 0; i < n; i++) {
		for (int row = 0; row < n; row++) {
			matrix[i * n + row] =
				radial(rbf, i, centre(rbf, row)) + (i == row ? ridge : 0);
		}
	}
	*rcond = dense_invert(matrix, n);
	if (!(*rcond >= RBF_MIN_RCOND)) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"the examples' poses do not determine an interpolation: the reciprocal "
			"condition of their kernel matrix is %.3g, need %g; a lesser width, or "
			"fewer examples that are much alike, would do",
			*rcond, RBF_MIN_RCOND);
	}
	rbf->weights =
		arena_alloc(arena, (size_t)n * (size_t)rbf->output_count, sizeof *rbf->weights);
	multiply(matrix, values, n, n, rbf->output_count, rbf->weights);
	return true;
}

/* The terms that are linear in the rotation vectors, [1 + 3 joint_count]. */
static void linear_terms(const struct rbf *rbf, const double *feature, double *terms) {
	terms[0] = 1;
	for (int i = 0; i < rbf->joint_count; i++) {
		quat_to_vector(feature + (size_t)i * 4, terms + 1 + i * 3);
	}
}

bool rbf_fit_linear(struct rbf *rbf, double *values, struct arena *arena, struct error *err) {
	assert(rbf->metric == RBF_ANGLE);
	const int n = rbf->centre_count, terms = 1 + 3 * rbf->joint_count;
	const int outputs = rbf->output_count, longer = n > terms ? n : terms;
	const size_t cells = (size_t)n * (size_t)terms;
	double *a = arena_alloc(arena, cells * 2, sizeof *a), *kept = a + cells;
	double *row = arena_alloc(arena, (size_t)terms, sizeof *row);
	double *b = arena_alloc(arena, (size_t)longer * (size_t)outputs, sizeof *b);
	for (int i = 0; i < n; i++) {
		linear_terms(rbf, centre(rbf, i), row);
		for (int t = 0; t < terms; t++) {
			a[t * n + i] = kept[t * n + i] = row[t];
		}
		for (int o = 0; o < outputs; o++) {
			b[o * longer + i] = values[i * outputs + o];
		}
	}
	if (dense_least_squares_truncated(a, n, terms, b, outputs, MIN_SPREAD) < 0) {
		return error_set(err, ERROR_INTERNAL, "no singular values of %d poses", n);
	}
	rbf->linear = arena_alloc(arena, (size_t)(terms * outputs), sizeof *rbf->linear);
	for (int t = 0; t < terms; t++) {
		for (int o = 0; o < outputs; o++) {
			rbf->linear[t * outputs + o] = b[o * longer + t];
		}
	}
	double *fitted = arena_alloc(arena, (size_t)n * (size_t)outputs, sizeof *fitted);
	multiply(kept, rbf->linear, n, terms, outputs, fitted);
	for (int i = 0; i < n * outputs; i++) {
		values[i] -= fitted[i];
	}
	return true;
}

static void add_scaled(const double *a, double by, int count, double *sum) {
	for (int i = 0; i < count; i++) {
		sum[i] += by * a[i];
	}
}

void rbf_evaluate(
	const struct rbf *rbf, const struct transform *local, double *feature, double *outputs) {
	const int count = rbf->output_count;
	rbf_feature(rbf, local, feature);
	memset(outputs, 0, (size_t)count * sizeof *outputs);
	for (int i = 0; i < rbf->centre_count; i++) {
		add_scaled(rbf->weights + (size_t)i * (size_t)count, radial(rbf, i, feature), count,
			outputs);
	}
	if (!rbf->linear) {
		return;
	}
	add_scaled(rbf->linear, 1, count, outputs);
	for (int i = 0; i < rbf->joint_count; i++) {
		double vector[3];
		quat_to_vector(feature + (size_t)i * 4, vector);
		for (int axis = 0; axis < 3; axis++) {
			const int term = 1 + i * 3 + axis;
			add_scaled(rbf->linear + (size_t)term * (size_t)count, vector[axis], count,
				outputs);
		}
	}
}
