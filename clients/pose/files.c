// Files in and out.
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "problem_print.h"
#include "temporary.h"

#define PIECE_BYTES ((size_t)1 << 16)

bool file_is_input(const char *path) {
	return strcmp(path, "-") == 0;
}

bool file_is_folder(const char *path) {
	struct stat about;
	const size_t length = path ? strlen(path) : 0;
	return length > 0 &&
		(path[length - 1] == '/' || (stat(path, &about) == 0 && S_ISDIR(about.st_mode)));
}

bool file_load(const char *path, struct buffer *out) {
	const bool is_input = file_is_input(path);
	FILE *file = is_input ? stdin : fopen(path, "rb");
	if (!file) {
		return false;
	}
	size_t count;
	do {
		count = fread(buffer_reserve(out, PIECE_BYTES), 1, PIECE_BYTES, file);
		out->size += count;
	} while (count > 0);
	const int reason = ferror(file) ? errno : 0;
	if (!is_input) {
		fclose(file);
	}
	errno = reason;
	return reason == 0;
}

bool file_take(const struct arguments *arguments, const char *path, struct buffer *out) {
	return file_load(path, out) ||
		problem_print_file(arguments, file_is_input(path) ? "standard input" : path);
}

bool file_write(const struct arguments *arguments, const char *path, const struct buffer *content,
	bool is_text) {
	struct output *output = output_open(arguments, path, is_text);
	const bool ok = output && output_add(output, content->data, content->size);
	return output_close(output, ok) && ok;
}

struct output {
	const struct arguments *arguments; // borrowed
	const char *path;                  // NULL = standard output
	bool is_text;
	struct temporary *temporary; // NULL = the file itself is written
	FILE *file;                  // NULL = nothing came yet
	size_t size;                 // bytes so far
	bool failed;
};

static bool complain(struct output *output) {
	output->failed = true;
	return problem_print_file(
		output->arguments, output->path ? output->path : "standard output");
}

/* True when there is nothing of that name, or a plain file that may be replaced; and the mode of
 * what takes its place. */
static bool is_replaceable(const char *path, mode_t *mode) {
	struct stat there;
	const bool exists = lstat(path, &there) == 0;
	*mode = exists ? there.st_mode & 0777 : 0666;
	return !exists || S_ISREG(there.st_mode);
}

struct output *output_open(const struct arguments *arguments, const char *path, bool is_text) {
	const bool is_file = path && strcmp(path, "-") != 0;
	mode_t mode;
	if (!is_file && !is_text && isatty(STDOUT_FILENO)) {
		fprintf(stderr, "pose: this is no text for a terminal; give a file with -o\n");
		return NULL;
	}
	struct output *output = calloc(1, sizeof *output);
	if (!output) {
		fprintf(stderr, "pose: no memory\n");
		return NULL;
	}
	output->arguments = arguments;
	output->path = is_file ? path : NULL;
	output->is_text = is_text;
	if (is_file && is_replaceable(path, &mode)) {
		output->temporary = temporary_create(path);
		if (!output->temporary) {
			complain(output);
			free(output);
			return NULL;
		}
	}
	return output;
}

static FILE *open_file(struct output *output) {
	mode_t mode;
	if (output->temporary && is_replaceable(output->path, &mode)) {
		const int file = temporary_open(output->temporary, mode);
		if (file >= 0) {
			return fdopen(file, "wb");
		}
	}
	temporary_destroy(output->temporary);
	output->temporary = NULL;
	return fopen(output->path, "wb");
}

bool output_add(struct output *output, const void *bytes, size_t size) {
	if (output->failed) {
		return false;
	}
	if (!output->file) {
		output->file = output->path ? open_file(output) : stdout;
	}
	// Whoever reads standard output may want what there is.
	if (!output->file || (size > 0 && fwrite(bytes, 1, size, output->file) != size) ||
		(!output->path && fflush(output->file) != 0)) {
		return complain(output);
	}
	output->size += size;
	return true;
}

size_t output_size(const struct output *output) {
	return output->size;
}

bool output_has_failed(const struct output *output) {
	return output->failed;
}

static bool finish(struct output *output) {
	const bool wants_end = output->is_text && !output->path && output->size > 0;
	if (wants_end && !output_add(output, "\n", 1)) {
		return false;
	}
	FILE *file = output->path ? output->file : NULL;
	output->file = NULL;
	const bool written = (!file || fclose(file) == 0) &&
		(!file || !output->temporary || temporary_rename(output->temporary));
	return written || complain(output);
}

bool output_close(struct output *output, bool is_whole) {
	if (!output) {
		return true;
	}
	const bool ok = !is_whole || (!output->failed && finish(output));
	if (output->path && output->file) {
		fclose(output->file);
	}
	temporary_destroy(output->temporary);
	free(output);
	return ok;
}
