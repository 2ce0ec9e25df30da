// The spline that takes the fewest bytes within a tolerance.
#include "compress/spline_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compress/spline_breaks.h"
#include "pclip_model.h"

#define ROUNDS 64         // of insertion
#define BITS_A_NUMBER 1.6 // beside the logarithm of its size
#define BITS_A_SPLINE 8   // its shape and the number of its knots
#define SEAM 1.0          // in tolerances, between the first and the last sample of what goes round

struct spline_finder {
	int ways;
	const struct stop *stop;
	struct bspline_solver *solver;
	double *knots, *interior, *trial, *points, *whole, *curve, *medians;
	double *costs; // [knot] of removal
	int *order;    // likewise, the cheapest first
	int32_t *rounded;
	struct spline_break *breaks;
	/* Of the search under way. */
	const struct bspline_samples *samples;
	double tolerance;
	struct bspline spline;
	struct spline best;
	double best_bits;
	uint32_t *best_knots;
	int32_t *best_points;
};

struct spline_finder *spline_finder_make(
	int sample_max, int ways, const struct stop *stop, struct arena *arena) {
	const size_t count = (size_t)sample_max + 2 * BSPLINE_DEGREE_MAX + 2;
	const size_t numbers = count * BSPLINE_WIDTH_MAX;
	struct spline_finder *finder = arena_alloc(arena, 1, sizeof *finder);
	*finder = (struct spline_finder){.ways = ways,
		.stop = stop,
		.solver = bspline_solver_make((int)count, sample_max, arena),
		.knots = arena_alloc(arena, count + 2 * BSPLINE_DEGREE_MAX + 2, sizeof(double)),
		.interior = arena_alloc(arena, 2 * count, sizeof(double)),
		.trial = arena_alloc(arena, 2 * count, sizeof(double)),
		.points = arena_alloc(arena, numbers, sizeof(double)),
		.whole = arena_alloc(arena, numbers, sizeof(double)),
		.curve = arena_alloc(arena, numbers, sizeof(double)),
		.medians = arena_alloc(arena, count, sizeof(double)),
		.costs = arena_alloc(arena, count, sizeof(double)),
		.order = arena_alloc(arena, count, sizeof(int)),
		.rounded = arena_alloc(arena, numbers, sizeof(int32_t)),
		.breaks = arena_alloc(arena, count, sizeof(struct spline_break)),
		.best_knots = arena_alloc(arena, count, sizeof(uint32_t)),
		.best_points = arena_alloc(arena, numbers, sizeof(int32_t))};
	return finder;
}

/* --- One set of knots --- */

static double greatest_error(const struct spline_finder *finder, const double *points) {
	const struct bspline_samples *samples = finder->samples;
	double greatest = 0;
	bspline_at_samples(finder->solver, &finder->spline, points, samples->width, finder->curve);
	for (int i = 0; i < samples->count * samples->width; i++) {
		greatest = fmax(greatest, fabs(finder->curve[i] - samples->values[i]));
	}
	return greatest;
}

static void make_whole(struct spline_finder *finder, bool lattice) {
	const int width = finder->samples->width, numbers = finder->spline.point_count * width;
	if (lattice) {
		bspline_round(
			finder->solver, &finder->spline, finder->points, width, finder->rounded);
	}
	for (int i = 0; i < numbers; i++) {
		finder->rounded[i] =
			lattice ? finder->rounded[i] : (int32_t)lround(finder->points[i]);
		finder->whole[i] = finder->rounded[i];
	}
}

static bool points_fit(const struct spline_finder *finder) {
	for (int i = 0; i < finder->spline.point_count * finder->samples->width; i++) {
		if (!(fabs(finder->points[i]) < PCLIP_VALUE_MAX / 2)) {
			return false;
		}
	}
	return true;
}

/* A clip that ends as it begins keeps to that. */
static bool returns(const struct spline_finder *finder) {
	const struct bspline_samples *samples = finder->samples;
	const double *last = samples->values + (samples->count - 1) * samples->width;
	double off = 0;
	for (int c = 0; c < samples->width; c++) {
		off = fmax(off, fabs(last[c] - samples->values[c]));
	}
	return samples->count > 2 && off <= SEAM * finder->tolerance;
}

/* Fits with some knots and rounds to integers. True when that keeps to the tolerance. The curve at
 * the samples is left in finder->curve either way. */
static bool try_knots(struct spline_finder *finder, int degree, bool periodic,
	const double *interior, int count) {
	const struct bspline_samples *samples = finder->samples;
	const int width = samples->width, last = samples->count - 1;
	double ends[2 * BSPLINE_WIDTH_MAX];
	const bool fixed = !periodic && degree > 0 && returns(finder);
	if (count + (periodic ? 1 : degree + 1) > samples->count ||
		!stop_check(finder->stop, NULL)) {
		return false;
	}
	for (int c = 0; c < width && fixed; c++) {
		ends[c] = round((samples->values[c] + samples->values[last * width + c]) / 2);
		ends[width + c] = ends[c];
	}
	bspline_make(&finder->spline, degree, periodic, interior, count, last, finder->knots);
	if (!bspline_fit(finder->solver, &finder->spline, samples, fixed ? ends : NULL,
		    finder->points) ||
		!points_fit(finder)) {
		return false;
	}
	for (int lattice = finder->ways & SPLINE_LATTICE ? 1 : 0; lattice >= 0; lattice--) {
		make_whole(finder, lattice);
		if (greatest_error(finder, finder->whole) <= finder->tolerance) {
			return true;
		}
	}
	greatest_error(finder, finder->points);
	return false;
}

/* --- The bytes of it --- */

static double bits_of(double number) {
	return log2(1 + fabs(number)) + BITS_A_NUMBER;
}

static double bits_of_axis(const struct spline_finder *finder, int axis) {
	const int width = finder->samples->width;
	double least = INFINITY;
	for (int k = 0; k < PCLIP_PREDICTORS; k++) {
		struct pclip_state state = {0};
		double bits = 0;
		for (int i = 0; i < finder->spline.point_count; i++) {
			const int32_t value = finder->rounded[i * width + axis];
			if (value > PCLIP_VALUE_MAX || value < -PCLIP_VALUE_MAX) {
				return INFINITY; // no file has room for it
			}
			bits += bits_of(value - (i ? pclip_predict(&state, k) : 0));
			pclip_remember(&state, value, i);
		}
		least = fmin(least, bits);
	}
	return least;
}

/* Keeps the spline of the last trial if it is the smallest so far. */
static void keep_if_smaller(struct spline_finder *finder, bool uniform, const double *interior) {
	const struct bspline *spline = &finder->spline;
	const int width = finder->samples->width;
	const int knots = spline->point_count - (spline->periodic ? 1 : spline->degree + 1);
	double bits = BITS_A_SPLINE;
	for (int c = 0; c < width; c++) {
		bits += bits_of_axis(finder, c);
	}
	for (int i = 0; i < knots && !uniform; i++) {
		bits += bits_of(interior[i] - (i ? interior[i - 1] : 0));
	}
	if (!(bits < finder->best_bits)) {
		return;
	}
	finder->best_bits = bits;
	finder->best = (struct spline){.width = width,
		.degree = spline->degree,
		.periodic = spline->periodic,
		.uniform = uniform,
		.knot_count = knots,
		.knots = finder->best_knots,
		.point_count = spline->point_count,
		.points = finder->best_points};
	for (int i = 0; i < knots && !uniform; i++) {
		finder->best_knots[i] = (uint32_t)interior[i];
	}
	memcpy(finder->best_points, finder->rounded,
		(size_t)(spline->point_count * width) * sizeof *finder->rounded);
}

/* --- Knots at equal distances --- */

static void space_evenly(int count, double end, double *interior) {
	for (int i = 0; i < count; i++) {
		interior[i] = (i + 1) * end / (count + 1);
	}
}

static bool try_uniform(struct spline_finder *finder, int degree, bool periodic, int count) {
	space_evenly(count, finder->samples->count - 1, finder->interior);
	return try_knots(finder, degree, periodic, finder->interior, count);
}

/* As few as keep to the tolerance: the error is not strictly monotone in their number. */
static void find_uniform(struct spline_finder *finder, int degree, bool periodic) {
	const int most = finder->samples->count;
	int bad = -1, good = 0;
	while (good <= most && !try_uniform(finder, degree, periodic, good)) {
		bad = good;
		good = 2 * good + 1;
	}
	if (good > most) {
		return;
	}
	while (good - bad > 1) {
		const int middle = (good + bad) / 2;
		*(try_uniform(finder, degree, periodic, middle) ? &good : &bad) = middle;
	}
	if (try_uniform(finder, degree, periodic, good)) {
		keep_if_smaller(finder, true, finder->interior);
	}
}

/* --- Knots where they are needed --- */

/* The corners take as many knots at their sample as make the spline bend there, and jumps one more,
 * with which it begins anew. */
static int begin_with_breaks(
	const struct spline_finder *finder, int break_count, int degree, double *interior) {
	int count = 0;
	for (int i = 0; i < break_count && count < finder->samples->count; i++) {
		const struct spline_break *at = &finder->breaks[i];
		for (int k = 0; k < degree + at->jumps; k++) {
			interior[count++] = at->sample;
		}
	}
	return count;
}

/* The middle of the samples between two knots, each weighed by its squared error; -1 where these
 * are small, or no sample is between. *worst is the greatest error. */
static int place_to_split(
	const struct spline_finder *finder, double from, double to, double *worst) {
	const struct bspline_samples *samples = finder->samples;
	const int width = samples->width;
	double sum = 0, moment = 0;
	*worst = 0;
	for (int s = (int)ceil(from); s < to || (s == samples->count - 1 && s <= to); s++) {
		for (int c = 0; c < width; c++) {
			const double off =
				finder->curve[s * width + c] - samples->values[s * width + c];
			sum += off * off;
			moment += off * off * s;
			*worst = fmax(*worst, fabs(off));
		}
	}
	if (*worst <= finder->tolerance * 0.9 || to - from < 2) {
		return -1;
	}
	return (int)fmax(from + 1, fmin(to - 1, round(moment / sum)));
}

/* Adds a knot to each span that is off too far, from interior to finder->trial; how many there are
 * then. */
static int split_spans(const struct spline_finder *finder, const double *interior, int count) {
	int made = 0;
	for (int i = 0; i <= count; i++) {
		const double from = i ? interior[i - 1] : 0;
		const double to = i < count ? interior[i] : finder->samples->count - 1;
		double worst;
		const int place = place_to_split(finder, from, to, &worst);
		if (place >= 0) {
			finder->trial[made++] = place;
		}
		if (i < count) {
			finder->trial[made++] = to;
		}
	}
	return made;
}

static int by_cost(const void *a, const void *b, void *costs) {
	const double x = ((const double *)costs)[*(const int *)a];
	const double y = ((const double *)costs)[*(const int *)b];
	return (x > y) - (x < y);
}

/* Leaves out the first ones of finder->order: finder->trial is what is left of finder->interior. */
static void leave_out(const struct spline_finder *finder, int count, int removed) {
	for (int i = 0; i < count; i++) {
		finder->trial[i] = finder->interior[i];
	}
	for (int i = 0; i < removed; i++) {
		finder->trial[finder->order[i]] = -1;
	}
	int kept = 0;
	for (int i = 0; i < count; i++) {
		if (finder->trial[i] >= 0) {
			finder->trial[kept++] = finder->trial[i];
		}
	}
}

/* Removes as many of the least needed knots as the tolerance allows, by bisection: how many are
 * left in finder->interior, with which the last trial succeeded. */
static int remove_once(struct spline_finder *finder, int degree, bool periodic, int count) {
	const int width = finder->samples->width;
	for (int i = 0; i < count; i++) {
		finder->order[i] = i;
		finder->costs[i] = bspline_removal_cost(
			finder->solver, &finder->spline, finder->points, width, degree + 1 + i);
	}
	qsort_r(finder->order, (size_t)count, sizeof(int), by_cost, finder->costs);
	int good = 0, bad = count + 1;
	while (bad - good > 1) {
		const int middle = (good + bad) / 2;
		leave_out(finder, count, middle);
		*(try_knots(finder, degree, periodic, finder->trial, count - middle) ? &good
										     : &bad) =
			middle;
	}
	leave_out(finder, count, good);
	memcpy(finder->interior, finder->trial, (size_t)(count - good) * sizeof(double));
	try_knots(finder, degree, periodic, finder->interior, count - good);
	return count - good;
}

/* Begins with so many of the breaks. */
static void find_adaptive(
	struct spline_finder *finder, int break_count, int degree, bool periodic) {
	const int most = finder->samples->count;
	int count = begin_with_breaks(finder, break_count, degree, finder->interior);
	bool found = false;
	for (int i = 0; i < ROUNDS && count <= most; i++) {
		found = try_knots(finder, degree, periodic, finder->interior, count);
		const int more = found ? count : split_spans(finder, finder->interior, count);
		if (more == count) {
			break;
		}
		count = more;
		memcpy(finder->interior, finder->trial, (size_t)count * sizeof(double));
	}
	if (!found) {
		return;
	}
	keep_if_smaller(finder, false, finder->interior);
	while (finder->ways & SPLINE_REMOVAL && count > 0) {
		const int left = remove_once(finder, degree, periodic, count);
		if (left == count) {
			break;
		}
		count = left;
		keep_if_smaller(finder, false, finder->interior);
	}
}

/* --- Steps --- */

/* Widens the range that a step's height may be in for a sample; false when no integer is left. */
static bool goes_with(const struct spline_finder *finder, int sample, double (*range)[2]) {
	const int width = finder->samples->width;
	bool fits = true;
	for (int c = 0; c < width; c++) {
		const double value = finder->samples->values[sample * width + c];
		range[c][0] = fmax(range[c][0], ceil(value - finder->tolerance));
		range[c][1] = fmin(range[c][1], floor(value + finder->tolerance));
		fits = fits && range[c][0] <= range[c][1] && fabs(value) < PCLIP_VALUE_MAX / 2;
	}
	return fits;
}

/* Degree 0: each step goes on as long as one number is near enough to all of its samples, which
 * makes for the fewest of them. */
static void find_steps(struct spline_finder *finder) {
	const struct bspline_samples *samples = finder->samples;
	const int width = samples->width, last = samples->count - 1;
	double range[BSPLINE_WIDTH_MAX][2], longer[BSPLINE_WIDTH_MAX][2];
	int count = 0;
	for (int s = 0; s <= last; s++) {
		memcpy(longer, range, sizeof range);
		if (s == 0 || !goes_with(finder, s, longer)) {
			for (int c = 0; c < width; c++) {
				longer[c][0] = -INFINITY;
				longer[c][1] = INFINITY;
			}
			if (!goes_with(finder, s, longer)) {
				return;
			}
			count += s > 0;
			finder->interior[count > 0 ? count - 1 : 0] = s;
		}
		memcpy(range, longer, sizeof range);
		for (int c = 0; c < width; c++) {
			finder->rounded[count * width + c] =
				(int32_t)floor((range[c][0] + range[c][1]) / 2);
		}
	}
	bspline_make(&finder->spline, 0, false, finder->interior, count, last, finder->knots);
	keep_if_smaller(finder, false, finder->interior);
}

/* Every sample is a control point, between which the spline is straight. */
static void interpolate(struct spline_finder *finder) {
	const int last = finder->samples->count - 1;
	const int degree = last > 0;
	if (try_uniform(finder, degree, false, last - degree)) {
		keep_if_smaller(finder, true, finder->interior);
	}
}

bool spline_find(struct spline_finder *finder, const struct bspline_samples *samples,
	double tolerance, struct arena *arena, struct spline *out, double *bits) {
	finder->samples = samples;
	finder->tolerance = tolerance;
	finder->best_bits = INFINITY;
	interpolate(finder);
	const int breaks = finder->ways & SPLINE_BREAKS
		? spline_find_breaks(samples, tolerance, finder->medians, finder->breaks)
		: 0;
	const int least = finder->ways & SPLINE_DEGREES ? 1 : BSPLINE_DEGREE_MAX;
	if (finder->ways & SPLINE_DEGREES) {
		find_steps(finder);
	}
	for (int degree = least; degree <= BSPLINE_DEGREE_MAX; degree++) {
		const bool round = finder->ways & SPLINE_PERIODIC && returns(finder);
		for (int periodic = 0; periodic <= round; periodic++) {
			find_uniform(finder, degree, periodic);
			if (finder->ways & SPLINE_ADAPTIVE) {
				find_adaptive(finder, 0, degree, periodic);
			}
			if (finder->ways & SPLINE_ADAPTIVE && breaks > 0) {
				find_adaptive(finder, breaks, degree, periodic);
			}
		}
	}
	if (isinf(finder->best_bits) || !stop_check(finder->stop, NULL)) {
		return false;
	}
	*out = finder->best;
	out->knots = arena_alloc(arena, (size_t)out->knot_count + 1, sizeof *out->knots);
	out->points =
		arena_alloc(arena, (size_t)(out->point_count * out->width), sizeof *out->points);
	memcpy(out->knots, finder->best_knots,
		out->uniform ? 0 : (size_t)out->knot_count * sizeof *out->knots);
	memcpy(out->points, finder->best_points,
		(size_t)(out->point_count * out->width) * sizeof *out->points);
	if (bits) {
		*bits = finder->best_bits;
	}
	return true;
}

void spline_interior(const struct spline *spline, int sample_count, double *interior) {
	if (spline->uniform) {
		space_evenly(spline->knot_count, sample_count - 1, interior);
	}
	for (int i = 0; i < spline->knot_count && !spline->uniform; i++) {
		interior[i] = spline->knots[i];
	}
}
