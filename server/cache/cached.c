// One finished response that may be sent many times.
#include "cache/cached.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

/* Beside what a block can be used for, the allocator keeps its size. */
#define BLOCK_OVERHEAD sizeof(size_t)

static size_t text_bytes(const struct cached_parts *parts) {
	size_t bytes = strlen(parts->content_type) + 1;
	for (size_t i = 0; i < parts->header_count; i++) {
		bytes += strlen(parts->headers[i].name) + strlen(parts->headers[i].value) + 2;
	}
	return bytes;
}

/* Copies a text to *end, which moves past its NUL. */
static const char *put_text(char **end, const char *text) {
	const char *copy = *end;
	*end = stpcpy(*end, text) + 1;
	return copy;
}

/* Encoders let their buffers double: a response may lie here for days, so the rest goes back. (All
 * but a byte, since realloc to none would be free.) */
static void take_body(struct cached *response, struct buffer *body) {
	const size_t capacity = body->capacity;
	unsigned char *bytes = buffer_steal(body, &response->body_bytes);
	unsigned char *smaller =
		capacity > response->body_bytes ? realloc(bytes, response->body_bytes + 1) : NULL;
	response->body = smaller ? smaller : bytes;
}

struct cached *cached_create(const struct cached_parts *parts) {
	const size_t list_bytes = parts->header_count * sizeof(struct header);
	struct cached *response = xcalloc(1, sizeof *response + list_bytes + text_bytes(parts));
	struct header *headers = (struct header *)(response + 1);
	char *text = (char *)(headers + parts->header_count);
	response->content_type = put_text(&text, parts->content_type);
	for (size_t i = 0; i < parts->header_count; i++) {
		headers[i].name = put_text(&text, parts->headers[i].name);
		headers[i].value = put_text(&text, parts->headers[i].value);
	}
	response->headers = headers;
	response->header_count = parts->header_count;
	take_body(response, parts->take_body);
	atomic_init(&response->references, 1);
	return response;
}

struct cached *cached_retain(struct cached *response) {
	atomic_fetch_add_explicit(&response->references, 1, memory_order_relaxed);
	return response;
}

void cached_release(struct cached *response) {
	// Whoever frees it must see the end of everybody else's reading.
	if (response &&
		atomic_fetch_sub_explicit(&response->references, 1, memory_order_acq_rel) == 1) {
		free((unsigned char *)response->body);
		free(response);
	}
}

static size_t block_bytes(const void *block) {
	return block ? malloc_usable_size((void *)block) + BLOCK_OVERHEAD : 0;
}

size_t cached_bytes(const struct cached *response) {
	return block_bytes(response) + block_bytes(response->body);
}
