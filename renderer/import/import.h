/* Bytes of an asset in any known format -> a checked rig. */
#pragma once

#include "model/rig.h"

/* Reads an asset; the format is told by its content. Opens no other file and no connection.
 * Returns a rig with one reference, its rest-pose bounds not yet filled, or NULL with
 * ERROR_UNSUPPORTED_MEDIA_TYPE (not a known format), ERROR_BROKEN_ASSET (with the place, such as
 * `accessors[7]: ends 12 bytes past bufferViews[3]`), ERROR_UNSUPPORTED_ASSET or ERROR_TOO_LARGE.
 * Any thread.
 *
 * The daemon calls this where the kernel kills for whatever is not computing
 * (server/import/jail.h): decoders open no files, start no threads, load no code, and ask the
 * system for nothing but memory. */
struct rig *import_rig(const void *bytes, size_t size, struct error *err);
