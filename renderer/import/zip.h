/* ZIP archives of one glTF document with the files that it names. Source: PKWARE, APPNOTE 6.3.10;
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

/* True when a file is a document by its name, and none of those that macOS adds to its archives. */
bool zip_is_document(const char *path);

/* Imports the one .gltf or .glb in the archive, its files taken from the archive and from nowhere
 * else; errors and facts as in gltf.h. */
struct rig *zip_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err);

/* Takes "", "." and ".." out of a path: "a/./b/../c" -> "a/c", in the arena. NULL when it starts
 * outside of the archive ("/x", "C:x") or leads out of it. */
char *zip_path_clean(const char *path, struct arena *arena);

/* The path that a URI reference names, seen from the folder of another path: percent-encoding
 * undone, cleaned, in the arena. NULL with *err when it is absolute, has a scheme, is broken or
 * leads out of the archive. */
char *zip_path_resolve(const char *from, const char *uri, struct arena *arena, struct error *err);
