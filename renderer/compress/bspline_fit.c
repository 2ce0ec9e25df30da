// Least-squares fits of B-splines.
#include "compress/bspline_fit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

#define PIVOT_MIN 1e-12 // of the greatest pivot
#define SHORTEST 1e-8   // weight of control points themselves, where samples leave them free
#define NOTHING 1e-20   // below which a row has been rotated away
#define REACH 20        // control points within which a removed knot is felt

/* A lower triangle, of which row i is kept from column first[i] on; nothing is before. Columns of
 * an upper triangle are kept likewise, as rows of its transpose. */
struct bspline_solver {
	int point_max, count;
	int *first;      // [count]
	double **rows;   // [count], each from column 0 on if it were there
	double *entries; // of all rows
	double *rhs;     // [count][width]
	double *row;     // [count] scratch
	double *off;     // [count] scratch
	int sample_count;
	int *spans;                                // [sample_count] of samples
	double (*weights)[BSPLINE_DEGREE_MAX + 1]; // likewise: basis functions
};

struct bspline_solver *bspline_solver_make(int point_max, int sample_max, struct arena *arena) {
	const size_t count = (size_t)point_max, samples = (size_t)sample_max;
	struct bspline_solver *solver = arena_alloc(arena, 1, sizeof *solver);
	*solver = (struct bspline_solver){.point_max = point_max,
		.first = arena_alloc(arena, count, sizeof(int)),
		.rows = arena_alloc(arena, count, sizeof(double *)),
		.entries = arena_alloc(arena, count * (2 * BSPLINE_DEGREE_MAX + 1), sizeof(double)),
		.rhs = arena_alloc(arena, count * BSPLINE_WIDTH_MAX, sizeof(double)),
		.row = arena_alloc(arena, count * BSPLINE_WIDTH_MAX, sizeof(double)),
		.off = arena_alloc(arena, count, sizeof(double)),
		.spans = arena_alloc(arena, samples, sizeof(int)),
		.weights = arena_alloc(arena, samples, sizeof *solver->weights)};
	return solver;
}

/* Functions of neighbouring control points meet, and of a periodic spline the last and the first.
 */
static void lay_out(struct bspline_solver *solver, const struct bspline *spline, int width) {
	const int count = spline->point_count, degree = spline->degree;
	double *at = solver->entries;
	assert(count <= solver->point_max);
	solver->count = count;
	for (int i = 0; i < count; i++) {
		const bool all = i < degree || (spline->periodic && i >= count - degree);
		solver->first[i] = all ? 0 : i - degree;
		solver->rows[i] = at - solver->first[i];
		at += i + 1 - solver->first[i];
	}
	memset(solver->entries, 0, (size_t)(at - solver->entries) * sizeof *at);
	memset(solver->rhs, 0, (size_t)(count * width) * sizeof *solver->rhs);
}

static void find_weights(struct bspline_solver *solver, const struct bspline *spline,
	const struct bspline_samples *samples) {
	solver->sample_count = samples->count;
	for (int s = 0; s < samples->count; s++) {
		const double u = samples->at ? samples->at[s] : s;
		solver->spans[s] = bspline_span(spline, u);
		bspline_basis(spline, solver->spans[s], u, solver->weights[s]);
	}
}

/* A'A and A's, of basis functions at samples A and values s. */
static void add_samples(struct bspline_solver *solver, const struct bspline *spline,
	const struct bspline_samples *samples) {
	const int width = samples->width;
	for (int s = 0; s < samples->count; s++) {
		const double *value = samples->values + s * width, *weights = solver->weights[s];
		const int span = solver->spans[s];
		for (int i = 0; i <= spline->degree; i++) {
			const int a = bspline_point(spline, span, i);
			for (int c = 0; c < width; c++) {
				solver->rhs[a * width + c] += weights[i] * value[c];
			}
			/* A short periodic spline has a control point in a span more than once. */
			for (int k = 0; k <= spline->degree; k++) {
				const int b = bspline_point(spline, span, k);
				if (b <= a) {
					solver->rows[a][b] += weights[i] * weights[k];
				}
			}
		}
	}
}

/* Moves what is known of a control point to the other side. */
static void fix_point(struct bspline_solver *solver, int point, int width, const double *value) {
	for (int i = 0; i < solver->count; i++) {
		const int high = i > point ? i : point, low = i > point ? point : i;
		if (i == point || low < solver->first[high]) {
			continue;
		}
		for (int c = 0; c < width; c++) {
			solver->rhs[i * width + c] -= solver->rows[high][low] * value[c];
		}
		solver->rows[high][low] = 0;
	}
	solver->rows[point][point] = 1;
	memcpy(solver->rhs + point * width, value, (size_t)width * sizeof *value);
}

/* The factor L of L L' in the place of the matrix. */
static bool factor(struct bspline_solver *solver) {
	double greatest = 0;
	for (int i = 0; i < solver->count; i++) {
		double *row = solver->rows[i];
		greatest = fmax(greatest, row[i]);
		for (int k = solver->first[i]; k <= i; k++) {
			const double *other = solver->rows[k];
			const int from = solver->first[k] > solver->first[i] ? solver->first[k]
									     : solver->first[i];
			double sum = row[k];
			for (int j = from; j < k; j++) {
				sum -= row[j] * other[j];
			}
			if (k < i) {
				row[k] = sum / other[k];
			} else if (sum > PIVOT_MIN * greatest) {
				row[i] = sqrt(sum);
			} else {
				return false;
			}
		}
	}
	return true;
}

static void solve_lower(const struct bspline_solver *solver, int width, double *x) {
	for (int i = 0; i < solver->count; i++) {
		const double *row = solver->rows[i];
		for (int c = 0; c < width; c++) {
			double sum = x[i * width + c];
			for (int k = solver->first[i]; k < i; k++) {
				sum -= row[k] * x[k * width + c];
			}
			x[i * width + c] = sum / row[i];
		}
	}
}

static void solve_upper(const struct bspline_solver *solver, int width, double *x) {
	for (int i = solver->count - 1; i >= 0; i--) {
		const double *row = solver->rows[i];
		for (int c = 0; c < width; c++) {
			const double value = x[i * width + c] / row[i];
			x[i * width + c] = value;
			for (int k = solver->first[i]; k < i; k++) {
				x[k * width + c] -= row[k] * value;
			}
		}
	}
}

/* Rotates a sample's row, from a column on, into the triangle. */
static void rotate_in(struct bspline_solver *solver, int degree, int from, int width, double *row,
	double *values) {
	const int count = solver->count;
	for (int i = from; i < count; i++) {
		double *diagonal = &solver->rows[i][i];
		if (fabs(row[i]) > NOTHING) {
			const double length = hypot(*diagonal, row[i]);
			const double cosine = *diagonal / length, sine = row[i] / length;
			for (int k = i; k <= i + degree && k < count; k++) {
				double *entry = &solver->rows[k][i];
				const double old = *entry;
				*entry = cosine * old + sine * row[k];
				row[k] = cosine * row[k] - sine * old;
			}
			for (int c = 0; c < width; c++) {
				double *entry = &solver->rhs[i * width + c];
				const double old = *entry;
				*entry = cosine * old + sine * values[c];
				values[c] = cosine * values[c] - sine * old;
			}
		}
		row[i] = 0;
	}
}

/* Factors the samples' rows of a clamped spline and solves for the control points. */
static void solve_by_rotations(struct bspline_solver *solver, const struct bspline *spline,
	const struct bspline_samples *samples, const double *ends) {
	const int width = samples->width, last = spline->point_count - 1;
	lay_out(solver, spline, width);
	for (int i = 0; i <= last; i++) {
		solver->rows[i][i] = SHORTEST;
	}
	for (int s = 0; s < samples->count; s++) {
		const double *weights = solver->weights[s];
		const int first = solver->spans[s] - spline->degree;
		double values[BSPLINE_WIDTH_MAX];
		memcpy(values, samples->values + s * width, (size_t)width * sizeof *values);
		memset(solver->row, 0, (size_t)spline->point_count * sizeof *solver->row);
		for (int i = 0; i <= spline->degree; i++) {
			const int point = first + i;
			const bool fixed = ends && (point == 0 || point == last);
			for (int c = 0; c < width && fixed; c++) {
				values[c] -= weights[i] * ends[(point > 0) * width + c];
			}
			solver->row[point] = fixed ? 0 : weights[i];
		}
		rotate_in(solver, spline->degree, first, width, solver->row, values);
	}
	solve_upper(solver, width, solver->rhs);
	for (int c = 0; c < width && ends; c++) {
		solver->rhs[c] = ends[c];
		solver->rhs[last * width + c] = ends[width + c];
	}
}

bool bspline_fit(struct bspline_solver *solver, const struct bspline *spline,
	const struct bspline_samples *samples, const double *ends, double *points) {
	const int width = samples->width, count = spline->point_count;
	lay_out(solver, spline, width);
	find_weights(solver, spline, samples);
	add_samples(solver, spline, samples);
	if (ends) {
		fix_point(solver, 0, width, ends);
		fix_point(solver, count - 1, width, ends + width);
	}
	if (factor(solver)) {
		solve_lower(solver, width, solver->rhs);
		solve_upper(solver, width, solver->rhs);
	} else if (spline->periodic) {
		return false;
	} else {
		solve_by_rotations(solver, spline, samples, ends);
	}
	memcpy(points, solver->rhs, (size_t)(count * width) * sizeof *points);
	return true;
}

void bspline_at_samples(const struct bspline_solver *solver, const struct bspline *spline,
	const double *points, int width, double *out) {
	for (int s = 0; s < solver->sample_count; s++) {
		for (int c = 0; c < width; c++) {
			double sum = 0;
			for (int i = 0; i <= spline->degree; i++) {
				const int point = bspline_point(spline, solver->spans[s], i);
				sum += solver->weights[s][i] * points[point * width + c];
			}
			out[s * width + c] = sum;
		}
	}
}

void bspline_round(const struct bspline_solver *solver, const struct bspline *spline,
	const double *points, int width, int32_t *rounded) {
	for (int c = 0; c < width; c++) {
		memset(solver->off, 0, (size_t)spline->point_count * sizeof *solver->off);
		for (int i = spline->point_count - 1; i >= 0; i--) {
			const double *row = solver->rows[i];
			const double centre = points[i * width + c] - solver->off[i] / row[i];
			const double whole = round(centre), off = whole - points[i * width + c];
			rounded[i * width + c] = (int32_t)whole;
			for (int k = solver->first[i]; k < i; k++) {
				solver->off[k] += row[k] * off;
			}
		}
	}
}

/* The linear condition, of degree + 2 control points from bspline_point(span - 1, 0) on, that holds
 * where the spline has no use for a knot: what inserting the knot (Boehm) can make of control
 * points is across to it. */
static int removal_condition(const struct bspline *spline, int knot, double *condition) {
	const int degree = spline->degree;
	const double *knots = spline->knots, u = knots[knot];
	/* The span of u without the knot, of which there is one less. */
	const int last = spline->point_count + (spline->periodic ? degree : 0) - 2;
	int span = knot - 1;
	while (span < last && knots[span + 2] <= u) {
		span++;
	}
	condition[0] = 1;
	for (int i = span - degree; i <= span; i++) {
		double share[2]; // of control points i and i + 1 that come of their own one
		for (int k = 0; k < 2; k++) {
			const int point = i + k;
			const int from = point, to = point + degree;
			const double low = knots[from < knot ? from : from + 1];
			const double high = knots[to < knot ? to : to + 1];
			share[k] = point <= span - degree ? 1
				: point > span            ? 0
							  : (u - low) / (high - low);
		}
		condition[i - span + degree + 1] =
			-condition[i - span + degree] * share[0] / (1 - share[1]);
	}
	return span - degree;
}

double bspline_removal_cost(const struct bspline_solver *solver, const struct bspline *spline,
	const double *points, int width, int knot) {
	const int count = solver->count, degree = spline->degree;
	double condition[BSPLINE_DEGREE_MAX + 2], jump[BSPLINE_WIDTH_MAX] = {0};
	const int first = removal_condition(spline, knot, condition);
	int least = count - 1;
	memset(solver->row, 0, (size_t)count * sizeof *solver->row);
	for (int i = 0; i < degree + 2; i++) {
		const int point = (first + i) % count;
		solver->row[point] += condition[i];
		least = point < least ? point : least;
		for (int c = 0; c < width; c++) {
			jump[c] += condition[i] * points[point * width + c];
		}
	}
	/* (c' P)^2 / (c' (A'A)^-1 c), with what is far away left out. */
	double cost = 0, length = 0;
	for (int i = least; i < count && i < least + degree + REACH; i++) {
		const double *row = solver->rows[i];
		double sum = solver->row[i];
		for (int k = solver->first[i] > least ? solver->first[i] : least; k < i; k++) {
			sum -= row[k] * solver->row[k];
		}
		solver->row[i] = sum / row[i];
		length += solver->row[i] * solver->row[i];
	}
	for (int c = 0; c < width; c++) {
		cost += jump[c] * jump[c];
	}
	return length > 0 ? cost / length : INFINITY;
}
