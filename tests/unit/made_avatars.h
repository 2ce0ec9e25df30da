/* Made-up avatars, with what another implementation makes of them. */
#pragma once

#include <stdio.h>

#include "model/rig.h"
#include "pose/pose.h"

/* What three-vrm finds: for joints that springs turn, local rotations; all 0 for others. */
struct spring_findings {
	char name[64];
	float swung[64][4], settled[64][4];
};

/* The next avatar of tests/unit/avatar_springs.txt, a rig with one reference whose joints are J0
 * (the hips), J1 (the head), ...; NULL where there are no more. */
struct rig *next_sprung(FILE *table, struct spring_findings *findings);

/* An avatar with nothing in it for a rig that has none; rig_storage. */
struct avatar *give_avatar(struct rig *rig);

/* An avatar with something of everything for a rig of ten joints or more that has none; its springs
 * and constraints are on joints of any kind. */
void dress_as_avatar(struct rig *rig);
