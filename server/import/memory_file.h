/* Files that lie in memory and have no name: what processes hand to one another without a copy. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A new file, nothing in it, close-on-exec. The name is for /proc only. -1 with errno. */
int memory_file_open(const char *name);

/* Writes all bytes at the file's position. False with errno. */
bool memory_file_write(int file, const void *bytes, size_t size);

/* Makes the file stay as it is, for everybody. False with errno, as while somebody has it mapped to
 * write. */
bool memory_file_seal(int file);
