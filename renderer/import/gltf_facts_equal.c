// Vertices of a primitive that are the same in all bytes of the file.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/gltf_facts_notes.h"
#include "import/gltf_primitive.h"

/* The bytes of all attributes, vertex by vertex. */
struct rows {
	const struct gltf *gltf;
	size_t count, size; // of rows; size is a multiple of 8 bytes
	unsigned char *bytes;
	size_t used; // bytes of a row that are filled, or counted
};

struct row {
	uint64_t hash;
	uint32_t vertex;
};

/* Called for each attribute. */
typedef void (*visitor)(struct rows *rows, const struct gltf_accessor *accessor);

static size_t element_bytes(const struct gltf_accessor *accessor) {
	return gltf_accessor_layout(accessor->type, accessor->component).used;
}

static void count_bytes(struct rows *rows, const struct gltf_accessor *accessor) {
	rows->used += element_bytes(accessor);
}

/* The elements that a sparse accessor replaces. */
static void copy_sparse(struct rows *rows, const struct gltf_accessor *accessor, size_t size) {
	const struct gltf_layout layout = gltf_accessor_layout(accessor->type, accessor->component);
	const size_t index_size =
		gltf_accessor_layout(GLTF_SCALAR, accessor->sparse_component).size;
	for (size_t i = 0; i < accessor->sparse_count; i++) {
		uint32_t element = 0;
		memcpy(&element, accessor->sparse_indices + i * index_size, index_size);
		if (element < rows->count) {
			memcpy(rows->bytes + element * rows->size + rows->used,
				accessor->sparse_values + i * layout.size, size);
		}
	}
}

static void copy_bytes(struct rows *rows, const struct gltf_accessor *accessor) {
	const size_t size = element_bytes(accessor);
	for (size_t i = 0; accessor->data && i < rows->count; i++) {
		memcpy(rows->bytes + i * rows->size + rows->used,
			accessor->data + i * accessor->stride, size);
	}
	copy_sparse(rows, accessor, size);
	rows->used += size;
}

/* Visits the accessors that an object of attributes names, one element for each vertex. */
static void visit_attributes(struct rows *rows, const struct gltf_item *attributes, visitor visit) {
	for (size_t i = 0; i < gltf_member_count(attributes); i++) {
		const struct gltf_item member = gltf_member_at(attributes, i);
		int index = -1;
		if (gltf_index(attributes, member.name, rows->gltf->accessor_count, &index, NULL) &&
			index >= 0 && rows->gltf->accessors[index].count == rows->count) {
			visit(rows, &rows->gltf->accessors[index]);
		}
	}
}

static void visit_all(struct rows *rows, const struct gltf_piece *piece, visitor visit) {
	const struct gltf_item meshes = gltf_member(&rows->gltf->root, "meshes");
	const struct gltf_item mesh = gltf_element(&meshes, (size_t)piece->target->mesh);
	const struct gltf_item primitives = gltf_member(&mesh, "primitives");
	const struct gltf_item primitive =
		gltf_element(&primitives, (size_t)piece->target->primitive);
	const struct gltf_item attributes = gltf_member(&primitive, "attributes");
	const struct gltf_item targets = gltf_member(&primitive, "targets");
	rows->used = 0;
	visit_attributes(rows, &attributes, visit);
	for (int i = 0; i < piece->source->target_count; i++) {
		const struct gltf_item target = gltf_element(&targets, (size_t)i);
		visit_attributes(rows, &target, visit);
	}
}

static uint64_t hash_of(const struct rows *rows, size_t vertex) {
	const unsigned char *bytes = rows->bytes + vertex * rows->size;
	uint64_t hash = 0;
	for (size_t i = 0; i < rows->size; i += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, bytes + i, sizeof word);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

static int compare_bytes(const struct rows *rows, const struct row *a, const struct row *b) {
	return memcmp(rows->bytes + a->vertex * rows->size, rows->bytes + b->vertex * rows->size,
		rows->size);
}

static int compare_numbers(uint64_t a, uint64_t b) {
	return (a > b) - (a < b);
}

/* Most rows differ in their hash. */
static int compare_hashes(const void *first, const void *second) {
	const struct row *a = first, *b = second;
	const int hashes = compare_numbers(a->hash, b->hash);
	return hashes != 0 ? hashes : compare_numbers(a->vertex, b->vertex);
}

static int compare_rows(const void *first, const void *second, void *rows) {
	const struct row *a = first, *b = second;
	const int bytes = compare_bytes(rows, a, b);
	return bytes != 0 ? bytes : compare_numbers(a->vertex, b->vertex);
}

/* Rows with one hash, by vertex: nearly always they are equal. */
static void mark_run(struct rows *rows, struct row *run, size_t count, bool *equal) {
	bool all = true;
	for (size_t i = 1; i < count; i++) {
		all &= compare_bytes(rows, &run[i], &run[0]) == 0;
	}
	if (!all) {
		qsort_r(run, count, sizeof *run, compare_rows, rows);
	}
	for (size_t i = 1; i < count; i++) {
		equal[run[i].vertex] = all || compare_bytes(rows, &run[i], &run[i - 1]) == 0;
	}
}

static void mark_equal(struct rows *rows, struct row *sorted, bool *equal) {
	for (size_t i = 0; i < rows->count; i++) {
		sorted[i] = (struct row){hash_of(rows, i), (uint32_t)i};
	}
	qsort(sorted, rows->count, sizeof *sorted, compare_hashes);
	for (size_t first = 0, end; first < rows->count; first = end) {
		for (end = first + 1; end < rows->count && sorted[end].hash == sorted[first].hash;
			end++) {
		}
		mark_run(rows, &sorted[first], end - first, equal);
	}
}

bool gltf_facts_find_equal(
	struct gltf *gltf, const struct gltf_piece *piece, bool *equal, struct error *err) {
	struct rows rows = {.gltf = gltf, .count = (size_t)piece->target->vertex_count};
	visit_all(&rows, piece, count_bytes);
	rows.size = (rows.used + 7) / 8 * 8;
	size_t bytes;
	if (__builtin_mul_overflow(rows.size, rows.count, &bytes)) {
		bytes = SIZE_MAX;
	}
	if (!gltf_facts_claim(gltf, bytes, err)) {
		return false;
	}
	rows.bytes = try_calloc(rows.count, rows.size, "vertices", err);
	struct row *sorted = try_calloc(rows.count, sizeof *sorted, "vertices", err);
	if (rows.bytes && sorted) {
		visit_all(&rows, piece, copy_bytes);
		mark_equal(&rows, sorted, equal);
	}
	const bool found = rows.bytes && sorted;
	free(rows.bytes);
	free(sorted);
	return found;
}
