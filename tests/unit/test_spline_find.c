// Splines that are found, held against their samples by an evaluation of its own: Cox and de Boor's
// recursion over the knots that a file says.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "compress/spline_breaks.h"
#include "compress/spline_find.h"

#define SAMPLES 241
#define KNOTS 600

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

/* All knots, as docs/clips.md says; how many functions there are. */
static int all_knots(const struct spline *spline, int count, double *knots) {
	const int degree = spline->degree, inner = spline->knot_count;
	const double last = count - 1;
	double *own = knots + degree; // 0, those between, and the end
	own[0] = 0;
	own[inner + 1] = last;
	for (int i = 1; i <= inner; i++) {
		own[i] = spline->uniform ? i * last / (inner + 1) : spline->knots[i - 1];
	}
	for (int i = 1; i <= degree; i++) {
		const int period = inner + 1;
		own[-i] = spline->periodic ? own[period - i] - last : 0;
		own[period + i] = spline->periodic ? own[i] + last : last;
	}
	return spline->periodic ? inner + 1 + degree : inner + degree + 1;
}

static double value_at(const struct spline *spline, int count, int sample, int axis) {
	static double knots[KNOTS];
	const int functions = all_knots(spline, count, knots);
	const int end = sample == count - 1 && spline->degree > 0;
	double sum = 0;
	for (int i = 0; i < functions; i++) {
		/* The end belongs to the span before it. */
		sum += recursion(knots, i, spline->degree, end ? sample - 1e-10 : sample) *
			spline->points[i % spline->point_count * spline->width + axis];
	}
	/* A step of degree 0 may begin at the end, where the recursion has no span. */
	return spline->degree == 0 && sample == count - 1
		? spline->points[(spline->point_count - 1) * spline->width + axis]
		: sum;
}

struct found {
	struct arena *arena;
	struct spline spline;
	double bits;
};

/* Finds a spline and holds it against its samples. */
static struct found find(const double *values, int count, int width, double tolerance, int ways) {
	struct found found = {.arena = arena_create()};
	const struct bspline_samples samples = {count, width, values, NULL};
	struct spline_finder *finder = spline_finder_make(count, ways, NULL, found.arena);
	assert_true(
		spline_find(finder, &samples, tolerance, found.arena, &found.spline, &found.bits));
	for (int s = 0; s < count; s++) {
		for (int c = 0; c < width; c++) {
			assert_near(value_at(&found.spline, count, s, c), values[s * width + c],
				tolerance * 1.000001 + 1e-6);
		}
	}
	return found;
}

static void drop(struct found *found) {
	arena_destroy(found->arena);
}

static void still_and_straight_take_one_and_two(void **state) {
	(void)state;
	double values[90];
	for (int i = 0; i < 90; i++) {
		values[i] = 17.2;
	}
	struct found found = find(values, 90, 1, 0.75, SPLINE_ALL);
	assert_int_equal(found.spline.degree, 0);
	assert_int_equal(found.spline.point_count, 1);
	assert_int_equal(found.spline.points[0], 17);
	drop(&found);
	for (int i = 0; i < 90; i++) {
		values[i] = 3 + 2 * i;
	}
	found = find(values, 90, 1, 0.75, SPLINE_ALL);
	assert_int_equal(found.spline.degree, 1);
	assert_int_equal(found.spline.point_count, 2);
	assert_int_equal(found.spline.points[0], 3);
	assert_int_equal(found.spline.points[1], 181);
	drop(&found);
	found = find(values, 1, 1, 0.75, SPLINE_ALL);
	assert_int_equal(found.spline.point_count, 1);
	drop(&found);
}

/* A ball that bounces: parabolas between corners. A teleport: a jump. */
static void corners_and_jumps_are_found(void **state) {
	(void)state;
	double ball[121], jump[121], sorted[121];
	struct spline_break breaks[121];
	for (int i = 0; i < 121; i++) {
		const double t = i % 40 / 40.0;
		ball[i] = 1000 * t * (1 - t);
		jump[i] = 100 * sin(0.05 * i) + (i >= 70 ? 900 : 0);
	}
	const struct bspline_samples balls = {121, 1, ball, NULL}, jumps = {121, 1, jump, NULL};
	assert_int_equal(spline_find_breaks(&balls, 0.75, sorted, breaks), 2);
	assert_int_equal(breaks[0].sample, 40);
	assert_int_equal(breaks[1].sample, 80);
	assert_false(breaks[0].jumps || breaks[1].jumps);
	assert_int_equal(spline_find_breaks(&jumps, 0.75, sorted, breaks), 1);
	assert_int_equal(breaks[0].sample, 70);
	assert_true(breaks[0].jumps);
	/* Three parabolas share their ends: 7 control points of degree 2. */
	struct found found = find(ball, 121, 1, 0.75, SPLINE_ALL);
	assert_int_equal(found.spline.degree, 2);
	assert_int_equal(found.spline.point_count, 7);
	drop(&found);
	found = find(jump, 121, 1, 0.75, SPLINE_ALL);
	struct found without = find(jump, 121, 1, 0.75, SPLINE_ALL & ~SPLINE_BREAKS);
	assert_true(found.bits <= without.bits);
	drop(&found);
	drop(&without);
}

static void a_loop_goes_round(void **state) {
	(void)state;
	double values[2 * SAMPLES];
	for (int i = 0; i < SAMPLES; i++) {
		const double turn = 2 * M_PI * i / (SAMPLES - 1);
		values[2 * i] = 500 * sin(turn);
		values[2 * i + 1] = 300 * cos(2 * turn) + 100 * sin(turn);
	}
	struct found found = find(values, SAMPLES, 2, 0.75, SPLINE_ALL);
	struct found without = find(values, SAMPLES, 2, 0.75, SPLINE_ALL & ~SPLINE_PERIODIC);
	assert_true(found.spline.periodic);
	assert_false(without.spline.periodic);
	assert_true(found.spline.point_count < without.spline.point_count);
	/* Without periods it still ends where it begins. */
	const struct spline *spline = &without.spline;
	for (int c = 0; c < 2; c++) {
		assert_int_equal(
			spline->points[c], spline->points[(spline->point_count - 1) * 2 + c]);
	}
	drop(&found);
	drop(&without);
}

static double next_random(unsigned *seed) {
	*seed = *seed * 1664525 + 1013904223;
	return *seed / 4294967296.0;
}

/* From smooth to noise, of one to three numbers: within the tolerance, and each part of the search
 * saves something over all. */
static void every_part_of_the_search_is_worth_it(void **state) {
	(void)state;
	static const int parts[] = {
		SPLINE_DEGREES, SPLINE_BREAKS, SPLINE_REMOVAL, SPLINE_ADAPTIVE, SPLINE_PERIODIC};
	double all = 0, without[5] = {0};
	unsigned seed = 3;
	for (int turn = 0; turn < 12; turn++) {
		const int width = 1 + turn % 3, count = 20 + 18 * turn;
		double values[3 * SAMPLES];
		for (int i = 0; i < count * width; i++) {
			const double at = (double)(i / width) / (count - 1);
			values[i] = turn % 6 == 5
				? 900 * fabs(at - 0.3) + 500 * fabs(at - 0.7)
				: 400 * sin(2 * M_PI * at * (1 + turn % 4) + i % width) +
					(turn % 4 == 3 && at > 0.4 ? 300 : 0) +
					(turn % 5 == 4 ? 8 * next_random(&seed) : 0) +
					200 * exp(-400 * (at - 0.6) * (at - 0.6));
		}
		struct found found = find(values, count, width, 0.75, SPLINE_ALL);
		all += found.bits;
		drop(&found);
		for (int i = 0; i < 5; i++) {
			found = find(values, count, width, 0.75, SPLINE_ALL & ~parts[i]);
			without[i] += found.bits;
			drop(&found);
		}
	}
	for (int i = 0; i < 5; i++) {
		print_message("without %d: %.3f\n", parts[i], without[i] / all);
		assert_true(without[i] > all);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(still_and_straight_take_one_and_two),
		cmocka_unit_test(corners_and_jumps_are_found),
		cmocka_unit_test(a_loop_goes_round),
		cmocka_unit_test(every_part_of_the_search_is_worth_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
