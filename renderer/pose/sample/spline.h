/* Ways between keys that know no tangents. */
#pragma once

#include <stdbool.h>

enum spline_kind {
	SPLINE_STEP,        // the key before holds
	SPLINE_LINEAR,      // lines; arcs for rotations
	SPLINE_NLERP,       // lines, rotations normalised
	SPLINE_CATMULL_ROM, // a TCB spline whose three numbers are 0
	SPLINE_TCB,
	SPLINE_SQUAD, // rotations only; Catmull-Rom, which is the same for numbers, else
};

struct spline {
	enum spline_kind kind;
	double tension, bias, continuity; // SPLINE_TCB; any, of use in [-1, 1]
};

/* One key: its time and numbers. */
struct spline_key {
	double time_s;
	const float *values; // NULL = there is no such key
};

/* The value between the second and the third of four neighbouring keys of ascending times; of those
 * the first or last may be missing, then the way goes there as if it went straight on.
 *
 * TCB splines have the speeds 2 D / (h_before + h_after) at a key, D Kochanek's and Bartels'
 * tangents and h the steps to the keys beside it, so that uneven steps do not break them. Those of
 * rotations bring the neighbours to the key's hemisphere, go number by number and are normalised.
 * Squad wants even steps: others break its speed, not its way.
 *
 * time_s    within the second and third key
 * width     numbers of a value; 4 for a rotation
 * out       [width]; rotations come out unit
 * Never fails; numbers that leave float32 become infinite. The same bits on every machine.
 * METHODS C.1. Sources: Kochanek, Bartels, Interpolating splines with local tension, continuity,
 * and bias control, SIGGRAPH 1984; Shoemake, Animating rotation with quaternion curves, SIGGRAPH
 * 1985. */
void spline_between(const struct spline *spline, const struct spline_key keys[static 4],
	double time_s, int width, bool rotation, float *out);
