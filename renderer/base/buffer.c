// Bytes that grow.
#include "base/buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void buffer_finish(struct buffer *buffer) {
	free(buffer->data);
	*buffer = (struct buffer){0};
}

bool buffer_try_reserve(struct buffer *buffer, size_t more, const char *what, struct error *err) {
	if (buffer->capacity - buffer->size >= more) {
		return true;
	}
	unsigned char *data =
		more <= SIZE_MAX - buffer->size ? realloc(buffer->data, buffer->size + more) : NULL;
	if (!data) {
		return error_set(err, ERROR_TOO_LARGE, "%s: no memory for %zu bytes", what, more);
	}
	buffer->data = data;
	buffer->capacity = buffer->size + more;
	return true;
}

unsigned char *buffer_reserve(struct buffer *buffer, size_t more) {
	if (buffer->capacity - buffer->size < more) {
		const size_t least = buffer->size + more;
		const size_t doubled = buffer->capacity * 2;
		buffer->capacity = least > doubled ? least : doubled;
		buffer->data = xrealloc(buffer->data, buffer->capacity, 1);
	}
	return buffer->data + buffer->size;
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t count) {
	if (count > 0) {
		memcpy(buffer_reserve(buffer, count), bytes, count);
		buffer->size += count;
	}
}

bool buffer_try_append(struct buffer *buffer, const void *bytes, size_t count, const char *what,
	struct error *err) {
	if (!buffer_try_reserve(buffer, count, what, err)) {
		return false;
	}
	buffer_append(buffer, bytes, count);
	return true;
}

unsigned char *buffer_steal(struct buffer *buffer, size_t *size) {
	unsigned char *data = buffer->data;
	*size = buffer->size;
	*buffer = (struct buffer){0};
	return data;
}
