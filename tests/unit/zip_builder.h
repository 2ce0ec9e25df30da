/* ZIP archives made in a test. */
#pragma once

#include <stddef.h>

/* Zero it before use; zip_builder_finish frees it. */
struct zip_builder {
	struct zip_builder_file {
		char *name;
		unsigned char *bytes;
		size_t size;
	} * files;
	size_t count;
};

/* Adds a copy of a file. */
void zip_builder_add(struct zip_builder *b, const char *name, const void *bytes, size_t size);
void zip_builder_add_text(struct zip_builder *b, const char *name, const char *text);

/* The archive, malloc memory; then frees the builder. */
unsigned char *zip_builder_finish(struct zip_builder *b, size_t *size);
