// The skins of FBX, cluster by cluster -> influences, point by point.
#include <string.h>

#include "base/mat.h"
#include "import/fbx_import.h"
#include "import/limits.h"

/* Counts the clusters of each point, and one for a point without any. */
static void count_influences(const struct fbx_mesh *mesh, size_t *first) {
	const size_t points = mesh->geometry.point_count;
	for (int c = 0; c < mesh->skin.cluster_count; c++) {
		const struct fbx_cluster *cluster = &mesh->skin.clusters[c];
		for (size_t i = 0; i < cluster->count; i++) {
			first[cluster->points[i] + 1] += cluster->weights[i] > 0;
		}
	}
	for (size_t i = 0; i < points; i++) {
		first[i + 1] = first[i] + (first[i + 1] > 0 ? first[i + 1] : 1);
	}
}

static void fill_influences(
	const struct fbx_mesh *mesh, struct fbx_bound_points *bound, struct arena *arena) {
	const size_t points = mesh->geometry.point_count;
	size_t *at = arena_alloc(arena, points + 1, sizeof *at);
	memcpy(at, bound->first, (points + 1) * sizeof *at);
	for (int c = 0; c < mesh->skin.cluster_count; c++) {
		const struct fbx_cluster *cluster = &mesh->skin.clusters[c];
		for (size_t i = 0; i < cluster->count; i++) {
			if (cluster->weights[i] > 0) {
				bound->influences[at[cluster->points[i]]++] =
					(struct influence){(uint32_t)c, cluster->weights[i]};
			}
		}
	}
	for (size_t i = 0; i < points; i++) {
		if (at[i] == bound->first[i]) {
			bound->influences[at[i]] =
				(struct influence){(uint32_t)mesh->skin.cluster_count, 1};
		}
	}
}

/* In metres, and for points that are. */
static void set_slot(const struct fbx_import *import, struct palette_slot *slot, int node,
	const double bind[static 12]) {
	slot->joint = import->joints[node];
	memcpy(slot->inverse_bind, bind, sizeof slot->inverse_bind);
	for (int i = 0; i < 3; i++) {
		slot->inverse_bind[i * 4 + 3] *= import->nodes.unit;
	}
}

bool fbx_bind_points(const struct fbx_import *import, const struct fbx_mesh *mesh,
	struct fbx_bound_points *out, struct error *err) {
	struct arena *arena = import->tree.arena;
	const size_t points = mesh->geometry.point_count;
	out->slot_count = (size_t)mesh->skin.cluster_count + 1;
	out->slots = arena_alloc(arena, out->slot_count, sizeof *out->slots);
	for (int c = 0; c < mesh->skin.cluster_count; c++) {
		set_slot(import, &out->slots[c], mesh->skin.clusters[c].node,
			mesh->skin.clusters[c].bind);
	}
	set_slot(import, &out->slots[mesh->skin.cluster_count], mesh->node,
		(const double[12])MAT_IDENTITY);
	out->first = arena_alloc(arena, points + 1, sizeof *out->first);
	count_influences(mesh, out->first);
	for (size_t i = 0; i < points; i++) {
		if (out->first[i + 1] - out->first[i] > 4 * IMPORT_INFLUENCE_SETS_MAX) {
			return error_set(err, ERROR_TOO_LARGE,
				"Geometry %lld: point %zu has more than %d influences",
				(long long)mesh->geometry.object->id, i,
				4 * IMPORT_INFLUENCE_SETS_MAX);
		}
	}
	out->influences = arena_alloc(arena, out->first[points], sizeof *out->influences);
	fill_influences(mesh, out, arena);
	return true;
}
