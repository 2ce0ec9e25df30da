// A rig's triangles as one surface of points and edges.
#include "mesh/surface.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/csr.h"
#include "mesh/parts.h"

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

struct entry {
	const struct palette_slot *slot;
	int index;
};

static int compare_matrices(const struct palette_slot *a, const struct palette_slot *b) {
	if (a->joint != b->joint) {
		return a->joint < b->joint ? -1 : 1;
	}
	return memcmp(a->inverse_bind, b->inverse_bind, sizeof a->inverse_bind);
}

static int compare(const void *a, const void *b) {
	const struct entry *left = a, *right = b;
	const int order = compare_matrices(left->slot, right->slot);
	return order ? order : (left->index > right->index) - (left->index < right->index);
}

int *slots_unify(const struct rig *rig, struct error *err) {
	const size_t count = (size_t)rig->slot_count;
	int *unified = try_calloc(count, sizeof *unified, "slots", err);
	struct entry *entries = try_calloc(count, sizeof *entries, "slots", err);
	if (!unified || !entries) {
		free(unified);
		free(entries);
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		entries[i] = (struct entry){&rig->slots[i], (int)i};
	}
	qsort(entries, count, sizeof *entries, compare);
	for (size_t i = 0; i < count; i++) {
		const bool same = i && !compare_matrices(entries[i].slot, entries[i - 1].slot);
		const int first = same ? unified[entries[i - 1].index] : entries[i].index;
		unified[entries[i].index] = first;
	}
	free(entries);
	return unified;
}

static int corner_count(const struct primitive *primitive) {
	const bool indexed = primitive->index_count > 0;
	const int corners = indexed ? primitive->index_count : primitive->vertex_count;
	return primitive->topology == TOPOLOGY_TRIANGLES ? corners / 3 * 3 : 0;
}

static int vertex_at(const struct rig *rig, const struct primitive *primitive, int corner) {
	const int own = primitive->index_count > 0
		? (int)rig->indices[primitive->first_index + corner]
		: corner;
	return primitive->first_vertex + own;
}

/* Adds the edges of a primitive as pairs of points; returns how many there are then. */
static size_t add_pairs(const struct rig *rig, const struct primitive *primitive, const int *points,
	struct csr_pair *pairs, size_t count) {
	const int corners = corner_count(primitive);
	for (int corner = 0; corner < corners; corner++) {
		const int next = corner % 3 == 2 ? corner - 2 : corner + 1;
		const int a = points[vertex_at(rig, primitive, corner)];
		const int b = points[vertex_at(rig, primitive, next)];
		if (a != b) {
			pairs[count++] = a < b ? (struct csr_pair){a, b} : (struct csr_pair){b, a};
		}
	}
	return count;
}

static bool list_pairs(
	const struct rig *rig, const int *points, struct csr *csr, struct error *err) {
	size_t most = 0, count = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		most += (size_t)corner_count(&rig->primitives[i]);
	}
	struct csr_pair *pairs = try_calloc(most + 1, sizeof *pairs, "the edges", err);
	if (!pairs) {
		return false;
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		count = add_pairs(rig, &rig->primitives[i], points, pairs, count);
	}
	const bool ok = csr_init(csr, rig->vertex_count, pairs, count, err);
	free(pairs);
	return ok;
}

static bool fill(const struct csr *csr, uint32_t (**edges)[2], size_t *count, struct error *err) {
	*count = (size_t)csr->starts[csr->row_count];
	*edges = try_calloc(*count + 1, sizeof **edges, "the edges", err);
	for (int row = 0; *edges && row < csr->row_count; row++) {
		for (int i = csr->starts[row]; i < csr->starts[row + 1]; i++) {
			(*edges)[i][0] = (uint32_t)row;
			(*edges)[i][1] = (uint32_t)csr->items[i];
		}
	}
	return *edges != NULL;
}

bool mesh_edges(const struct rig *rig, const struct watch *watch, uint32_t (**edges)[2],
	size_t *count, struct error *err) {
	int *slots = slots_unify(rig, err);
	int *points = slots ? weld_vertices(rig, slots, watch, err) : NULL;
	struct csr csr = {0};
	const bool ok =
		points && list_pairs(rig, points, &csr, err) && fill(&csr, edges, count, err);
	csr_finish(&csr);
	free(points);
	free(slots);
	return ok;
}
