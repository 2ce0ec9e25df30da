/* What a rig's joints carry: points of its mesh as they are at rest, each with the joint that moves
 * it most. Rag dolls are fitted to them. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

struct ragdoll_points {
	double (*world)[12]; // [joint_count] the joints at rest
	double (*at)[3];     // [count] in the world at rest
	int *joints;         // [count] positions in rig->joints
	int count;
	double size; // diagonal of the box around the points
};

/* The vertices of all skinned primitives, of all primitives where no one is skinned; of a large
 * mesh every n-th. The arrays are in the arena. False with ERROR_MISSING_DATA where there is no
 * vertex, or none farther from another than float32 tells apart. */
bool ragdoll_points_gather(const struct rig *rig, struct arena *arena,
	struct ragdoll_points *points, struct error *err);

/* Where a joint is at rest. */
void ragdoll_points_joint(const struct ragdoll_points *points, int joint, double out[static 3]);
