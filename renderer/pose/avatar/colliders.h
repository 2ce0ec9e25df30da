/* What spring bones collide with.
 *
 * Source: VRMC_springBone 1.0 and VRMC_springBone_extended_collider 1.0. */
#pragma once

#include <stdbool.h>

#include "model/avatar.h"

/* A collider where it is in the world. */
struct placed_collider {
	enum avatar_collider_kind kind;
	bool inside;
	double center[3]; // or one end, or a point of the plane
	double along[3];  // of a capsule, from that end to the other
	double normal[3]; // of a plane, unit
	double radius;    // metres; scales do not change it
};

/* Places a collider at its joint. world: the joint's matrix, 3x4 in rows. */
struct placed_collider collider_place(
	const struct avatar_collider *collider, const double world[static 12]);

/* Moves a sphere out of a collider, or back into one that holds it in; the shortest way. A sphere
 * at the very centre, which has no shortest way, stays. False where it does not touch. */
bool collider_push(
	const struct placed_collider *collider, double radius, double position[static 3]);
