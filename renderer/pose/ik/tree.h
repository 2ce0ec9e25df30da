/* The part of a rig that inverse kinematics turns: chains of joints, in double precision, with
 * where they are in the world. What solvers do they do to its rotations; the pose gets them at the
 * end.
 *
 * Turning happens in the space of a joint's parent, where it is a rotation whatever scales there
 * are above: bones that lie under uneven scales only change their length as they turn. */
#pragma once

#include <stdint.h>

#include "pose/ik/limits.h"
#include "pose/pose.h"

/* From a joint down to one below it, both positions in rig->joints. */
struct ik_chain {
	int root, end;
};

struct ik_node {
	int joint;                       // position in rig->joints
	int parent;                      // position in the tree; -1 = the rig's parent, which stays
	double base[12];                 // parent -1: the rig's parent in the world
	double translation[3], scale[3]; // relative to the parent
	double rotation[4];              // unit, relative to the parent
	double start[4];                 // the same as the pose has it
	double world[12];                // of all that; see ik_tree_update()
	bool turns;                      // one of those whose rotations the pose gets
	const struct joint_limit *limit; // NULL = none
	uint64_t goals;                  // bit i: it turns for goal i; see solve.h
	uint64_t below;                  // bit i: goal i's end is it or below it
	int first_child, sibling;        // positions in the tree; -1 = none, and no more
};

struct ik_tree {
	struct ik_node *nodes; // [count] parents first; in the arena
	int count;
};

/* The joints of some chains, and those between them; nobody turns yet.
 *
 * chains  [count], each with its end at or below its root
 * limits  borrowed as long as the tree is used
 * False with ERROR_INVALID_VALUE and the place where the pose takes one of them farther than
 * float32 reaches. */
bool ik_tree_make(struct ik_tree *tree, const struct rig *rig, const struct pose *pose,
	const struct joint_limits *limits, const struct ik_chain *chains, int count,
	const struct value *source, struct arena *arena, struct error *err);

/* The world matrix of a joint in a pose, without any tree; the identity for -1. */
void ik_joint_world(
	const struct rig *rig, const struct pose *pose, int joint, double out[static 12]);

/* Position in the tree of a joint; -1 = not there. */
int ik_tree_find(const struct ik_tree *tree, int joint);

/* Finds out again where the nodes from one on are, after it has turned; or where one is, while its
 * parent is known. */
void ik_tree_update(struct ik_tree *tree, int first);
void ik_node_update(struct ik_tree *tree, int node);

/* The world matrix of what a node is relative to. Borrowed from the tree. */
const double *ik_parent_world(const struct ik_tree *tree, int node);

/* The position of a node in the world. */
void ik_position(const struct ik_tree *tree, int node, double out[static 3]);

/* Turns a node by a rotation in its parent's space, and back into its limit. */
void ik_turn(struct ik_node *node, const double turn[static 4]);

/* The same by a rotation's vector, of no more than max_rad; turned is set to what came of it. */
void ik_turn_by(struct ik_node *node, const double vector[static 3], double max_rad,
	double turned[static 4]);

/* Gives a node, as far as its limit goes, this rotation in the world: that of its linear part.
 * Exact where all scales above are even, mirrored or not. */
void ik_set_world_rotation(struct ik_tree *tree, int node, const double rotation[static 4]);
void ik_world_rotation(const struct ik_tree *tree, int node, double rotation[static 4]);

/* Turns a node by the least angle that brings the world point "from", which it carries, to the ray
 * from itself through the point "to"; nothing is updated. False where there is no such turn,
 * because a point is where the node is or a scale above is 0. */
bool ik_aim(struct ik_tree *tree, int node, const double from[static 3], const double to[static 3]);

/* That turn as a rotation's vector in the parent's space, without turning. */
bool ik_aim_vector(const struct ik_tree *tree, int node, const double from[static 3],
	const double to[static 3], double vector[static 3]);

/* Puts the rotations of nodes that turn into the pose, a share of the way from what it has (and
 * back into the limits), and the channels into what it drives. Share 0 changes nothing. */
void ik_tree_write(const struct ik_tree *tree, double share, struct pose *pose);
