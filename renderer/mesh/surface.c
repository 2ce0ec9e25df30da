// A rig's triangles as one surface of points and edges.
#include "mesh/surface.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/slots.h"
#include "mesh/weld.h"

static size_t influences_of(const struct primitive *p, int vertex) {
	return p->first_influence + (size_t)(vertex - p->first_vertex) * (size_t)p->influence_count;
}

/* Numbers the points in the order of their vertices. first is weld_vertices' answer. */
static void number_points(const struct rig *rig, const int *first, struct mesh_surface *surface) {
	for (int v = 0; v < rig->vertex_count; v++) {
		if (first[v] != v) {
			surface->points[v] = surface->points[first[v]];
			continue;
		}
		const int point = surface->points[v] = surface->point_count++;
		surface->vertices[point] = v;
		for (int i = 0; i < 3; i++) {
			surface->positions[point][i] = (double)rig->positions[(size_t)v * 3 + i];
		}
	}
}

/* Adds one influence; the same matrix may have been named by two slots. */
static void add_share(struct mesh_surface *surface, int start, int *end, int slot, double weight) {
	for (int i = start; i < *end; i++) {
		if (surface->shares[i].slot == slot) {
			surface->shares[i].weight += weight;
			return;
		}
	}
	surface->shares[(*end)++] = (struct share){slot, weight};
}

static int add_shares(const struct rig *rig, const struct primitive *p, int vertex,
	struct mesh_surface *surface, int start) {
	const size_t at = influences_of(p, vertex);
	int end = start;
	double sum = 0;
	for (int k = 0; k < p->influence_count; k++) {
		const double weight = (double)rig->influence_weights[at + (size_t)k];
		if (weight > 0) {
			const int slot = p->first_slot + rig->influence_slots[at + (size_t)k];
			add_share(surface, start, &end, surface->slots[slot], weight);
			sum += weight;
		}
	}
	for (int i = start; i < end; i++) {
		surface->shares[i].weight /= sum;
	}
	return end;
}

static void collect_shares(const struct rig *rig, struct mesh_surface *surface) {
	int point = 0, end = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const int last = p->first_vertex + p->vertex_count;
		for (; point < surface->point_count && surface->vertices[point] < last; point++) {
			surface->share_starts[point] = end;
			end = add_shares(rig, p, surface->vertices[point], surface, end);
		}
	}
	surface->share_starts[surface->point_count] = end;
}

static void add_triangle(struct mesh_surface *surface, int first_vertex, const uint32_t *indices) {
	int vertices[3], points[3];
	for (int i = 0; i < 3; i++) {
		vertices[i] = first_vertex + (int)indices[i];
		points[i] = surface->points[vertices[i]];
	}
	if (points[0] == points[1] || points[1] == points[2] || points[2] == points[0]) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		surface->triangles[surface->triangle_count][i] = points[i];
		surface->corners[surface->triangle_count][i] = vertices[i];
	}
	surface->triangle_count++;
}

static void collect_triangles(const struct rig *rig, struct mesh_surface *surface) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		if (p->topology != TOPOLOGY_TRIANGLES) {
			continue;
		}
		for (int k = 0; k + 2 < p->index_count; k += 3) {
			const uint32_t *indices = rig->indices + p->first_index + k;
			add_triangle(surface, p->first_vertex, indices);
		}
	}
}

static bool allocate(const struct rig *rig, struct mesh_surface *s, struct error *err) {
	const size_t vertices = (size_t)rig->vertex_count;
	const size_t triangles = (size_t)rig->index_count / 3;
	s->points = try_calloc(vertices, sizeof *s->points, "surface", err);
	s->vertices = try_calloc(vertices, sizeof *s->vertices, "surface", err);
	s->positions = try_calloc(vertices, sizeof *s->positions, "surface", err);
	s->share_starts = try_calloc(vertices + 1, sizeof *s->share_starts, "surface", err);
	s->shares = try_calloc(rig->influence_count, sizeof *s->shares, "surface", err);
	s->triangles = try_calloc(triangles, sizeof *s->triangles, "surface", err);
	s->corners = try_calloc(triangles, sizeof *s->corners, "surface", err);
	return s->points && s->vertices && s->positions && s->share_starts && s->shares &&
		s->triangles && s->corners;
}

struct mesh_surface *surface_create(
	const struct rig *rig, const struct watch *watch, struct error *err) {
	struct mesh_surface *surface = xcalloc(1, sizeof *surface);
	int *first = NULL;
	surface->vertex_count = rig->vertex_count;
	surface->slot_count = rig->slot_count;
	surface->slots = slots_unify(rig, err);
	if (!surface->slots || !allocate(rig, surface, err)) {
		goto fail;
	}
	first = weld_vertices(rig, surface->slots, watch, err);
	if (!first) {
		goto fail;
	}
	number_points(rig, first, surface);
	free(first);
	collect_shares(rig, surface);
	collect_triangles(rig, surface);
	return surface;
fail:
	surface_destroy(surface);
	return NULL;
}

void surface_destroy(struct mesh_surface *surface) {
	if (!surface) {
		return;
	}
	free(surface->points);
	free(surface->vertices);
	free(surface->positions);
	free(surface->share_starts);
	free(surface->shares);
	free(surface->triangles);
	free(surface->corners);
	free(surface->slots);
	free(surface);
}

bool surface_neighbours(const struct mesh_surface *surface, struct csr *csr, struct error *err) {
	const size_t count = (size_t)surface->triangle_count * 6;
	*csr = (struct csr){0};
	struct csr_pair *pairs = try_calloc(count, sizeof *pairs, "mesh edges", err);
	if (!pairs) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		const int *triangle = surface->triangles[i / 6];
		const size_t from = i % 3, to = (from + 1 + i % 6 / 3) % 3;
		pairs[i] = (struct csr_pair){triangle[from], triangle[to]};
	}
	const bool done = csr_init(csr, surface->point_count, pairs, count, err);
	free(pairs);
	return done;
}

bool surface_triangles_at(const struct mesh_surface *surface, const int *groups, int count,
	struct csr *csr, struct error *err) {
	const size_t pair_count = (size_t)surface->triangle_count * 3;
	*csr = (struct csr){0};
	struct csr_pair *pairs = try_calloc(pair_count, sizeof *pairs, "mesh corners", err);
	if (!pairs) {
		return false;
	}
	for (size_t i = 0; i < pair_count; i++) {
		const int triangle = (int)(i / 3);
		pairs[i] = (struct csr_pair){groups[surface->corners[triangle][i % 3]], triangle};
	}
	const bool done = csr_init(csr, count, pairs, pair_count, err);
	free(pairs);
	return done;
}

void surface_cross(const struct mesh_surface *surface, int triangle, const double (*positions)[3],
	double out[static 3]) {
	const int *corners = surface->triangles[triangle];
	double ab[3], ac[3];
	vec3_sub(positions[corners[1]], positions[corners[0]], ab);
	vec3_sub(positions[corners[2]], positions[corners[0]], ac);
	vec3_cross(ab, ac, out);
}

double surface_weight(const struct mesh_surface *surface, int point, int slot) {
	for (int i = surface->share_starts[point]; i < surface->share_starts[point + 1]; i++) {
		if (surface->shares[i].slot == slot) {
			return surface->shares[i].weight;
		}
	}
	return 0;
}
