// Vertices that agree in all they have become one: Assimp has one for each corner of most formats.
#include <string.h>

#include "base/fnv.h"
#include "import/assimp_import.h"

/* Something that each vertex has so many numbers of. */
struct attribute {
	float *values;
	size_t width;
};

struct joining {
	struct scene_mesh *mesh;
	size_t attribute_count;
	struct attribute *attributes;
	uint32_t *table; // of kept vertices + 1, by their hash; [table_size], a power of two
	size_t table_size;
	uint32_t *sources; // [vertex_count] of kept vertices: where they were
	size_t kept;
};

static void add(struct joining *joining, const float *values, size_t width) {
	if (values) {
		joining->attributes[joining->attribute_count++] =
			(struct attribute){(float *)values, width};
	}
}

static void list_attributes(struct joining *joining, struct arena *arena) {
	const struct scene_mesh *mesh = joining->mesh;
	const size_t most = 3 + TEXCOORD_SETS + 2 * (size_t)mesh->target_count;
	joining->attributes = arena_alloc(arena, most, sizeof *joining->attributes);
	add(joining, mesh->positions, 3);
	add(joining, mesh->normals, 3);
	add(joining, mesh->colors, 4);
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		add(joining, mesh->texcoords[set], 2);
	}
	for (int i = 0; i < mesh->target_count; i++) {
		add(joining, mesh->targets[i].positions, 3);
		add(joining, mesh->targets[i].normals, 3);
	}
}

/* The first six: what else differs is rarely all that does. */
static uint64_t hash(const struct joining *joining, size_t vertex) {
	uint64_t sum = FNV_START;
	for (size_t i = 0; i < joining->attribute_count && i < 6; i++) {
		const struct attribute *a = &joining->attributes[i];
		sum = fnv_mix(sum, &a->values[vertex * a->width], a->width * sizeof(float));
	}
	return sum;
}

static bool moves_alike(const struct scene_mesh *mesh, size_t a, size_t b) {
	const size_t *first = mesh->first_influence;
	const size_t count = first ? first[a + 1] - first[a] : 0;
	if (!first) {
		return true;
	}
	bool same = first[b + 1] - first[b] == count;
	for (size_t i = 0; same && i < count; i++) {
		const struct influence *x = &mesh->influences[first[a] + i];
		const struct influence *y = &mesh->influences[first[b] + i];
		same = x->slot == y->slot && x->weight == y->weight;
	}
	return same;
}

static bool agree(const struct joining *joining, size_t a, size_t b) {
	for (size_t i = 0; i < joining->attribute_count; i++) {
		const struct attribute *at = &joining->attributes[i];
		if (memcmp(&at->values[a * at->width], &at->values[b * at->width],
			    at->width * sizeof(float)) != 0) {
			return false;
		}
	}
	return moves_alike(joining->mesh, a, b);
}

/* The kept vertex that stands for one. */
static uint32_t keep(struct joining *joining, size_t vertex) {
	size_t at = hash(joining, vertex) & (joining->table_size - 1);
	while (joining->table[at] != 0) {
		const uint32_t known = joining->table[at] - 1;
		if (agree(joining, joining->sources[known], vertex)) {
			return known;
		}
		at = (at + 1) & (joining->table_size - 1);
	}
	joining->sources[joining->kept] = (uint32_t)vertex;
	joining->table[at] = (uint32_t)++joining->kept;
	return joining->table[at] - 1;
}

/* Moves what is kept to the front. Sources ascend, so that nothing is overwritten before. */
static void close_up(struct joining *joining, struct arena *arena) {
	struct scene_mesh *mesh = joining->mesh;
	for (size_t i = 0; i < joining->attribute_count; i++) {
		const struct attribute *a = &joining->attributes[i];
		for (size_t v = 0; v < joining->kept; v++) {
			memmove(&a->values[v * a->width],
				&a->values[joining->sources[v] * a->width],
				a->width * sizeof(float));
		}
	}
	if (mesh->first_influence) {
		const size_t total = mesh->first_influence[mesh->vertex_count];
		size_t *first = arena_alloc(arena, joining->kept + 1, sizeof *first);
		struct influence *list = arena_alloc(arena, total, sizeof *list);
		for (size_t v = 0; v < joining->kept; v++) {
			const size_t *from = &mesh->first_influence[joining->sources[v]];
			first[v + 1] = first[v] + from[1] - from[0];
			memcpy(&list[first[v]], &mesh->influences[from[0]],
				(from[1] - from[0]) * sizeof *list);
		}
		mesh->first_influence = first;
		mesh->influences = list;
	}
	mesh->vertex_count = joining->kept;
}

void assimp_join_vertices(struct scene_mesh *mesh, struct arena *arena) {
	struct joining joining = {.mesh = mesh, .table_size = 16};
	while (joining.table_size < 2 * mesh->vertex_count) {
		joining.table_size *= 2;
	}
	joining.table = arena_alloc(arena, joining.table_size, sizeof *joining.table);
	joining.sources = arena_alloc(arena, mesh->vertex_count, sizeof *joining.sources);
	uint32_t *kept = arena_alloc(arena, mesh->vertex_count, sizeof *kept);
	list_attributes(&joining, arena);
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		kept[v] = keep(&joining, v);
	}
	uint32_t *indices = (uint32_t *)mesh->indices;
	for (size_t i = 0; i < mesh->index_count; i++) {
		indices[i] = kept[indices[i]];
	}
	close_up(&joining, arena);
}
