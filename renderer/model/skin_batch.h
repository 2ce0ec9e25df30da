/* A batch: vertices of one primitive that few matrices suffice for, so that a shader can have those
 * in uniforms. Plain words, as they lie in a method's data. */
#pragma once

#include <stdint.h>

struct skin_batch {
	uint32_t primitive;                  // of the rig
	uint32_t first_row, row_count;       // its vertices, among those of all batches
	uint32_t first_matrix, matrix_count; // its matrices, among those of all batches
	uint32_t joint_count;                // of these that are there once; the rest pad them
};

/* The batches that a mesh is cut into, in sum. */
struct skin_batch_counts {
	int count;         // 0 = it is not cut, and so is the rest
	int vertices;      // of all batches, those that several share once for each
	int gained;        // how many more that is than the rig has
	int fewest_joints; // of a batch
	int most_joints;
};

/* Adds one rig's batches to those of others. */
void skin_batch_counts_add(struct skin_batch_counts *all, const struct skin_batch_counts *more);
