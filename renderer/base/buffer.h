/* Bytes that grow: what an encoder or a reply writer appends to. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Zero it before use. data is malloc memory; free with buffer_finish, or take it with
 * buffer_steal. */
struct buffer {
	unsigned char *data;
	size_t size, capacity; // bytes
};

void buffer_finish(struct buffer *buffer);

/* Room for more bytes at the end, not yet counted in size: write there, then add to size. Aborts
 * when memory is out: what can be made large by a client is held against a limit before. */
unsigned char *buffer_reserve(struct buffer *buffer, size_t more);

/* The same, but for what a client makes large: false with ERROR_TOO_LARGE when memory is out. what
 * names the thing in the message. */
bool buffer_try_reserve(struct buffer *buffer, size_t more, const char *what, struct error *err);

void buffer_append(struct buffer *buffer, const void *bytes, size_t count);

/* The same, failing as buffer_try_reserve does. */
bool buffer_try_append(struct buffer *buffer, const void *bytes, size_t count, const char *what,
	struct error *err);

/* Hands the memory over (free it with free()) and leaves the buffer empty. */
unsigned char *buffer_steal(struct buffer *buffer, size_t *size);
