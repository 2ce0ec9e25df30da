/* Poses mirrored from left to right. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "pose/pose.h"

/* The mirror images of a rig's joints, with room for one pose. */
struct mirror;

/* partners  [joint_count] positions in rig->joints; the partner's partner is the joint itself;
 *           borrowed, as the rig is
 * axis      the normal of the plane in the world: 0, 1, 2 = x, y, z
 * The mirror is in the arena. Never fails. */
struct mirror *mirror_make(
	const struct rig *rig, const int *partners, int axis, struct arena *arena);

/* The mirrored pose: what turns, moves or scales a joint away from rest does so, mirrored, with its
 * partner. Rotations count in the world, from the rest pose on: W'_partner = M W W_rest^-1 M *
 * W_partner,rest, with M the reflection. Displacements from the rest translation are turned by what
 * the parents rest at; scales keep their ratio to rest, along those axes of the partner that rest
 * nearest to the mirrored ones (where one rests at 0, their difference). So partners may rest in
 * any frames, also reflected ones. What rests stays so to the bit (if the partners' parents are
 * partners), and mirroring twice gives the pose back. Morph weights stay where they are.
 *
 * out  has its arrays, other ones than those of pose
 * False where a translation or scale leaves float32; *joint is the first. */
bool mirror_pose(struct mirror *mirror, const struct pose *pose, struct pose *out, int *joint);
