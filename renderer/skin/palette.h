/* The palette: one matrix per slot, M = world(joint) * inverse bind. */
#pragma once

#include "skin/method.h"

/* Fills matrices ([rig->slot_count] rows of 3x4) from the joints' world matrices
 * ([rig->joint_count] rows of 3x4). Never fails. METHODS E3. */
void palette_build(const struct rig *rig, const double (*world)[12], double (*matrices)[12]);

/* Floats of a matrix in a method's palette: its three rows of four, and four of no meaning. In rows
 * it takes three transposes to lanes, in columns four. */
#define PALETTE_MATRIX_FLOATS 16

/* Writes a matrix, and zeros behind it. */
void palette_write_matrix(const double m[static 12], float entry[static PALETTE_MATRIX_FLOATS]);

/* The same for [count] matrices, entries stride floats apart. */
void palette_write_matrices(const double (*matrices)[12], int count, float *entries, int stride);

/* A kernel's prepare where entries are matrices and nothing else. */
bool palette_prepare(const struct prepare_job *job, float *palette, struct error *err);
