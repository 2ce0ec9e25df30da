/* Curves of any kind -> keys that linear and spherical interpolation go through the same way. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* The way to sample a stretch between two neighbouring keys of the curves. */
struct fbx_stretch {
	int pieces;  // that it is cut into before it is measured; >= 1
	bool smooth; // it may bend anywhere; else as one arc
	bool known;  // the pieces are straight to within the tolerances, and are not measured
	bool steps;  // what it ends at need not be what the next one starts at
};

/* The function to be sampled: numbers over time, four of which may be a unit quaternion. */
struct fbx_sampler {
	void (*at)(const void *context, double time_s, double *values);
	struct fbx_stretch (*stretch)(const void *context, double start_s, double end_s);
	const void *context;
	int width;
	int rotation_at;          // of the quaternion x y z w; -1 = there is none
	int64_t *left;            // evaluations; without any more, only the times given are sampled
	int64_t more_cost;        // of an evaluation, besides 1
	const double *tolerances; // [width] of each number; of a quaternion the first: radians
};

struct fbx_samples {
	struct arena *arena;
	int width, count, room;
	double *times;  // [count] seconds; two that are equal are a step
	double *values; // [count][width]
};

/* Samples from the first of the times to the last, [count] ascending: at all of them, and where
 * interpolation between would be off by more than the tolerances. */
void fbx_sample(
	const struct fbx_sampler *sampler, const double *times, int count, struct fbx_samples *out);

/* The keys that one part of the samples needs: all others are restored to within the tolerance.
 * One key where nothing moves. */
struct fbx_part {
	int at, width;
	bool rotation;
	double tolerance;
};

/* Lists the samples that are needed; kept is [samples->count]. Returns how many. */
int fbx_reduce(const struct fbx_samples *samples, const struct fbx_part *part, int *kept);
