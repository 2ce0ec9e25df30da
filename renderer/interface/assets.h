/* Assets in. Any thread. */
#pragma once

#include "model/rig.h"

/* Reads an asset (see import/import.h for formats and errors) and fills its rest-pose bounds; one
 * whose rest pose leaves float32 is ERROR_BROKEN_ASSET. The caller owns one reference
 * (rig_release). */
struct rig *renderer_import(const void *bytes, size_t size, struct error *err);

/* Does the work of the first asset in a process ahead of time: random seeds, symbols that are bound
 * late. For processes that shut themselves in, or fork, before they read. */
void renderer_import_warm_up(void);

/* Triangles drawn. */
int renderer_triangle_count(const struct rig *rig);
