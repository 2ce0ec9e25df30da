// The order in which strips of triangles pass a rig's vertices.
#include <meshoptimizer.h>
#include <stdlib.h>

#include "base/memory.h"
#include "export/packer.h"

/* The triangles of all primitives, by the rig's vertices. Returns the number of indices. */
static size_t list_triangles(const struct rig *rig, uint32_t *indices) {
	size_t count = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		const uint32_t *own = rig->indices + primitive->first_index;
		for (int k = 0;
			primitive->topology == TOPOLOGY_TRIANGLES && k < primitive->index_count;
			k++) {
			indices[count++] = (uint32_t)primitive->first_vertex + own[k];
		}
	}
	return count;
}

/* Numbers the vertices by when they are first used, and the others behind them. */
static void number_vertices(
	const uint32_t *indices, size_t index_count, size_t vertices, uint32_t *order) {
	// remap and order are the same permutation, back and forth.
	uint32_t *remap = xcalloc(vertices, sizeof *remap);
	uint32_t next =
		(uint32_t)meshopt_optimizeVertexFetchRemap(remap, indices, index_count, vertices);
	for (size_t v = 0; v < vertices; v++) {
		order[remap[v] == UINT32_MAX ? next++ : remap[v]] = (uint32_t)v;
	}
	free(remap);
}

bool packer_strip_order(const struct rig *rig, uint32_t *order, struct error *err) {
	const size_t vertices = (size_t)rig->vertex_count, room = (size_t)rig->index_count;
	uint32_t *indices = try_calloc(2 * room + 1, sizeof *indices, "the vertices' order", err);
	if (!indices) {
		return false;
	}
	const size_t count = list_triangles(rig, indices);
	meshopt_optimizeVertexCacheStrip(indices + room, indices, count, vertices);
	number_vertices(indices + room, count, vertices, order);
	free(indices);
	return true;
}
