/* How long an expression is. */
#pragma once

#include "pose/operations.h"

/* The length of the longest clip that an expression samples at the moment that it names, at its
 * speed; 0 where it samples none, which *sampled tells from a clip of one moment (NULL: nobody
 * asks). The evaluation is in a run of its own, with the sources and the stop of another: what goes
 * on from frame to frame there does not see it. Fails like pose_evaluate. */
bool pose_find_length(const struct rig *rig, const struct value *expression,
	const struct pose_run *like, double *length_s, bool *sampled, struct error *err);
