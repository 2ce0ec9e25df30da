/* The box around something that moves, over a span of time. For those who are asked for it. */
#pragma once

#include "base/stop.h"
#include "model/rig.h"

/* Least, then greatest coordinate. */
#define BOX_SIDES 6

/* The box at a moment. */
typedef bool box_search_look(void *context, double time_s, struct bounds *out, struct error *err);

struct box_moment;

/* The first four are the caller's; the rest is zero to begin with. */
struct box_search {
	box_search_look *look;
	void *context;
	const struct stop *stop; // NULL = never
	size_t most;             // moments to look at

	struct box_moment *moments; // [count] owned
	size_t count, room;
	double farthest[BOX_SIDES]; // over all moments
};

/* Adds a moment to look at; an edge is the last instant before a step. */
void box_search_add(struct box_search *search, double time_s, bool edge);

/* Looks at all moments that were added in the order of their times, and then, if it refines, at
 * others between them wherever the box may still grow by more than 5e-6 of its diagonal, as far as
 * the curvature tells. Ends the search, also where it is false: with what look or the stop fails
 * with. */
bool box_search_run(struct box_search *search, bool refines, struct bounds *out, struct error *err);
