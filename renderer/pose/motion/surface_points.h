/* Vertices that stand for a rig's surface where poses are held against each other: those that lie
 * farthest out on each joint. Vertices are skinned linearly, with their morph targets. */
#pragma once

#include "base/arena.h"
#include "pose/motion/shell.h"
#include "pose/pose.h"

struct surface_point {
	const struct primitive *primitive;
	int vertex; // in the primitive
};

struct surface_points {
	const struct rig *rig; // borrowed
	bool of_joints;        // the points are those of the shell
	struct shell shell;
	size_t count;
	size_t room;                  // how many places there may once be
	struct surface_point *points; // [room]
	struct pose pose;             // room to pose the rig
	double (*world)[12];          // [rig->joint_count] likewise
	double (*matrices[2])[12];    // [rig->slot_count] likewise, for two poses
};

/* At most six vertices for each palette slot, the outermost along the axes in which they were
 * bound; where joints are asked for, and of a rig without vertices, the points of the shell. In the
 * arena. Never fails. */
struct surface_points surface_points_make(
	const struct rig *rig, bool of_joints, struct arena *arena);

/* The positions of the points in a pose of the rig: out is [count], the caller's. */
void surface_points_find(struct surface_points *points, const struct pose *pose, double (*out)[3]);

/* Finds the vertex of the whole surface that two poses have farthest apart. Returns how far that
 * is, infinite where it is no number. Not of joints. */
double surface_points_farthest(struct surface_points *points, const struct pose *a,
	const struct pose *b, struct surface_point *farthest);

/* Adds a vertex. False where it is one of the points already, or there is no room for it. */
bool surface_points_add(struct surface_points *points, const struct surface_point *point);
