/* Anonymous files in memory, which processes pass to one another without a copy. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Opens a new empty file, close-on-exec. The name is for /proc only. -1 with errno. */
int memory_file_open(const char *name);

/* Writes all bytes at the file's position. False with errno. */
bool memory_file_write(int file, const void *bytes, size_t size);

/* Prevents all changes to the file. False with errno, as while a writable mapping exists. */
bool memory_file_seal(int file);
