/* One pose over another: the way of a layer that replaces what is below it. */
#pragma once

#include "pose/blend/average.h"

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
