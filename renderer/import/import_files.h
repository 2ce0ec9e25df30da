/* Assets of several files: which of them is the document, and how it finds the others. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* The files that came together, such as those of a ZIP archive. Borrowed. */
struct import_files {
	size_t count;
	const char *const *paths; // [count], as zip_path_clean() makes them
	size_t document;          // position of the document
	/* The bytes of a file, which stay until the import ends; NULL with *err. */
	const unsigned char *(*read)(void *context, size_t file, size_t *size, struct error *err);
	void *context;
};

/* Finds the one document among files by their names: a .gltf or .glb; without one, a model of
 * another format; without one, a file of motion alone. Returns false with ERROR_BROKEN_ASSET,
 * which names both, where there are two of the same rank, and *document = count where there is
 * none. */
bool import_files_choose(
	const char *const *paths, size_t count, size_t *document, struct error *err);

/* The file that a document names by a path, not a URI. Programs write paths of their own machines:
 * a file of that path seen from the document's folder goes before one that is only called the same,
 * in whatever folder and case of letters. *file is its position; false where there is none. */
bool import_files_find(const struct import_files *files, const char *name, size_t *file);

/* The name of a clip by its file: its stem without that of the document, "walk" for
 * "a/fox_walk.md5anim" beside "fox.md5mesh". In the arena. */
const char *import_clip_name(const char *document, const char *path, struct arena *arena);
