// The box around something that moves.
#include "skinned/box_search.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Halvings of an interval in which the box may grow, and by how much of its diagonal it may stay
 * too small. */
#define REFINEMENTS 12
#define TOLERANCE 1e-5

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

/* Whether two neighbours are as good as one. */
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

/* How far a side bulges out over the straight line between moments a and b, from the curvature at
 * three moments that these are two of: a quarter of the divided difference times the square of the
 * step. Doubled, since it is an estimate. Across an edge there is no curvature. */
static double bulge(const struct box_moment *m, const struct box_moment *n,
	const struct box_moment *o, double step_s, int side) {
	if (m->edge || n->edge) {
		return 0;
	}
	const double first = (n->reach[side] - m->reach[side]) / (n->time_s - m->time_s);
	const double second = (o->reach[side] - n->reach[side]) / (o->time_s - n->time_s);
	const double curvature = (second - first) / (o->time_s - m->time_s);
	return fmax(-curvature, 0) * step_s * step_s / 2;
}

/* Whether the box may grow by more than the tolerance between moments i and i + 1. */
static bool may_grow(const struct box_search *search, size_t i, double tolerance) {
	const struct box_moment *m = &search->moments[i];
	const double step_s = m[1].time_s - m[0].time_s;
	if (!(step_s > APART_S)) {
		return false;
	}
	for (int side = 0; side < BOX_SIDES; side++) {
		double more = 0;
		if (i > 0) {
			more = bulge(m - 1, m, m + 1, step_s, side);
		}
		if (i + 2 < search->count) {
			more = fmax(more, bulge(m, m + 1, m + 2, step_s, side));
		}
		const double reach = fmax(m[0].reach[side], m[1].reach[side]) + more;
		if (reach > search->farthest[side] + tolerance) {
			return true;
		}
	}
	return false;
}

/* Looks at the middle of every interval in which the box may grow. *done when there was none. */
static bool refine(struct box_search *search, bool *done, struct error *err) {
	double diagonal = 0;
	for (int k = 0; k < 3; k++) {
		diagonal += pow(search->farthest[k] + search->farthest[3 + k], 2);
	}
	const double tolerance = TOLERANCE * sqrt(diagonal);
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
	bool fine = look_from(search, 0, err);
	for (int i = 0; fine && !done && i < REFINEMENTS; i++) {
		fine = refine(search, &done, err);
	}
	return fine;
}

bool box_search_run(
	struct box_search *search, bool refines, struct bounds *out, struct error *err) {
	for (int side = 0; side < BOX_SIDES; side++) {
		search->farthest[side] = -INFINITY;
	}
	const bool fine = look_at_all(search, refines, err);
	for (int k = 0; k < 3; k++) {
		out->min[k] = -search->farthest[k];
		out->max[k] = search->farthest[3 + k];
	}
	free(search->moments);
	search->moments = NULL;
	return fine;
}
