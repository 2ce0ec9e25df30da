/* Points that go with a rig's joints: what poses are held against each other by. METHODS D.4, all
 * three axes. Source: Frechette, Animation Compression Library, its error metric. */
#pragma once

#include "base/arena.h"
#include "pose/pose.h"

/* The offset of a point from its joint at rest, in the world. */
#define SHELL_DISTANCE 0.03

/* The points on the axes of every joint that moves vertices, or of all joints where none does. */
struct shell {
	const struct rig *rig; // borrowed
	size_t point_count;
	int joint_count;     // those joints
	int *joints;         // [joint_count] positions in rig->joints
	double (*reach)[3];  // [joint_count] of the points on the axes, in the joint's own space
	struct pose pose;    // room to pose the rig
	double (*world)[12]; // [rig->joint_count] likewise
};

/* In the arena. Never fails. */
struct shell shell_make(const struct rig *rig, struct arena *arena);

/* The positions of the points in a pose of the rig: out is [point_count], the caller's. */
void shell_find_points(struct shell *shell, const struct pose *pose, double (*out)[3]);

/* The distance of the two points that are farthest apart, [count]; infinite where it is no number.
 */
double shell_distance(const double (*a)[3], const double (*b)[3], size_t count);
