// The socket that clients connect to.
#include "http/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/address.h"

/* Connections that may wait to be accepted: a burst of clients, as far as the kernel allows. */
#define LISTEN_BACKLOG 1024

/* The first descriptor that systemd hands over. */
#define FIRST_INHERITED 3

bool listen_is_local(int socket) {
	union {
		struct sockaddr any;
		struct sockaddr_storage storage;
	} address = {0};
	socklen_t length = sizeof address;
	return getsockname(socket, &address.any, &length) == 0 &&
		(address.any.sa_family == AF_UNIX || address_is_loopback(&address.any));
}

static int open_socket(const struct addrinfo *found) {
	const int type = found->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK;
	const int file = socket(found->ai_family, type, found->ai_protocol);
	const int on = 1;
	if (file >= 0 && setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
		bind(file, found->ai_addr, found->ai_addrlen) == 0 &&
		listen(file, LISTEN_BACKLOG) == 0) {
		return file;
	}
	const int reason = errno;
	if (file >= 0) {
		close(file);
	}
	errno = reason;
	return -1;
}

static bool tcp_open(struct listener *listener, const char *address, struct error *err) {
	struct addrinfo *found = address_resolve(address, err);
	if (!found) {
		return false;
	}
	listener->file = open_socket(found);
	if (listener->file < 0) {
		error_set(err, ERROR_CONFLICT, "cannot listen on %s: %s", address, strerror(errno));
	}
	freeaddrinfo(found);
	return listener->file >= 0;
}

/* Binds and listens; the path has its permissions from the first moment on. */
static int unix_socket(const struct sockaddr_un *at, unsigned mode) {
	const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	const mode_t before = umask(0777 & ~mode);
	const bool ok = file >= 0 && bind(file, (const struct sockaddr *)at, sizeof *at) == 0 &&
		listen(file, LISTEN_BACKLOG) == 0;
	const int reason = errno;
	umask(before);
	if (!ok && file >= 0) {
		close(file);
	}
	errno = reason;
	return ok ? file : -1;
}

static bool unix_open(
	struct listener *listener, const char *address, unsigned mode, struct error *err) {
	struct sockaddr_un at;
	bool stale;
	if (!address_read_path(address, &at, err) || !address_path_is_free(&at, &stale, err)) {
		return false;
	}
	if (stale) {
		unlink(at.sun_path);
	}
	listener->file = unix_socket(&at, mode);
	if (listener->file < 0) {
		return error_set(
			err, ERROR_CONFLICT, "cannot listen at %s: %s", address, strerror(errno));
	}
	memcpy(listener->path, at.sun_path, sizeof at.sun_path);
	return true;
}

/* Removes the socket at a path on which no process listens. */
static void unix_remove(const char *path) {
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	bool stale;
	memcpy(at.sun_path, path, strlen(path));
	if (address_path_is_free(&at, &stale, NULL) && stale) {
		unlink(path);
	}
}

/* The number of descriptors that systemd hands over to this process, and to no child of it. */
static long count_inherited(void) {
	const char *process = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
	const bool ours = process && count && strtol(process, NULL, 10) == getpid();
	const long inherited = ours ? strtol(count, NULL, 10) : 0;
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	return inherited;
}

static bool take_inherited(struct listener *listener, long count, struct error *err) {
	int listening = 0;
	socklen_t size = sizeof listening;
	if (count != 1) {
		return error_set(err, ERROR_CONFLICT,
			"LISTEN_FDS hands over %ld sockets, can be only one", count);
	}
	if (getsockopt(FIRST_INHERITED, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0 ||
		!listening) {
		return error_set(err, ERROR_CONFLICT,
			"what LISTEN_FDS hands over is no stream socket that listens");
	}
	const int flags = fcntl(FIRST_INHERITED, F_GETFL);
	if (flags < 0 || fcntl(FIRST_INHERITED, F_SETFL, flags | O_NONBLOCK) != 0 ||
		fcntl(FIRST_INHERITED, F_SETFD, FD_CLOEXEC) != 0) {
		return error_set(err, ERROR_CONFLICT, "LISTEN_FDS: %s", strerror(errno));
	}
	listener->file = FIRST_INHERITED;
	return true;
}

bool listener_open(
	struct listener *listener, const char *address, unsigned mode, struct error *err) {
	const long inherited = count_inherited();
	if (inherited != 0) {
		return take_inherited(listener, inherited, err);
	}
	return address_is_path(address) ? unix_open(listener, address, mode, err)
					: tcp_open(listener, address, err);
}

void listener_finish(struct listener *listener) {
	if (listener->file >= 0) {
		close(listener->file);
	}
	if (*listener->path) {
		unix_remove(listener->path);
	}
	*listener = LISTENER_NONE;
}

bool listen_address(int socket, char text[static LISTEN_ADDRESS_BYTES], struct error *err) {
	union {
		struct sockaddr any;
		struct sockaddr_un path;
		struct sockaddr_storage storage;
	} address = {0};
	socklen_t length = sizeof address;
	char host[NI_MAXHOST], port[NI_MAXSERV];
	if (getsockname(socket, &address.any, &length) != 0) {
		return error_set(err, ERROR_INTERNAL, "the socket has no address");
	}
	if (address.any.sa_family == AF_UNIX) {
		snprintf(text, LISTEN_ADDRESS_BYTES, ADDRESS_UNIX_PREFIX "%.107s",
			address.path.sun_path);
		return true;
	}
	if (getnameinfo(&address.any, length, host, sizeof host, port, sizeof port,
		    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
		return error_set(err, ERROR_INTERNAL, "the socket's address has no name");
	}
	const bool bracket = address.any.sa_family == AF_INET6;
	snprintf(text, LISTEN_ADDRESS_BYTES, "http://%s%.80s%s:%.5s", bracket ? "[" : "", host,
		bracket ? "]" : "", port);
	return true;
}

static int unix_connect(const char *address, struct error *err) {
	struct sockaddr_un at;
	const bool ok = address_read_path(address, &at, err);
	const int file = ok ? address_connect_path(&at) : -1;
	if (ok && file < 0) {
		error_set(err, ERROR_CONFLICT, "%s: %s", address, strerror(errno));
	}
	return file;
}

int listen_connect(const char *address, struct error *err) {
	if (address_is_path(address)) {
		return unix_connect(address, err);
	}
	struct addrinfo *found = address_resolve(address, err);
	if (!found) {
		return -1;
	}
	const int file = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, found->ai_protocol);
	if (file < 0 || connect(file, found->ai_addr, found->ai_addrlen) != 0) {
		error_set(err, ERROR_CONFLICT, "%s: %s", address, strerror(errno));
		if (file >= 0) {
			close(file);
		}
		freeaddrinfo(found);
		return -1;
	}
	freeaddrinfo(found);
	return file;
}
