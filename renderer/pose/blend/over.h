/* One pose over another: the way of a layer that replaces what is below it. */
#pragma once

#include "base/value.h"
#include "model/rig.h"
#include "pose/blend/average.h"
#include "pose/pose.h"

struct over {
	const struct pose *pose; // of the rig
	double weight;           // in [0, 1]
	const float *mask;       // [joint_count] in [0, 1] times the weight; NULL = 1 everywhere
	enum average_rotation rotation;
	bool in_model; // the rotations that joints have in the model are averaged, not their own
};

/* Goes from out to the pose by weight and mask, joint by joint, in the channels that the pose
 * drives; the others stay. Where the weight is 0, out stays to the bit, and where it is 1 the
 * pose's own transforms are taken over to the bit.
 *
 * In the model's space a joint with a weight gets the average of its two whole rotations, whatever
 * becomes of the joints above it; those without one go along with them. METHODS C.8. */
void over_put(const struct rig *rig, const struct over *over, struct pose *out);

/* Reads {"Spine": 1, "Hips": 0} into a number in [0, 1] for each joint: a member's value holds for
 * its joint and all below it, until a nearer member says otherwise. Joints above every named one
 * have 1 if the mask names only zeros (or nothing), else 0.
 *
 * A member may be {"weight": w, "fade": n} instead: with v the value of the joint above the one
 * that it names (or, of a root, that of joints above every named one), the joint itself has v + (w
 * - v) / n, those below it v + (w - v) 2 / n, and so on down to w. METHODS C.8, feather.
 *
 * value  the object; NULL = no mask, 1 everywhere
 * mask   [rig->joint_count], the caller's
 * Fails with the place: ERROR_UNKNOWN_JOINT, ERROR_INVALID_VALUE. */
bool mask_read(const struct rig *rig, const struct value *value, float *mask, struct error *err);

/* The members of a mask's value that is an object. */
extern const struct member_table mask_members;

/* The local rotation of a joint, unit. */
void model_rotation_local(const struct pose *pose, int joint, double out[static 4]);

/* above * local; above NULL for a root. out may be above. */
void model_rotation_below(const double *above, const double local[static 4], double out[static 4]);

/* Writes the local rotation that takes a joint to the model's rotation where the joint above it has
 * another, NULL for a root. */
void model_rotation_write(
	const double *above, const double model[static 4], int joint, struct pose *pose);
