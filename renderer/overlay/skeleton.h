/* Shared by the skeleton and its names: not for others. */
#pragma once

#include <stdbool.h>

/* Arrays are [joint_count], in the arena. */
struct skeleton {
	bool *shown;
	const bool *named; // NULL = none is
	int *parents;      // the nearest above that is shown; -1 = none
	double *lengths;   // of the bones at each joint, in the world
	double *radii;     // pixels of the markers
};
