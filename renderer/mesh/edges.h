/* The edges of a rig's triangles. */
#pragma once

#include <stdint.h>

#include "mesh/watch.h"
#include "model/rig.h"

/* Lists the edges, each once, though two triangles share it or vertices lie at one point of the
 * surface (mesh/weld.h): *edges is [count] pairs of vertices, lowest first, to free(). Triangles
 * without area may leave edges of no length out. False with ERROR_TOO_LARGE or the watch's error.
 */
bool mesh_edges(const struct rig *rig, const struct watch *watch, uint32_t (**edges)[2],
	size_t *count, struct error *err);
