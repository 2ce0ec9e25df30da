// Whole files in memory, and anonymous ones.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

void *file_read(int file, size_t *size, struct error *err) {
	struct stat status;
	if (fstat(file, &status) != 0) {
		error_set(err, ERROR_INTERNAL, "cannot read a file: %s", strerror(errno));
		return NULL;
	}
	*size = (size_t)status.st_size;
	unsigned char *bytes = try_calloc(*size, 1, "the file", err);
	size_t used = 0;
	while (bytes && used < *size) {
		const ssize_t count = pread(file, bytes + used, *size - used, (off_t)used);
		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count <= 0) {
			error_set(err, ERROR_INTERNAL, "cannot read a file to its end: %s",
				count < 0 ? strerror(errno) : "it got shorter");
			free(bytes);
			return NULL;
		}
		used += (size_t)count;
	}
	return bytes;
}

int memory_file_open(const char *name) {
	return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

bool memory_file_write(int file, const void *bytes, size_t size) {
	const unsigned char *left = bytes;
	while (size > 0) {
		const ssize_t written = write(file, left, size);
		if (written < 0 && errno == EINTR) {
			continue;
		}
		if (written <= 0) {
			return false;
		}
		left += written;
		size -= (size_t)written;
	}
	return true;
}

bool memory_file_seal(int file) {
	const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
	return fcntl(file, F_ADD_SEALS, seals) == 0;
}
