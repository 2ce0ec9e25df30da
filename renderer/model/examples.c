// Examples of a rig: their memory and its references.
#include "model/examples.h"

#include <stdlib.h>

#include "base/memory.h"

#define FLOATS_PER_VERTEX ((size_t)3)

struct examples *examples_create(int count, int vertex_count) {
	struct examples *examples = xcalloc(1, sizeof *examples);
	examples->vertex_count = vertex_count;
	examples->count = count;
	examples->items = xcalloc((size_t)count, sizeof *examples->items);
	examples->arena = arena_create();
	examples->references = 1;
	return examples;
}

bool examples_allocate(struct examples *examples, int item, bool normals, struct error *err) {
	const size_t floats = (size_t)examples->vertex_count * FLOATS_PER_VERTEX;
	struct example *example = &examples->items[item];
	example->positions =
		try_calloc(floats * (normals ? 2 : 1), sizeof(float), "an example", err);
	example->normals = example->positions && normals ? example->positions + floats : NULL;
	return example->positions;
}

struct examples *examples_retain(struct examples *examples) {
	__atomic_add_fetch(&examples->references, 1, __ATOMIC_RELAXED);
	return examples;
}

static void destroy(struct examples *examples) {
	for (int i = 0; i < examples->count; i++) {
		free(examples->items[i].positions);
	}
	free(examples->items);
	arena_destroy(examples->arena);
	free(examples);
}

void examples_release(struct examples *examples) {
	if (examples && __atomic_sub_fetch(&examples->references, 1, __ATOMIC_ACQ_REL) == 0) {
		destroy(examples);
	}
}

bool examples_are_shared(const struct examples *examples) {
	return __atomic_load_n(&examples->references, __ATOMIC_ACQUIRE) > 1;
}

size_t examples_bytes(const struct examples *examples) {
	size_t streams = 0;
	for (int i = 0; i < examples->count; i++) {
		streams += examples->items[i].normals ? 2 : 1;
	}
	return streams * FLOATS_PER_VERTEX * sizeof(float) * (size_t)examples->vertex_count;
}
