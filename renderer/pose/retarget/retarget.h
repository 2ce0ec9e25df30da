/* Retargeting: a pose of another rig put on ours, joint by joint of a map, by rotations in the
 * world. Rigs may differ in proportions, rest poses, local axes, units and in the joints they have.
 *
 * METHODS C.14. With the rest rotations R0 in the world, a joint's rotation R(t) becomes
 * R_theirs(t) R0_theirs^-1 A R0_ours, A being what turns our rest pose into theirs. A joint without
 * a partner keeps its place relative to its parent; one of theirs without a partner is folded into
 * those below it, since rotations in the world hold what its own did. Hands and feet that lie apart
 * from their limbs (pose/humanoid/humanoid.h) stay at the ends of these: ours are brought there,
 * and where theirs are the limb points to them. */
#pragma once

#include "pose/pose.h"
#include "pose/retarget/joint_map.h"

enum retarget_align {
	/* Turns arms, legs and fingers of our rest pose so that they point where theirs do, and all
	 * of theirs by quarter turns to face as ours do. In rigs that are no humanoids every joint
	 * with one child in the map counts as a limb's. */
	RETARGET_ALIGN_REST,
	RETARGET_ALIGN_NONE,  // the rest poses are taken to be the same
	RETARGET_ALIGN_GIVEN, // turned by hand
	/* Of a VRM animation and an avatar, by the rules of VRM: both rest in T-pose, avatars of
	 * VRM 0.x face the other way, and the hips are where theirs are, by the ratio of their
	 * heights above the ground. */
	RETARGET_ALIGN_AVATAR,
};

struct retarget_settings {
	enum retarget_align align;
	/* RETARGET_ALIGN_GIVEN: [ours->joint_count] unit quaternions, about the world's axes: turns
	 * the joint of our rest pose with all below it, after the turns of those above. */
	const double (*turns)[4];
	double scale;  // of translations; 0 = as the hips' heights or the bones' lengths tell
	bool all_move; // translations of all joints, not only of the root and the hips
};

/* Data for all poses. Arrays are in the arena that it was made in. */
struct retarget {
	const struct joint_map *map;
	double turn[4];                  // of all of theirs, to face as ours
	double scale;                    // of their translations
	double our_height, their_height; // of the hips above the feet, at rest; 0 = not known
	struct retarget_joint *joints;   // [ours->joint_count]
	int *order;                      // [ours->joint_count] all after what they depend on
	size_t steps;                    // of work for a pose, beside a few for each joint
	/* Scratch, of one pose at a time. */
	double (*our_world)[12], (*their_world)[12];
	double (*our_rotations)[4], (*their_rotations)[4];
};

void retarget_make(const struct joint_map *map, const struct retarget_settings *settings,
	struct arena *arena, struct retarget *retarget);

/* Puts a pose of theirs on ours.
 *
 * held  joints without a partner are as in out, else at rest; then those with one are driven where
 *       what moves them is, and stay at rest where not
 * out   our pose; rotations come out unit
 * False with the joint that leaves float32. */
bool retarget_pose(struct retarget *retarget, const struct pose *theirs, bool held,
	struct pose *out, int *joint);

/* True when a joint takes its partner's translation. */
bool retarget_moves(const struct retarget *retarget, int joint);

/* The angle by which our rest pose is turned at a joint, in degrees, to point as theirs does. */
double retarget_turn_deg(const struct retarget *retarget, int joint);
