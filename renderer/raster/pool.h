/* Memory of one picture that the next one uses again. Unlike an arena's it is not zeroed, and
 * running out of it is an error: meshes are as large as their files. */
#pragma once

#include <stddef.h>

#include "base/error.h"

struct pool_block;

struct pool {
	struct pool_block *blocks; // the one in use first
	size_t used;               // bytes of that
};

/* count * size bytes, 64-byte aligned, until the pool is reset. NULL with ERROR_TOO_LARGE. */
void *pool_take(struct pool *pool, size_t count, size_t size, struct error *err);

/* Takes everything back; keeps the memory, in one piece from now on. */
void pool_reset(struct pool *pool);

/* Frees the memory. */
void pool_finish(struct pool *pool);
