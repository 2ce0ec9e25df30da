/* Bones: the segments that joints span to their children when vertices were bound. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

struct bone {
	int parent;     // the slot of the nearest joint above that has one of the same skin; -1
	double from[3]; // the joint's bind position
	/* The middle of its children's bind positions. Of a joint without children: on from the
	 * parent's bone as far as the vertices reach that it moves most; from itself where there
	 * is no parent. */
	double to[3];
};

/* Fills bones, [rig->slot_count], in model space. */
void bones_find(const struct rig *rig, struct arena *arena, struct bone *bones);

/* The distance of a point from a segment. */
double bone_distance(
	const double from[static 3], const double to[static 3], const double point[static 3]);
