/* Bytes of an asset in any known format -> a checked rig. */
#pragma once

#include "model/asset_format.h"
#include "model/rig.h"

struct asset_facts;
struct import_files;

/* Reads an asset; the format is told by its content. Opens no other file and no connection.
 * Returns a rig with one reference, its rest-pose bounds not yet filled, or NULL with
 * ERROR_UNSUPPORTED_MEDIA_TYPE (not a known format), ERROR_BROKEN_ASSET (with the place, such as
 * `accessors[7]: ends 12 bytes past bufferViews[3]`), ERROR_UNSUPPORTED_ASSET or ERROR_TOO_LARGE.
 * Any thread.
 *
 * The daemon calls this where the kernel kills for whatever is not computing
 * (sandbox/sandbox.h): decoders open no files, start no threads, load no code, and ask the
 * system for nothing but memory. */
struct rig *import_rig(const void *bytes, size_t size, struct error *err);

/* The same for checks: *facts gets what the file says and a rig does not keep, to be freed with
 * asset_facts_destroy(); NULL where there is no rig. Skins keep all their slots. What a strict
 * import refuses of positions, weights and keys is mended, and is among the facts:
 *
 * - a position that is not finite becomes 0 0 0,
 * - a weight on a joint that the skin does not have is dropped,
 * - a key that is not finite, or before the one before it, is dropped, and with the last of its
 * keys the channel. */
struct rig *import_rig_lenient(
	const void *bytes, size_t size, struct asset_facts **facts, struct error *err);

/* The importer of a document by its content: what it returns is neither checked nor completed, as
 * import_rig() does. files, of an archive, NULL = the document came alone. */
struct rig *import_document(const void *bytes, size_t size, const struct import_files *files,
	struct asset_facts **facts, struct error *err);

/* Loads the libraries that only some formats need, if these bytes are of one. For a process that
 * shuts itself in before it reads. */
void import_prepare(const void *bytes, size_t size);

/* True for an asset of another format than glTF, alone or in an archive; false for what is none. */
bool import_is_foreign(const void *bytes, size_t size);

/* A format that is read, by its position; NULL behind the last. Any thread. */
const struct asset_format *import_format(size_t i);

/* True for the name of a file with a format's ending, in any case of letters. */
bool import_is_named(const char *name);
