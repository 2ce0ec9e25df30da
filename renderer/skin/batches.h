/* A mesh cut into batches whose triangles take no more than so many joints in all: what hardware
 * with few matrices needs. METHODS A5.1. */
#pragma once

#include <stddef.h>

#include "base/stop.h"
#include "model/rig.h"
#include "model/skin_data.h"

/* Joints of a triangle at most: three vertices of four influences. */
#define BATCH_PIECE_SLOTS 12

/* The batch of a row is not the first with this vertex. */
#define BATCH_REPEATED 0x80000000u

/* In the place of the batch of a triangle that has none: it was taken apart. */
#define BATCH_NONE 0xffffffffu

/* All arrays are owned; batches_finish() frees them. */
struct batches {
	struct skin_batch *list; // [count], those of a primitive together
	size_t count;
	uint32_t *slots; // [matrix_count] of the rig, a batch's in ascending order
	size_t matrix_count;
	uint32_t *rows; // [row_count] vertices of the rig, a batch's in ascending order
	size_t row_count;
	uint32_t *triangles; // [triangle_count] the batch of each, primitive after primitive
	size_t triangle_count;
};

/* Cuts a rig whose vertices have four influences at most; limit, at least 4, is that of joints in a
 * batch. Triangles go, ordered by their joints, to the batch that needs the fewest more, the oldest
 * of several; where none has room a new one is opened. A triangle of more joints than the limit is
 * taken apart into its vertices, as are lines and points: skinned vertices go back to their own
 * places, so that no triangle is torn. Every vertex is in one batch at least. False with
 * ERROR_TOO_LARGE, ERROR_DEADLINE or ERROR_CLIENT_LEFT; then there is nothing to free. */
bool batches_make(const struct rig *rig, int limit, const struct stop *stop, struct batches *out,
	struct error *err);
void batches_finish(struct batches *batches); // an empty one is fine
