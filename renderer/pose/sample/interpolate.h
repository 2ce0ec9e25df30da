/* Values between two keys, of many tracks at once. The same bits on every machine.
 *
 * Rotations are slerped the shorter way, with weights as series in the cosine of the angle, whose
 * coefficients depend on the share of the way alone and so hold for all tracks.
 * Source: Eberly, A Fast and Accurate Algorithm for Computing SLERP, JGT 15 (2011). */
#pragma once

#include <stdbool.h>

#include "model/tracks.h"

/* Series reach as far as the angle needs: up to 14 degrees the short one, in single precision, up
 * to 60 the long one, both to 1e-9 but for roundings. Beyond it is quat_slerp(). */
#define SLERP_SHORT 5
#define SLERP_LONG 13
#define SLERP_SHORT_MIN (1 - 1.0 / 32) // cosines
#define SLERP_LONG_MIN 0.5

struct slerp {
	double share;            // of the way, in [0, 1]
	int terms;               // coefficients that are there
	double from[SLERP_LONG]; // the first rotation's weight, by powers of cosine - 1
	double to[SLERP_LONG];   // the second's
	/* The short series of the weight of the way from the first to the second, and of what the
	 * first has beyond 1, which begins with 0. */
	float way[SLERP_SHORT], beyond[SLERP_SHORT];
};

/* With the short series. */
struct slerp slerp_make(double share);

/* Sees to the long series. */
void slerp_extend(struct slerp *slerp);

/* A key of all tracks, and the next one, which there is: floats from a track's first key to this
 * one, and from this one to the next. */
struct track_step {
	size_t at, stride;
};

/* Writes the rotations between two keys into local, [joint_count]; unit. blocks is [count]. */
typedef void interpolate_rotations_function(const struct track_rotations *blocks, int count,
	struct track_step step, struct slerp *slerp, struct transform *local);
interpolate_rotations_function interpolate_rotations, interpolate_rotations_avx2;

/* Writes the vectors at a share of the way between them into local, to 3e-7 of the greater one.
 * tracks is [count]. */
typedef void interpolate_vectors_function(const struct track_vector *tracks, int count,
	struct track_step step, double share, struct transform *local);
interpolate_vectors_function interpolate_vectors, interpolate_vectors_avx2;

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
