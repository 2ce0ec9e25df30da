/* Where a surface ends. */
#pragma once

#include "mesh/surface.h"

/* open[i] = whether point i is on an edge that triangles pass more often one way than the other: a
 * border of the surface, or a place where neighbouring triangles are wound against each other.
 * open is [point_count]. Fails with ERROR_TOO_LARGE. */
bool open_points(const struct mesh_surface *surface, bool *open, struct error *err);
