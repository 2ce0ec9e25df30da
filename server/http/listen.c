// The socket that clients connect to.
#include "http/listen_internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Where systemd puts the first descriptor that it hands over. */
#define FIRST_INHERITED 3

/* A whole number of 16 bits: getaddrinfo would take greater ones, and cut them. */
static bool is_port(const char *text) {
	const size_t length = strlen(text);
	return length > 0 && length <= 5 && strspn(text, "0123456789") == length &&
		strtol(text, NULL, 10) <= 65535;
}

/* Takes "host:port" apart; host must have room for the whole text. */
static bool split(const char *address, char *host, const char **port, struct error *err) {
	const char *colon = strrchr(address, ':');
	const bool bracketed = address[0] == '[' && colon && colon > address && colon[-1] == ']';
	const char *start = bracketed ? address + 1 : address;
	const bool numbered = colon && is_port(colon + 1);
	const ptrdiff_t length = colon ? colon - start - bracketed : 0;
	if (length <= 0 || !numbered || (!bracketed && memchr(start, ':', (size_t)length))) {
		return error_set(err, ERROR_INVALID_VALUE,
			"--listen is \"%s\", must be ADDR:PORT, or [ADDR]:PORT for IPv6, with a "
			"port from 0 to 65535; or unix:/PATH",
			address);
	}
	memcpy(host, start, (size_t)length);
	host[length] = '\0';
	*port = colon + 1;
	return true;
}

/* What getaddrinfo knows of "host:port"; to be freed. NULL with *err. */
static struct addrinfo *resolve(const char *address, struct error *err) {
	char host[256];
	const char *port = "";
	if (strlen(address) >= sizeof host) {
		error_set(err, ERROR_INVALID_VALUE, "--listen is too long");
		return NULL;
	}
	if (!split(address, host, &port, err)) {
		return NULL;
	}
	const struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	struct addrinfo *found = NULL;
	const int failure = getaddrinfo(host, port, &hints, &found);
	if (failure) {
		error_set(err, ERROR_INVALID_VALUE, "--listen is \"%s\": %s", address,
			gai_strerror(failure));
		return NULL;
	}
	return found;
}

bool listen_is_path(const char *address) {
	return strncmp(address, LISTEN_PREFIX, strlen(LISTEN_PREFIX)) == 0;
}

static bool is_loopback(const struct sockaddr *address) {
	if (address->sa_family == AF_INET) {
		const struct sockaddr_in *ipv4 = (const void *)address;
		return ntohl(ipv4->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	}
	const struct sockaddr_in6 *ipv6 = (const void *)address;
	return address->sa_family == AF_INET6 &&
		(IN6_IS_ADDR_LOOPBACK(&ipv6->sin6_addr) ||
			(IN6_IS_ADDR_V4MAPPED(&ipv6->sin6_addr) &&
				ipv6->sin6_addr.s6_addr[12] == IN_LOOPBACKNET));
}

bool listen_names_local(const char *address) {
	if (listen_is_path(address)) {
		return true;
	}
	struct addrinfo *found = resolve(address, NULL);
	// listener_open() takes the first.
	const bool local = found && is_loopback(found->ai_addr);
	if (found) {
		freeaddrinfo(found);
	}
	return local;
}

bool listen_is_local(int socket) {
	union {
		struct sockaddr any;
		struct sockaddr_storage storage;
	} address = {0};
	socklen_t length = sizeof address;
	return getsockname(socket, &address.any, &length) == 0 &&
		(address.any.sa_family == AF_UNIX || is_loopback(&address.any));
}

bool listen_check(const char *address, struct error *err) {
	if (listen_is_path(address)) {
		return unix_check(address, err);
	}
	struct addrinfo *found = resolve(address, err);
	if (found) {
		freeaddrinfo(found);
	}
	return found != NULL;
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
	struct addrinfo *found = resolve(address, err);
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

/* How many descriptors systemd hands over to this process; nobody after it is to take them, too. */
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
	return listen_is_path(address) ? unix_open(listener, address, mode, err)
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
		snprintf(text, LISTEN_ADDRESS_BYTES, LISTEN_PREFIX "%.107s", address.path.sun_path);
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

int listen_connect(const char *address, struct error *err) {
	if (listen_is_path(address)) {
		return unix_connect(address, err);
	}
	struct addrinfo *found = resolve(address, err);
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
