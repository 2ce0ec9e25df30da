/* When a foot stands on the ground, and where it should stay meanwhile. METHODS F, foot_slide: a
 * contact is where the foot is low and slow. */
#pragma once

#include <stdbool.h>

/* Level ground: a plane and how it moves along itself. */
struct ground {
	double point[3], normal[3]; // normal unit
	double velocity[3];         // of the ground, per second
};

/* The thresholds of contacts. */
struct contact_rule {
	double height; // at most so far above the foot's least height in the motion
	double speed;  // slower than that, relative to the ground, per second
	double sole;   // height of the foot's joint above the ground where it stands
};

struct contact {
	double begin_s, end_s; // first and last sample
	double anchor[3]; // where the foot stays, as of begin_s: its mean, moving with the ground
	double lowest;    // the foot's least height above the plane
	double enter[3], leave[3]; // what brings the foot there at begin_s and end_s
};

/* Finds a foot's contacts that reach into [from_s, to_s].
 *
 * positions  [count][3] in the world, one every step_s from start_s on; count >= 2
 * out        [most]
 * Returns how many there are, also where there is no room for them all. */
int contacts_find(const double (*positions)[3], int count, double start_s, double step_s,
	const struct ground *ground, const struct contact_rule *rule, double from_s, double to_s,
	struct contact *out, int most);

/* The offset of a foot at a moment when it is at a position: within a contact to its
 * anchor, and to sole height where it was lowest; before and after, less and less over fade_s. All
 * zero where no contact is near.
 *
 * contacts  [count] */
void contacts_offset(const struct contact *contacts, int count, const struct ground *ground,
	double sole, double fade_s, double time_s, const double position[static 3],
	double offset[static 3]);
