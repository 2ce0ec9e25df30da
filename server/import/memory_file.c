// Anonymous files in memory.
#include "import/memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

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
