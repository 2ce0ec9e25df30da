// Files in and out.
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)1 << 16)

static bool complain(const char *path) {
	fprintf(stderr, "pose: %s: %s\n", path, strerror(errno));
	return false;
}

bool file_read(const char *path, struct buffer *out) {
	FILE *file = fopen(path, "rb");
	if (!file) {
		return complain(path);
	}
	size_t count;
	do {
		count = fread(buffer_reserve(out, PIECE_BYTES), 1, PIECE_BYTES, file);
		out->size += count;
	} while (count > 0);
	const bool fine = !ferror(file) || complain(path);
	fclose(file);
	return fine;
}

/* Opens a new file beside the one that is wanted, so that there is either the whole or what was
 * there before. *temporary is its name, or NULL where the file itself is written: what is no plain
 * file, or is in a folder that takes no new ones. free() it. */
static FILE *open_beside(const char *path, char **temporary) {
	struct stat there;
	const bool exists = lstat(path, &there) == 0;
	const size_t room = strlen(path) + 32;
	*temporary = exists && !S_ISREG(there.st_mode) ? NULL : malloc(room);
	if (*temporary) {
		snprintf(*temporary, room, "%s.%ld.part", path, (long)getpid());
		const mode_t mode = exists ? there.st_mode & 0777 : 0666;
		const int file = open(*temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (file >= 0) {
			return fdopen(file, "wb");
		}
		free(*temporary);
		*temporary = NULL;
	}
	return fopen(path, "wb");
}

/* Gives the file its name, or takes it away if it is not whole. */
static bool settle(char *temporary, const char *path, bool fine) {
	if (temporary) {
		fine = fine && rename(temporary, path) == 0;
		const int reason = errno;
		if (!fine) {
			unlink(temporary);
		}
		free(temporary);
		errno = reason;
	}
	return fine;
}

bool file_write(const char *path, const struct buffer *content, bool is_text) {
	const bool standard = !path || strcmp(path, "-") == 0;
	if (standard && !is_text && isatty(STDOUT_FILENO)) {
		fprintf(stderr, "pose: this is no text for a terminal; give a file with -o\n");
		return false;
	}
	char *temporary = NULL;
	FILE *file = standard ? stdout : open_beside(path, &temporary);
	if (!file) {
		return complain(path);
	}
	bool fine = fwrite(content->data, 1, content->size, file) == content->size;
	if (is_text && standard) {
		fine = fputc('\n', file) != EOF && fine;
	}
	fine = (standard ? fflush(file) : fclose(file)) == 0 && fine;
	return settle(temporary, path, fine) || complain(standard ? "standard output" : path);
}
