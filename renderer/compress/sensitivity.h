/* The effect of moving numbers on points of the shell, sample by sample: an affine map for each,
 * and the triangular factor of all together, which tells what of a number's error its descendants
 * can make up for. */
#pragma once

#include "compress/layout.h"

/* dp = linear * p + constant, of a point p below the number's joint, for a change of 1. */
struct column {
	double linear[9], constant[3]; // rows of 3x3
};

struct sensitivity {
	const struct layout *layout;
	int count; // layout->joint_channel_count
	/* The numbers that a joint's points depend on, root to leaf: of the joints above and its
	 * own. path[i] is [path_length[i]]; a number's place on its joint's path is place[number].
	 */
	int **path, *path_length; // [joint_count]
	int *place, *joint;       // [count]
	/* Rows of the factor R: number c has place[c] + 1 entries from row_at[c] on, those of its
	 * path and then its own, which is > 0. */
	size_t *row_at, row_total; // [count]
	float *factors;            // [sample_count][row_total]
	double *centre;            // [sample_count][count] numbers that make up for still tracks
	double *log_gain;          // [count] mean of ln R_cc: metres, over all points, for 1
	double *log_length;        // [count] the same for the whole column, without descendants
};

/* Factors every sample, in the arena. False without *err where it cannot be had: the factors are
 * too large, or a column is nothing. Then only log_length is of use, and centre is what is exact;
 * nothing is once the job is to stop. */
bool sensitivity_make(const struct layout *layout, struct arena *arena, struct sensitivity *out);

/* Of some samples only the lengths, in the arena: neither factors nor log_gain nor centre. */
void sensitivity_make_lengths(
	const struct layout *layout, struct arena *arena, struct sensitivity *out);

/* The maps of all numbers at a sample. columns is [count]. */
void sensitivity_columns(const struct sensitivity *sensitivity, int sample, struct column *columns);

/* The shell's points where they should be at a sample, about the origin of the first joint, and how
 * far they are off by what still and resting tracks leave, before any rounding. points and off are
 * as layout->shell->points. local and world are [joint_count] scratch. */
void sensitivity_points(const struct layout *layout, int sample, struct source_transform *local,
	double (*world)[12], double (*points)[3], double (*off)[3]);

/* Takes the maps to the same origin. */
void sensitivity_centre(const struct sensitivity *sensitivity, int sample, struct column *columns);
