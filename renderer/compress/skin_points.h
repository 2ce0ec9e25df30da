/* The vertices of a skin that stand for all others while a clip is encoded: of each joint those
 * that lie farthest out among those that follow it. */
#pragma once

#include "compress/error_shell.h"

struct skin_points {
	const struct rig *rig;
	struct error_shell shell; // whose points are the vertices
	int *vertices;            // [count] each once
	int count, room;
	/* [joint_count] joints that no vertex follows: their points are those of their shell.
	 * NULL = they have none. */
	const bool *unskinned;
	/* Borrowed by the shell. */
	int *first_point;
	double (*places)[3], *reach;
};

/* Room for vertices that turn out to be farther off than those that were chosen. */
#define SKIN_POINTS_MORE 256

/* Chooses vertices of a rig, in the arena. free_unskinned: joints that no vertex follows go where
 * they want. */
struct skin_points skin_points_choose(const struct rig *rig, const struct error_shell *shell,
	bool free_unskinned, struct arena *arena);

/* Adds a vertex, also as a point of the joint that it follows most. False where it is among them,
 * or there is no room. */
bool skin_points_add(struct skin_points *points, int vertex);
