// The C library's recv() for the HTTP library, with the check of framing before it.
#include "receive.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "base/memory.h"
#include "framing.h"

struct receivers {
	struct framing **framings; // [count] by the number of the socket; NULL = none
	size_t count;
};

/* Of the thread that runs the HTTP library: recv() has no other way to know. */
static _Thread_local struct receivers *in_use;

struct receivers *receivers_create(void) {
	return xcalloc(1, sizeof(struct receivers));
}

void receivers_destroy(struct receivers *receivers) {
	if (receivers) {
		free(receivers->framings);
		free(receivers);
	}
}

static void make_room(struct receivers *receivers, size_t count) {
	if (count > receivers->count) {
		const size_t room = count * 2;
		struct framing **framings = xcalloc(room, sizeof *framings);
		for (size_t i = 0; i < receivers->count; i++) {
			framings[i] = receivers->framings[i];
		}
		free(receivers->framings);
		receivers->framings = framings;
		receivers->count = room;
	}
}

void receivers_set(struct receivers *receivers, int socket, struct framing *framing) {
	make_room(receivers, (size_t)socket + 1);
	receivers->framings[socket] = framing;
}

void receivers_use(struct receivers *receivers) {
	in_use = receivers;
}

ssize_t receive_bytes(int socket, void *out, size_t room, int flags) {
	const bool known = in_use && socket >= 0 && (size_t)socket < in_use->count;
	struct framing *framing = known ? in_use->framings[socket] : NULL;
	return framing ? framing_receive(framing, socket, out, room)
		       : recvfrom(socket, out, room, flags, NULL, NULL);
}
