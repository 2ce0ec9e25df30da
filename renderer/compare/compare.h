/* Shared by comparing in numbers and comparing in pictures. */
#pragma once

#include "interface/comparisons.h"

/* Length of the diagonal of the rest pose's bounds; 0 = there are no vertices. */
double compare_diagonal(const struct rig *rig);

double compare_distance(const float a[static 3], const float b[static 3]);

/* Skins the pose with one of the job's methods: so many of positions, normals and tangents into
 * out, one behind the other. Fails like renderer_vertices. */
bool compare_skin(struct renderer *renderer, const struct compare_job *job, size_t method,
	size_t streams, float *out, struct skinning_report *report, struct error *err);

/* For each primitive whether a pose (NULL = rest) turns it inside out. In the arena. NULL when the
 * pose fails. */
const bool *compare_mirrored(const struct renderer *renderer, const struct compare_job *job,
	const struct value *pose, struct arena *arena, struct error *err);

/* Room for so many frames of so many floats a vertex, to be freed. NULL with ERROR_TOO_LARGE. */
float *compare_room(const struct compare_job *job, size_t frames, size_t floats, struct error *err);

/* The volume within all triangles: positive where they wind counter-clockwise seen from outside.
 * Of a surface that is not closed it depends on where the surface is.
 *
 * positions  [vertex_count][3] in the world
 * mirrored   [primitive_count] whose triangles the pose turns inside out */
double compare_volume(const struct rig *rig, const float *positions, const bool *mirrored);

/* True when the triangles enclose a volume: each edge is passed as often in one direction as in the
 * other, when vertices in one place count as one. rest is [vertex_count][3], the rest pose in the
 * world. A surface without triangles is not closed. */
bool compare_is_closed(const struct rig *rig, const float *rest, const bool *mirrored);
