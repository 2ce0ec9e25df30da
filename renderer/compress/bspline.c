// B-splines: knots, basis functions, values.
#include "compress/bspline.h"

#include <assert.h>
#include <string.h>

int bspline_knots_at_most(int degree, int interior_count) {
	return interior_count + 2 * degree + 2;
}

static void clamp_ends(struct bspline *spline, int interior_count, double end) {
	const int degree = spline->degree;
	for (int i = 0; i <= degree; i++) {
		spline->knots[i] = 0;
		spline->knots[degree + 1 + interior_count + i] = end;
	}
	spline->point_count = interior_count + degree + 1;
}

/* Knots before and after a period repeat those within, at a distance of it. */
static void go_round(struct bspline *spline, int interior_count, double end) {
	const int degree = spline->degree, count = interior_count + 1;
	double *knots = spline->knots;
	knots[degree] = 0;
	for (int i = count; i <= count + degree; i++) {
		knots[degree + i] = knots[degree + i - count] + end;
	}
	for (int i = 1; i <= degree; i++) {
		knots[degree - i] = knots[degree - i + count] - end;
	}
	spline->point_count = count;
}

void bspline_make(struct bspline *spline, int degree, bool periodic, const double *interior,
	int interior_count, double end, double *knots) {
	assert(degree >= 0 && degree <= BSPLINE_DEGREE_MAX && interior_count >= 0);
	*spline = (struct bspline){.degree = degree, .periodic = periodic, .knots = knots};
	if (interior_count > 0) {
		memcpy(knots + degree + 1, interior, (size_t)interior_count * sizeof *knots);
	}
	if (periodic) {
		go_round(spline, interior_count, end);
	} else {
		clamp_ends(spline, interior_count, end);
	}
}

/* Basis functions, with those of the next period. */
static int function_count(const struct bspline *spline) {
	return spline->point_count + (spline->periodic ? spline->degree : 0);
}

int bspline_span(const struct bspline *spline, double u) {
	const double *knots = spline->knots;
	int low = spline->degree, high = function_count(spline);
	while (high - low > 1) {
		const int middle = (low + high) / 2;
		*(knots[middle] <= u ? &low : &high) = middle;
	}
	return low;
}

void bspline_basis(
	const struct bspline *spline, int span, double u, double weights[BSPLINE_DEGREE_MAX + 1]) {
	const double *knots = spline->knots;
	double left[BSPLINE_DEGREE_MAX + 1], right[BSPLINE_DEGREE_MAX + 1];
	weights[0] = 1;
	for (int k = 1; k <= spline->degree; k++) {
		double saved = 0;
		left[k] = u - knots[span + 1 - k];
		right[k] = knots[span + k] - u;
		for (int i = 0; i < k; i++) {
			const double length = right[i + 1] + left[k - i];
			const double part = length > 0 ? weights[i] / length : 0;
			weights[i] = saved + right[i + 1] * part;
			saved = left[k - i] * part;
		}
		weights[k] = saved;
	}
}

int bspline_point(const struct bspline *spline, int span, int i) {
	return (span - spline->degree + i) % spline->point_count;
}

void bspline_evaluate(
	const struct bspline *spline, const double *points, int width, double u, double *out) {
	const int degree = spline->degree, span = bspline_span(spline, u);
	const double *knots = spline->knots;
	double d[BSPLINE_DEGREE_MAX + 1][BSPLINE_WIDTH_MAX];
	assert(width <= BSPLINE_WIDTH_MAX);
	for (int i = 0; i <= degree; i++) {
		memcpy(d[i], points + bspline_point(spline, span, i) * width,
			(size_t)width * sizeof *out);
	}
	for (int k = 1; k <= degree; k++) {
		for (int i = degree; i >= k; i--) {
			const double from = knots[span - degree + i], to = knots[span + 1 + i - k];
			const double share = to > from ? (u - from) / (to - from) : 0;
			for (int c = 0; c < width; c++) {
				d[i][c] = d[i - 1][c] + share * (d[i][c] - d[i - 1][c]);
			}
		}
	}
	memcpy(out, d[degree], (size_t)width * sizeof *out);
}
