/* Positions as 16-bit steps within a box and normals as two bytes on an octahedron, many vertices
 * at once: see export/packer.h for what they mean. The same bits on every machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* x, y, z and both bytes of the normal from the lowest bits up. */
typedef uint64_t packed_vertex;

#define PACKED_NORMAL_SHIFT 48

struct quantise_box {
	double min[3];
	double scale[3]; // steps in a unit
};

/* Packs vertices [count]. positions (within the box) and normals are [count][3]; what is NULL
 * becomes zeros. A normal of no direction points along +Z. */
typedef void quantise_function(const struct quantise_box *box, const float *positions,
	const float *normals, size_t count, packed_vertex *out);
quantise_function quantise_vertices, quantise_vertices_avx2;

#ifdef __cplusplus
extern "C" {
#endif

/* float32 -> half precision, as graphics cards filter it everywhere. Rounds to the nearest: within
 * 2^-12 for numbers in [-1, 1]. Those below 2^-14 become 0. Source: meshoptimizer. */
void half_from_floats(const float *floats, size_t count, uint16_t *halves);

#ifdef __cplusplus
}
#endif
