// Memory of one picture that the next one uses again.
#include "raster/pool.h"

#include <stdint.h>
#include <stdlib.h>

#define ALIGNMENT ((size_t)64)
#define LEAST_BLOCK ((size_t)1 << 20)

struct pool_block {
	struct pool_block *next;
	size_t size; // bytes of memory
	unsigned char *memory;
};

static struct pool_block *block_create(size_t size) {
	struct pool_block *block = malloc(sizeof *block);
	void *memory = block ? aligned_alloc(ALIGNMENT, size) : NULL;
	if (!memory) {
		free(block);
		return NULL;
	}
	*block = (struct pool_block){.size = size, .memory = memory};
	return block;
}

static size_t room(const struct pool *pool) {
	return pool->blocks ? pool->blocks->size - pool->used : 0;
}

void *pool_take(struct pool *pool, size_t count, size_t size, struct error *err) {
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 4) {
		error_set(err, ERROR_TOO_LARGE, "the picture needs too much memory");
		return NULL;
	}
	bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (room(pool) < bytes || !pool->blocks) {
		struct pool_block *block = block_create(bytes > LEAST_BLOCK ? bytes : LEAST_BLOCK);
		if (!block) {
			error_set(err, ERROR_TOO_LARGE, "the picture needs too much memory");
			return NULL;
		}
		block->next = pool->blocks;
		pool->blocks = block;
		pool->used = 0;
	}
	void *taken = pool->blocks->memory + pool->used;
	pool->used += bytes;
	return taken;
}

void pool_reset(struct pool *pool) {
	size_t size = 0;
	for (const struct pool_block *block = pool->blocks; block; block = block->next) {
		size += block->size;
	}
	if (pool->blocks && pool->blocks->next) {
		pool_finish(pool);
		pool->blocks = block_create(size);
	}
	pool->used = 0;
}

void pool_finish(struct pool *pool) {
	while (pool->blocks) {
		struct pool_block *next = pool->blocks->next;
		free(pool->blocks->memory);
		free(pool->blocks);
		pool->blocks = next;
	}
	pool->used = 0;
}
