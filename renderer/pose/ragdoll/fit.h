/* A rag doll's bodies: capsules fitted to what a rig's joints carry. Plain data, for the rig at
 * rest. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "model/rig.h"

struct ragdoll_points {
	double (*world)[12]; // [joint_count] the joints at rest
	double (*at)[3];     // [count] in the world at rest
	int *joints;         // [count] positions in rig->joints
	int count;
	double size; // diagonal of the box around the points
};

/* The vertices of all skinned primitives, of all primitives where no one is skinned; of a large
 * mesh every n-th. The arrays are in the arena. False with ERROR_MISSING_DATA where there is no
 * vertex, or none farther from another than float32 tells apart. */
bool ragdoll_points_gather(const struct rig *rig, struct arena *arena,
	struct ragdoll_points *points, struct error *err);

/* The position of a joint at rest. */
void ragdoll_points_joint(const struct ragdoll_points *points, int joint, double out[static 3]);

/* Bodies of one rag doll: a step's time grows with more than their number. */
#define RAGDOLL_BODIES_MAX 64

/* Marks the joints: those that points hang on and that reach far enough (fingers do not) from where
 * another one begins, no helpers within the bone of another; and where several of what one skin
 * moves have nothing above them, what they have in common, that they hang together. The measures
 * grow until there are no more than RAGDOLL_BODIES_MAX.
 *
 * must    [rig->joint_count] joints that are chosen whatever their measures
 * never   [rig->joint_count] joints that are not
 * chosen  [rig->joint_count], the caller's; all false before */
void ragdoll_choose(const struct rig *rig, const struct ragdoll_points *points, const bool *must,
	const bool *never, struct arena *scratch, bool *chosen);

/* The nearest chosen joint at or above one; -1 if there is none. joint may be -1. */
int ragdoll_chosen_above(const struct rig *rig, const bool *chosen, int joint);

struct ragdoll_body {
	int joint;          // position in rig->joints
	int parent;         // the body that it is fixed to, before it in the list; -1 = none
	double ends[2][3];  // centres of the caps in the joint's frame
	double length;      // between them in the world at rest, >= 0
	double radius;      // in the world at rest, > 0
	double bone_length; // of the next in the world at rest, > 0
	double bone[3]; // unit, in the joint's frame: to where the next bodies begin, or to what
			// the joint carries where there are none
};

struct ragdoll_fit {
	struct ragdoll_body *bodies; // [count] in the order of their joints
	int count;
	int *body_of;    // [rig->joint_count] of the nearest chosen joint at or above; -1 = none
	int (*pairs)[2]; // [pair_count] bodies that are apart at rest and not fixed to one another
	int pair_count;
	double size; // of the points, in the world
};

/* Fits capsules to the points of joints that are chosen by the rig's measures. Each body takes the
 * points of its joint and of the joints that are fixed to it. A capsule lies along the bone, where
 * one other body follows, else along the longest extent of the points; its ends are where one point
 * in fifty lies farther out, and half of the points are within its radius.
 *
 * chosen  [rig->joint_count]; at least one, RAGDOLL_BODIES_MAX at most
 * fit     its arrays are in the arena
 * False with ERROR_MISSING_DATA and the joint's name where a chosen joint has no extent at rest. */
bool ragdoll_fit_bodies(const struct rig *rig, const struct ragdoll_points *points,
	const bool *chosen, struct arena *arena, struct ragdoll_fit *fit, struct error *err);

/* The distance between two segments, each from its first to its second point. */
double segment_distance(const double a[2][3], const double b[2][3]);
