/* Data that a skinning method makes once for a rig and uses for every pose: rotation centres,
 * supports, offsets, matrices of kernels. One block of 32-bit words in numbered sections, which is
 * uploaded as it is. Immutable once made, shared between threads by counted references. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

#define SKIN_SECTIONS_MAX 8

/* Remarks on how a method suits a rig, or a pose of it. Bits. */
enum skin_flag {
	SKIN_FLAG_SJB_CONSTRAINT = 1 << 0,  // vertices whose joints do not meet in one point
	SKIN_FLAG_PSD_SINGULAR = 1 << 1,    // an example that the base method cannot be undone at
	SKIN_FLAG_SHEAR_LOST = 1 << 2,      // shears that a rigid method dropped
	SKIN_FLAG_W_TRUNC = 1 << 3,         // influences beyond kmax
	SKIN_FLAG_DDM_TRUNC = 1 << 4,       // joints beyond those that a vertex keeps
	SKIN_FLAG_OPEN_PARTS = 1 << 5,      // parts of the surface that enclose no volume
	SKIN_FLAG_EXAMPLE_UNUSED = 1 << 6,  // an example that the method cannot learn from
	SKIN_FLAG_OUTSIDE_SUPPORT = 1 << 7, // vertices that no example of their joint may move
	SKIN_FLAG_PSD_CONDITION = 1
		<< 8,                    // an example in which the base method nearly flattens some
	SKIN_FLAG_VOLUME_SHORT = 1 << 9, // of a pose: parts that stop short of their volume
};

struct skin_data {
	uint64_t id; // no other data of this process has it
	size_t word_count;
	uint32_t *words; // [word_count], 64-byte aligned
	int section_count;
	uint32_t sections[SKIN_SECTIONS_MAX]; // word at which each starts, a multiple of 16
	uint32_t lengths[SKIN_SECTIONS_MAX];  // words of each
	unsigned flags;                       // enum skin_flag
	int fallback_vertices;                // that another method has to skin
	double residual_max, residual_rms;    // of a fit, distances in the rig's unit; else 0
	double dropped_weight; // greatest that a vertex lost with SKIN_FLAG_W_TRUNC; else 0
	struct rig *rig; // to be skinned in the rig's place; NULL = the rig itself; one reference
	int references;
};

/* Zeroed data with sections of these lengths (words); one reference. NULL with ERROR_TOO_LARGE. */
struct skin_data *skin_data_create(const size_t *lengths, int section_count, struct error *err);

/* A section as numbers. The caller's until the data is shared. */
float *skin_data_floats(struct skin_data *data, int section);
uint32_t *skin_data_words(struct skin_data *data, int section);

/* The same to read; section 0 of no data is NULL. */
const float *skin_data_read_floats(const struct skin_data *data, int section);
const uint32_t *skin_data_read_words(const struct skin_data *data, int section);

struct skin_data *skin_data_retain(const struct skin_data *data); // takes NULL
void skin_data_release(const struct skin_data *data);             // takes NULL

/* The name of one flag, as clients see it: "SJB_CONSTRAINT". NULL past the last. */
const char *skin_flag_name(int bit);

/* Appends the data. It must not bring a rig of its own. */
void skin_data_pack(const struct skin_data *data, struct buffer *out);

/* Reads what skin_data_pack wrote, with one reference; NULL when the bytes are anything else. */
struct skin_data *skin_data_unpack(const void *bytes, size_t size);

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
	int max_joints;
};

/* Adds one rig's batches to those of others. */
void skin_batch_counts_add(struct skin_batch_counts *all, const struct skin_batch_counts *more);
