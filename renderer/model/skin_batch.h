/* A batch: vertices of one primitive that few matrices suffice for, so that a shader can have those
 * in uniforms. Plain words, as they lie in a method's data. */
#pragma once

#include <stdint.h>

struct skin_batch {
	uint32_t primitive;                  // of the rig
	uint32_t first_row, row_count;       // its vertices, among those of all batches
	uint32_t first_matrix, matrix_count; // its matrices, among those of all batches
};
