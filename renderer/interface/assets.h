/* Assets in. Any thread. */
#pragma once

#include "base/asset_space.h"
#include "base/buffer.h"
#include "model/asset_facts.h"
#include "model/asset_format.h"
#include "model/licence.h"
#include "model/rig.h"

/* Reads an asset (see import/import.h for formats and errors) and fills its rest-pose bounds; one
 * whose rest pose leaves float32 is ERROR_BROKEN_ASSET. The caller owns one reference
 * (rig_release). */
struct rig *renderer_import(const void *bytes, size_t size, struct error *err);

/* The same for checks, as import_rig_lenient() reads it: *facts is to be freed with
 * asset_facts_destroy(), and NULL where there is no rig. */
struct rig *renderer_import_lenient(
	const void *bytes, size_t size, struct asset_facts **facts, struct error *err);

/* Does the work of the first asset in a process ahead of time: random seeds, symbols that are bound
 * late, libraries that only some assets need. For processes that shut themselves in, or fork,
 * before they read. */
void renderer_import_warm_up(void);

/* Loads the libraries that these bytes alone need, as renderer_import_warm_up() does those of many
 * assets. */
void renderer_import_prepare(const void *bytes, size_t size);

/* True for an asset of another format than glTF, alone or in an archive: what reads it may crash,
 * so that only a sandboxed process should (sandbox/importer.h). False for what is no asset. */
bool renderer_is_foreign(const void *bytes, size_t size);

/* A format that renderer_import() reads, by its position; NULL behind the last. */
const struct asset_format *renderer_asset_format(size_t i);

/* Writes the line that goes before an asset's bytes to say its unit and up axis in place of what
 * the file says. renderer_import() takes it, and fails with ERROR_UNSUPPORTED_ASSET before glTF,
 * whose are fixed. Returns its bytes; 0 for a space that says nothing. */
size_t renderer_write_space(const struct asset_space *space, char line[static ASSET_SPACE_BYTES]);

/* True for the name of a file that may be an asset, by its ending in any case of letters. */
bool renderer_is_asset_name(const char *name);

/* Appends the picture that an avatar's file holds of it: as it is there if it is PNG or JPEG, else
 * as PNG. *media_type is constant. False with ERROR_UNKNOWN_ROUTE where there is none, or
 * ERROR_TOO_LARGE when memory is out. */
bool renderer_thumbnail(
	const struct rig *rig, struct buffer *out, const char **media_type, struct error *err);

/* Triangles drawn. */
int renderer_triangle_count(const struct rig *rig);
