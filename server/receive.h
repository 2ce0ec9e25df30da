/* The way of the HTTP library's bytes through the check of their framing. The library has no hook
 * between a socket and its parser. It calls recv(), for which the dynamic linker takes the
 * program's own function before the C library's; a request that comes another way is found
 * (framing_check). */
#pragma once

#include <sys/types.h>

struct framing;

/* The sockets of connections with their framing. */
struct receivers;

struct receivers *receivers_create(void);
void receivers_destroy(struct receivers *receivers); // takes NULL

/* Has the bytes of a socket go through a framing (borrowed); NULL = no more. */
void receivers_set(struct receivers *receivers, int socket, struct framing *framing);

/* Has this thread's calls of recv() on such sockets go through their framing; NULL = no more. */
void receivers_use(struct receivers *receivers);

/* recv(2). Any thread. */
ssize_t receive_bytes(int socket, void *out, size_t room, int flags) __asm__("recv");
