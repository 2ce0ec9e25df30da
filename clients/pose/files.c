// Files in and out.
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "output.h"

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
	struct output *output = output_open(path, is_text);
	const bool fine = output && output_add(output, content->data, content->size);
	return output_close(output, fine) && fine;
}
