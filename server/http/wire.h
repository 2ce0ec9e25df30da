/* A layer between the HTTP library and its sockets. The library has no hook there; it calls
 * recv() and send(), for which the dynamic linker takes the program's own functions before the C
 * library's.
 *
 * What comes in goes through the check of its framing (framing.h); a request that comes another way
 * is found (framing_check). What goes out is as the library makes it, but for responses of status
 * 304: the library gives them the length 0, by which caches would cut what they hold (RFC 9110,
 * 8.6). */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct framing;

/* The connection of a client below the HTTP library. */
struct wire {
	struct framing *framing; // of its requests
	bool without_length;     // the head that is sent next loses its Content-Length
};

/* The sockets with their wires. */
struct wires;

struct wires *wires_create(void);
void wires_destroy(struct wires *wires); // takes NULL

/* Has the bytes of a socket go over a wire (borrowed); NULL = no more. */
void wires_set(struct wires *wires, int socket, struct wire *wire);

/* Has this thread's calls of recv() and send() on such sockets go over their wires; NULL = no more.
 */
void wires_use(struct wires *wires);

/* recv(2) and send(2). Any thread. */
ssize_t wire_receive(int socket, void *out, size_t room, int flags) __asm__("recv");
ssize_t wire_send(int socket, const void *bytes, size_t count, int flags) __asm__("send");
