/* Memory that dies all at once: what one request or one import needs while it runs. */
#pragma once

#include <stddef.h>

struct arena;

/* An empty arena. Free with arena_destroy, which frees everything taken from it. */
struct arena *arena_create(void);
void arena_destroy(struct arena *arena); // takes NULL

/* Empties an arena, which keeps its first memory: for the next of many short uses. What was left to
 * it by arena_defer() is finished. */
void arena_reset(struct arena *arena);

/* Zeroed memory of count * size bytes, 16-byte aligned, alive until the arena is destroyed. For
 * sizes already held against a limit: aborts when the product overflows or memory is out. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* Has finish(what) called before the arena's memory goes, the last one first: for what lies in it
 * but owns more. */
void arena_defer(struct arena *arena, void (*finish)(void *what), void *what);

/* Bytes of memory that the arena has from the system. */
size_t arena_bytes(const struct arena *arena);

/* A copy of length bytes of text, ended by NUL; "" of 0 bytes, whose text may be NULL. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* printf into the arena. */
__attribute__((format(printf, 2, 3), nonnull(2))) char *arena_printf(
	struct arena *arena, const char *format, ...);
