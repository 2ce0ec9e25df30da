// Files with a text.
#include "text_file.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"

void text_file_make(char *path, const char *text, size_t size) {
	const int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, text, size), (ssize_t)size);
	close(file);
}
