// The box around something that moves.
#include "skinned/box_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Halvings of an interval in which the box may grow, by how much of its diagonal it may do so
 * without another, and how many times that it is made larger at most. */
#define REFINEMENTS 12
#define TOLERANCE 5e-6
#define LOOSENESS 20

/* Seconds that moments are apart at least, but at an edge. */
#define APART_S 1e-6

struct box_moment {
	double time_s;
	bool edge;               // the last instant before a step
	double reach[BOX_SIDES]; // least coordinates negated, so that more is farther out
};

static bool look(struct box_search *search, struct box_moment *moment, struct error *err) {
	struct bounds box;
	if (!search->look(search->context, moment->time_s, &box, err)) {
		return false;
	}
	for (int k = 0; k < 3; k++) {
		moment->reach[k] = -box.min[k];
		moment->reach[3 + k] = box.max[k];
	}
	for (int side = 0; side < BOX_SIDES; side++) {
		search->farthest[side] = fmax(search->farthest[side], moment->reach[side]);
	}
	return true;
}

/* Looks at all moments from the first on that was not looked at. */
static bool look_from(struct box_search *search, size_t first, struct error *err) {
	for (size_t i = first; i < search->count; i++) {
		if (!stop_check(search->stop, err) || !look(search, &search->moments[i], err)) {
			return false;
		}
	}
	return true;
}

void box_search_add(struct box_search *search, double time_s, bool edge) {
	if (search->count == search->room) {
		search->room = search->room ? 2 * search->room : 256;
		search->moments = xrealloc(search->moments, search->room, sizeof *search->moments);
	}
	search->moments[search->count++] = (struct box_moment){.time_s = time_s, .edge = edge};
}

static int by_time(const void *a, const void *b) {
	const double x = ((const struct box_moment *)a)->time_s,
		     y = ((const struct box_moment *)b)->time_s;
	return (x > y) - (x < y);
}

static void sort_moments(struct box_search *search) {
	qsort(search->moments, search->count, sizeof *search->moments, by_time);
}

/* True when two neighbours are as good as one. */
static bool are_doubles(const struct box_moment *a, const struct box_moment *b) {
	const double apart_s = b->time_s - a->time_s;
	return apart_s == 0 || (apart_s < APART_S && !a->edge && !b->edge);
}

static void drop_doubles(struct box_search *search) {
	size_t kept = 0;
	for (size_t i = 0; i < search->count; i++) {
		if (kept == 0 || !are_doubles(&search->moments[kept - 1], &search->moments[i])) {
			search->moments[kept++] = search->moments[i];
		}
	}
	search->count = kept;
}

/* The outward bend of a side at three moments: half of its second derivative, negated. Doubled,
 * since it is an estimate. Across an edge there is none. */
static double bend(const struct box_moment *m, int side) {
	if (m[0].edge || m[1].edge) {
		return 0;
	}
	const double first = (m[1].reach[side] - m[0].reach[side]) / (m[1].time_s - m[0].time_s);
	const double second = (m[2].reach[side] - m[1].reach[side]) / (m[2].time_s - m[1].time_s);
	return 2 * fmax((first - second) / (m[2].time_s - m[0].time_s), 0);
}

/* The farthest reach of a side between moments i and i + 1: the top of the parabola through both
 * with the side's curvature there. */
static double reach_between(const struct box_search *search, size_t i, int side) {
	const struct box_moment *m = &search->moments[i];
	const double step_s = m[1].time_s - m[0].time_s;
	const double ends = fmax(m[0].reach[side], m[1].reach[side]);
	if (!(step_s > APART_S)) {
		return ends;
	}
	double most = i > 0 ? bend(m - 1, side) : 0;
	most = i + 2 < search->count ? fmax(most, bend(m, side)) : most;
	const double rise = fabs(m[1].reach[side] - m[0].reach[side]);
	const double sag = most * step_s * step_s; // four times how far the middle is off the line
	return rise < sag ? ends + (sag - rise) * (sag - rise) / (4 * sag) : ends;
}

/* True when the box may grow by more than the tolerance between moments i and i + 1. */
static bool may_grow(const struct box_search *search, size_t i, double tolerance) {
	bool grows = false;
	for (int side = 0; side < BOX_SIDES; side++) {
		grows = grows ||
			reach_between(search, i, side) > search->farthest[side] + tolerance;
	}
	return grows;
}

static double find_tolerance(const struct box_search *search) {
	double diagonal = 0;
	for (int k = 0; k < 3; k++) {
		diagonal += pow(search->farthest[k] + search->farthest[3 + k], 2);
	}
	return TOLERANCE * sqrt(diagonal);
}

/* Looks at the middle of every interval in which the box may grow. *done when there was none. */
static bool refine(struct box_search *search, bool *done, struct error *err) {
	const double tolerance = find_tolerance(search);
	const size_t before = search->count;
	for (size_t i = 0; i + 1 < before && search->count < search->most; i++) {
		if (may_grow(search, i, tolerance)) {
			const struct box_moment *m = &search->moments[i];
			box_search_add(search, (m[0].time_s + m[1].time_s) / 2, false);
		}
	}
	*done = search->count == before;
	if (!look_from(search, before, err)) {
		return false;
	}
	sort_moments(search);
	return true;
}

static bool look_at_all(struct box_search *search, bool refines, struct error *err) {
	sort_moments(search);
	drop_doubles(search);
	bool done = !refines;
	bool ok = look_from(search, 0, err);
	for (int i = 0; ok && !done && i < REFINEMENTS; i++) {
		ok = refine(search, &done, err);
	}
	return ok;
}

/* Makes the box hold what lies between the moments. Where refining had to end early the curvature
 * may tell nonsense. */
static void hold_bulges(struct box_search *search) {
	const double most = LOOSENESS * find_tolerance(search);
	double farthest[BOX_SIDES];
	memcpy(farthest, search->farthest, sizeof farthest);
	for (size_t i = 0; i + 1 < search->count; i++) {
		for (int side = 0; side < BOX_SIDES; side++) {
			const double reach = reach_between(search, i, side);
			farthest[side] =
				fmax(farthest[side], fmin(reach, search->farthest[side] + most));
		}
	}
	memcpy(search->farthest, farthest, sizeof farthest);
}

bool box_search_run(
	struct box_search *search, bool refines, struct bounds *out, struct error *err) {
	for (int side = 0; side < BOX_SIDES; side++) {
		search->farthest[side] = -INFINITY;
	}
	const bool ok = look_at_all(search, refines, err);
	if (ok && refines) {
		hold_bulges(search);
	}
	for (int k = 0; k < 3; k++) {
		out->min[k] = -search->farthest[k];
		out->max[k] = search->farthest[3 + k];
	}
	free(search->moments);
	search->moments = NULL;
	return ok;
}
