/* Moments at which two clips pass through a common pose, so that the one can go on as the other
 * without any blending. METHODS C.10. */
#pragma once

#include "pose/pose.h"
#include "pose/run.h"

/* Moments a second that are held against each other. */
#define TRANSITION_RATE 60

/* Most of one clip, of any rig. */
#define TRANSITION_MOMENTS_MAX 1000

/* Most transitions found at once. */
#define TRANSITIONS_MAX 64

/* Distances are those of the surface, skinned linearly: how far the vertex that is farthest off is
 * from where the other pose has it, in the world. Speeds are those of the vertices farthest out on
 * each joint. Of a rig without vertices both are those of the shell around its joints. */
struct transition {
	double from_s, to_s; // in the first clip and in the second
	double distance;
	double velocity; // the greatest difference of the points' velocities
};

struct transition_job {
	const struct rig *rig;
	const struct clip *from, *to; // of the rig
	double rate;                  // moments a second; 0 = TRANSITION_RATE, less for long clips
	const struct value *source;   // for errors
	struct pose_run *run;         // whose work it is
};

/* The most moments of one clip that are looked at: TRANSITION_MOMENTS_MAX, or fewer for rigs of
 * some fifty joints that move vertices. */
int transition_most_moments(const struct rig *rig);

/* True when a clip has more than so many moments at a rate. */
bool transition_too_many(const struct clip *clip, double rate, int most);

/* Finds where the clips are nearer to each other than at the moments around, between samples too,
 * and each 0.1 s away from all that are better. The best comes first: the nearest, and where
 * distances differ by less than 0.1 mm the one that shows most of both clips.
 *
 * out  [most], the caller's; *count are there. Distances and velocities are finite; where the
 * clips' numbers are too large for that there are none. Fails at the place like pose_run_spend().
 */
bool transition_find(const struct transition_job *job, struct transition *out, int most, int *count,
	struct error *err);

/* The same of two moments that are known. Numbers may be infinite. */
void transition_measure(
	const struct transition_job *job, double from_s, double to_s, struct transition *out);

/* The distance of a clip from a pose at a moment, and its speed there: by the shell around the
 * joints that move vertices, 3 cm away from each (METHODS C.10, D.4). */
struct transition_end {
	double distance, speed; // may be infinite
};

void transition_measure_end(const struct rig *rig, const struct clip *clip, double time_s,
	const struct pose *core, struct arena *arena, struct transition_end *out);
