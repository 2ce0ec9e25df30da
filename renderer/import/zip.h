/* ZIP archives of one document with the files that it names. Source: PKWARE, APPNOTE 6.3.10;
 * libzip reads them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct asset_facts;
struct rig;

/* True when the bytes start with an entry of a ZIP, or with the end of an empty one. */
bool zip_probe(const unsigned char *bytes, size_t size);

/* Loads what a document in an archive is read with, by the names that the archive lists. Reads the
 * bytes as they are, since nothing is unpacked before the process is shut in. */
void zip_prepare(const unsigned char *bytes, size_t size);

/* True where the document in the archive is glTF by its name, and for bytes that zip_import()
 * refuses before it looks at the document. */
bool zip_is_gltf(const unsigned char *bytes, size_t size);

/* Imports the one document in the archive, its files taken from the archive and from nowhere else;
 * errors and facts as in gltf.h. */
struct rig *zip_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err);

/* Takes "", "." and ".." out of a path: "a/./b/../c" -> "a/c", in the arena. NULL when it starts
 * outside of the archive ("/x", "C:x") or leads out of it. */
char *zip_path_clean(const char *path, struct arena *arena);

/* The path that a URI reference names, seen from the folder of another path: percent-encoding
 * undone, cleaned, in the arena. NULL with *err when it is absolute, has a scheme, is broken or
 * leads out of the archive. */
char *zip_path_resolve(const char *from, const char *uri, struct arena *arena, struct error *err);
