/* Examples as a rig has them become examples as fits want them: with their poses evaluated. */
#pragma once

#include "base/arena.h"
#include "fit/example.h"
#include "model/examples.h"

/* Evaluates the pose of an example, or with NULL the rest pose, for a fit. Arrays lie in the arena;
 * the sculpted vertices stay the example's. Rest vertices are the rig's own; weights are the pose's
 * morph weights, [rig->weight_count], for the caller to put others in. False with an error that
 * names the example where its pose is none of this rig. */
bool fit_pose_example(const struct rig *rig, const struct example *example, struct arena *arena,
	struct fit_example *out, const float **weights, struct error *err);
