/* The anatomy of rag dolls where the request does not give it: the bodies and joint limits of a
 * human as humans have them, of others a little. */
#pragma once

#include "model/rig.h"
#include "pose/humanoid/humanoid.h"
#include "pose/ik/limits.h"
#include "pose/ragdoll/fit.h"

/* For ragdoll_choose(): which joints a human's bodies begin at, whatever their size, and which are
 * too small for one. Does nothing to a rig that is no whole human.
 *
 * must, never  [rig->joint_count], the caller's; all false before */
void anatomy_choose(
	const struct rig *rig, const struct humanoid *humanoid, bool *must, bool *never);

/* The limit of a body's joint, from where bones point at rest: knees and elbows are hinges, others
 * have a cone (an ellipse) and a range of twist around a middle that is the joint's own. */
void anatomy_limit(const struct rig *rig, const struct humanoid *humanoid,
	const struct ragdoll_points *points, const struct ragdoll_fit *fit, int body,
	struct joint_limit *limit);
