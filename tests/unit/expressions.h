/* Random pose expressions: for properties that hold whatever the expression, and for the fuzzer. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/rig.h"

/* The source of decisions: bytes as long as there are some, then a generator. */
struct decisions {
	const uint8_t *bytes; // [left]
	size_t left;
	unsigned seed;
	bool wild; // numbers may be anything that JSON can say, names anything
};

/* A random number below count > 0. */
unsigned decide(struct decisions *decisions, unsigned count);

/* An expression as JSON, nested at most so many deep, with clips and joints of the rig. Every
 * operation of the table may come. It need not be right: values may contradict one another. Other
 * rigs go by the name "other", and have the joints and clips of this one. */
const char *expression_make(
	struct decisions *decisions, const struct rig *rig, struct arena *arena, int depth);

/* The same that begins with the i-th row of the grammar; NULL past the last. */
const char *expression_of_row(struct decisions *decisions, const struct rig *rig,
	struct arena *arena, int depth, size_t row);

/* The operation that the i-th row of the grammar begins with; NULL past the last. */
const char *expression_row_name(size_t row);

/* A template with letters filled in as expressions.c has them. */
const char *expression_fill(struct decisions *decisions, const struct rig *rig, struct arena *arena,
	int depth, const char *pattern);
