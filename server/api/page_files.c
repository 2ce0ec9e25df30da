// The files for browsers: by path, and what they are.
#include "api/page_files.h"

#include <assert.h>
#include <string.h>

const struct page_file *pages_find(const char *path) {
	const struct page_file *file = page_files;
	while (file->name && strcmp(file->name, path) != 0) {
		file++;
	}
	return file->name ? file : NULL;
}

const char *pages_type(const char *name) {
	static const struct {
		const char *ending, *type;
	} rows[] = {
		{".html", "text/html; charset=utf-8"},
		{".css", "text/css; charset=utf-8"},
		{".js", "text/javascript; charset=utf-8"},
		{".svg", "image/svg+xml"},
	};
	const char *ending = strrchr(name, '.');
	const char *type = NULL;
	for (size_t i = 0; ending && i < sizeof rows / sizeof *rows; i++) {
		type = strcmp(ending, rows[i].ending) == 0 ? rows[i].type : type;
	}
	assert(type); // the Makefile embeds no others
	return type;
}
