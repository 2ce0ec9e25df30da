/* Formats that Assimp reads -> a rig. Its library is loaded when the first such file comes. */
#pragma once

#include "import/import_files.h"
#include "model/rig.h"

struct asset_facts;

/* True for a file of the format, by its content. */
bool collada_probe(const unsigned char *bytes, size_t size);
bool bvh_probe(const unsigned char *bytes, size_t size);
bool x_probe(const unsigned char *bytes, size_t size);
bool ogre_probe(const unsigned char *bytes, size_t size);
bool ply_probe(const unsigned char *bytes, size_t size);
bool stl_probe(const unsigned char *bytes, size_t size);
bool three_ds_probe(const unsigned char *bytes, size_t size);
bool obj_probe(const unsigned char *bytes, size_t size);

/* True for the name of such a file, in any case of letters; [length]. */
bool assimp_is_named(const char *name, size_t length);

/* Loads the library, which a process that shuts itself in does before. False with ERROR_INTERNAL.
 */
bool assimp_load(struct error *err);

/* Loads the library for these bytes. */
void assimp_prepare(const unsigned char *bytes, size_t size);

/* As import_rig() does, in a format's row: *facts where it is not NULL. files NULL = the document
 * came alone. ERROR_BROKEN_ASSET has Assimp's own words. A broken file may crash the process, which
 * therefore is one of its own in the daemon. */
struct rig *assimp_import(const unsigned char *bytes, size_t size, const struct import_files *files,
	struct asset_facts **facts, struct error *err);
