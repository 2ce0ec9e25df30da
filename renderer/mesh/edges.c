// The edges of a rig's triangles.
#include "mesh/edges.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mesh/csr.h"
#include "mesh/slots.h"
#include "mesh/weld.h"

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
	const bool fine = csr_init(csr, rig->vertex_count, pairs, count, err);
	free(pairs);
	return fine;
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
	const bool fine =
		points && list_pairs(rig, points, &csr, err) && fill(&csr, edges, count, err);
	csr_finish(&csr);
	free(points);
	free(slots);
	return fine;
}
