// The C library's recv() and send() for the HTTP library.
#include "http/wire.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/memory.h"
#include "http/framing.h"

/* The line that goes. */
#define LENGTH_LINE "Content-Length: 0\r\n"

struct wires {
	struct wire **wires; // [count] by the number of the socket; NULL = none
	size_t count;
};

/* Of the thread that runs the HTTP library: recv() and send() have no other way to know. */
static _Thread_local struct wires *in_use;

struct wires *wires_create(void) {
	return xcalloc(1, sizeof(struct wires));
}

void wires_destroy(struct wires *wires) {
	if (wires) {
		free(wires->wires);
		free(wires);
	}
}

static void make_room(struct wires *wires, size_t count) {
	if (count > wires->count) {
		const size_t room = count * 2;
		struct wire **grown = xcalloc(room, sizeof *grown);
		for (size_t i = 0; i < wires->count; i++) {
			grown[i] = wires->wires[i];
		}
		free(wires->wires);
		wires->wires = grown;
		wires->count = room;
	}
}

void wires_set(struct wires *wires, int socket, struct wire *wire) {
	make_room(wires, (size_t)socket + 1);
	wires->wires[socket] = wire;
}

void wires_use(struct wires *wires) {
	in_use = wires;
}

static struct wire *find(int socket) {
	const bool known = in_use && socket >= 0 && (size_t)socket < in_use->count;
	return known ? in_use->wires[socket] : NULL;
}

ssize_t wire_receive(int socket, void *out, size_t room, int flags) {
	struct wire *wire = find(socket);
	return wire ? framing_receive(wire->framing, socket, out, room)
		    : recvfrom(socket, out, room, flags, NULL, NULL);
}

/* Sends some of a head without its length, and returns how many of its bytes that stands for. */
static ssize_t send_without(struct wire *wire, int socket, const char *bytes, size_t count,
	const char *line, int flags) {
	const size_t before = (size_t)(line - bytes), skipped = strlen(LENGTH_LINE);
	struct iovec parts[] = {
		{(void *)bytes, before},
		{(void *)(line + skipped), count - before - skipped},
	};
	const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
	const ssize_t sent = sendmsg(socket, &message, flags);
	if (sent < 0 || (size_t)sent < before) {
		return sent;
	}
	wire->without_length = false;
	return sent + (ssize_t)skipped;
}

ssize_t wire_send(int socket, const void *bytes, size_t count, int flags) {
	struct wire *wire = find(socket);
	const char *line = wire && wire->without_length
		? memmem(bytes, count, LENGTH_LINE, strlen(LENGTH_LINE))
		: NULL;
	return line ? send_without(wire, socket, bytes, count, line, flags)
		    : sendto(socket, bytes, count, flags, NULL, 0);
}
