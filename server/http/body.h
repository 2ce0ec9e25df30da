/* A request's body as it comes: small ones in plain memory, larger ones in a file in memory, which
 * can be handed to another process without a copy. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* Zero it before use. */
struct body {
	size_t size;         // bytes so far
	struct buffer plain; // the bytes, unless in_file
	bool in_file;
	int file;     // of in_file
	void *mapped; // [size] the file's bytes, once it is complete
};

/* Adds a piece. False when there is no room for it. */
bool body_append(struct body *body, const void *bytes, size_t size);

/* To be called behind the last piece: from now on nobody can change the bytes. False when they
 * cannot be had. */
bool body_complete(struct body *body);

/* The bytes of a complete body, and the descriptor of a sealed file with the same; -1 = none. Both
 * are the body's. */
const void *body_bytes(const struct body *body);
int body_file(const struct body *body);

/* Forgets it all. */
void body_finish(struct body *body);
