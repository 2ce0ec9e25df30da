/* Shared by springs.c, which moves the bones, and springs_order.c, which puts them in order. */
#pragma once

#include "pose/avatar/colliders.h"
#include "pose/avatar/springs.h"

struct spring_bone {
	const struct avatar_spring_joint *of;
	const struct avatar_spring *spring;
	double current[3], previous[3]; // the tail's position, in the axes of the centre
	double tip[3];                  // the same in the world
	float rotation[4];              // of the joint, by the last movement
	bool turned;                    // it has one; else the pose's stays
};

/* A joint to be placed in its turn: a bone, or what hangs on one. */
struct spring_event {
	int joint;
	int bone; // position in springs->bones; -1 = none
};

struct springs {
	const struct rig *rig;
	int bone_count;
	struct spring_bone *bones;
	int event_count;
	struct spring_event *events;    // in order
	bool *moves;                    // [joint_count] is a bone or hangs on one
	bool circular;                  // no order has all that moves a bone before it
	struct placed_collider *placed; // [collider_count] those at joints that do not move
	double (*world)[12];            // [joint_count] under the last pose
};

/* Fills events from bones and moves. bone_of: [joint_count] positions in bones; -1 = none. */
void springs_order(struct springs *springs, const int *bone_of, struct arena *arena);
