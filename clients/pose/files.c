// Files in and out.
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
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

bool file_write(const char *path, const struct buffer *content, bool is_text) {
	const bool standard = !path || strcmp(path, "-") == 0;
	if (standard && !is_text && isatty(STDOUT_FILENO)) {
		fprintf(stderr, "pose: this is no text for a terminal; give a file with -o\n");
		return false;
	}
	FILE *file = standard ? stdout : fopen(path, "wb");
	if (!file) {
		return complain(path);
	}
	bool fine = fwrite(content->data, 1, content->size, file) == content->size;
	if (is_text && standard) {
		fine = fputc('\n', file) != EOF && fine;
	}
	fine = (standard ? fflush(file) : fclose(file)) == 0 && fine;
	return fine || complain(standard ? "standard output" : path);
}
