/* A tar, by libarchive. Entries have no date and nobody's name: the same contents are the same
 * bytes. One thread at a time. */
#pragma once

#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

struct tar_file;

/* Begins one. NULL with ERROR_TOO_LARGE where memory is out, as it is below. */
struct tar_file *tar_file_create(struct error *err);

/* The same through gzip, also without a date. */
struct tar_file *tar_file_create_gzip(struct error *err);
void tar_file_destroy(struct tar_file *tar); // takes NULL

/* Appends a file to what has been appended to out so far. */
bool tar_file_put(struct tar_file *tar, const char *name, const void *bytes, size_t size,
	struct buffer *out, struct error *err);

/* Appends the end. */
bool tar_file_end(struct tar_file *tar, struct buffer *out, struct error *err);
