/* Examples of a rig: where its vertices are to be in some poses, for methods that are fitted to
 * them. Immutable once made and shared between threads by counted references. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/value.h"

/* One pose with its vertices. */
struct example {
	const char *name;         // unique within the set; in examples->arena
	const struct value *pose; // an expression; in examples->arena
	float *positions;         // [vertex_count][3] in the world; owned
	float *normals;           // [vertex_count][3] unit, in the same memory; NULL = none
};

/* All examples of a rig at one moment. */
struct examples {
	uint8_t hash[32]; // of the names and all that the examples hold; another set has another
	int vertex_count; // of the rig, and so of each example
	int count;        // at least 1
	struct example *items; // [count] sorted by name, byte by byte; owned
	struct arena *arena;   // owned
	int references;        // examples_retain() and examples_release() only
};

/* A set with one reference, for its maker to fill: items are zeroed, with their positions NULL.
 * Any thread. */
struct examples *examples_create(int count, int vertex_count);

/* Gives an example memory for its positions and, if it has them, its normals. False with
 * ERROR_TOO_LARGE when there is none. */
bool examples_allocate(struct examples *examples, int item, bool normals, struct error *err);

/* One more reference, and one less; the last one frees the set. release takes NULL. Any thread. */
struct examples *examples_retain(struct examples *examples);
void examples_release(struct examples *examples);

/* True when somebody else than the caller has a reference, as rig_is_shared() has it. */
bool examples_are_shared(const struct examples *examples);

/* Bytes of memory that the vertices take, beside which the rest is little. */
size_t examples_bytes(const struct examples *examples);
