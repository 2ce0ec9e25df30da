/* A rag doll: a rig whose joints are let go in a pose, with the velocities that they have there,
 * and fall as rigid bodies. METHODS C.16. */
#pragma once

#include "pose/pose.h"
#include "pose/ragdoll/fit.h"
#include "pose/ragdoll/stops.h"

/* Seconds of one step. At twice that, joints of a human that falls on its knees are pushed 26
 * degrees out of their cones and drift apart by 12 mm, at this 7 degrees and 5 mm. */
#define RAGDOLL_STEP_S (1.0 / 240)

/* The start of a rag doll. Everything is copied but for the rig. */
struct ragdoll_start {
	const struct rig *rig;
	const struct ragdoll_fit *fit;
	const struct joint_limit *limits; // [fit->count]; of a body without a parent unused
	const struct pose *before, *pose; // of the rig, RAGDOLL_STEP_S apart
	double gravity[3];                // asset units per second squared
	bool grounded;                    // whether there is a ground
	double ground_point[3];           // on it
	double ground_normal[3];          // unit, up from it
	double damping;                   // [0, ...) share of a joint's turning lost per second
	double stiffness; // [0, ...) Hz that joints would swing about the pose they are driven to
			  // with; 0 = they are limp
};

struct ragdoll;

/* A rag doll in the arena, which ends it. Before the first step its pose is the start's to the bit.
 * NULL with ERROR_INVALID_VALUE where the pose leaves a body no extent, is not finite in the world,
 * or moves faster than can be simulated; with ERROR_INTERNAL where ODE is not installed. */
struct ragdoll *ragdoll_create(
	const struct ragdoll_start *start, struct arena *arena, struct error *err);

/* Back to the moment when it was let go. */
void ragdoll_restart(struct ragdoll *doll);

/* The last step that was taken; 0 = just let go. */
int ragdoll_step_count(const struct ragdoll *doll);

/* True when it has come to rest: further steps change and cost nothing. */
bool ragdoll_rests(const struct ragdoll *doll);

/* Takes a step. target: the pose that joints are driven to; NULL = the one it was let go in. False
 * with ERROR_INVALID_VALUE where bodies get too fast to be simulated. */
bool ragdoll_step(struct ragdoll *doll, const struct pose *target, struct error *err);

/* Writes the moment between the last step but one (share 0) and the last (1) into a pose, which
 * holds the one that the doll was let go in: rotations of the joints with bodies, and translations
 * of those that hang on no other body. Bones stay as long as they are: joints that have come apart
 * by a hair are put together. False with ERROR_INVALID_VALUE and the joint where a number leaves
 * float32. */
bool ragdoll_write(const struct ragdoll *doll, double share, struct pose *pose, struct error *err);

/* A body after the last step: in the world, in asset units, its joint where the body itself has it,
 * its mass as a share of all. */
void ragdoll_get(const struct ragdoll *doll, int body, struct physics_body *out);

/* The greatest distance that the two ends of a joint are apart after the last step, in asset
 * units: what ragdoll_write() puts together. */
double ragdoll_drift(const struct ragdoll *doll);
