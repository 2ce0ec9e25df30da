/* The bytes of an asset, with the files beside it. */
#pragma once

#include "base/buffer.h"
#include "options.h"

/* Fills an empty buffer with an asset as the daemon and the importer take it: a file as it is
 * (standard input for
 * "-"); or, where it is a .gltf that names files beside it, a ZIP archive of all of them. Nothing
 * outside of its folder is read, also not by a symbolic link. A picture that is not there is only
 * warned of: the rig is drawn without it. The exit status, with what is wrong on standard error. */
int asset_read(const struct arguments *arguments, const char *path, struct buffer *out);
