/* Averages of many joints that the same poses have a say in, with the same weights: what average.c
 * does joint by joint, to the last bit of a float. The same bits on every machine. */
#pragma once

#include "pose/pose.h"

struct average_share {
	double weight; // > 0
	const struct pose *pose;
};

/* Joints that are averaged at once. */
#define AVERAGE_LANES 4

/* Joints of one average. */
struct average_joints {
	const struct average_share *shares; // [share_count], weights sum to 1
	int share_count;                    // >= 2
	int reference;                      // the first of the greatest weight
	int first, end;                     // joints
	struct transform *out;              // [joint_count]; may be a share's pose
};

/* Averages rotations, unit to float32's roundings, as quat_average() does, from the first joint on.
 * Returns the joint where it stopped: the end, or the first of AVERAGE_LANES of which some have no
 * average. */
typedef int average_lanes_rotations_function(const struct average_joints *joints);
average_lanes_rotations_function average_lanes_rotations, average_lanes_rotations_avx2;

/* Averages translations and scales. */
typedef void average_lanes_vectors_function(const struct average_joints *joints);
average_lanes_vectors_function average_lanes_translations, average_lanes_translations_avx2;
average_lanes_vectors_function average_lanes_scales, average_lanes_scales_avx2;
