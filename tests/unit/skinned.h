/* Vertices skinned on the CPU as a request's `skinning` says, written as JSON with ' for ". */
#pragma once

#include "skin/plan.h"

struct examples;
struct pose;

/* The rig whose vertices are skinned in the rig's place, which some methods cut into parts; the rig
 * itself with others. The caller releases it. */
struct rig *skinned_rig(const struct rig *rig, const char *skinning);

/* Fails the test when the settings are refused. examples may be NULL. positions and normals are
 * [vertex_count][3] of the rig that is skinned. */
void skinned_as(const struct rig *rig, const char *skinning, const struct examples *examples,
	const struct pose *pose, float *positions, float *normals);

/* Positions in a pose, morphed and then skinned linearly: [vertex_count][3] in the arena. Others
 * must not have the rig, which is changed meanwhile. */
const float *deformed(struct rig *rig, const struct pose *pose, struct arena *arena);

/* As skinned_as(), with tangents, of a rig that has them: out is all positions, then normals, then
 * tangents of four numbers. */
void skinned_with_tangents(
	const struct rig *rig, const char *skinning, const struct pose *pose, float *out);

/* One vertex of cyl2's joints (see rigs.h), its normal (1, 0, 0), with joint 1 turned about an axis
 * (unit); weight is joint 1's. */
void skinned_cyl2_vertex(const char *skinning, const float position[static 3], float weight,
	const double axis[static 3], double degrees, float out[static 3], float normal[static 3]);

/* Volume of cyl2 in such a pose as a share of its rest volume. */
double skinned_cyl2_volume(const char *skinning, const double axis[static 3], double degrees);

/* The settings of a request, in the arena. */
struct skinning_settings settings_of(struct arena *arena, const char *skinning);
