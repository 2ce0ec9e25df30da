/* The files that documents of other formats than glTF name, so that they can be gathered. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* A file by its name in a document. */
struct named_file {
	const char *path;  // from the document's folder, below it; UTF-8
	const char *place; // "mtllib \"fox.mtl\""
};

/* Lists what an OBJ, an MTL, a COLLADA, a DirectX .x as text or an OGRE mesh names, at most so
 * many, in the arena; 0 for other bytes. Of a path that leads elsewhere, as programs write those of
 * their own machines, the last part counts. A name may be listed twice. */
size_t named_files_list(const unsigned char *bytes, size_t size, size_t most, struct arena *arena,
	const struct named_file **files);
