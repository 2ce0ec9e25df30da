/* What a pose of an avatar has of its face beside joints and morphs: the weights of expressions and
 * the gaze. They are weights of the head's joint, behind all morph weights, so that clips have keys
 * for them (CHANNEL_WEIGHTS), blends mix them and masks hold for them as for any others; no
 * primitive is morphed by them. */
#pragma once

#include "model/rig.h"

/* Where the face is in the head's weights: those of a pose, or of a clip's key. Borrowed. */
struct avatar_face {
	float *weights; // [expression_count] of expressions, in [0, 1]; a clip's, or a request's
	/* [expression_count] how much of each expression the morph weights beside them have, which
	 * is what its colours have in a picture; a clip's are 0. */
	float *shown;
	float *gaze; // [3] how much of a gaze there is, in [0, 1]; yaw and pitch in degrees
};

/* Numbers of a face: 2 * expression_count + 3. */
int avatar_face_width(const struct avatar *avatar);

/* Gives the head's joint weights for a face, all 0 at rest, once the rig has its avatar and its
 * morph weights. Does nothing where there is no avatar, where the head is a mesh that morphs, and
 * where it has been done. False with ERROR_TOO_LARGE. */
bool rig_add_face(struct rig *rig, struct error *err);

/* The joint whose weights are a face; -1 = no joint's are. */
int rig_face_joint(const struct rig *rig);

/* The parts of a face's numbers. */
struct avatar_face avatar_face_of(const struct avatar *avatar, float *numbers);
