// Whole files in memory.
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
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
