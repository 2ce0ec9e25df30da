// Normals from the faces around a sculpted vertex.
#include "fit/sculpt_normals.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "fit/each_vertex.h"
#include "mesh/laplacian.h"

bool sculpt_faces_init(struct sculpt_faces *faces, const struct rig *rig, struct error *err) {
	const size_t count = (size_t)rig->vertex_count + 1;
	struct mesh_surface *surface = surface_create(rig, NULL, err);
	*faces = (struct sculpt_faces){.vertex_count = rig->vertex_count};
	faces->before = try_calloc(count, sizeof *faces->before, "normals of examples", err);
	faces->after = try_calloc(count, sizeof *faces->after, "normals of examples", err);
	const bool ok = surface && faces->before && faces->after &&
		smooth_groups_init(&faces->groups, surface, rig->normals, err) &&
		fans_init(&faces->fans, surface, faces->groups.vertices, faces->groups.count, false,
			err);
	surface_destroy(surface);
	return ok;
}

void sculpt_faces_finish(struct sculpt_faces *faces) {
	fans_finish(&faces->fans);
	smooth_groups_finish(&faces->groups);
	free(faces->before);
	free(faces->after);
}

/* Turns a vector by the least rotation that takes one unit vector to another. */
static void turn(const double from[static 3], const double to[static 3], double v[static 3]) {
	double axis[3], once[3], twice[3];
	vec3_cross(from, to, axis);
	const double cosine = vec3_dot(from, to);
	vec3_cross(axis, v, once);
	vec3_cross(axis, once, twice);
	for (int i = 0; i < 3; i++) {
		v[i] = cosine > -0.999999 ? v[i] + once[i] + twice[i] / (1 + cosine) : -v[i];
	}
}

static void turn_normal(struct sculpt_faces *faces, int vertex, float normal[static 3]) {
	const int group = faces->groups.vertices[vertex];
	double before[3], after[3], turned[3] = {normal[0], normal[1], normal[2]};
	fans_normal(&faces->fans, group, (const double(*)[3])faces->before, vertex, before);
	fans_normal(&faces->fans, group, (const double(*)[3])faces->after, vertex, after);
	if (!vec3_normalize(before) || !vec3_normalize(after)) {
		return;
	}
	turn(before, after, turned);
	for (int i = 0; i < 3 && vec3_normalize(turned); i++) {
		normal[i] = (float)turned[i];
	}
}

void sculpt_turn_normals(
	struct sculpt_faces *faces, const float *base, const float *sculpted, float *normals) {
	for (int i = 0; i < faces->vertex_count * 3; i++) {
		faces->before[i / 3][i % 3] = base[i];
		faces->after[i / 3][i % 3] = sculpted[i];
	}
	for (int v = 0; v < faces->vertex_count; v++) {
		turn_normal(faces, v, normals + (size_t)v * 3);
	}
}

/* The rest surface and what is known along it. */
struct along {
	const struct rig *rig;
	const float *deviations; // [influence_count][4]
	struct mesh_surface *surface;
	struct smooth_groups groups;
	struct csr triangles;     // at each group
	float (*gradients)[3];    // [influence_count] of the weights
	size_t *first_influences; // [vertex_count]
	int *influence_counts;    // [vertex_count]
	int *first_slots;         // [vertex_count]
	float *out;
};

/* Finds where each vertex' influences and slots are. */
static void index_vertices(struct along *a) {
	for (int p = 0; p < a->rig->primitive_count; p++) {
		const struct primitive *primitive = &a->rig->primitives[p];
		for (int v = 0; v < primitive->vertex_count; v++) {
			const int vertex = primitive->first_vertex + v;
			a->influence_counts[vertex] = primitive->influence_count;
			a->first_slots[vertex] = primitive->first_slot;
			a->first_influences[vertex] = primitive->first_influence +
				(size_t)v * (size_t)primitive->influence_count;
		}
	}
}

static bool along_init(struct along *a, const struct fit_input *input, const float *deviations,
	float *out, struct error *err) {
	const char *what = "a fit to examples";
	const struct rig *rig = input->rig;
	const struct watch watch = {.stop = input->stop};
	const size_t vertices = (size_t)rig->vertex_count + 1;
	*a = (struct along){.rig = rig, .deviations = deviations, .out = out};
	a->gradients = try_calloc(rig->influence_count + 1, sizeof *a->gradients, what, err);
	a->first_influences = try_calloc(vertices, sizeof *a->first_influences, what, err);
	a->influence_counts = try_calloc(vertices, sizeof *a->influence_counts, what, err);
	a->first_slots = try_calloc(vertices, sizeof *a->first_slots, what, err);
	if (!a->gradients || !a->first_influences || !a->influence_counts || !a->first_slots) {
		return false;
	}
	index_vertices(a);
	a->surface = surface_create(rig, &watch, err);
	return a->surface && smooth_groups_init(&a->groups, a->surface, rig->normals, err) &&
		surface_triangles_at(
			a->surface, a->groups.vertices, a->groups.count, &a->triangles, err) &&
		weight_gradients(rig, a->surface, &a->groups, a->gradients, err);
}

static void along_finish(struct along *a) {
	csr_finish(&a->triangles);
	smooth_groups_finish(&a->groups);
	surface_destroy(a->surface);
	free(a->gradients);
	free(a->first_influences);
	free(a->influence_counts);
	free(a->first_slots);
}

/* Stands for all slots. */
#define ALL_SLOTS (-1)

/* The share of a matrix in a vertex' deviation; slot as in struct share, or ALL_SLOTS. */
static void deviation_of(const struct along *a, int vertex, int slot, double out[static 4]) {
	memset(out, 0, 4 * sizeof *out);
	for (int k = 0; k < a->influence_counts[vertex]; k++) {
		const size_t influence = a->first_influences[vertex] + (size_t)k;
		const int own = a->first_slots[vertex] + a->rig->influence_slots[influence];
		const bool counts = slot == ALL_SLOTS || a->surface->slots[own] == slot;
		for (size_t c = 0; counts && c < 4; c++) {
			out[c] += a->deviations[influence * 4 + c];
		}
	}
}

/* Adds the derivatives of a slot's deviation over a triangle, times its area: half the normal
 * crossed with the sum of each corner's value times the edge across. */
static void add_triangle(const struct along *a, int triangle, int slot,
	const double normal[static 3], double (*sum)[3]) {
	const int *points = a->surface->triangles[triangle];
	double edges[4][3] = {{0}}, turned[3];
	for (int i = 0; i < 3; i++) {
		double value[4], edge[3];
		deviation_of(a, a->surface->corners[triangle][i], slot, value);
		vec3_sub(a->surface->positions[points[(i + 2) % 3]],
			a->surface->positions[points[(i + 1) % 3]], edge);
		for (int k = 0; k < 12; k++) {
			edges[k / 3][k % 3] += value[k / 3] * edge[k % 3];
		}
	}
	for (int c = 0; c < 4; c++) {
		vec3_cross(normal, edges[c], turned);
		for (int k = 0; k < 3; k++) {
			sum[c][k] += turned[k] / 2;
		}
	}
}

/* The derivatives at a vertex, averaged over its triangles and along the surface only. */
static void average(const struct along *a, int vertex, int slot, double (*out)[3]) {
	const int group = a->groups.vertices[vertex];
	double area = 0;
	memset(out, 0, 4 * sizeof *out);
	for (int i = a->triangles.starts[group]; i < a->triangles.starts[group + 1]; i++) {
		double cross[3];
		surface_cross(a->surface, a->triangles.items[i],
			(const double(*)[3])a->surface->positions, cross);
		area += vec3_length(cross) / 2;
		if (vec3_normalize(cross)) {
			add_triangle(a, a->triangles.items[i], slot, cross, out);
		}
	}
	const float *n = a->rig->normals + (size_t)vertex * 3;
	for (int c = 0; area > 0 && c < 4; c++) {
		const double across =
			(out[c][0] * n[0] + out[c][1] * n[1] + out[c][2] * n[2]) / area;
		for (int k = 0; k < 3; k++) {
			out[c][k] = out[c][k] / area - across * n[k];
		}
	}
}

/* Gives the vertex' own influences, by weight, what the derivatives of slots that it does not
 * follow come to: so the rest pose keeps its normals, and the fourth coordinates' sum is 0. */
static void share_out(
	const struct along *a, const struct followed_vertex *v, double (*derivatives)[4][3]) {
	double missing[4][3];
	average(a, v->vertex, ALL_SLOTS, missing);
	for (int i = 0; i < 12; i++) {
		for (int k = 0; k < v->count; k++) {
			missing[i / 3][i % 3] -= derivatives[k][i / 3][i % 3];
		}
		for (int k = 0; k < v->count; k++) {
			derivatives[k][i / 3][i % 3] += v->weights[k] * missing[i / 3][i % 3];
		}
	}
}

/* Adds what linear blending has, and writes one influence's derivatives. */
static void put(const struct along *a, const struct followed_vertex *v, int k,
	const double (*deviation)[3], float *out) {
	const float *position = a->rig->positions + (size_t)v->vertex * 3;
	for (int axis = 0; axis < 3; axis++) {
		const double gradient = a->gradients[v->influences[k]][axis];
		for (int c = 0; c < 3; c++) {
			out[axis * 4 + c] = (float)((c == axis ? v->weights[k] : 0) +
				position[c] * gradient + deviation[c][axis]);
		}
		out[axis * 4 + 3] = (float)(gradient + deviation[3][axis]);
	}
}

static bool derive_one(void *context, const struct followed_vertex *v, struct error *err) {
	(void)err;
	const struct along *a = context;
	double(*derivatives)[4][3] = xcalloc((size_t)v->count, sizeof *derivatives);
	for (int k = 0; k < v->count; k++) {
		average(a, v->vertex, a->surface->slots[v->slots[k]], derivatives[k]);
	}
	share_out(a, v, derivatives);
	for (int k = 0; k < v->count; k++) {
		put(a, v, k, (const double(*)[3])derivatives[k], a->out + v->influences[k] * 12);
	}
	free(derivatives);
	return true;
}

bool anim_derivatives(
	const struct fit_input *input, const float *deviations, float *out, struct error *err) {
	struct along a;
	struct fit_input silent = *input;
	silent.progress = NULL;
	memset(out, 0, input->rig->influence_count * 12 * sizeof *out);
	const bool ok = along_init(&a, input, deviations, out, err) &&
		fit_each_vertex(&silent, derive_one, &a, err);
	along_finish(&a);
	return ok;
}
