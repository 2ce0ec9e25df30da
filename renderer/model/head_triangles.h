/* The triangles of an avatar that its head moves, which who looks out of it does not see. */
#pragma once

#include "model/rig.h"

/* Moves the triangles of each primitive of which a vertex has weight on the head, or on what is
 * below it, behind the others; both keep their order. The rig has an avatar. False with
 * ERROR_TOO_LARGE. */
bool head_triangles_sort(struct rig *rig, struct error *err);

/* The number of indices of a sorted primitive before the first triangle that the head moves. Lines
 * and points are the head's as their first vertex is. */
int head_triangles_first(const struct rig *rig, const struct primitive *primitive);
