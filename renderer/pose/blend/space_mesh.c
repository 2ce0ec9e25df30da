// Delaunay's triangulation of a blend space's samples.
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pose/blend/space.h"

#define GRID 16777216.0

/* In cells of the grid: a triangle at the hull that is no higher is a line that roundings bent. */
#define SLIVER 64

/* Room for differences of coordinates to the fourth power. */
__extension__ typedef __int128 wide;

struct cell {
	int64_t x, y; // in [0, GRID]
	short sample;
};

/* A polygon of samples, counterclockwise. While all are on one line it goes there and back. */
struct hull {
	short corners[2 * SPACE_SAMPLES_MAX];
	int count;
};

struct sweep {
	struct cell cells[SPACE_SAMPLES_MAX];  // by sample
	struct cell sorted[SPACE_SAMPLES_MAX]; // by x, then y
	struct hull hull;
	struct space_mesh *mesh;
};

static void find_cells(const double (*at)[2], int count, struct cell *cells) {
	double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
	for (int i = 0; i < count; i++) {
		for (int k = 0; k < 2; k++) {
			least[k] = fmin(least[k], at[i][k]);
			most[k] = fmax(most[k], at[i][k]);
		}
	}
	const double side = fmax(most[0] - least[0], most[1] - least[1]);
	const double scale = side > 0 ? GRID / side : 0;
	for (int i = 0; i < count; i++) {
		cells[i].x = (int64_t)floor((at[i][0] - least[0]) * scale + 0.5);
		cells[i].y = (int64_t)floor((at[i][1] - least[1]) * scale + 0.5);
		cells[i].sample = (short)i;
	}
}

int space_find_twin(const double (*at)[2], int count, int *other) {
	struct cell cells[SPACE_SAMPLES_MAX];
	find_cells(at, count, cells);
	for (int i = 0; i < count; i++) {
		for (int j = 0; j < i; j++) {
			if (cells[i].x == cells[j].x && cells[i].y == cells[j].y) {
				*other = j;
				return i;
			}
		}
	}
	return -1;
}

static void sort(const struct cell *cells, int count, struct cell *sorted) {
	for (int i = 0; i < count; i++) {
		int at = i;
		for (; at > 0; at--) {
			const struct cell *before = &sorted[at - 1];
			if (before->x < cells[i].x ||
				(before->x == cells[i].x && before->y < cells[i].y)) {
				break;
			}
			sorted[at] = *before;
		}
		sorted[at] = cells[i];
	}
}

/* Above 0 where c is on the left of the way from a to b, 0 on the line. */
static int64_t side_of(const struct cell *a, const struct cell *b, const struct cell *c) {
	return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* True when d is inside of the circle through a, b and c, which are counterclockwise. */
static bool is_in_circle(
	const struct cell *a, const struct cell *b, const struct cell *c, const struct cell *d) {
	const wide ax = a->x - d->x, ay = a->y - d->y, bx = b->x - d->x, by = b->y - d->y;
	const wide cx = c->x - d->x, cy = c->y - d->y;
	const wide sum = (ax * ax + ay * ay) * (bx * cy - cx * by) -
		(bx * bx + by * by) * (ax * cy - cx * ay) +
		(cx * cx + cy * cy) * (ax * by - bx * ay);
	return sum > 0;
}

static void add_triangle(struct space_mesh *mesh, short a, short b, short c) {
	assert(mesh->triangle_count < 2 * SPACE_SAMPLES_MAX);
	short *triangle = mesh->triangles[mesh->triangle_count++];
	triangle[0] = a, triangle[1] = b, triangle[2] = c;
}

/* While all are on one line, the next one is where the polygon turns back. */
static void lengthen(struct hull *hull, short corner) {
	const int turn = hull->count / 2 + 1;
	const bool first = hull->count == 0, second = hull->count == 1;
	if (first || second) {
		hull->corners[hull->count++] = corner;
		return;
	}
	const short last = hull->corners[turn - 1];
	memmove(&hull->corners[turn + 2], &hull->corners[turn],
		(size_t)(hull->count - turn) * sizeof *hull->corners);
	hull->corners[turn] = corner;
	hull->corners[turn + 1] = last;
	hull->count += 2;
}

/* Joins a corner with all edges that it sees, which are in a row, and lets it take their place. */
static void join(struct sweep *sweep, const struct cell *corner) {
	struct hull *hull = &sweep->hull;
	struct hull next = {0};
	bool sees[2 * SPACE_SAMPLES_MAX];
	int seen = 0;
	for (int i = 0; i < hull->count; i++) {
		const short a = hull->corners[i], b = hull->corners[(i + 1) % hull->count];
		sees[i] = side_of(&sweep->cells[a], &sweep->cells[b], corner) < 0;
		if (sees[i]) {
			add_triangle(sweep->mesh, b, a, corner->sample);
			seen++;
		}
	}
	if (seen == 0) {
		lengthen(hull, corner->sample);
		return;
	}
	for (int i = 0; i < hull->count; i++) {
		const bool before = sees[(i + hull->count - 1) % hull->count];
		if (!before || !sees[i]) {
			next.corners[next.count++] = hull->corners[i];
		}
		if (!before && sees[i]) {
			next.corners[next.count++] = corner->sample;
		}
	}
	*hull = next;
}

/* The triangle with the edge from b to a, and where in it; -1 at the hull. */
static int find_neighbour(const struct space_mesh *mesh, short a, short b, int *corner) {
	for (int i = 0; i < mesh->triangle_count; i++) {
		const short *t = mesh->triangles[i];
		for (int k = 0; k < 3; k++) {
			if (t[k] == b && t[(k + 1) % 3] == a) {
				*corner = (k + 2) % 3;
				return i;
			}
		}
	}
	return -1;
}

/* Turns the edge between two triangles where the far corner of one is in the circle of the other.
 */
static bool flip(struct sweep *sweep, int triangle, int k) {
	short *t = sweep->mesh->triangles[triangle];
	const short a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
	int corner;
	const int other = find_neighbour(sweep->mesh, a, b, &corner);
	if (other < 0) {
		return false;
	}
	short *u = sweep->mesh->triangles[other];
	const short d = u[corner];
	const struct cell *cells = sweep->cells;
	if (!is_in_circle(&cells[a], &cells[b], &cells[c], &cells[d])) {
		return false;
	}
	t[0] = c, t[1] = a, t[2] = d;
	u[0] = c, u[1] = d, u[2] = b;
	return true;
}

static void flip_all(struct sweep *sweep) {
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < sweep->mesh->triangle_count; i++) {
			for (int k = 0; k < 3; k++) {
				changed = flip(sweep, i, k) || changed;
			}
		}
	}
}

/* Of a triangle's edge from a to b. */
static bool is_sliver(const struct cell *a, const struct cell *b, const struct cell *c) {
	const double x = (double)(b->x - a->x), y = (double)(b->y - a->y);
	return (double)side_of(a, b, c) <= SLIVER * sqrt(x * x + y * y);
}

static bool drop_sliver(struct sweep *sweep, int triangle) {
	struct space_mesh *mesh = sweep->mesh;
	const short *t = mesh->triangles[triangle];
	for (int k = 0; k < 3; k++) {
		const short a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
		int corner;
		if (find_neighbour(mesh, a, b, &corner) < 0 &&
			is_sliver(&sweep->cells[a], &sweep->cells[b], &sweep->cells[c])) {
			memmove(mesh->triangles[triangle], mesh->triangles[--mesh->triangle_count],
				sizeof *mesh->triangles);
			return true;
		}
	}
	return false;
}

static void drop_slivers(struct sweep *sweep) {
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < sweep->mesh->triangle_count; i++) {
			changed = drop_sliver(sweep, i) || changed;
		}
	}
}

static void find_edges(struct space_mesh *mesh) {
	for (int i = 0; i < mesh->triangle_count; i++) {
		const short *t = mesh->triangles[i];
		for (int k = 0; k < 3; k++) {
			int corner;
			if (find_neighbour(mesh, t[k], t[(k + 1) % 3], &corner) < 0) {
				assert(mesh->edge_count < 2 * SPACE_SAMPLES_MAX);
				mesh->edges[mesh->edge_count][0] = t[k];
				mesh->edges[mesh->edge_count++][1] = t[(k + 1) % 3];
			}
		}
	}
}

void space_triangulate(const double (*at)[2], int count, struct space_mesh *mesh) {
	assert(count <= SPACE_SAMPLES_MAX);
	struct sweep sweep = {.mesh = mesh};
	mesh->triangle_count = mesh->edge_count = 0;
	find_cells(at, count, sweep.cells);
	sort(sweep.cells, count, sweep.sorted);
	for (int i = 0; i < count; i++) {
		join(&sweep, &sweep.sorted[i]);
	}
	flip_all(&sweep);
	drop_slivers(&sweep);
	find_edges(mesh);
}
