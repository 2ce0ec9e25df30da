/* Vertices in few bytes: positions as 16-bit numbers within a box, normals as two bytes on an
 * octahedron, interleaved as a graphics card takes them, and meshoptimizer's vertex codec over
 * frames of them. One thread at a time.
 *
 * A vertex of a frame, little-endian:
 *   positions and normals   3 x uint16, 2 x int8       8 bytes
 *   positions               3 x uint16, 2 zero bytes   8 bytes
 *   normals                 2 x int8, 2 zero bytes     4 bytes
 *
 * A position p is min + u / 65535 * (max - min), within half a step of what it was. The box is a
 * cube, so that a step is as long on every axis. Of fewer bits than 16 the box is made so much
 * larger that u stays below 2^bits: the formula stays, and a step is longer.
 *
 * A normal (a, b) is the point (x, y) = max((a, b) / 127, -1) of an octahedron's net, z = 1 - |x| -
 * |y|; where z < 0 the point is folded back: x = (1 - |y|) * sign(x), y = (1 - |x|) * sign(y). It
 * is within 0.95 degrees. Source: Cigolle, Donow, Evangelakos, Mara, McGuire, Meyer. A Survey of
 * Efficient Representations for Independent Unit Vectors. JCGT 3(2), 2014 (oct16: 0.94424 degrees).
 *
 * With deltas every number of a frame but the first after packer_set_box() is the difference from
 * the frame before, modulo 2^16 or 2^8. Source of the codec: meshoptimizer, vertex codec version 0,
 * as glTF's EXT_meshopt_compression has it (mode ATTRIBUTES). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/settings.h"
#include "model/rig.h"

struct packer;

/* Bytes of a vertex in a frame before the codec. */
size_t packer_stride(const struct packing_settings *settings);

/* Bytes that packer_add_frame() and packer_add_order() append at most. */
size_t packer_frame_bytes(const struct packing_settings *settings, size_t vertices);
size_t packer_order_bytes(size_t vertices);

/* For frames of so many vertices. With settings->reordered take_order is [vertices], malloc memory:
 * the vertex that stands at each place; else NULL. NULL with ERROR_TOO_LARGE. */
struct packer *packer_create(const struct packing_settings *settings, size_t vertices,
	uint32_t *take_order, struct error *err);
void packer_destroy(struct packer *packer); // takes NULL

/* The box of the frames from here on, around all positions within bounds, and *side of it; the next
 * frame is a key frame. False with ERROR_INVALID_VALUE where float32 does not reach so far. */
bool packer_set_box(struct packer *packer, const struct bounds *bounds, struct error *err);

/* min, then max, as readers are to take them. */
void packer_box(const struct packer *packer, float box[static 6]);

/* True when the next frame will be one that needs no other. */
bool packer_is_key_next(const struct packer *packer);

/* Appends count elements of stride bytes, a multiple of 4 up to 256, through the codec. */
void packer_encode(const void *elements, size_t count, size_t stride, struct buffer *out);

/* Appends indices of stride bytes, 2 or 4, through the codec for sequences: they stay in their
 * order.
 */
void packer_encode_indices(const void *from, size_t count, size_t stride, struct buffer *out);

/* Appends the table of vertices: uint32 each, through the codec as of 4 bytes. */
void packer_add_order(const struct packer *packer, struct buffer *out);

/* Appends a frame. positions (within the box) and normals are [vertices][3]; either may be NULL if
 * it is not packed. */
void packer_add_frame(
	struct packer *packer, const float *positions, const float *normals, struct buffer *out);

/* Grows bounds by the positions, [vertices][3]. Bounds of nothing are min > max. */
void packer_measure(const float *positions, size_t vertices, struct bounds *bounds);

/* Fills order, [rig->vertex_count], with the vertices as strips of triangles pass them, so that
 * neighbours stand together; those of no triangle come last. False with ERROR_TOO_LARGE. Source:
 * meshoptimizer. */
bool packer_strip_order(const struct rig *rig, uint32_t *order, struct error *err);
