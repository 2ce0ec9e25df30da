// How the weights change along the surface.
#include "mesh/weight_gradients.h"

#include <string.h>

#include "base/vec.h"

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
