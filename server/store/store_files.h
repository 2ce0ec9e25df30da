/* The store's files: written whole and for good, or not at all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* All that write fail with ERROR_STORE_FULL, ERROR_STORE_UNWRITABLE or ERROR_INTERNAL. */

/* Opens a directory inside of parent (a descriptor, or AT_FDCWD) to write to, making it if need be,
 * so that it is still there after a power loss. -1 with *err. */
int files_open_directory(int parent, const char *name, struct error *err);

/* Makes a path's missing directories. */
bool files_make_path(const char *path, struct error *err);

/* What a directory lists now, it lists after a power loss. name stands for it in the message. */
bool files_sync(int directory, const char *name, struct error *err);

/* Writes a file by way of a temporary one in the directory `temporary` of the same file system.
 * When it returns true the file is there even after a power loss; else, unless the disk itself
 * failed, nothing has changed. Not from two threads at once. */
bool files_write(int temporary, int directory, const char *name, const void *bytes, size_t size,
	struct error *err);

/* Writes bytes at the end of an open file. False with errno. */
bool files_append(int file, const void *bytes, size_t size);

/* Removes a file, if it is there, and makes sure it stays removed. */
bool files_remove(int directory, const char *name, struct error *err);

/* Calls visit for each file of a directory, in no order. False with ERROR_INTERNAL. */
bool files_each(int directory, void (*visit)(void *context, const char *name), void *context,
	struct error *err);
