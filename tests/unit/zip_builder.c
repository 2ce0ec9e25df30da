// ZIP archives made in a test.
#include "zip_builder.h"

#include <stdlib.h>
#include <string.h>

#include <zip.h>

#include "base/delayed.h"
#include "base/memory.h"
#include "check.h"

void zip_builder_add(struct zip_builder *b, const char *name, const void *bytes, size_t size) {
	b->files = xrealloc(b->files, b->count + 1, sizeof *b->files);
	struct zip_builder_file *file = &b->files[b->count++];
	file->name = xstrndup(name, strlen(name));
	file->bytes = xcalloc(size + 1, 1);
	file->size = size;
	memcpy(file->bytes, bytes, size);
}

void zip_builder_add_text(struct zip_builder *b, const char *name, const char *text) {
	zip_builder_add(b, name, text, strlen(text));
}

unsigned char *zip_builder_finish(struct zip_builder *b, size_t *size) {
	assert_true(delayed_load(&delayed_zip, NULL));
	zip_source_t *target = zip_source_buffer_create(NULL, 0, 0, NULL);
	zip_source_keep(target);
	zip_t *zip = zip_open_from_source(target, ZIP_TRUNCATE, NULL);
	assert_non_null(zip);
	for (size_t i = 0; i < b->count; i++) {
		zip_source_t *source =
			zip_source_buffer(zip, b->files[i].bytes, b->files[i].size, 0);
		assert_true(zip_file_add(zip, b->files[i].name, source, ZIP_FL_ENC_UTF_8) >= 0);
	}
	assert_int_equal(zip_close(zip), 0);
	zip_stat_t stat;
	assert_int_equal(zip_source_open(target), 0);
	assert_int_equal(zip_source_stat(target, &stat), 0);
	unsigned char *bytes = xcalloc(stat.size, 1);
	assert_int_equal(zip_source_read(target, bytes, stat.size), stat.size);
	zip_source_close(target);
	zip_source_free(target);
	for (size_t i = 0; i < b->count; i++) {
		free(b->files[i].name);
		free(b->files[i].bytes);
	}
	free(b->files);
	*b = (struct zip_builder){0};
	*size = stat.size;
	return bytes;
}
