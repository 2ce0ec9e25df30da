/* When a human's feet come down in a clip. */
#pragma once

#include "model/rig.h"
#include "pose/blend/markers.h"

/* Poses that finding them takes. */
int foot_markers_steps(const struct clip *clip);

/* Finds where each foot comes down in one turn of a clip that repeats: after it was farthest ahead
 * of the hips in the direction of the steps, the moment at which its sole is as low as it gets,
 * to 1.5% of the hips' height. Steps are less than 15% of that height wide where nobody walks, and
 * there are no markers then. They begin with the left foot. In place or on the way, in any
 * direction that does not turn.
 *
 * Returns false where the rig has no legs that are known, or more steps than MARKERS_MAX. Source:
 * Zeni, Richards and Higginson, Two simple methods for determining gait events, Gait and Posture 27
 * (2008), for which step it is; the height for when. */
bool foot_markers_find(const struct rig *rig, const struct clip *clip, struct markers *markers);
