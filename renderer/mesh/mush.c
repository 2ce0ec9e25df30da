// The rest data of delta mush.
#include "mesh/mush.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/surface.h"

/* A guide's edge is at least this share, across the normal, of the longest at its point: frames
 * turn with the rounding of short ones. */
#define GUIDE_MIN 0.25

/* Names the neighbours by vertices. */
static void to_vertices(const struct mesh_surface *surface, struct csr *csr) {
	for (int i = 0; i < csr->starts[csr->row_count]; i++) {
		csr->items[i] = surface->vertices[csr->items[i]];
	}
}

/* One step of smoothing. */
static void smooth(const struct mesh_surface *surface, const struct mush *mush, double lambda,
	const double (*in)[3], double (*out)[3]) {
	const struct csr *neighbours = &mush->neighbours;
	for (int v = 0; v < surface->vertex_count; v++) {
		const int point = surface->points[v];
		const int start = neighbours->starts[point], end = neighbours->starts[point + 1];
		const bool moves = start < end && !mush->pinned[point];
		double sum[3] = {0};
		for (int i = start; i < end; i++) {
			for (int k = 0; k < 3; k++) {
				sum[k] += in[neighbours->items[i]][k];
			}
		}
		for (int k = 0; k < 3; k++) {
			const double mean = moves ? sum[k] / (end - start) : in[v][k];
			out[v][k] = (1 - lambda) * in[v][k] + lambda * mean;
		}
	}
}

/* Below this share of the longest edge at a point smoothing leaves no frame: few points collapse
 * into one another, and the rest of their triangles is rounding. */
#define COLLAPSED 0.02

/* The part of an edge across a unit normal; returns its length. */
static double across(
	const double n[static 3], const double *from, const double *to, double out[static 3]) {
	vec3_sub(to, from, out);
	const double along = vec3_dot(n, out);
	for (int k = 0; k < 3; k++) {
		out[k] -= along * n[k];
	}
	return vec3_length(out);
}

/* The first of a point's neighbours that may guide it; -1 = none. */
static int find_guide(const struct mush *mush, const struct mesh_surface *surface, int point,
	const double (*smoothed)[3]) {
	const int vertex = surface->vertices[point];
	const int start = mush->neighbours.starts[point];
	const int end = mush->neighbours.starts[point + 1];
	double n[3], t[3], longest = 0, longest_at_rest = 0;
	fans_normal(&mush->fans, point, smoothed, vertex, n);
	if (!vec3_normalize(n)) {
		return -1;
	}
	for (int i = start; i < end; i++) {
		const double *other = smoothed[mush->neighbours.items[i]];
		const int point_there = surface->points[mush->neighbours.items[i]];
		longest = fmax(longest, across(n, smoothed[vertex], other, t));
		vec3_sub(surface->positions[point_there], surface->positions[point], t);
		longest_at_rest = fmax(longest_at_rest, vec3_length(t));
	}
	if (!(longest > COLLAPSED * longest_at_rest)) {
		return -1;
	}
	for (int i = start; i < end; i++) {
		const int other = mush->neighbours.items[i];
		if (across(n, smoothed[vertex], smoothed[other], t) >= GUIDE_MIN * longest) {
			return other;
		}
	}
	return -1;
}

/* The frame t, n, b of a vertex with its guide; false where it has none. */
static bool make_frame(const struct mush *mush, int point, int vertex, int guide,
	const double (*positions)[3], double frame[static 3][3]) {
	fans_normal(&mush->fans, point, positions, vertex, frame[1]);
	if (!vec3_normalize(frame[1])) {
		return false;
	}
	across(frame[1], positions[vertex], positions[guide], frame[0]);
	if (!vec3_normalize(frame[0])) {
		return false;
	}
	vec3_cross(frame[1], frame[0], frame[2]);
	return true;
}

static void find_delta(struct mush *mush, const struct rig *rig, int point, int vertex,
	const double (*smoothed)[3]) {
	double(*frame)[3] = mush->frames[vertex], away[3];
	if (mush->guides[point] < 0 ||
		!make_frame(mush, point, vertex, mush->guides[point], smoothed, frame)) {
		memset(frame, 0, sizeof mush->frames[vertex]);
		return;
	}
	for (int k = 0; k < 3; k++) {
		const float *rest = rig->positions + (size_t)vertex * 3;
		away[k] = (double)rest[k] - smoothed[vertex][k];
	}
	for (int k = 0; k < 3; k++) {
		mush->deltas[vertex][k] = vec3_dot(frame[k], away);
	}
}

/* The rest pose on its way; the one that is smoothed next is now[0]. */
struct smoothing {
	double (*now[2])[3]; // [vertex_count] each
};

static bool smooth_rest(struct smoothing *smoothing, const struct mesh_surface *surface,
	const struct mush *mush, const struct mush_settings *settings, const struct watch *watch,
	struct error *err) {
	for (int i = 0; i < settings->iterations; i++) {
		if (!watch_step(watch, (double)i / settings->iterations, err)) {
			return false;
		}
		double(*const from)[3] = smoothing->now[0], (*const to)[3] = smoothing->now[1];
		smooth(surface, mush, settings->lambda, (const double(*)[3])from, to);
		smoothing->now[0] = to;
		smoothing->now[1] = from;
	}
	return true;
}

static void find_deltas(struct mush *mush, const struct rig *rig,
	const struct mesh_surface *surface, const double (*smoothed)[3]) {
	for (int i = 0; i < surface->point_count; i++) {
		mush->guides[i] = find_guide(mush, surface, i, smoothed);
	}
	for (int v = 0; v < rig->vertex_count; v++) {
		find_delta(mush, rig, surface->points[v], v, smoothed);
	}
}

static bool smooth_and_compare(struct mush *mush, const struct rig *rig,
	const struct mesh_surface *surface, const struct mush_settings *settings,
	const struct watch *watch, struct error *err) {
	const size_t count = (size_t)rig->vertex_count;
	struct smoothing smoothing;
	for (int i = 0; i < 2; i++) {
		smoothing.now[i] = try_calloc(count, sizeof *smoothing.now[i], "smoothing", err);
	}
	bool done = smoothing.now[0] && smoothing.now[1];
	for (size_t i = 0; done && i < count * 3; i++) {
		smoothing.now[0][i / 3][i % 3] = (double)rig->positions[i];
	}
	done = done && smooth_rest(&smoothing, surface, mush, settings, watch, err);
	if (done) {
		find_deltas(mush, rig, surface, (const double(*)[3])smoothing.now[0]);
	}
	free(smoothing.now[0]);
	free(smoothing.now[1]);
	return done;
}

static bool allocate(struct mush *mush, const struct mesh_surface *surface, struct error *err) {
	const size_t vertices = (size_t)surface->vertex_count;
	const size_t points = (size_t)surface->point_count;
	mush->pinned = try_calloc(points, sizeof *mush->pinned, "smoothing", err);
	mush->guides = try_calloc(points, sizeof *mush->guides, "smoothing", err);
	mush->deltas = try_calloc(vertices, sizeof *mush->deltas, "smoothing", err);
	mush->frames = try_calloc(vertices, sizeof *mush->frames, "smoothing", err);
	return mush->pinned && mush->guides && mush->deltas && mush->frames;
}

bool mush_init(struct mush *mush, const struct rig *rig, const struct mesh_surface *surface,
	const struct mush_settings *settings, const struct watch *watch, struct error *err) {
	*mush = (struct mush){0};
	if (!allocate(mush, surface, err) || !surface_neighbours(surface, &mush->neighbours, err) ||
		!fans_init(
			&mush->fans, surface, surface->points, surface->point_count, true, err) ||
		(settings->pin && !open_points(surface, mush->pinned, err))) {
		goto fail;
	}
	to_vertices(surface, &mush->neighbours);
	if (!smooth_and_compare(mush, rig, surface, settings, watch, err)) {
		goto fail;
	}
	return true;
fail:
	mush_finish(mush);
	return false;
}

void mush_finish(struct mush *mush) {
	csr_finish(&mush->neighbours);
	fans_finish(&mush->fans);
	free(mush->pinned);
	free(mush->guides);
	free(mush->deltas);
	free(mush->frames);
	*mush = (struct mush){0};
}
