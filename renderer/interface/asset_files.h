/* Assets of several files: a .gltf with the buffers and pictures beside it, an OBJ with its .mtl, a
 * .pim with its skeleton and animations. They travel as one ZIP archive, which renderer_import()
 * reads. Any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* Files of an asset: real ones have some tens. */
#define ASSET_FILES_MAX 4096

/* A file beside a document that the document names. */
struct asset_neighbour {
	const char *path;  // from the document's folder: "textures/wood grain.png"; UTF-8
	const char *place; // where it is named first: `buffers[0].uri "textures/wood%20grain.png"`
	bool is_buffer;    // else a picture, without which the rig is drawn
	/* path may be one of another machine, with slashes for its backslashes: a file of its last
	 * part in the document's folder, in any case of letters, is meant where there is none of
	 * that path below the folder. */
	bool is_elsewhere;
};

/* Lists the files that a document names besides itself, each once, in the arena: a .gltf, a .glb,
 * an FBX, a .pim, an OBJ and its .mtl, a COLLADA, a DirectX .x, an OGRE mesh. None for bytes of
 * other formats and for a document that is broken: the importer has the words for that. False with
 * ERROR_BROKEN_ASSET and the URI where one is no path below the document's folder, ERROR_TOO_LARGE
 * beyond ASSET_FILES_MAX. */
bool renderer_asset_neighbours(const void *bytes, size_t size, struct arena *arena,
	const struct asset_neighbour **neighbours, size_t *count, struct error *err);

/* One file of an asset. */
struct asset_file {
	const char *path;  // as in asset_neighbour
	const void *bytes; // [size]
	size_t size;
};

/* The ending of files beside a document that may belong to it, though it does not name them: ".pia"
 * of Prism's models and skeletons, ".md5anim" of MD5 meshes. NULL = there are none such. */
const char *renderer_asset_companions(const void *bytes, size_t size);

/* True when a file of that ending belongs to the document: they have the same skeleton, or of MD5
 * the file's name begins with the document's stem. */
bool renderer_asset_is_companion(const struct asset_file *document, const struct asset_file *file);

/* Receives an archive piece by piece; false ends it. */
struct asset_sink {
	bool (*write)(void *context, const void *bytes, size_t size, struct error *err);
	void *context;
};

/* Writes files, which the array is sorted for, as a ZIP archive that holds them as they are: the
 * same files are the same bytes, in whatever order they come, as the clients in other languages
 * write them. False with ERROR_BROKEN_ASSET (a path leads out of the folder, is there twice, or not
 * exactly one is a document), ERROR_TOO_LARGE (beyond ASSET_FILES_MAX or 4 GiB) or the sink's
 * error. */
bool renderer_pack_asset(
	struct asset_file *files, size_t count, const struct asset_sink *sink, struct error *err);
