/* Averages of whole transforms that the same few poses have a say in, with the same weights: what
 * average.c does channel by channel, in single precision, to 1.5e-7 of the numbers. The same bits
 * on every machine. */
#pragma once

#include "pose/pose.h"

/* Joints that are averaged at once. */
#define AVERAGE_BLOCK 8

/* Most poses: with more, roundings would add up. */
#define AVERAGE_WHOLE_MOST 8

struct average_whole {
	int count;                                         // 2 to AVERAGE_WHOLE_MOST
	const struct transform *local[AVERAGE_WHOLE_MOST]; // [count]; signs go with the first
	float weights[AVERAGE_WHOLE_MOST]; // [count] sum to 1; none is greater than the first
	bool turns;                        // false = all have the same rotations
	int first, end;                    // joints
	struct transform *out;             // [joint_count]; may be one of local
};

/* Averages transforms from the first joint on. Numbers that are the same in all stay to the bit.
 * Returns the joint where it stopped: the end, or the first of a block of which some rotations are
 * so far from one another that they take more precision. */
typedef int average_whole_function(const struct average_whole *whole);
average_whole_function average_whole_run, average_whole_run_avx2;
