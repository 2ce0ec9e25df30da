/* The vertices of a part of a humanoid's body, for pictures of it alone. */
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "base/value.h"
#include "model/rig.h"

struct body_vertices {
	enum body_part part;
	const int *vertices; // [count]; in the arena
	size_t count;
};

/* Finds what follows the part's joints most, which are found by their roles. place is what asks for
 * the part. PART_WHOLE has no list: it is all vertices. False with ERROR_INVALID_VALUE where the
 * rig has no such role, or nothing there to be seen. */
bool body_vertices_find(const struct rig *rig, enum body_part part, const struct value *place,
	struct arena *arena, struct body_vertices *out, struct error *err);

/* The box around the part's vertices, or around all; positions are [vertex_count][3]. */
struct bounds body_vertices_bounds(
	const struct rig *rig, const struct body_vertices *body, const float *positions);
