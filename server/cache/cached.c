// One finished answer that may be sent many times.
#include "cache/cached.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "http/call.h"

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

/* Encoders let their buffers double: an answer may lie here for days, so the rest goes back. (All
 * but a byte, since realloc to none would be free.) */
static void take_body(struct cached *answer, struct buffer *body) {
	const size_t capacity = body->capacity;
	unsigned char *bytes = buffer_steal(body, &answer->body_bytes);
	unsigned char *smaller =
		capacity > answer->body_bytes ? realloc(bytes, answer->body_bytes + 1) : NULL;
	answer->body = smaller ? smaller : bytes;
}

struct cached *cached_create(const struct cached_parts *parts) {
	const size_t list_bytes = parts->header_count * sizeof(struct header);
	struct cached *answer = xcalloc(1, sizeof *answer + list_bytes + text_bytes(parts));
	struct header *headers = (struct header *)(answer + 1);
	char *text = (char *)(headers + parts->header_count);
	answer->content_type = put_text(&text, parts->content_type);
	for (size_t i = 0; i < parts->header_count; i++) {
		headers[i].name = put_text(&text, parts->headers[i].name);
		headers[i].value = put_text(&text, parts->headers[i].value);
	}
	answer->headers = headers;
	answer->header_count = parts->header_count;
	take_body(answer, parts->take_body);
	atomic_init(&answer->references, 1);
	return answer;
}

struct cached *cached_retain(struct cached *answer) {
	atomic_fetch_add_explicit(&answer->references, 1, memory_order_relaxed);
	return answer;
}

void cached_release(struct cached *answer) {
	// Whoever frees it must see the end of everybody else's reading.
	if (answer &&
		atomic_fetch_sub_explicit(&answer->references, 1, memory_order_acq_rel) == 1) {
		free((unsigned char *)answer->body);
		free(answer);
	}
}

static size_t block_bytes(const void *block) {
	return block ? malloc_usable_size((void *)block) + BLOCK_OVERHEAD : 0;
}

size_t cached_bytes(const struct cached *answer) {
	return block_bytes(answer) + block_bytes(answer->body);
}
