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

/* Joints that are averaged at once. */
#define AVERAGE_BLOCK 8

/* Most poses: with more, roundings would add up. */
#define AVERAGE_WHOLE_MAX 8

struct average_whole {
	int count;                                        // 2 to AVERAGE_WHOLE_MAX
	const struct transform *local[AVERAGE_WHOLE_MAX]; // [count]; signs go with the first
	float weights[AVERAGE_WHOLE_MAX]; // [count] sum to 1; none is greater than the first
	bool turns;                       // false = all have the same rotations
	int first, end;                   // joints
	struct transform *out;            // [joint_count]; may be one of local
};

/* Averages transforms from the first joint on. Numbers that are the same in all stay to the bit.
 * Returns the joint where it stopped: the end, or the first of a block of which some rotations are
 * so far from one another that they take more precision. */
typedef int average_whole_function(const struct average_whole *whole);
average_whole_function average_whole_run, average_whole_run_avx2;
