/* FBX 7, binary and ASCII -> a rig, in metres with y up. */
#pragma once

#include "model/rig.h"

#include "import/import_files.h"

struct asset_facts;

/* True for a file of such a version. */
bool fbx_probe(const unsigned char *bytes, size_t size);

/* As import_rig() does, in a format's row: *facts where it is not NULL. files are those that came
 * with it, in which its pictures are looked for; NULL = none. */
struct rig *fbx_import(const unsigned char *bytes, size_t size, const struct import_files *files,
	struct asset_facts **facts, struct error *err);

/* The pictures that a file names and does not hold, each once: paths as it has them, which are
 * often those of another machine, in the arena. Returns how many; 0 for a broken file. */
size_t fbx_pictures_beside(
	const unsigned char *bytes, size_t size, struct arena *arena, const char *const **paths);
