// The exchanges that are alive, and the end of those whose client left.
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "http_internal.h"

void http_enter(struct exchange *exchange) {
	struct http *http = exchange->http;
	exchange->older = http->alive;
	if (http->alive) {
		http->alive->newer = exchange;
	}
	http->alive = exchange;
	http->in_flight++;
}

void http_leave(struct exchange *exchange) {
	struct http *http = exchange->http;
	if (exchange->newer) {
		exchange->newer->older = exchange->older;
	} else {
		http->alive = exchange->older;
	}
	if (exchange->older) {
		exchange->older->newer = exchange->newer;
	}
	http->in_flight--;
}

/* Whether a client has ended its side, and nothing it sent before is still unread. */
static bool has_left(int file) {
	struct pollfd state = {.fd = file, .events = POLLRDHUP};
	int unread = 0;
	return poll(&state, 1, 0) == 1 && (state.revents & POLLRDHUP) &&
		ioctl(file, FIONREAD, &unread) == 0 && unread == 0;
}

void http_end_abandoned(struct http *http) {
	for (struct exchange *exchange = http->alive; exchange; exchange = exchange->older) {
		const union MHD_ConnectionInfo *info = MHD_get_connection_info(
			exchange->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
		if (exchange->stage == STAGE_RECEIVING && has_left(info->connect_fd)) {
			// The library closes it at the event that this makes.
			shutdown(info->connect_fd, SHUT_RDWR);
		}
	}
}
