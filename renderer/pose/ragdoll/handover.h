/* The hand-over of a pose to the bodies of a rag doll. Internal to ragdoll/. */
#pragma once

#include "physics/physics.h"
#include "pose/ragdoll/ragdoll.h"

/* A body and its joint. */
struct link {
	int joint, parent;       // position in rig->joints; the parent's body or -1
	double parent_frame[4];  // rotation of the joint's parent in the world when let go
	double local[4];         // the joint's rotation relative to its parent then
	double at[3];            // where the joint was, in the simulation's units
	double parent_world[12]; // of the joint's parent; for what hangs on no other body
	double inertia;          // of all that hangs on the joint, about it
	struct joint_limit limit;
	struct joint_stop stop;
};

struct ragdoll {
	const struct rig *rig;
	struct link *links;          // [count]
	struct physics_body *bodies; // [count] when let go
	int count;
	struct physics_setup setup;
	double origin[3]; // of the simulation, in the world
	double scale;     // the simulation's units per asset unit, a power of two
	double damping, stiffness;
	struct physics *physics;
	struct physics_state *last, *now; // [count] after the last step but one, and the last
	int step;
};

/* Places bodies and links as the start has them, and sets up their simulation. False with
 * ERROR_INVALID_VALUE: see ragdoll_create(). */
bool ragdoll_hand_over(const struct ragdoll_start *start, struct arena *arena, struct ragdoll *doll,
	struct error *err);
