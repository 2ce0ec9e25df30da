// A rig cut into rigid components.
#include "skin/methods/components.h"

#include <stdlib.h>
#include <string.h>

int components_corners(const struct primitive *primitive) {
	return primitive->topology == TOPOLOGY_TRIANGLES ? 3
		: primitive->topology == TOPOLOGY_LINES  ? 2
							 : 1;
}

static size_t influence_at(const struct primitive *p, size_t vertex) {
	return p->first_influence + vertex * (size_t)p->influence_count;
}

/* A slot's share of a face's weights. */
static float share_of(
	const struct rig *rig, const struct primitive *p, const uint32_t *corners, uint16_t slot) {
	float sum = 0;
	for (int c = 0; c < components_corners(p); c++) {
		const size_t at = influence_at(p, corners[c]);
		for (int k = 0; k < p->influence_count; k++) {
			sum += rig->influence_slots[at + (size_t)k] == slot
				? rig->influence_weights[at + (size_t)k]
				: 0;
		}
	}
	return sum;
}

/* The slot with the greatest sum of weights over the corners; of equals the lowest. */
static uint16_t slot_of_face(
	const struct rig *rig, const struct primitive *p, const uint32_t *corners) {
	uint16_t best = UINT16_MAX;
	float most = 0;
	for (int c = 0; c < components_corners(p); c++) {
		const size_t at = influence_at(p, corners[c]);
		for (int k = 0; k < p->influence_count; k++) {
			const uint16_t slot = rig->influence_slots[at + (size_t)k];
			if (rig->influence_weights[at + (size_t)k] == 0 || slot == best) {
				continue;
			}
			const float share = share_of(rig, p, corners, slot);
			if (share > most || (share == most && slot < best)) {
				most = share;
				best = slot;
			}
		}
	}
	return best;
}

/* The slots that each vertex of a primitive is needed for: those of its faces, in order. */
struct copies {
	int *starts;     // [vertex_count + 1] into slots
	uint16_t *slots; // sorted per vertex, each once
};

static int ascending(const void *a, const void *b) {
	return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

/* Sorts each vertex' list and drops what is there twice; one without any gets its pivot's. */
static void tidy(const struct rig *rig, const struct primitive *p, struct copies *copies,
	const int *ends, uint16_t *out) {
	int used = 0;
	for (int v = 0; v < p->vertex_count; v++) {
		uint16_t *list = copies->slots + copies->starts[v];
		const int count = ends[v] - copies->starts[v];
		qsort(list, (size_t)count, sizeof *list, ascending);
		copies->starts[v] = used;
		for (int i = 0; i < count; i++) {
			if (i == 0 || list[i] != list[i - 1]) {
				out[used++] = list[i];
			}
		}
		if (count == 0) {
			out[used++] = rig->influence_slots[influence_at(p, (size_t)v)];
		}
	}
	copies->starts[p->vertex_count] = used;
	copies->slots = out;
}

static struct copies find_copies(const struct rig *rig, const struct primitive *p,
	const uint16_t *face_slots, struct arena *arena) {
	const size_t vertices = (size_t)p->vertex_count, corners = (size_t)p->index_count;
	const uint32_t *indices = rig->indices + p->first_index;
	const int per_face = components_corners(p);
	struct copies copies = {arena_alloc(arena, vertices + 1, sizeof(int)),
		arena_alloc(arena, corners, sizeof(uint16_t))};
	int *ends = arena_alloc(arena, vertices + 1, sizeof *ends);
	for (size_t i = 0; i < corners; i++) {
		copies.starts[indices[i] + 1]++;
	}
	for (size_t v = 0; v < vertices; v++) {
		copies.starts[v + 1] += copies.starts[v];
	}
	memcpy(ends, copies.starts, vertices * sizeof *ends);
	for (size_t i = 0; i < corners; i++) {
		copies.slots[ends[indices[i]]++] = face_slots[i / (size_t)per_face];
	}
	uint16_t *tidied = arena_alloc(arena, corners + vertices, sizeof *tidied);
	tidy(rig, p, &copies, ends, tidied);
	return copies;
}

/* The position of a vertex's copy for a slot. */
static uint32_t copy_of(const struct copies *copies, uint32_t vertex, uint16_t slot) {
	int at = copies->starts[vertex];
	while (copies->slots[at] != slot) {
		at++;
	}
	return (uint32_t)at;
}

static struct piece make_piece(
	const struct rig *rig, int primitive, const uint16_t *face_slots, struct arena *arena) {
	const struct primitive *p = &rig->primitives[primitive];
	const struct copies copies = find_copies(rig, p, face_slots, arena);
	const size_t count = (size_t)copies.starts[p->vertex_count];
	uint32_t *sources = arena_alloc(arena, count, sizeof *sources);
	float *weights = arena_alloc(arena, count, sizeof *weights);
	uint32_t *indices = arena_alloc(arena, (size_t)p->index_count, sizeof *indices);
	for (int v = 0; v < p->vertex_count; v++) {
		for (int i = copies.starts[v]; i < copies.starts[v + 1]; i++) {
			sources[i] = (uint32_t)(p->first_vertex + v);
			weights[i] = 1;
		}
	}
	for (int i = 0; i < p->index_count; i++) {
		indices[i] = copy_of(&copies, rig->indices[p->first_index + i],
			face_slots[i / components_corners(p)]);
	}
	return (struct piece){
		.primitive = primitive,
		.vertex_count = (int)count,
		.sources = sources,
		.influence_count = 1,
		.slots = copies.slots,
		.weights = weights,
		.index_count = p->index_count,
		.indices = indices,
	};
}

bool components_cut(const struct rig *rig, struct arena *arena, const struct stop *stop,
	struct components *out, struct error *err) {
	*out = (struct components){.rig = rig, .arena = arena};
	out->bones = arena_alloc(arena, (size_t)rig->slot_count, sizeof *out->bones);
	out->face_slots = arena_alloc(arena, (size_t)rig->index_count, sizeof *out->face_slots);
	out->pieces = arena_alloc(arena, (size_t)rig->primitive_count, sizeof *out->pieces);
	bones_find(rig, arena, out->bones);
	uint16_t *face_slots = out->face_slots;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const int corners = components_corners(p);
		if (!stop_check(stop, err)) {
			return false;
		}
		for (int at = 0; at < p->index_count; at += corners) {
			face_slots[at / corners] =
				slot_of_face(rig, p, rig->indices + p->first_index + at);
		}
		out->pieces[i] = make_piece(rig, i, face_slots, arena);
		face_slots += p->index_count / corners;
	}
	components_find_edges(out);
	return stop_check(stop, err);
}

struct skin_data *components_data(struct rig *take_rig, struct error *err) {
	struct skin_data *data = take_rig ? skin_data_create(NULL, 0, err) : NULL;
	if (data) {
		data->rig = take_rig;
	} else {
		rig_release(take_rig);
	}
	return data;
}
