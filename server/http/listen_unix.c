// Unix sockets: made at a path, in place of what a dead daemon left there.
#include "http/listen_internal.h"

#include <errno.h>
#include <libgen.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

bool unix_address(const char *address, struct sockaddr_un *out, struct error *err) {
	const char *path = address + strlen(LISTEN_PREFIX);
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

/* A socket connected to the path; -1 with errno. */
static int open_connection(const struct sockaddr_un *at) {
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

int unix_connect(const char *address, struct error *err) {
	struct sockaddr_un at;
	const bool fine = unix_address(address, &at, err);
	const int file = fine ? open_connection(&at) : -1;
	if (fine && file < 0) {
		error_set(err, ERROR_CONFLICT, "%s: %s", address, strerror(errno));
	}
	return file;
}

/* Whether the path is free, or holds a socket that nobody listens at (*stale). */
static bool is_free(const struct sockaddr_un *at, bool *stale, struct error *err) {
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
	const int file = open_connection(at);
	// Only a socket without a listener refuses; any other reason may be a daemon that is busy.
	*stale = file < 0 && errno == ECONNREFUSED;
	if (file >= 0) {
		close(file);
	}
	return *stale || error_set(err, ERROR_CONFLICT, "somebody listens at %s", at->sun_path);
}

bool unix_check(const char *address, struct error *err) {
	struct sockaddr_un at;
	bool stale;
	if (!unix_address(address, &at, err) || !is_free(&at, &stale, err)) {
		return false;
	}
	char copy[sizeof at.sun_path];
	memcpy(copy, at.sun_path, sizeof copy);
	const char *directory = dirname(copy);
	return access(directory, W_OK | X_OK) == 0 ||
		error_set(err, ERROR_CONFLICT, "%s: %s", directory, strerror(errno));
}

/* Binds and listens; the path has its permissions from the first moment on. */
static int open_socket(const struct sockaddr_un *at, unsigned mode) {
	const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	const mode_t before = umask(0777 & ~mode);
	const bool fine = file >= 0 && bind(file, (const struct sockaddr *)at, sizeof *at) == 0 &&
		listen(file, LISTEN_BACKLOG) == 0;
	const int reason = errno;
	umask(before);
	if (!fine && file >= 0) {
		close(file);
	}
	errno = reason;
	return fine ? file : -1;
}

bool unix_open(struct listener *listener, const char *address, unsigned mode, struct error *err) {
	struct sockaddr_un at;
	bool stale;
	if (!unix_address(address, &at, err) || !is_free(&at, &stale, err)) {
		return false;
	}
	if (stale) {
		unlink(at.sun_path);
	}
	listener->file = open_socket(&at, mode);
	if (listener->file < 0) {
		return error_set(
			err, ERROR_CONFLICT, "cannot listen at %s: %s", address, strerror(errno));
	}
	memcpy(listener->path, at.sun_path, sizeof at.sun_path);
	return true;
}

void unix_remove(const char *path) {
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	bool stale;
	memcpy(at.sun_path, path, strlen(path));
	if (is_free(&at, &stale, NULL) && stale) {
		unlink(path);
	}
}
