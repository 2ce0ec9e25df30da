// Atomic and durable changes to the store's files.
#include "store/store_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One name is enough for one writer at a time. */
#define TEMPORARY_NAME "writing"

static bool fail(struct error *err, const char *what, const char *name) {
	const int number = errno;
	switch (number) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return error_set(
			err, ERROR_STORE_FULL, "no space left to store this: %s", strerror(number));
	case EROFS:
	case EACCES:
	case EPERM:
	case EIO:
		return error_set(err, ERROR_STORE_UNWRITABLE,
			"the data directory cannot be written to (%s %s: %s)", what, name,
			strerror(number));
	default:
		return error_set(
			err, ERROR_INTERNAL, "cannot %s %s: %s", what, name, strerror(number));
	}
}

bool files_sync(int directory, const char *name, struct error *err) {
	return fsync(directory) == 0 || fail(err, "sync the directory of", name);
}

int files_open_directory(int parent, const char *name, struct error *err) {
	if (mkdirat(parent, name, 0777) != 0 && errno != EEXIST) {
		fail(err, "make", name);
		return -1;
	}
	const int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0) {
		fail(err, "open", name);
		return -1;
	}
	// Fail now and not at the first upload.
	if ((faccessat(directory, ".", W_OK | X_OK, AT_EACCESS) != 0 &&
		    !fail(err, "write to", name)) ||
		(parent != AT_FDCWD && !files_sync(parent, name, err))) {
		close(directory);
		return -1;
	}
	return directory;
}

bool files_make_path(const char *path, struct error *err) {
	char part[PATH_MAX];
	if (strlen(path) >= sizeof part) {
		return error_set(
			err, ERROR_INTERNAL, "the path has more than %d bytes", PATH_MAX - 1);
	}
	for (size_t i = 0; i == 0 || path[i - 1]; i++) {
		part[i] = path[i];
		if (i == 0 || (path[i] != '/' && path[i] != '\0')) {
			continue;
		}
		part[i] = '\0';
		if (mkdir(part, 0777) != 0 && errno != EEXIST) {
			return fail(err, "make", part);
		}
		part[i] = path[i];
	}
	return true;
}

bool files_append(int file, const void *bytes, size_t size) {
	const unsigned char *rest = bytes;
	while (size > 0) {
		const ssize_t written = write(file, rest, size);
		if (written < 0 && errno == EINTR) {
			continue;
		}
		if (written < 0) {
			return false;
		}
		rest += written;
		size -= (size_t)written;
	}
	return true;
}

/* Writes and syncs the temporary file; its descriptor is closed either way. */
static bool write_temporary(int temporary, const void *bytes, size_t size, struct error *err) {
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
	const int file = openat(temporary, TEMPORARY_NAME, flags, 0666);
	if (file < 0) {
		return fail(err, "make", "a temporary file");
	}
	const bool written = (files_append(file, bytes, size) && fsync(file) == 0) ||
		fail(err, "write", "a temporary file");
	if (close(file) != 0 && written) {
		return fail(err, "close", "a temporary file");
	}
	return written;
}

bool files_write(int temporary, int directory, const char *name, const void *bytes, size_t size,
	struct error *err) {
	if (!write_temporary(temporary, bytes, size, err)) {
		unlinkat(temporary, TEMPORARY_NAME, 0);
		return false;
	}
	if (renameat(temporary, TEMPORARY_NAME, directory, name) != 0) {
		fail(err, "rename to", name);
		unlinkat(temporary, TEMPORARY_NAME, 0);
		return false;
	}
	return files_sync(directory, name, err);
}

bool files_remove(int directory, const char *name, struct error *err) {
	if (unlinkat(directory, name, 0) != 0 && errno != ENOENT) {
		return fail(err, "remove", name);
	}
	return files_sync(directory, name, err);
}

bool files_each(int directory, void (*visit)(void *context, const char *name), void *context,
	struct error *err) {
	const int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);
	if (!stream) {
		fail(err, "list", "a directory");
		if (copy >= 0) {
			close(copy);
		}
		return false;
	}
	struct dirent *entry;
	while ((entry = readdir(stream))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
			visit(context, entry->d_name);
		}
	}
	closedir(stream);
	return true;
}
