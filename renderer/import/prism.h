/* Prism's text files, of SCS Software's games and tools -> a rig: PIM, a model; PIS, its skeleton;
 * PIA, an animation of that. */
#pragma once

#include "import/import_files.h"
#include "model/rig.h"

struct asset_facts;

/* True for a file of any of the three. */
bool prism_probe(const unsigned char *bytes, size_t size);

/* Imports a document with the files that came with it, where files is not NULL: the skeleton that a
 * PIM or a PIA names, and every PIA as a clip, named by import_clip_name(). A PIS alone is a rig
 * without a mesh. As import_rig() does otherwise; where the skeleton is missing, the error names
 * it.
 */
struct rig *prism_import_with(const unsigned char *bytes, size_t size,
	const struct import_files *files, struct asset_facts **facts, struct error *err);

/* The same without others. */
struct rig *prism_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err);

/* True for a PIA. */
bool prism_is_animation(const unsigned char *bytes, size_t size);

/* The path of the skeleton that a PIM or a PIA names, in the arena; NULL where it names none, or is
 * neither. */
const char *prism_skeleton_path(const unsigned char *bytes, size_t size, struct arena *arena);
