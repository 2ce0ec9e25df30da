/* ZIP archives of one glTF document with the files that it names. Source: PKWARE, APPNOTE 6.3.10;
 * libzip reads them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct rig;

/* Whether the bytes start with an entry of a ZIP, or with the end of an empty one. */
bool zip_probe(const unsigned char *bytes, size_t size);

/* Whether a file is a document by its name, and none of those that macOS adds to its archives. */
bool zip_is_document(const char *path);

/* Imports the one .gltf or .glb in the archive, its files taken from the archive and from nowhere
 * else; errors as in import.h. */
struct rig *zip_import(const unsigned char *bytes, size_t size, struct error *err);
