/* The boundaries of requests on a connection, followed beside the HTTP library on the bytes that
 * it reads. What two readers could understand differently never reaches the library: in its place
 * it gets an empty request, which is answered with the reason, and nothing that comes behind.
 *
 * One connection; one thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct framing;

struct framing *framing_create(void);
void framing_destroy(struct framing *framing); // takes NULL

/* Reads from a socket that does not block into [room] bytes, as recv() does. Heads, and the lines
 * between chunks, come out only when they are whole; fewer bytes than there is room for mean that
 * the socket has no more now. */
ssize_t framing_receive(struct framing *framing, int socket, void *out, size_t room);

/* True when the connection's request of a number (from 1) is well framed, as far as read. False
 * with the reason to refuse it, after which the connection is to be closed; ERROR_INTERNAL for one
 * that did not come this way. */
bool framing_check(const struct framing *framing, uint64_t request, struct error *err);
