/* Allocation. Sizes that we choose abort when memory is out; sizes that a file or a client chooses
 * go through the try_ functions, which check the product and report ERROR_TOO_LARGE. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A function to call instead of aborting; it must not return. For processes that owe their parent a
 * word on why they end. Set it before there are threads. */
void memory_on_exhaustion(void (*handler)(void));

/* Has free() keep blocks of up to some megabytes for those that come next. Thousands of responses
 * of some hundred kilobytes come and go, and the kernel would zero the memory of each one. For the
 * whole process; call it before there are threads. */
void memory_keep_freed(void);

/* Holds so many bytes back, of which the functions that abort make use before they do: what is
 * under way can end. One for the whole process. */
void memory_keep_reserve(size_t bytes);

/* True while there is one, perhaps again; if not, nothing more should be begun. Any thread. */
bool memory_restore_reserve(void);

/* Frees it, for who was refused memory by a library and can try once more. Any thread. */
void memory_release_reserve(void);

/* Zeroed memory of count * size bytes; aborts when there is none. Free with free(). */
void *xcalloc(size_t count, size_t size);

/* Like realloc for count * size bytes; aborts when there is none or the product overflows. */
void *xrealloc(void *block, size_t count, size_t size);

/* A copy of length bytes of text, ended by NUL. Aborts when memory is out. */
char *xstrndup(const char *text, size_t length);

/* Zeroed memory of count * size bytes, 64-byte aligned; NULL with *err = ERROR_TOO_LARGE when the
 * product overflows or memory is out. what names the thing in the message. Free with free(). */
void *try_calloc(size_t count, size_t size, const char *what, struct error *err);

/* The same, but not zeroed; in large pages, where the system has them, if it is large: a page at a
 * time the system takes longer to zero it than most of what fills it. */
void *try_alloc(size_t count, size_t size, const char *what, struct error *err);
