/* The daemon's files for browsers: the page at "/" that shows rigs, the element that other pages
 * take in, and the modules that both are made of. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/embedded.h"

struct page_file {
	const char *name; // its path: "viewer/index.html"
	const unsigned char *bytes;
	size_t size;
	const unsigned char *gzip; // the same compressed
	size_t gzip_size;
};

/* The file that is the page itself. */
#define PAGES_VIEWER "viewer/index.html"

/* Generated: the files of clients/js by their paths there, with the modules of the viewer in one;
 * ended by a NULL name. */
extern const struct page_file page_files[];

/* Generated: protocol/openapi.yaml, then protocol/checks/rules.schema.json; ended by a NULL name.
 */
extern const struct embedded_text api_description[];

/* The file at a path such as "viewer/main.js"; NULL when there is none. */
const struct page_file *pages_find(const char *path);

/* A file's media type by the end of its name. */
const char *pages_type(const char *name);
