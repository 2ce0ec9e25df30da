/* Weighted averages of poses: the one mechanism of all operations that mix poses. */
#pragma once

#include "pose/pose.h"

enum average_rotation {
	AVERAGE_NLERP,   // one weighted sum, normalised; the order does not matter
	AVERAGE_SLERP,   // pair by pair along the arcs, in the order given
	AVERAGE_MARKLEY, // the dominant eigenvector; the order does not matter
	AVERAGE_KARCHER, // the mean along the arcs; the order does not matter
	AVERAGE_COUNT,
};

/* The ways' names in requests, in the order of the enum, ended by NULL. */
extern const char *const average_names[AVERAGE_COUNT + 1];

/* The average of unit quaternions [count] with weights above 0 that sum to 1. Ties of sign go with
 * the first of the greatest weight. METHODS C.6. */
void average_rotations(enum average_rotation way, const double (*rotations)[4],
	const double *weights, int count, double out[static 4]);

struct average_input {
	double weight;           // >= 0, of any scale
	const struct pose *pose; // NULL = it has no say, as with a weight of 0
	const float *mask;       // [joint_count] in [0, 1] times the weight; NULL = 1 everywhere
	bool whole; // has a say also in the channels that it does not drive, as it holds them
};

/* The average, joint by joint and channel by channel: the weights of those who have a say there are
 * made to sum to 1. Numbers that nobody else has a say in are taken over to the bit. A channel that
 * nobody with a share drives rests and is not driven, the others are. Ways over the ground are
 * averaged over those who carry one, by their weights at its joint: that of the first of them.
 *
 * inputs  [count], poses of the rig
 * out     has its arrays; may be the pose of an input
 * Never fails. METHODS C.6. */
void average_poses(const struct rig *rig, const struct average_input *inputs, size_t count,
	enum average_rotation rotation, struct pose *out);
