// Files in and out.
#include "files.h"

#include <stdio.h>
#include <string.h>

#include "output.h"
#include "problem_print.h"

#define PIECE_BYTES ((size_t)1 << 16)

bool file_is_input(const char *path) {
	return strcmp(path, "-") == 0;
}

bool file_read(const struct arguments *arguments, const char *path, struct buffer *out) {
	const bool is_input = file_is_input(path);
	const char *subject = is_input ? "standard input" : path;
	FILE *file = is_input ? stdin : fopen(path, "rb");
	if (!file) {
		return problem_print_file(arguments, subject);
	}
	size_t count;
	do {
		count = fread(buffer_reserve(out, PIECE_BYTES), 1, PIECE_BYTES, file);
		out->size += count;
	} while (count > 0);
	const bool ok = !ferror(file) || problem_print_file(arguments, subject);
	if (!is_input) {
		fclose(file);
	}
	return ok;
}

bool file_write(const struct arguments *arguments, const char *path, const struct buffer *content,
	bool is_text) {
	struct output *output = output_open(arguments, path, is_text);
	const bool ok = output && output_add(output, content->data, content->size);
	return output_close(output, ok) && ok;
}
