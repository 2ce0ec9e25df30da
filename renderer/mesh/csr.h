/* Lists of numbers, one to a row, all in one array: the neighbours of points, the triangles at
 * them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct csr {
	int row_count;
	int *starts; // [row_count + 1] where each row starts in items
	int *items;  // [starts[row_count]]
};

struct csr_pair {
	int row, item;
};

/* Fills *csr with every pair's item in its row: ascending, each once.
 *
 * pairs  [pair_count], rows in [0, row_count); the same pair may stand there more than once
 * Fails with ERROR_TOO_LARGE, and leaves *csr zero then. csr_finish frees what it holds. */
bool csr_init(struct csr *csr, int row_count, const struct csr_pair *pairs, size_t pair_count,
	struct error *err);
void csr_finish(struct csr *csr); // takes a zeroed one
