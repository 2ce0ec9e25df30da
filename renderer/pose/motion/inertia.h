/* Offsets that run out: after a jump to another motion, what it left behind is added and dies away.
 * METHODS C.12. Source: Bollo, Inertialization: high-performance animation transitions in Gears of
 * War, GDC 2018. */
#pragma once

#include "base/arena.h"
#include "pose/pose.h"

/* x(t) = a t^5 + b t^4 + c t^3 + a0 t^2 / 2 + v0 t + x0 until end_s, then 0. */
struct inertia {
	double a, b, c, a0, v0, x0;
	double end_s; // 0 = there is none
};

/* From x0 >= 0 with a speed (only one towards 0 counts) to rest at 0 after duration_s, or sooner so
 * that it does not overshoot. An x0 below 1e-6 is none. */
struct inertia inertia_make(double x0, double speed, double duration_s);

/* The offset that is left after time_s >= 0. */
double inertia_at(const struct inertia *inertia, double time_s);

/* The offset of the pose before a jump from the one after it, for all channels of all joints. */
struct inertia_pose;

/* Four poses of the rig at the jump and step_s before. */
struct inertia_job {
	const struct pose *from, *to;               // at the jump: the old motion and the new
	const struct pose *from_before, *to_before; // step_s before
	double step_s, duration_s;                  // > 0
};

/* In the arena. Never fails. */
struct inertia_pose *inertia_pose_make(
	const struct rig *rig, const struct inertia_job *job, struct arena *arena);

/* Adds what is left after time_s >= 0 to a pose of the new motion; what nothing is left of stays to
 * the bit, and what is added to is driven. False where a number leaves float32; *joint is whose. */
bool inertia_pose_add(const struct rig *rig, const struct inertia_pose *inertia, double time_s,
	struct pose *out, int *joint);
