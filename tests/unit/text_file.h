/* Text files, for code that reads files by path. */
#pragma once

#include <stddef.h>

/* Makes a file that its owner alone can read; path must end with "XXXXXX", which is replaced. To be
 * unlinked. */
void text_file_make(char *path, const char *text, size_t size);
