/* A pose: the local transform of every joint and the weight of every morph target at one moment. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "model/rig.h"

/* A motion over the ground: a turn about +Y, then a translation. Also a frame: the motion that
 * takes the world's axes there. */
struct root_motion {
	double translation[3];
	double yaw_rad;
};

/* The way of the whole character that a pose has been relieved of; zero is none. */
struct pose_root {
	bool carried;
	bool turns;                // its axes have the joint's heading, not only its place
	int joint;                 // that is to be moved; position in rig->joints
	struct root_motion motion; // from where the joint is in the pose, in the axes there
};

struct pose {
	int joint_count;         // rig->joint_count
	struct transform *local; // [joint_count] relative to the parent
	int weight_count;        // rig->weight_count
	float *weights;          // [weight_count] morph weights by joint
	/* [joint_count] bits 1 << enum channel_path: which of the joint's channels have a say when
	 * the pose is blended with others. What is not driven holds the rest transform. "rest"
	 * drives everything, a clip what it has channels for, a setting what its inner pose drives
	 * and what it sets, a blend what any input with a share drives, an addition what its pose
	 * or the one that it is put on drives. */
	unsigned char *driven;
	struct pose_root root;
};

/* The channels of a joint's transform. */
#define DRIVEN_TRANSFORM (1 << CHANNEL_TRANSLATION | 1 << CHANNEL_ROTATION | 1 << CHANNEL_SCALE)

/* All channels of a joint. */
#define DRIVEN_ALL (DRIVEN_TRANSFORM | 1 << CHANNEL_WEIGHTS)

/* A pose in the arena with the rig's rest transforms and weights, which drives nothing. Never
 * fails. */
struct pose pose_rest(const struct rig *rig, struct arena *arena);

/* Fills a pose that has its arrays with the rest pose; driven are the bits of every joint. */
void pose_set_rest(const struct rig *rig, unsigned char driven, struct pose *pose);

/* The numbers of one channel of a joint in a pose; *width is set to how many there are, 0 where the
 * joint has no morph weights. Borrowed from the pose. */
float *pose_channel(const struct rig *rig, const struct pose *pose, int joint,
	enum channel_path path, int *width);

/* Forward kinematics: each joint's 3x4 matrix (rows) in the world, W_j = W_parent * T R S, in
 * double precision. world is [joint_count], the caller's. Never fails. METHODS 0.1. */
void pose_to_world(const struct rig *rig, const struct pose *pose, double (*world)[12]);

/* The same for rig->moving_joints alone, which are all that skinning needs; the others' matrices
 * stay as they are. */
void pose_to_moving(const struct rig *rig, const struct pose *pose, double (*world)[12]);

/* The 3x4 matrix (rows) of one joint in the world, in a pose or at rest (NULL); that of joint -1 is
 * the identity. */
void pose_joint_world(
	const struct rig *rig, const struct pose *pose, int joint, double world[static 12]);

/* True when every number of these world matrices, [rig->joint_count], fits float32. False with
 * ERROR_INVALID_VALUE and the first joint that does not. */
bool pose_check_world(const struct rig *rig, const double (*world)[12], struct error *err);

/* Marks the joints that skins list, also those that move no vertex, or all where there is no skin.
 *
 * skinned  [rig->joint_count], all false before */
void skeleton_mark_skinned(const struct rig *rig, bool *skinned);

/* World matrices of joints, rows of 3x4: W_j = W_parent * T R S.
 *
 * local  [joint_count]
 * needed [count] joints, parents before children, with every parent; NULL = the first count joints
 * world  [joint_count]; others stay as they are
 * The bits are those of mat_from_transform() and mat_multiply(), on every machine. */
typedef void world_build_function(const struct rig *rig, const struct transform *local,
	const int *needed, int count, double (*world)[12]);
world_build_function world_build, world_build_avx2;
