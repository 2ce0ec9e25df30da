/* The store's files: written whole and for good, or not at all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Opens a directory inside of parent (a descriptor, or AT_FDCWD), making it if need be, so that it
 * is still there after a power loss. -1 with ERROR_INTERNAL. */
int files_open_directory(int parent, const char *name, struct error *err);

/* Makes a path's missing directories. False with ERROR_INTERNAL. */
bool files_make_path(const char *path, struct error *err);

/* Writes a file by way of a temporary one in the directory `temporary` of the same file system.
 * When it returns true the file is there even after a power loss; else *err is ERROR_STORE_FULL or
 * ERROR_INTERNAL, and unless the disk itself failed nothing has changed. Not from two threads at
 * once. */
bool files_write(int temporary, int directory, const char *name, const void *bytes, size_t size,
	struct error *err);

/* Removes a file and makes sure it stays removed. False with ERROR_INTERNAL. */
bool files_remove(int directory, const char *name, struct error *err);

/* Calls visit for each file of a directory, in no order. False with ERROR_INTERNAL. */
bool files_each(int directory, void (*visit)(void *context, const char *name), void *context,
	struct error *err);

/* All bytes of an open file, malloc memory; NULL with ERROR_INTERNAL or ERROR_TOO_LARGE. */
void *files_read(int file, size_t *size, struct error *err);
