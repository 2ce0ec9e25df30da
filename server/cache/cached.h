/* One finished response that may be sent many times, by several threads at once: it never changes
 * once made, and goes with its last reference. Only responses with status 200 are cached. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>

struct buffer;

/* Headers of one response, besides Content-Type. */
#define MAX_HEADERS 12

/* One header of a response. */
struct header {
	const char *name, *value;
};

struct cached {
	const char *content_type;
	const struct header *headers; // [header_count] besides Content-Type
	size_t header_count;
	const unsigned char *body; // [body_bytes]
	size_t body_bytes;
	atomic_uint references; // cached_retain() and cached_release() only
};

/* The parts of a new one. */
struct cached_parts {
	const char *content_type;     // copied
	const struct header *headers; // [header_count], copied with their strings
	size_t header_count;
	struct buffer *take_body; // its memory becomes the response's, without a copy; left empty
};

/* A response with one reference. The memory that the body has to spare is given back. */
struct cached *cached_create(const struct cached_parts *parts);

/* One more reference, and one less. release takes NULL. Any thread. */
struct cached *cached_retain(struct cached *response);
void cached_release(struct cached *response);

/* Bytes of memory that a response holds, with what the allocator adds. */
size_t cached_bytes(const struct cached *response);
