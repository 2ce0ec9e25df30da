// A bump allocator over a list of blocks.
#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define BLOCK_BYTES 16384
#define ALIGNMENT 16

struct block {
	struct block *next;
	size_t used, capacity; // bytes of data
	_Alignas(ALIGNMENT) unsigned char data[];
};

struct deferred {
	struct deferred *next;
	void (*finish)(void *what);
	void *what;
};

struct arena {
	struct block *blocks;      // the one being filled first
	struct deferred *deferred; // the last one first; in the blocks
	size_t bytes;              // of all blocks
};

struct arena *arena_create(void) {
	return xcalloc(1, sizeof(struct arena));
}

/* Frees all blocks behind one. */
static void free_behind(struct block *block) {
	while (block->next) {
		struct block *next = block->next;
		block->next = next->next;
		free(next);
	}
}

static void finish_deferred(struct arena *arena) {
	while (arena->deferred) {
		struct deferred *last = arena->deferred;
		arena->deferred = last->next;
		last->finish(last->what);
	}
}

void arena_reset(struct arena *arena) {
	finish_deferred(arena);
	struct block *block = arena->blocks;
	if (!block) {
		return;
	}
	free_behind(block);
	arena->bytes = block->capacity;
	if (block->capacity > BLOCK_BYTES) {
		free(block);
		arena->blocks = NULL;
		arena->bytes = 0;
		return;
	}
	block->used = 0;
}

void arena_destroy(struct arena *arena) {
	if (!arena) {
		return;
	}
	finish_deferred(arena);
	for (struct block *block = arena->blocks; block;) {
		struct block *next = block->next;
		free(block);
		block = next;
	}
	free(arena);
}

static struct block *block_create(size_t capacity) {
	struct block *block = xrealloc(NULL, 1, sizeof *block + capacity);
	block->next = NULL;
	block->used = 0;
	block->capacity = capacity;
	return block;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size) {
	size_t bytes;
	const bool overflows = __builtin_mul_overflow(count, size, &bytes) ||
		__builtin_add_overflow(bytes, ALIGNMENT - 1, &bytes);
	assert(!overflows);
	bytes -= bytes % ALIGNMENT;
	struct block *block = arena->blocks;
	if (!block || block->capacity - block->used < bytes) {
		block = block_create(bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
		block->next = arena->blocks;
		arena->blocks = block;
		arena->bytes += block->capacity;
	}
	void *memory = block->data + block->used;
	block->used += bytes;
	memset(memory, 0, bytes);
	return memory;
}

void arena_defer(struct arena *arena, void (*finish)(void *what), void *what) {
	struct deferred *last = arena_alloc(arena, 1, sizeof *last);
	*last = (struct deferred){arena->deferred, finish, what};
	arena->deferred = last;
}

size_t arena_bytes(const struct arena *arena) {
	return arena->bytes;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length) {
	char *copy = arena_alloc(arena, length + 1, 1);
	if (length > 0) {
		memcpy(copy, text, length);
	}
	return copy;
}

char *arena_printf(struct arena *arena, const char *format, ...) {
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	const int length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	assert(length >= 0);
	char *text = arena_alloc(arena, (size_t)length + 1, 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}
