// B-splines against formulas and against plain ways to the same numbers: Cox and de Boor's
// recursion as it is written, normal equations by elimination, a pseudo-inverse by eigenvectors.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "compress/bspline_fit.h"

#define SAMPLES 200
#define POINTS 40

struct fixture {
	struct arena *arena;
	struct bspline_solver *solver;
	struct bspline spline;
	double knots[POINTS + 8], points[POINTS * BSPLINE_WIDTH_MAX];
};

static void begin(struct fixture *fixture) {
	*fixture = (struct fixture){.arena = arena_create()};
	fixture->solver = bspline_solver_make(POINTS, SAMPLES, fixture->arena);
}

static double next_random(unsigned *seed) {
	*seed = *seed * 1664525 + 1013904223;
	return *seed / 4294967296.0;
}

/* Knots at equal distances. */
static void make_uniform(struct fixture *fixture, int degree, int interior_count, double end) {
	double interior[POINTS];
	for (int i = 0; i < interior_count; i++) {
		interior[i] = (i + 1) * end / (interior_count + 1);
	}
	bspline_make(
		&fixture->spline, degree, false, interior, interior_count, end, fixture->knots);
}

static double fit(struct fixture *fixture, int count, const double *at, const double *values) {
	const struct bspline_samples samples = {
		.count = count, .width = 1, .values = values, .at = at};
	double greatest = 0;
	assert_true(
		bspline_fit(fixture->solver, &fixture->spline, &samples, NULL, fixture->points));
	for (int i = 0; i < count; i++) {
		double value;
		bspline_evaluate(&fixture->spline, fixture->points, 1, at ? at[i] : i, &value);
		greatest = fmax(greatest, fabs(value - values[i]));
	}
	return greatest;
}

/* METHODS D.1: 30 samples of powers of t with four control points. */
static void powers_have_known_control_points(void **state) {
	(void)state;
	static const double expected[4][4] = {
		{1, 1, 1, 1}, {0, 1.0 / 3, 2.0 / 3, 1}, {0, 0, 1.0 / 3, 1}, {0, 0, 0, 1}};
	struct fixture fixture;
	double at[30], values[30];
	begin(&fixture);
	make_uniform(&fixture, 3, 0, 1);
	for (int power = 0; power < 4; power++) {
		for (int i = 0; i < 30; i++) {
			at[i] = i / 29.0;
			values[i] = pow(at[i], power);
		}
		assert_near(fit(&fixture, 30, at, values), 0, 1e-9);
		for (int i = 0; i < 4; i++) {
			assert_near(fixture.points[i], expected[power][i], 1e-9);
		}
	}
	arena_destroy(fixture.arena);
}

/* The function of the recursion, half-open, with 0 / 0 = 0. */
static double recursion(const double *knots, int i, int degree, double u) {
	if (degree == 0) {
		return knots[i] <= u && u < knots[i + 1];
	}
	const double rise = knots[i + degree] - knots[i];
	const double fall = knots[i + degree + 1] - knots[i + 1];
	return (rise > 0 ? (u - knots[i]) / rise * recursion(knots, i, degree - 1, u) : 0) +
		(fall > 0 ? (knots[i + degree + 1] - u) / fall *
					recursion(knots, i + 1, degree - 1, u)
			  : 0);
}

/* Knots at random, some of them repeated. */
static int random_knots(int degree, double end, unsigned *seed, double *interior) {
	int count = 0;
	for (double at = 0; count < 12;) {
		at += 4 + next_random(seed) * end / 8;
		const int times =
			next_random(seed) < 0.3 ? 1 + (int)(next_random(seed) * degree) : 1;
		for (int k = 0; k < times && at < end - 4 && count < 12; k++) {
			interior[count++] = at;
		}
		if (at >= end - 4) {
			break;
		}
	}
	return count;
}

static void functions_are_those_of_the_recursion(void **state) {
	(void)state;
	struct fixture fixture;
	unsigned seed = 1;
	begin(&fixture);
	for (int turn = 0; turn < 200; turn++) {
		const int degree = turn % 4;
		const bool periodic = turn % 8 >= 4;
		const double end = 29;
		double interior[16], weights[4], sum = 0;
		const int count = random_knots(degree, end, &seed, interior);
		struct bspline *spline = &fixture.spline;
		bspline_make(spline, degree, periodic, interior, count, end, fixture.knots);
		assert_int_equal(spline->point_count, periodic ? count + 1 : count + degree + 1);
		const double u = next_random(&seed) * end;
		const int span = bspline_span(spline, u);
		bspline_basis(spline, span, u, weights);
		for (int i = 0; i <= degree; i++) {
			assert_near(weights[i],
				recursion(fixture.knots, span - degree + i, degree, u), 1e-12);
			sum += weights[i];
		}
		assert_near(sum, 1, 1e-14);
		/* De Boor's algorithm is the same sum. */
		double value, expected = 0;
		for (int i = 0; i < spline->point_count; i++) {
			fixture.points[i] = next_random(&seed);
		}
		for (int i = 0; i <= degree; i++) {
			expected += weights[i] * fixture.points[bspline_point(spline, span, i)];
		}
		bspline_evaluate(spline, fixture.points, 1, u, &value);
		assert_near(value, expected, 1e-13);
	}
	arena_destroy(fixture.arena);
}

static void uniform_cubics_have_known_weights(void **state) {
	(void)state;
	struct fixture fixture;
	double weights[4];
	begin(&fixture);
	make_uniform(&fixture, 3, 9, 10);
	static const double knot[4] = {1.0 / 6, 4.0 / 6, 1.0 / 6, 0};
	static const double middle[4] = {1.0 / 48, 23.0 / 48, 23.0 / 48, 1.0 / 48};
	bspline_basis(&fixture.spline, bspline_span(&fixture.spline, 5), 5, weights);
	for (int i = 0; i < 4; i++) {
		assert_near(weights[i], knot[i], 1e-15);
	}
	bspline_basis(&fixture.spline, bspline_span(&fixture.spline, 5.5), 5.5, weights);
	for (int i = 0; i < 4; i++) {
		assert_near(weights[i], middle[i], 1e-15);
	}
	assert_near(middle[0], 0.0208333, 1e-7);
	assert_near(middle[1], 0.4791667, 1e-7);
	arena_destroy(fixture.arena);
}

/* The seed's loop: one more control point until every squared error is below T. */
static int points_needed(
	struct fixture *fixture, const double *at, const double *values, double t) {
	for (int points = 4; points <= 30; points++) {
		make_uniform(fixture, 3, points - 4, 1);
		const double error = fit(fixture, 30, at, values);
		if (error * error < t) {
			return points;
		}
	}
	return -1;
}

/* METHODS D.1: 30 samples of a sine, a corner and a step. */
static void as_many_points_as_known_are_needed(void **state) {
	(void)state;
	struct fixture fixture;
	double at[30], sine[30], corner[30], step[30];
	begin(&fixture);
	for (int i = 0; i < 30; i++) {
		at[i] = i / 29.0;
		sine[i] = sin(2 * M_PI * at[i]);
		corner[i] = fabs(at[i] - 0.5);
		step[i] = at[i] >= 0.5;
	}
	static const int sines[3] = {8, 11, 15}, corners[3] = {11, 21, 25};
	for (int i = 0; i < 3; i++) {
		const double t = pow(10, -4 - 2 * i);
		assert_int_equal(points_needed(&fixture, at, sine, t), sines[i]);
		assert_int_equal(points_needed(&fixture, at, corner, t), corners[i]);
		assert_int_equal(points_needed(&fixture, at, step, t), 30);
	}
	arena_destroy(fixture.arena);
}

/* The seed's example, corrected (METHODS G34, G35, G42): translations of 70 joints in 30 frames. */
static void a_clip_of_four_points_a_channel_takes_known_bytes(void **state) {
	(void)state;
	struct fixture fixture;
	begin(&fixture);
	make_uniform(&fixture, 3, 0, 1);
	const int joints = 70, bytes = (int)sizeof(float), points = fixture.spline.point_count;
	int knots = 0, interior = 0;
	for (int i = 0; i < points + 3 + 1; i++) {
		knots++;
		interior += fixture.knots[i] > 0 && fixture.knots[i] < 1;
	}
	assert_int_equal(30 * joints * 3 * bytes, 25200);
	assert_int_equal(joints * (points * 3 + knots) * bytes, 5600);
	assert_int_equal(joints * (points * 3 + knots - 2) * bytes, 5040);
	assert_int_equal(joints * (points * 3 + interior) * bytes, 3360);
	/* A still track is one value. */
	make_uniform(&fixture, 0, 0, 1);
	assert_int_equal(joints * fixture.spline.point_count * 3 * bytes, 840);
	arena_destroy(fixture.arena);
}

/* METHODS D.2: a corner of |t - 1/2| at one of 31 samples, and a step. */
static void repeated_knots_make_corners_and_jumps(void **state) {
	(void)state;
	static const double half[4] = {0.5, 0.5, 0.5, 0.5};
	static const double cubic[7] = {0.5, 1.0 / 3, 1.0 / 6, 0, 1.0 / 6, 1.0 / 3, 0.5};
	static const double straight[3] = {0.5, 0, 0.5};
	struct fixture fixture;
	double at[31], corner[31], step[31];
	begin(&fixture);
	for (int i = 0; i < 31; i++) {
		at[i] = i / 30.0;
		corner[i] = fabs(at[i] - 0.5);
		step[i] = i > 14 ? 3 : -1;
	}
	bspline_make(&fixture.spline, 3, false, half, 3, 1, fixture.knots);
	assert_int_equal(fixture.spline.point_count, 7);
	assert_near(fit(&fixture, 31, at, corner), 0, 1e-12);
	for (int i = 0; i < 7; i++) {
		assert_near(fixture.points[i], cubic[i], 1e-12);
	}
	bspline_make(&fixture.spline, 1, false, half, 1, 1, fixture.knots);
	assert_int_equal(fixture.spline.point_count, 3);
	assert_near(fit(&fixture, 31, at, corner), 0, 1e-12);
	for (int i = 0; i < 3; i++) {
		assert_near(fixture.points[i], straight[i], 1e-12);
	}
	/* A jump is between two samples. */
	static const double between[4] = {14.5 / 30, 14.5 / 30, 14.5 / 30, 14.5 / 30};
	bspline_make(&fixture.spline, 0, false, between, 1, 1, fixture.knots);
	assert_int_equal(fixture.spline.point_count, 2);
	assert_near(fit(&fixture, 31, at, step), 0, 1e-15);
	assert_near(fixture.points[0], -1, 1e-15);
	assert_near(fixture.points[1], 3, 1e-15);
	bspline_make(&fixture.spline, 3, false, between, 4, 1, fixture.knots);
	assert_near(fit(&fixture, 31, at, step), 0, 1e-12);
	arena_destroy(fixture.arena);
}

/* Value and two derivatives of a cubic at a parameter, from four values beside it. */
static void derivatives(const struct bspline *spline, const double *points, double u, double way,
	double out[static 3]) {
	double v[4];
	for (int i = 0; i < 4; i++) {
		bspline_evaluate(spline, points, 1, u + i * way, &v[i]);
	}
	out[0] = v[0];
	out[1] = (-11 * v[0] + 18 * v[1] - 9 * v[2] + 2 * v[3]) / (6 * way);
	out[2] = (2 * v[0] - 5 * v[1] + 4 * v[2] - v[3]) / (way * way);
}

static void the_seam_of_a_loop_is_smooth(void **state) {
	(void)state;
	static const double interior[6] = {5, 9, 17, 20, 26, 31};
	struct fixture fixture;
	double values[41], start[3], end[3];
	unsigned seed = 3;
	begin(&fixture);
	for (int i = 0; i < 41; i++) {
		values[i] = sin(i * M_PI / 20) + cos(i * M_PI / 10 + 1) + 0.1 * next_random(&seed);
	}
	values[40] = values[0];
	bspline_make(&fixture.spline, 3, true, interior, 6, 40, fixture.knots);
	assert_true(fit(&fixture, 41, NULL, values) < 0.2);
	derivatives(&fixture.spline, fixture.points, 0, 1, start);
	derivatives(&fixture.spline, fixture.points, 40, -1, end);
	for (int i = 0; i < 3; i++) {
		assert_near(end[i], start[i], 1e-11);
	}
	arena_destroy(fixture.arena);
}

/* --- Against dense matrices --- */

/* Rows of basis functions at all samples, by the recursion. */
static void make_rows(const struct bspline *spline, int count, double (*rows)[POINTS]) {
	const int functions = spline->point_count + (spline->periodic ? spline->degree : 0);
	for (int s = 0; s < count; s++) {
		/* The end belongs to the last span. */
		const double u = fmin(s, count - 1 - 1e-9);
		memset(rows[s], 0, sizeof rows[s]);
		for (int i = 0; i < functions; i++) {
			rows[s][i % spline->point_count] +=
				recursion(spline->knots, i, spline->degree, u);
		}
	}
}

static void make_normal(double (*rows)[POINTS], int samples, int count, const double *values,
	double (*normal)[POINTS + 1]) {
	for (int i = 0; i < count; i++) {
		for (int k = 0; k <= count; k++) {
			normal[i][k < count ? k : POINTS] = 0;
			for (int s = 0; s < samples; s++) {
				normal[i][k < count ? k : POINTS] +=
					rows[s][i] * (k < count ? rows[s][k] : values[s]);
			}
		}
	}
}

static void eliminate(double (*m)[POINTS + 1], int count, double *out) {
	for (int i = 0; i < count; i++) {
		for (int row = i + 1; row < count; row++) {
			const double share = m[row][i] / m[i][i];
			for (int k = i; k < count; k++) {
				m[row][k] -= share * m[i][k];
			}
			m[row][POINTS] -= share * m[i][POINTS];
		}
	}
	for (int i = count - 1; i >= 0; i--) {
		out[i] = m[i][POINTS];
		for (int k = i + 1; k < count; k++) {
			out[i] -= m[i][k] * out[k];
		}
		out[i] /= m[i][i];
	}
}

static double squares(double (*rows)[POINTS], int samples, int count, const double *points,
	const double *values) {
	double sum = 0;
	for (int s = 0; s < samples; s++) {
		double value = -values[s];
		for (int i = 0; i < count; i++) {
			value += rows[s][i] * points[i];
		}
		sum += value * value;
	}
	return sum;
}

static void fits_are_those_of_dense_normal_equations(void **state) {
	(void)state;
	static double rows[SAMPLES][POINTS], normal[POINTS][POINTS + 1];
	struct fixture fixture;
	unsigned seed = 5;
	begin(&fixture);
	for (int turn = 0; turn < 60; turn++) {
		const int degree = turn % 4, width = 1 + turn % 4, count = 60 + turn;
		double interior[16], values[SAMPLES * 4], column[SAMPLES], expected[POINTS];
		double whole[POINTS * 4];
		struct bspline *spline = &fixture.spline;
		const int knots = random_knots(degree, count - 1, &seed, interior);
		bspline_make(
			spline, degree, turn % 8 >= 4, interior, knots, count - 1, fixture.knots);
		for (int i = 0; i < count * width; i++) {
			values[i] = 40 * sin(0.1 * i) + next_random(&seed);
		}
		const struct bspline_samples samples = {count, width, values, NULL};
		int32_t rounded[POINTS * 4];
		assert_true(bspline_fit(fixture.solver, spline, &samples, NULL, fixture.points));
		bspline_round(fixture.solver, spline, fixture.points, width, rounded);
		make_rows(spline, count, rows);
		for (int c = 0; c < width; c++) {
			double nearest[POINTS];
			for (int s = 0; s < count; s++) {
				column[s] = values[s * width + c];
			}
			make_normal(rows, count, spline->point_count, column, normal);
			eliminate(normal, spline->point_count, expected);
			for (int i = 0; i < spline->point_count; i++) {
				assert_near(fixture.points[i * width + c], expected[i], 1e-6);
				whole[i] = rounded[i * width + c];
				nearest[i] = round(fixture.points[i * width + c]);
			}
			/* Control points that make up for one another's rounding: within what
			 * half a unit of each can do, and over all rounds below plain rounding. */
			const double best =
				squares(rows, count, spline->point_count, expected, column);
			const double plain =
				squares(rows, count, spline->point_count, nearest, column);
			const double made =
				squares(rows, count, spline->point_count, whole, column);
			assert_true(made >= best - 1e-6);
			assert_true(made - best <= 1.5 * (plain - best) + 1);
		}
	}
	arena_destroy(fixture.arena);
}

/* The pseudo-inverse of a symmetric matrix times a vector, by Jacobi's rotations. */
static void solve_shortest(double (*m)[POINTS + 1], int count, double *out) {
	double vectors[POINTS][POINTS] = {{0}};
	for (int i = 0; i < count; i++) {
		vectors[i][i] = 1;
	}
	for (int sweep = 0; sweep < 60; sweep++) {
		for (int p = 0; p < count; p++) {
			for (int q = p + 1; q < count; q++) {
				const double angle = 0.5 * atan2(2 * m[p][q], m[q][q] - m[p][p]);
				const double c = cos(angle), s = sin(angle);
				for (int k = 0; k < count; k++) {
					const double a = m[k][p], b = m[k][q];
					m[k][p] = c * a - s * b;
					m[k][q] = s * a + c * b;
					const double v = vectors[k][p], w = vectors[k][q];
					vectors[k][p] = c * v - s * w;
					vectors[k][q] = s * v + c * w;
				}
				for (int k = 0; k < count; k++) {
					const double a = m[p][k], b = m[q][k];
					m[p][k] = c * a - s * b;
					m[q][k] = s * a + c * b;
				}
			}
		}
	}
	memset(out, 0, (size_t)count * sizeof *out);
	for (int i = 0; i < count; i++) {
		double along = 0;
		for (int k = 0; k < count; k++) {
			along += vectors[k][i] * m[k][POINTS];
		}
		for (int k = 0; k < count && m[i][i] > 1e-10; k++) {
			out[k] += vectors[k][i] * along / m[i][i];
		}
	}
}

/* Knots between which there are no samples leave control points free: the shortest answer is taken.
 */
static void spans_without_samples_have_the_shortest_answer(void **state) {
	(void)state;
	static double rows[SAMPLES][POINTS], normal[POINTS][POINTS + 1];
	static const double interior[9] = {2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 7, 9};
	struct fixture fixture;
	double values[13], expected[POINTS];
	begin(&fixture);
	for (int degree = 0; degree < 4; degree++) {
		for (int i = 0; i < 13; i++) {
			values[i] = 3 + sin(1.3 * i);
		}
		bspline_make(&fixture.spline, degree, false, interior, 9, 12, fixture.knots);
		fit(&fixture, 13, NULL, values);
		make_rows(&fixture.spline, 13, rows);
		make_normal(rows, 13, fixture.spline.point_count, values, normal);
		solve_shortest(normal, fixture.spline.point_count, expected);
		for (int i = 0; i < fixture.spline.point_count; i++) {
			assert_near(fixture.points[i], expected[i], 1e-5);
		}
	}
	arena_destroy(fixture.arena);
}

static void ends_that_are_fixed_are_exact(void **state) {
	(void)state;
	static double rows[SAMPLES][POINTS], normal[POINTS][POINTS + 1];
	struct fixture fixture;
	double values[50], rest[50], expected[POINTS], ends[2] = {7, -2}, value;
	unsigned seed = 9;
	begin(&fixture);
	make_uniform(&fixture, 3, 6, 49);
	const int count = fixture.spline.point_count;
	for (int i = 0; i < 50; i++) {
		values[i] = 5 * cos(0.1 * i) + next_random(&seed);
	}
	const struct bspline_samples samples = {50, 1, values, NULL};
	assert_true(bspline_fit(fixture.solver, &fixture.spline, &samples, ends, fixture.points));
	bspline_evaluate(&fixture.spline, fixture.points, 1, 0, &value);
	assert_true(value == 7 && fixture.points[0] == 7);
	bspline_evaluate(&fixture.spline, fixture.points, 1, 49, &value);
	assert_near(value, -2, 1e-15);
	assert_true(fixture.points[count - 1] == -2);
	/* The others are the fit of what these leave. */
	make_rows(&fixture.spline, 50, rows);
	for (int s = 0; s < 50; s++) {
		rest[s] = values[s] - rows[s][0] * 7 - rows[s][count - 1] * -2;
		memmove(rows[s], rows[s] + 1, (size_t)(count - 1) * sizeof(double));
	}
	make_normal(rows, 50, count - 2, rest, normal);
	eliminate(normal, count - 2, expected);
	for (int i = 0; i < count - 2; i++) {
		assert_near(fixture.points[i + 1], expected[i], 1e-8);
	}
	arena_destroy(fixture.arena);
}

/* Lyche and Mørken: the cost of a knot is what the squared error grows by without it. */
static void removing_a_knot_costs_what_it_says(void **state) {
	(void)state;
	static double rows[SAMPLES][POINTS];
	struct fixture fixture;
	unsigned seed = 11;
	begin(&fixture);
	for (int turn = 0; turn < 80; turn++) {
		const int degree = turn % 4, samples = 80;
		const bool periodic = turn % 8 >= 4;
		double interior[16], values[SAMPLES];
		const int knots = random_knots(degree, samples - 1, &seed, interior);
		for (int i = 0; i < samples; i++) {
			values[i] = sin(0.2 * i) + 0.3 * next_random(&seed);
		}
		const int removed = (int)(next_random(&seed) * knots);
		bspline_make(&fixture.spline, degree, periodic, interior, knots, samples - 1,
			fixture.knots);
		fit(&fixture, samples, NULL, values);
		const double cost = bspline_removal_cost(
			fixture.solver, &fixture.spline, fixture.points, 1, degree + 1 + removed);
		make_rows(&fixture.spline, samples, rows);
		const double before =
			squares(rows, samples, fixture.spline.point_count, fixture.points, values);
		memmove(interior + removed, interior + removed + 1,
			(size_t)(knots - removed - 1) * sizeof *interior);
		bspline_make(&fixture.spline, degree, periodic, interior, knots - 1, samples - 1,
			fixture.knots);
		fit(&fixture, samples, NULL, values);
		make_rows(&fixture.spline, samples, rows);
		const double after =
			squares(rows, samples, fixture.spline.point_count, fixture.points, values);
		assert_near(cost, after - before, 1e-6 * after);
	}
	arena_destroy(fixture.arena);
}

/* Rotations as four numbers with knots of their own joint: renormalised, the length stays above
 * 0.9, and what is left is as near as the control points allow. */
static void four_numbers_of_a_rotation_share_knots(void **state) {
	(void)state;
	struct fixture fixture;
	double values[120 * 4], least = 1, worst = 0;
	begin(&fixture);
	for (int i = 0; i < 120; i++) {
		const double half = 1.5 * sin(0.05 * i), azimuth = 0.02 * i;
		double *q = values + 4 * i;
		q[0] = sin(half) * cos(azimuth);
		q[1] = sin(half) * sin(azimuth);
		q[2] = 0;
		q[3] = cos(half);
	}
	make_uniform(&fixture, 3, 16, 119);
	const struct bspline_samples samples = {120, 4, values, NULL};
	assert_true(bspline_fit(fixture.solver, &fixture.spline, &samples, NULL, fixture.points));
	for (int i = 0; i < 120; i++) {
		double q[4], length = 0, dot = 0;
		bspline_evaluate(&fixture.spline, fixture.points, 4, i, q);
		for (int k = 0; k < 4; k++) {
			length += q[k] * q[k];
			dot += q[k] * values[4 * i + k];
		}
		length = sqrt(length);
		least = fmin(least, length);
		worst = fmax(worst, 2 * acos(fmin(1, dot / length)));
	}
	assert_true(least >= 0.9);
	assert_true(worst < 1e-3);
	arena_destroy(fixture.arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_have_known_control_points),
		cmocka_unit_test(functions_are_those_of_the_recursion),
		cmocka_unit_test(uniform_cubics_have_known_weights),
		cmocka_unit_test(as_many_points_as_known_are_needed),
		cmocka_unit_test(a_clip_of_four_points_a_channel_takes_known_bytes),
		cmocka_unit_test(repeated_knots_make_corners_and_jumps),
		cmocka_unit_test(the_seam_of_a_loop_is_smooth),
		cmocka_unit_test(fits_are_those_of_dense_normal_equations),
		cmocka_unit_test(spans_without_samples_have_the_shortest_answer),
		cmocka_unit_test(ends_that_are_fixed_are_exact),
		cmocka_unit_test(removing_a_knot_costs_what_it_says),
		cmocka_unit_test(four_numbers_of_a_rotation_share_knots),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
