// The socket that clients connect to.
#include "listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Connections that may wait to be accepted: a burst of clients, as far as the kernel goes along. */
#define BACKLOG 1024

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
			"port from 0 to 65535",
			address);
	}
	memcpy(host, start, (size_t)length);
	host[length] = '\0';
	*port = colon + 1;
	return true;
}

static int open_socket(const struct addrinfo *found) {
	const int type = found->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK;
	const int file = socket(found->ai_family, type, found->ai_protocol);
	const int on = 1;
	if (file >= 0 && setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
		bind(file, found->ai_addr, found->ai_addrlen) == 0 && listen(file, BACKLOG) == 0) {
		return file;
	}
	const int reason = errno;
	if (file >= 0) {
		close(file);
	}
	errno = reason;
	return -1;
}

int listen_open(const char *address, struct error *err) {
	char host[256];
	const char *port = "";
	if (strlen(address) >= sizeof host) {
		error_set(err, ERROR_INVALID_VALUE, "--listen is too long");
		return -1;
	}
	if (!split(address, host, &port, err)) {
		return -1;
	}
	const struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	struct addrinfo *found;
	const int failure = getaddrinfo(host, port, &hints, &found);
	if (failure) {
		error_set(err, ERROR_INVALID_VALUE, "--listen is \"%s\": %s", address,
			gai_strerror(failure));
		return -1;
	}
	const int file = open_socket(found);
	if (file < 0) {
		error_set(err, ERROR_CONFLICT, "cannot listen on %s: %s", address, strerror(errno));
	}
	freeaddrinfo(found);
	return file;
}

bool listen_address(int socket, char *text, size_t size, struct error *err) {
	struct sockaddr_storage address;
	socklen_t length = sizeof address;
	char host[NI_MAXHOST], port[NI_MAXSERV];
	if (getsockname(socket, (struct sockaddr *)&address, &length) != 0 ||
		getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port,
			sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
		return error_set(err, ERROR_INTERNAL, "the socket has no address");
	}
	const bool bracket = address.ss_family == AF_INET6;
	snprintf(text, size, "%s%s%s:%s", bracket ? "[" : "", host, bracket ? "]" : "", port);
	return true;
}
