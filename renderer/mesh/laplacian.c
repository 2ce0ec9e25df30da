// Graph Laplacians of a surface.
#include "mesh/laplacian.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/libraries.h"
#include "base/memory.h"
#include "base/vec.h"

/* The position of the edge from one point to another, which exists. */
static double *weight_of(const struct laplacian *laplacian, int from, int to) {
	const struct csr *edges = &laplacian->edges;
	int low = edges->starts[from], high = edges->starts[from + 1] - 1;
	while (low < high) {
		const int middle = low + (high - low) / 2;
		if (edges->items[middle] < to) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	assert(edges->items[low] == to);
	return &laplacian->weights[low];
}

static void add_cotangents(
	const struct laplacian *laplacian, const struct mesh_surface *surface, int triangle) {
	const int *corners = surface->triangles[triangle];
	double cross[3];
	surface_cross(surface, triangle, (const double(*)[3])surface->positions, cross);
	const double area = vec3_length(cross);
	for (int k = 0; k < 3 && area > 0; k++) {
		const int from = corners[(k + 1) % 3], to = corners[(k + 2) % 3];
		double a[3], b[3];
		vec3_sub(surface->positions[from], surface->positions[corners[k]], a);
		vec3_sub(surface->positions[to], surface->positions[corners[k]], b);
		const double cotangent = vec3_dot(a, b) / area;
		*weight_of(laplacian, from, to) += cotangent / 2;
		*weight_of(laplacian, to, from) += cotangent / 2;
	}
}

static void weigh(
	struct laplacian *laplacian, const struct mesh_surface *surface, enum laplacian_kind kind) {
	const struct csr *edges = &laplacian->edges;
	for (int i = 0; i < edges->starts[edges->row_count]; i++) {
		laplacian->weights[i] = kind == LAPLACIAN_UNIFORM ? 1 : 0;
	}
	for (int i = 0; kind == LAPLACIAN_COTANGENT && i < surface->triangle_count; i++) {
		add_cotangents(laplacian, surface, i);
	}
	for (int row = 0; row < edges->row_count; row++) {
		for (int i = edges->starts[row]; i < edges->starts[row + 1]; i++) {
			laplacian->weights[i] = fmax(laplacian->weights[i], 0);
			laplacian->sums[row] += laplacian->weights[i];
		}
	}
}

bool laplacian_init(struct laplacian *laplacian, const struct mesh_surface *surface,
	enum laplacian_kind kind, struct error *err) {
	*laplacian = (struct laplacian){0};
	if (!surface_neighbours(surface, &laplacian->edges, err)) {
		return false;
	}
	const size_t edges = (size_t)laplacian->edges.starts[surface->point_count];
	const size_t points = (size_t)surface->point_count;
	laplacian->weights = try_calloc(edges, sizeof *laplacian->weights, "Laplacian", err);
	laplacian->sums = try_calloc(points, sizeof *laplacian->sums, "Laplacian", err);
	if (!laplacian->weights || !laplacian->sums) {
		laplacian_finish(laplacian);
		return false;
	}
	weigh(laplacian, surface, kind);
	return true;
}

void laplacian_finish(struct laplacian *laplacian) {
	csr_finish(&laplacian->edges);
	free(laplacian->weights);
	free(laplacian->sums);
	*laplacian = (struct laplacian){0};
}

struct worker {
	const struct rig *rig;
	const struct mesh_surface *surface;
	const struct csr *triangles; // at each smoothing group
	const struct smooth_groups *groups;
};

/* Adds the gradient of a slot's weight over one triangle, times its area: half the normal crossed
 * with the sum of each corner's weight times the edge across. */
static void add_gradient(const struct mesh_surface *surface, int triangle, int slot,
	const double normal[static 3], double sum[static 3]) {
	double edges[3] = {0}, turned[3];
	for (int i = 0; i < 3; i++) {
		const int *corners = surface->triangles[triangle];
		const double weight = surface_weight(surface, corners[i], slot);
		double edge[3];
		vec3_sub(surface->positions[corners[(i + 2) % 3]],
			surface->positions[corners[(i + 1) % 3]], edge);
		for (int k = 0; k < 3; k++) {
			edges[k] += weight * edge[k];
		}
	}
	vec3_cross(normal, edges, turned);
	for (int k = 0; k < 3; k++) {
		sum[k] += turned[k] / 2;
	}
}

static void average(const struct worker *worker, int vertex, int slot, double out[static 3]) {
	const int group = worker->groups->vertices[vertex];
	const struct csr *triangles = worker->triangles;
	double area = 0;
	out[0] = out[1] = out[2] = 0;
	for (int i = triangles->starts[group]; i < triangles->starts[group + 1]; i++) {
		const struct mesh_surface *surface = worker->surface;
		double cross[3];
		surface_cross(surface, triangles->items[i], (const double(*)[3])surface->positions,
			cross);
		area += vec3_length(cross) / 2;
		if (vec3_normalize(cross)) {
			add_gradient(surface, triangles->items[i], slot, cross, out);
		}
	}
	for (int k = 0; k < 3; k++) {
		out[k] = area > 0 ? out[k] / area : 0;
	}
}

static void project(const float *normal, double gradient[static 3]) {
	double along = 0;
	for (int i = 0; i < 3; i++) {
		along += (double)normal[i] * gradient[i];
	}
	for (int i = 0; i < 3; i++) {
		gradient[i] -= along * (double)normal[i];
	}
}

/* Takes the sum from all but the pivot by weight, and gives the pivot what is left to zero. */
static void centre(const float *weights, int count, float (*out)[3]) {
	for (int i = 0; i < 3; i++) {
		double sum = 0, rest = 0;
		for (int k = 0; k < count; k++) {
			sum += (double)out[k][i];
		}
		for (int k = 1; k < count; k++) {
			out[k][i] = (float)((double)out[k][i] - (double)weights[k] * sum);
			rest += (double)out[k][i];
		}
		out[0][i] = (float)-rest;
	}
}

static int slot_of(const struct worker *worker, const struct primitive *p, size_t influence) {
	const int slot = p->first_slot + worker->rig->influence_slots[influence];
	return worker->surface->slots[slot];
}

/* The first of influences that are the same matrix has the gradient of them all. */
static void fill_vertex(
	const struct worker *worker, const struct primitive *p, int vertex, float (*out)[3]) {
	const struct rig *rig = worker->rig;
	const size_t at = p->first_influence +
		(size_t)(vertex - p->first_vertex) * (size_t)p->influence_count;
	for (int k = 0; k < p->influence_count; k++) {
		double gradient[3] = {0};
		const int slot = slot_of(worker, p, at + (size_t)k);
		bool first = rig->influence_weights[at + (size_t)k] > 0;
		for (int earlier = 0; earlier < k; earlier++) {
			first = first && slot_of(worker, p, at + (size_t)earlier) != slot;
		}
		if (first) {
			average(worker, vertex, slot, gradient);
			project(rig->normals + (size_t)vertex * 3, gradient);
		}
		for (int i = 0; i < 3; i++) {
			out[at + (size_t)k][i] = (float)gradient[i];
		}
	}
	centre(rig->influence_weights + at, p->influence_count, out + at);
}

bool weight_gradients(const struct rig *rig, const struct mesh_surface *surface,
	const struct smooth_groups *groups, float (*out)[3], struct error *err) {
	struct csr triangles;
	if (!surface_triangles_at(surface, groups->vertices, groups->count, &triangles, err)) {
		return false;
	}
	const struct worker worker = {rig, surface, &triangles, groups};
	memset(out, 0, rig->influence_count * sizeof *out);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (int v = 0; v < p->vertex_count && p->influence_count > 1; v++) {
			fill_vertex(&worker, p, p->first_vertex + v, out);
		}
	}
	csr_finish(&triangles);
	return true;
}

/* A gradient below this share of the greatest |b| draws no unknown in. */
#define GRADIENT_MIN 1e-12

struct problem {
	int count;
	const double (*n)[NONNEGATIVE_MAX];
	const double *b;
	bool in[NONNEGATIVE_MAX]; // unknowns that may be above 0
};

/* The unknowns that are in, as if they were free; the others 0. */
static void solve_free(const struct problem *problem, double *x) {
	double matrix[NONNEGATIVE_MAX * NONNEGATIVE_MAX], right[NONNEGATIVE_MAX];
	int names[NONNEGATIVE_MAX], size = 0;
	for (int i = 0; i < problem->count; i++) {
		if (problem->in[i]) {
			right[size] = problem->b[i];
			names[size++] = i;
		}
	}
	for (int i = 0; i < size * size; i++) {
		matrix[i] = problem->n[names[i / size]][names[i % size]];
	}
	const int info =
		algebra_lapack()->dposv(LAPACK_ROW_MAJOR, 'U', size, 1, matrix, size, right, 1);
	assert(info == 0);
	memset(x, 0, (size_t)problem->count * sizeof *x);
	for (int i = 0; i < size; i++) {
		x[names[i]] = right[i];
	}
}

/* The unknown outside that would lower the sum most if it rose; -1 = none would. */
static int find_entering(const struct problem *problem, const double *x) {
	double most = 0, scale = 0;
	int entering = -1;
	for (int i = 0; i < problem->count; i++) {
		double gradient = problem->b[i];
		for (int k = 0; k < problem->count; k++) {
			gradient -= problem->n[i][k] * x[k];
		}
		scale = fmax(scale, fabs(problem->b[i]));
		if (!problem->in[i] && gradient > most) {
			most = gradient;
			entering = i;
		}
	}
	return most > GRADIENT_MIN * scale ? entering : -1;
}

/* Goes from x towards the free solution until the first unknown is 0, which goes out. False when
 * the free solution was reached. */
static bool step_back(struct problem *problem, double *x, const double *target) {
	double share = 1;
	int out = -1;
	for (int i = 0; i < problem->count; i++) {
		if (problem->in[i] && target[i] <= 0 && x[i] <= share * (x[i] - target[i])) {
			share = x[i] / (x[i] - target[i]);
			out = i;
		}
	}
	for (int i = 0; i < problem->count; i++) {
		x[i] += share * (target[i] - x[i]);
	}
	if (out >= 0) {
		x[out] = 0;
		problem->in[out] = false;
	}
	return out >= 0;
}

void nonnegative_solve(int count, const double (*n)[NONNEGATIVE_MAX], const double *b, double *x) {
	assert(count <= NONNEGATIVE_MAX);
	struct problem problem = {.count = count, .n = n, .b = b};
	memset(x, 0, (size_t)count * sizeof *x);
	// Each round ends lower than the one before: there are only so many sets of unknowns, and
	// few are visited.
	for (int round = 0; round < 8 * NONNEGATIVE_MAX; round++) {
		const int entering = find_entering(&problem, x);
		if (entering < 0) {
			return;
		}
		problem.in[entering] = true;
		double target[NONNEGATIVE_MAX];
		do {
			solve_free(&problem, target);
		} while (step_back(&problem, x, target));
	}
}
