/* A block: as many vertices of a primitive as there are lanes, on their way through a kernel. All
 * that kernels read and write is here, so that a method's own file holds only its mathematics.
 * A kernel takes the blocks of a primitive one after another with BLOCK_FOREACH(), and stores what
 * it makes of block_position() and block_normal() with block_put_position() and
 * block_put_normal(). */
#pragma once

#include "base/lanes.h"
#include "skin/method.h"

/* The arrays that vertices are read from and written to. */
struct vertex_arrays {
	const float *positions, *normals, *tangents;
	float *out_positions, *out_normals;
	float *out_tangents; // NULL = no tangents wanted
};

/* Stands in for the job's arrays where a primitive's last vertices do not fill the lanes. */
struct padding {
	float positions[LANE_COUNT * 3], normals[LANE_COUNT * 3], tangents[LANE_COUNT * 4];
	float out_positions[LANE_COUNT * 3], out_normals[LANE_COUNT * 3];
	float out_tangents[LANE_COUNT * 4];
};

struct block {
	int left;      // vertices from the block's first to the primitive's end; 0 = all are done
	size_t vertex; // the block's first, in arrays
	struct vertex_arrays arrays;
	const float *palette;          // of the primitive
	int influence_count;           // per vertex
	const uint16_t *slots;         // of the block's first vertex
	const float *weights;          // of the block's first vertex
	size_t influences[LANE_COUNT]; // where each lane's start in slots and weights
	const struct skin_job *job;
	size_t job_influence;            // of the block's first vertex, in the rig
	struct vertex_arrays job_arrays; // of a padded block: where its vertices really lie
	size_t job_vertex;               // the block's first vertex in the rig
	struct padding padding;
};

static inline void block_repeat_last(float *out, const float *in, int count, int floats) {
	for (int i = 0; i < LANE_COUNT; i++) {
		const int from = i < count ? i : count - 1;
		memcpy(out + i * floats, in + from * floats, (size_t)floats * sizeof *out);
	}
}

/* Fills the lanes past the last vertex with that vertex. */
static inline void block_pad(struct block *block) {
	struct padding *to = &block->padding;
	const struct vertex_arrays from = block->job_arrays = block->arrays;
	const size_t first = block->vertex;
	block->vertex = 0;
	block->arrays = (struct vertex_arrays){to->positions, to->normals, to->tangents,
		to->out_positions, to->out_normals, from.out_tangents ? to->out_tangents : NULL};
	block_repeat_last(to->positions, from.positions + first * 3, block->left, 3);
	block_repeat_last(to->normals, from.normals + first * 3, block->left, 3);
	if (from.out_tangents) {
		block_repeat_last(to->tangents, from.tangents + first * 4, block->left, 4);
	}
	for (int i = block->left; i < LANE_COUNT; i++) {
		block->influences[i] = block->influences[block->left - 1];
	}
}

static inline void block_unpad(const struct block *block) {
	const struct vertex_arrays *to = &block->job_arrays;
	const struct padding *from = &block->padding;
	const size_t first = block->job_vertex, count = (size_t)block->left;
	memcpy(to->out_positions + first * 3, from->out_positions, count * 3 * sizeof(float));
	memcpy(to->out_normals + first * 3, from->out_normals, count * 3 * sizeof(float));
	if (to->out_tangents) {
		memcpy(to->out_tangents + first * 4, from->out_tangents, count * 4 * sizeof(float));
	}
}

/* Goes to a primitive's first vertices. entry_floats are the palette's per slot. */
static inline struct block *block_begin(struct block *block, const struct skin_job *job,
	const struct primitive *primitive, int entry_floats) {
	block->job = job;
	block->left = primitive->vertex_count;
	block->vertex = block->job_vertex = (size_t)primitive->first_vertex;
	block->job_influence = primitive->first_influence;
	block->arrays = (struct vertex_arrays){job->positions, job->normals, job->tangents,
		job->out_positions, job->out_normals, job->out_tangents};
	block->palette = job->palette + (size_t)primitive->first_slot * (size_t)entry_floats;
	block->influence_count = primitive->influence_count;
	block->slots = job->rig->influence_slots + primitive->first_influence;
	block->weights = job->rig->influence_weights + primitive->first_influence;
	for (int i = 0; i < LANE_COUNT; i++) {
		block->influences[i] = (size_t)i * (size_t)primitive->influence_count;
	}
	if (0 < block->left && block->left < LANE_COUNT) {
		block_pad(block);
	}
	return block;
}

/* Goes to the next vertices. */
static inline void block_next(struct block *block) {
	if (block->left < LANE_COUNT) {
		block_unpad(block);
		block->left = 0;
		return;
	}
	block->left -= LANE_COUNT;
	block->vertex += LANE_COUNT;
	block->job_vertex += LANE_COUNT;
	block->job_influence += (size_t)LANE_COUNT * (size_t)block->influence_count;
	block->slots += LANE_COUNT * block->influence_count;
	block->weights += LANE_COUNT * block->influence_count;
	if (0 < block->left && block->left < LANE_COUNT) {
		block_pad(block);
	}
}

/* Runs the statement for each block of a primitive: `block` is a pointer to it. */
#define BLOCK_FOREACH(block, job, primitive, entry_floats) \
	for (struct block block##_storage, \
		*block = block_begin(&block##_storage, job, primitive, entry_floats); \
		block->left > 0; block_next(block))

KERNEL struct lanes3 block_position(const struct block *block) {
	return lanes_load3(block->arrays.positions + block->vertex * 3);
}

KERNEL struct lanes3 block_normal(const struct block *block) {
	return lanes_load3(block->arrays.normals + block->vertex * 3);
}

/* True when tangents are wanted. */
KERNEL bool block_has_tangents(const struct block *block) {
	return block->arrays.out_tangents;
}

/* The direction and, in w, the handedness. */
KERNEL struct lanes4 block_tangent(const struct block *block) {
	return lanes_load4(block->arrays.tangents + block->vertex * 4, 4);
}

KERNEL void block_put_position(const struct block *block, struct lanes3 position) {
	lanes_store3(position, block->arrays.out_positions + block->vertex * 3);
}

KERNEL void block_put_normal(const struct block *block, struct lanes3 normal) {
	lanes_store3(normal, block->arrays.out_normals + block->vertex * 3);
}

KERNEL void block_put_tangent(const struct block *block, struct lanes3 t, lanes handedness) {
	const struct lanes4 tangent = {t.x, t.y, t.z, handedness};
	lanes_store4(tangent, block->arrays.out_tangents + block->vertex * 4);
}

/* The weight of every lane's k-th influence. */
KERNEL lanes block_weights(const struct block *block, int k) {
	lanes weights;
	for (int i = 0; i < LANE_COUNT; i++) {
		weights[i] = block->weights[block->influences[i] + (size_t)k];
	}
	return weights;
}

/* True when the block is full and has four influences a vertex: then each lane's lie four behind
 * the lane's before, and code for just that many is worth its place. */
KERNEL bool block_is_usual(const struct block *block) {
	return __builtin_expect(block->left >= LANE_COUNT && block->influence_count == 4, true);
}

/* The four weights of every lane of a usual block. */
KERNEL struct lanes4 block_weights_usual(const struct block *block) {
	return lanes_load4(block->weights, 4);
}

/* The offset of numbers of one kind in the palette: a constant where it is inlined. */
struct field {
	int entry_floats; // the method's per slot
	int offset;       // of the numbers in an entry, a multiple of 4
};

/* The field of a slot. */
KERNEL const float *block_entry(const float *palette, size_t slot, struct field field) {
	const float *entry = palette + slot * (size_t)field.entry_floats;
	return __builtin_assume_aligned(entry + field.offset, 4 * sizeof(float));
}

/* The field of a lane's k-th influence. */
KERNEL const float *block_field(const struct block *block, int lane, int k, struct field field) {
	return block_entry(
		block->palette, block->slots[block->influences[lane] + (size_t)k], field);
}

/* Four numbers of every lane's k-th influence. */
KERNEL struct lanes4 block_gather(const struct block *block, int k, struct field field) {
	const float *rows[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		rows[i] = block_field(block, i, k, field);
	}
	return lanes_load_rows(rows);
}

/* The same of a usual block. */
KERNEL struct lanes4 block_gather_usual(const struct block *block, int k, struct field field) {
	const float *rows[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		rows[i] = block_entry(block->palette, block->slots[i * 4 + k], field);
	}
	return lanes_load_rows(rows);
}

/* A matrix' rows as lanes: what palette_write_matrix() wrote. */
KERNEL struct lanes_matrix block_columns_of(struct lanes4 x, struct lanes4 y, struct lanes4 z) {
	return (struct lanes_matrix){
		{x.x, y.x, z.x},
		{x.y, y.y, z.y},
		{x.z, y.z, z.z},
		{x.w, y.w, z.w},
	};
}

/* The matrix of every lane's k-th influence. */
KERNEL struct lanes_matrix block_matrix_of(const struct block *block, int k, struct field field) {
	const int entry = field.entry_floats, at = field.offset;
	return block_columns_of(block_gather(block, k, (struct field){entry, at}),
		block_gather(block, k, (struct field){entry, at + 4}),
		block_gather(block, k, (struct field){entry, at + 8}));
}

/* One vertex' matrices blended by weight into 16 numbers. count is a constant where it is inlined
 * with one. */
KERNEL void block_blend_vertex(const float *palette, const uint16_t *slots, const float *weights,
	int count, struct field field, float *blended) {
	enum { PARTS = 16 / LANE_COUNT };
	const float *entry = block_entry(palette, slots[0], field);
	lanes m[PARTS];
	for (int i = 0; i < PARTS; i++) {
		m[i] = weights[0] * lanes_load(entry + i * LANE_COUNT);
	}
	for (int k = 1; k < count; k++) {
		entry = block_entry(palette, slots[k], field);
		for (int i = 0; i < PARTS; i++) {
			m[i] += weights[k] * lanes_load(entry + i * LANE_COUNT);
		}
	}
	for (int i = 0; i < PARTS; i++) {
		lanes_store(m[i], blended + i * LANE_COUNT);
	}
}

/* The matrices blended by weight. flag, if not NULL, gets the blend of the number that follows each
 * matrix in the palette.
 * Blended vertex by vertex, the numbers of a matrix side by side, then transposed once: to
 * transpose each influence would cost more than to blend it. */
KERNEL struct lanes_matrix block_blend_matrices(
	const struct block *block, struct field field, lanes *flag) {
	float blended[LANE_COUNT][16] __attribute__((aligned(32)));
	const float *palette = block->palette, *weights = block->weights;
	const uint16_t *slots = block->slots;
	if (block_is_usual(block)) {
#pragma GCC unroll 8
		for (int i = 0; i < LANE_COUNT; i++) {
			block_blend_vertex(
				palette, slots + i * 4, weights + i * 4, 4, field, blended[i]);
		}
	} else {
		for (int i = 0; i < LANE_COUNT; i++) {
			const size_t at = block->influences[i];
			block_blend_vertex(palette, slots + at, weights + at,
				block->influence_count, field, blended[i]);
		}
	}
	for (int i = 0; flag && i < LANE_COUNT; i++) {
		(*flag)[i] = blended[i][12];
	}
	return block_columns_of(lanes_load4(blended[0], 16), lanes_load4(blended[0] + 4, 16),
		lanes_load4(blended[0] + 8, 16));
}

/* --- The method's data: rows of numbers for every vertex, or every influence, of the rig --- */

/* A lane's vertex in the rig. */
KERNEL size_t block_vertex(const struct block *block, int lane) {
	return block->job_vertex + (size_t)(lane < block->left ? lane : block->left - 1);
}

/* A lane's k-th influence in the rig. */
KERNEL size_t block_influence(const struct block *block, int lane, int k) {
	return block->job_influence + block->influences[lane] + (size_t)k;
}

/* One number of each vertex' row of stride numbers. */
KERNEL lanes block_row1(const struct block *block, const float *rows, int stride) {
	lanes a;
	for (int i = 0; i < LANE_COUNT; i++) {
		a[i] = rows[block_vertex(block, i) * (size_t)stride];
	}
	return a;
}

/* Three numbers of each vertex' row. */
KERNEL struct lanes3 block_row3(const struct block *block, const float *rows, int stride) {
	return (struct lanes3){block_row1(block, rows, stride), block_row1(block, rows + 1, stride),
		block_row1(block, rows + 2, stride)};
}

/* Four numbers of each vertex' row, which are all there. */
KERNEL struct lanes4 block_row4(const struct block *block, const float *rows, int stride) {
	const float *starts[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		starts[i] = rows + block_vertex(block, i) * (size_t)stride;
	}
	return lanes_load_rows(starts);
}

/* One number of the row of each vertex' k-th influence. */
KERNEL lanes block_influence_row1(const struct block *block, int k, const float *rows, int stride) {
	lanes a;
	for (int i = 0; i < LANE_COUNT; i++) {
		a[i] = rows[block_influence(block, i, k) * (size_t)stride];
	}
	return a;
}

/* Three numbers of it. */
KERNEL struct lanes3 block_influence_row3(
	const struct block *block, int k, const float *rows, int stride) {
	return (struct lanes3){block_influence_row1(block, k, rows, stride),
		block_influence_row1(block, k, rows + 1, stride),
		block_influence_row1(block, k, rows + 2, stride)};
}

/* The rows of each vertex' k-th influence, which have four numbers. */
KERNEL struct lanes4 block_influence_row4(
	const struct block *block, int k, const float *rows, int stride) {
	const float *starts[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		starts[i] = rows + block_influence(block, i, k) * (size_t)stride;
	}
	return lanes_load_rows(starts);
}
