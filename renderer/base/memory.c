// Allocation: abort for our own sizes, an error for sizes that a file or a client chose.
#include "base/memory.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void (*exhausted)(void); // NULL = abort

void memory_on_exhaustion(void (*handler)(void)) {
	exhausted = handler;
}

/* Thresholds of malloc for mappings, and for returning memory to the kernel. */
#define MMAP_BYTES (4 << 20)
#define TRIM_BYTES (64 << 20)
#define TOP_PAD_BYTES (1 << 20)

void memory_keep_freed(void) {
	mallopt(M_MMAP_THRESHOLD, MMAP_BYTES);
	mallopt(M_TRIM_THRESHOLD, TRIM_BYTES);
	mallopt(M_TOP_PAD, TOP_PAD_BYTES);
}

static struct {
	size_t bytes; // wanted; 0 = none
	_Atomic(void *) block;
} reserve;

void memory_keep_reserve(size_t bytes) {
	reserve.bytes = bytes;
	memory_restore_reserve();
}

bool memory_restore_reserve(void) {
	if (reserve.bytes == 0 || atomic_load(&reserve.block)) {
		return true;
	}
	void *fresh = malloc(reserve.bytes);
	void *none = NULL;
	if (fresh && !atomic_compare_exchange_strong(&reserve.block, &none, fresh)) {
		free(fresh);
	}
	return fresh;
}

void memory_release_reserve(void) {
	free(atomic_exchange(&reserve.block, NULL));
}

static void out_of_memory(size_t count, size_t size) {
	if (exhausted) {
		exhausted();
	}
	fprintf(stderr, "out of memory: %zu x %zu bytes\n", count, size);
	abort();
}

void *xcalloc(size_t count, size_t size) {
	count = count ? count : 1;
	size = size ? size : 1;
	void *block = calloc(count, size);
	if (!block) {
		memory_release_reserve();
		block = calloc(count, size);
	}
	if (!block) {
		out_of_memory(count, size);
	}
	return block;
}

void *xrealloc(void *block, size_t count, size_t size) {
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) {
		out_of_memory(count, size);
	}
	void *grown = realloc(block, bytes ? bytes : 1);
	if (!grown) {
		memory_release_reserve();
		grown = realloc(block, bytes ? bytes : 1);
	}
	if (!grown) {
		out_of_memory(count, size);
	}
	return grown;
}

char *xstrndup(const char *text, size_t length) {
	char *copy = xcalloc(length + 1, 1);
	memcpy(copy, text, length);
	return copy;
}

/* A large page of x86-64, and of most others. */
#define LARGE_PAGE ((size_t)2 << 20)

static size_t rounded_up(size_t bytes, size_t unit) {
	return (bytes + unit - 1) / unit * unit;
}

/* aligned_alloc wants a multiple of the alignment, hence the rounding up. */
static void *allocate(size_t bytes) {
	if (bytes < 2 * LARGE_PAGE) {
		return aligned_alloc(64, rounded_up(bytes + 1, 64));
	}
	const size_t rounded = rounded_up(bytes, LARGE_PAGE);
	void *block = aligned_alloc(LARGE_PAGE, rounded);
	if (block) {
		madvise(block, rounded, MADV_HUGEPAGE); // or not, where there are none
	}
	return block;
}

void *try_alloc(size_t count, size_t size, const char *what, struct error *err) {
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) {
		error_set(err, ERROR_TOO_LARGE, "%s: %zu x %zu bytes do not fit in memory", what,
			count, size);
		return NULL;
	}
	void *block = allocate(bytes);
	if (!block) {
		error_set(err, ERROR_TOO_LARGE, "%s: no memory for %zu bytes", what, bytes);
	}
	return block;
}

void *try_calloc(size_t count, size_t size, const char *what, struct error *err) {
	void *block = try_alloc(count, size, what, err);
	return block ? memset(block, 0, count * size) : NULL;
}
