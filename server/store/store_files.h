/* Atomic and durable changes to the store's files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Functions that write fail with ERROR_STORE_FULL, ERROR_STORE_UNWRITABLE or ERROR_INTERNAL. */

/* Opens a directory in parent (a descriptor, or AT_FDCWD) to write to, and makes it durably if need
 * be. -1 with *err. */
int files_open_directory(int parent, const char *name, struct error *err);

/* Makes a path's missing directories. */
bool files_make_path(const char *path, struct error *err);

/* Makes the present entries of a directory durable. name stands for it in the message. */
bool files_sync(int directory, const char *name, struct error *err);

/* Writes a file through a temporary one in the directory `temporary` of the same file system. After
 * true the file survives a power loss; after false nothing has changed, unless the disk failed. Not
 * from two threads at once. */
bool files_write(int temporary, int directory, const char *name, const void *bytes, size_t size,
	struct error *err);

/* Writes bytes at the end of an open file. False with errno. */
bool files_append(int file, const void *bytes, size_t size);

/* Removes a file durably, if it exists. */
bool files_remove(int directory, const char *name, struct error *err);

/* Calls visit for each file of a directory, in no order. False with ERROR_INTERNAL. */
bool files_each(int directory, void (*visit)(void *context, const char *name), void *context,
	struct error *err);
