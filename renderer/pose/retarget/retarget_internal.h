/* Parts of retargeting: not for others. */
#pragma once

#include "pose/retarget/retarget.h"

/* A joint of ours; where it has no partner, only above, turn and rest. */
struct retarget_joint {
	int above;         // the nearest joint above it with a partner; -1 = none
	int their_above;   // that partner, if it is above this one's partner; -1 = none
	double turn[4];    // of its rest rotation in the world, towards theirs
	double offset[4];  // our rotation in the world is theirs times this
	double socket[3];  // where its partner rests as seen from their_above
	bool twin;         // rests just as its partner, and so does all above both
	bool turned;       // otherwise than the joint above it
	bool moves;        // takes its partner's translation
	int carrier;       // what a joint apart is at the end of; -1 = it is not apart
	double carried[3]; // where it rests as seen from there
	double bearing[4]; // its rest rotation as seen from there
	int aim;           // of theirs the one apart at the end of the partner; -1 = none
	double sight[3];   // where that rests as seen from the partner
};

/* Everything at rest that making a plan looks at. Rotations are of the orthogonal part of the world
 * matrix, times -1 where that is a mirror. */
struct retarget_rest {
	double (*our_world)[12], (*their_world)[12];
	double (*our_rotations)[4], (*their_rotations)[4];
};

/* The rotation of a joint in the world from that of its parent (NULL = none): of scales only the
 * signs count. */
void retarget_rotation(const double *parent, const struct transform *local, double out[static 4]);

/* The rotation of the signs of a scale: by 180 degrees, or none, but for a factor of -1. */
void retarget_signs(const struct transform *local, double out[static 4]);

/* Finds the joints apart and their limbs, and the order in which poses are put. */
void retarget_find_apart(struct retarget *retarget, struct arena *arena);

/* Sets where they rest. */
void retarget_rest_apart(struct retarget *retarget, const struct retarget_rest *rest);

/* Turns a joint's rotation in their world on by how far the end apart of its partner is from where
 * it rests. */
void retarget_aim(const struct retarget *retarget, int joint, double rotation[static 4]);

/* Brings a joint apart to the end of its limb, as far from it as its partner is from its own. */
void retarget_carry(const struct retarget *retarget, int joint, struct transform *local);

/* Finds the turn of all of theirs, and that of each joint. */
void retarget_align_rest(
	struct retarget *retarget, const struct retarget_rest *rest, struct arena *arena);
