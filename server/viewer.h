/* The files of the viewer, the page at "/" that shows rigs in a browser. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/embedded.h"

/* The file that is the page itself. */
#define VIEWER_PAGE "index.html"

/* Generated: all files of clients/js/viewer, ended by a NULL name. */
extern const struct embedded_text viewer_files[];

/* The file of a name; NULL when there is none. */
const struct embedded_text *viewer_find(const char *name);

/* A file's media type by the end of its name. */
const char *viewer_type(const char *name);
