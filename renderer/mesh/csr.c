// Lists of numbers, one to a row, all in one array.
#include "mesh/csr.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"

static int ascending(const void *a, const void *b) {
	const int left = *(const int *)a, right = *(const int *)b;
	return (left > right) - (left < right);
}

/* Sorts each row and closes the gaps that items standing there twice leave. */
static void sort_rows(struct csr *csr) {
	int kept = 0;
	for (int row = 0; row < csr->row_count; row++) {
		const int start = csr->starts[row], end = csr->starts[row + 1];
		qsort(csr->items + start, (size_t)(end - start), sizeof *csr->items, ascending);
		csr->starts[row] = kept;
		for (int i = start; i < end; i++) {
			if (i == start || csr->items[i] != csr->items[i - 1]) {
				csr->items[kept++] = csr->items[i];
			}
		}
	}
	csr->starts[csr->row_count] = kept;
}

bool csr_init(struct csr *csr, int row_count, const struct csr_pair *pairs, size_t pair_count,
	struct error *err) {
	*csr = (struct csr){.row_count = row_count};
	assert(pair_count <= INT_MAX);
	csr->starts = try_calloc((size_t)row_count + 2, sizeof *csr->starts, "mesh lists", err);
	csr->items = try_calloc(pair_count + 1, sizeof *csr->items, "mesh lists", err);
	if (!csr->starts || !csr->items) {
		csr_finish(csr);
		return false;
	}
	// Counted two places on, so that filling a row moves its start to where it belongs.
	for (size_t i = 0; i < pair_count; i++) {
		csr->starts[pairs[i].row + 2]++;
	}
	for (int row = 0; row < row_count; row++) {
		csr->starts[row + 2] += csr->starts[row + 1];
	}
	for (size_t i = 0; i < pair_count; i++) {
		csr->items[csr->starts[pairs[i].row + 1]++] = pairs[i].item;
	}
	sort_rows(csr);
	return true;
}

void csr_finish(struct csr *csr) {
	free(csr->starts);
	free(csr->items);
	*csr = (struct csr){0};
}
