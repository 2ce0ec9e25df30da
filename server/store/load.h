/* Rigs that are put from a directory at the start. */
#pragma once

#include "base/error.h"

struct store;

/* Puts every .glb and .gltf file of a directory under its name without the extension. A file that
 * cannot be stored is logged and left out. False with ERROR_INVALID_VALUE when the directory cannot
 * be read. */
bool load_directory(struct store *store, const char *path, struct error *err);
