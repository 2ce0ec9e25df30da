/* Streams of skinned vertices: where they go, and what is done to them. */
#pragma once

#include "base/error.h"
#include "model/rig.h"

/* The destinations of skinned streams; tangents may be NULL. */
struct streams {
	float *positions, *normals, *tangents;
};

/* Floats of a vertex in positions and normals, and with tangents. */
size_t streams_width(bool tangents);

/* Streams of so many vertices that lie one behind the other in a block, as on the GPU. */
struct streams streams_in(float *block, size_t count, bool tangents);

/* Refuses tangents of a rig that has none, with ERROR_MISSING_DATA. */
bool streams_check(const struct streams *streams, const struct rig *rig, struct error *err);

/* Normals follow the winding: where the pose mirrors a surface they point inwards. Turned outwards
 * they take the tangents' handedness along, since bitangents stay where they are. mirrored is
 * [rig->primitive_count]. */
void streams_turn_outwards(
	const struct streams *streams, const struct rig *rig, const bool *mirrored);

/* True when skinned numbers are finite: a pose within float32 may still take vertices beyond it.
 * False with ERROR_INVALID_VALUE. */
bool vertices_check(const float *numbers, size_t count, struct error *err);
