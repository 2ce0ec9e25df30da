/* Moments of a cycle that clips have in common, such as feet coming down: what keeps clips of
 * unlike length in step. */
#pragma once

#include "base/value.h"
#include "model/rig.h"

/* Most markers of a clip. */
#define MARKERS_MAX 64

enum marker_side { MARKER_GIVEN, MARKER_LEFT, MARKER_RIGHT };

struct markers {
	int count;
	double times_s[MARKERS_MAX]; // ascending, the last before the first + the clip's duration
	enum marker_side sides[MARKERS_MAX];
};

/* Reads a list of times in [0, duration_s) in the order of the cycle: ascending, but they may go
 * over the clip's end once. Fails with the place. */
bool markers_read(
	const struct value *list, double duration_s, struct markers *markers, struct error *err);

/* The time of a phase in [0, 1) of the whole cycle: at m / count it is that of marker m, and
 * between markers it goes evenly. Without markers it is the share of the duration. May be beyond
 * the clip's end. METHODS C.11. */
double markers_time(const struct markers *markers, double duration_s, double phase);

/* True when as many, of the same sides, with those that were given on either side. */
bool markers_agree(const struct markers *a, const struct markers *b);

/* "left 0.1, right 0.6" in seconds for messages. Cut at size. */
void markers_write(const struct markers *markers, char *text, size_t size);

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
