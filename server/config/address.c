// Addresses to listen on.
#include "config/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <libgen.h>
#include <netdb.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool address_is_path(const char *address) {
	return strncmp(address, ADDRESS_UNIX_PREFIX, strlen(ADDRESS_UNIX_PREFIX)) == 0;
}

/* A whole number of 16 bits: getaddrinfo would take greater ones, and cut them. */
static bool is_port(const char *text) {
	const size_t length = strlen(text);
	return length > 0 && length <= 5 && strspn(text, "0123456789") == length &&
		strtol(text, NULL, 10) <= 65535;
}

/* Splits "host:port"; host must have room for the whole text. */
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

struct addrinfo *address_resolve(const char *address, struct error *err) {
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

bool address_is_loopback(const struct sockaddr *address) {
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

bool address_is_local(const char *address) {
	if (address_is_path(address)) {
		return true;
	}
	struct addrinfo *found = address_resolve(address, NULL);
	// listener_open() takes the first.
	const bool local = found && address_is_loopback(found->ai_addr);
	if (found) {
		freeaddrinfo(found);
	}
	return local;
}

bool address_read_path(const char *address, struct sockaddr_un *out, struct error *err) {
	const char *path = address + strlen(ADDRESS_UNIX_PREFIX);
	*out = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (path[0] != '/' || strlen(path) >= sizeof out->sun_path) {
		return error_set(err, ERROR_INVALID_VALUE,
			"the address is \"%s\", must be unix: and an absolute path of at most %zu "
			"bytes",
			address, sizeof out->sun_path - 1);
	}
	memcpy(out->sun_path, path, strlen(path));
	return true;
}

int address_connect_path(const struct sockaddr_un *at) {
	const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (file >= 0 && connect(file, (const struct sockaddr *)at, sizeof *at) == 0) {
		return file;
	}
	const int reason = errno;
	if (file >= 0) {
		close(file);
	}
	errno = reason;
	return -1;
}

bool address_path_is_free(const struct sockaddr_un *at, bool *stale, struct error *err) {
	struct stat status;
	*stale = false;
	if (lstat(at->sun_path, &status) != 0) {
		return errno == ENOENT ||
			error_set(err, ERROR_CONFLICT, "%s: %s", at->sun_path, strerror(errno));
	}
	if (!S_ISSOCK(status.st_mode)) {
		return error_set(
			err, ERROR_CONFLICT, "%s is there, and is no socket", at->sun_path);
	}
	const int file = address_connect_path(at);
	// Only a socket without a listener refuses; any other reason may be a daemon that is busy.
	*stale = file < 0 && errno == ECONNREFUSED;
	if (file >= 0) {
		close(file);
	}
	return *stale || error_set(err, ERROR_CONFLICT, "somebody listens at %s", at->sun_path);
}

static bool check_path(const char *address, struct error *err) {
	struct sockaddr_un at;
	bool stale;
	if (!address_read_path(address, &at, err) || !address_path_is_free(&at, &stale, err)) {
		return false;
	}
	char copy[sizeof at.sun_path];
	memcpy(copy, at.sun_path, sizeof copy);
	const char *directory = dirname(copy);
	return access(directory, W_OK | X_OK) == 0 ||
		error_set(err, ERROR_CONFLICT, "%s: %s", directory, strerror(errno));
}

bool address_check(const char *address, struct error *err) {
	if (address_is_path(address)) {
		return check_path(address, err);
	}
	struct addrinfo *found = address_resolve(address, err);
	if (found) {
		freeaddrinfo(found);
	}
	return found != NULL;
}
