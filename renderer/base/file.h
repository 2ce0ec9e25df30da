/* Whole files in memory. */
#pragma once

#include <stddef.h>

#include "base/error.h"

/* All bytes of an open file from its start, malloc memory; NULL with ERROR_INTERNAL or
 * ERROR_TOO_LARGE. */
void *file_read(int file, size_t *size, struct error *err);
