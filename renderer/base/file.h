/* Whole files in memory, and anonymous files there, which processes pass to one another without a
 * copy. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* All bytes of an open file from its start, malloc memory; NULL with ERROR_INTERNAL or
 * ERROR_TOO_LARGE. */
void *file_read(int file, size_t *size, struct error *err);

/* Opens a new empty file, close-on-exec. The name is for /proc only. -1 with errno. */
int memory_file_open(const char *name);

/* Writes all bytes at the file's position. False with errno. */
bool memory_file_write(int file, const void *bytes, size_t size);

/* Prevents all changes to the file. False with errno, as while a writable mapping exists. */
bool memory_file_seal(int file);
