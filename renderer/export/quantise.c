// Vertices as few bits, one to a lane.
#include "export/quantise.h"

#include <float.h>

#include "base/lanes.h"

typedef int32_t ints4 __attribute__((vector_size(16)));
typedef lane_mask lane_ints;

/* The nearest step: not negative, and at most 65535, as the box has all. */
KERNEL floats4 round_steps(floats4 p, double min, double scale) {
	return (floats4) __builtin_convertvector((widen4(p) - min) * scale + 0.5, ints4);
}

KERNEL lane_ints quantise_axis(lanes p, double min, double scale) {
	return (lane_ints)lanes_join(
		round_steps(lanes_lower(p), min, scale), round_steps(lanes_upper(p), min, scale));
}

/* The nearest of 255 steps from -1 to 1. */
KERNEL lane_ints round_snorm8(lanes x) {
	const lanes half = lanes_negate_where((lane_mask)x, (lanes){0} + 0.5f);
	return __builtin_convertvector(x * 127 + half, lane_ints);
}

/* Both bytes of the normal, from the lowest bits up. */
KERNEL lane_ints quantise_normals(struct lanes3 normal) {
	// Vectors without direction point along +Z.
	const lanes sum = lanes_abs(normal.x) + lanes_abs(normal.y) + lanes_abs(normal.z) + FLT_MIN;
	const struct lanes3 n = lanes3_scale(normal, 1 / sum);
	// 1 - |y| is |x| + |z|: folding adds what is below the net's plane, else nothing.
	const lanes below = (lanes_abs(n.z) - n.z) * 0.5f;
	const lane_ints a = round_snorm8(n.x + lanes_negate_where((lane_mask)n.x, below));
	const lane_ints b = round_snorm8(n.y + lanes_negate_where((lane_mask)n.y, below));
	return (a & 0xff) | (b & 0xff) << 8;
}

/* Vertices of which the lower and the upper half are given. */
KERNEL void store_vertices(lane_ints low, lane_ints high, packed_vertex *out) {
#if LANE_COUNT == 8
	const lane_ints first = __builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11);
	const lane_ints last = __builtin_shufflevector(low, high, 4, 12, 5, 13, 6, 14, 7, 15);
#else
	const lane_ints first = __builtin_shufflevector(low, high, 0, 4, 1, 5);
	const lane_ints last = __builtin_shufflevector(low, high, 2, 6, 3, 7);
#endif
	memcpy(out, &first, sizeof first);
	memcpy(out + LANE_COUNT / 2, &last, sizeof last);
}

/* As many vertices as there are lanes. */
KERNEL void quantise_lanes(const struct quantise_box *box, const float *positions,
	const float *normals, packed_vertex *out) {
	lane_ints low = {0}, high = {0};
	if (positions) {
		const struct lanes3 p = lanes_load3(positions);
		low = quantise_axis(p.x, box->min[0], box->scale[0]) |
			quantise_axis(p.y, box->min[1], box->scale[1]) << 16;
		high = quantise_axis(p.z, box->min[2], box->scale[2]);
	}
	if (normals) {
		high |= quantise_normals(lanes_load3(normals)) << 16;
	}
	store_vertices(low, high, out);
}

/* The vertices behind the last whole lanes. */
KERNEL void quantise_rest(const struct quantise_box *box, const float *positions,
	const float *normals, size_t count, packed_vertex *out) {
	float position[LANE_COUNT * 3] = {0}, normal[LANE_COUNT * 3] = {0};
	packed_vertex rest[LANE_COUNT];
	if (positions) {
		memcpy(position, positions, count * 3 * sizeof *position);
	}
	if (normals) {
		memcpy(normal, normals, count * 3 * sizeof *normal);
	}
	quantise_lanes(box, positions ? position : NULL, normals ? normal : NULL, rest);
	memcpy(out, rest, count * sizeof *rest);
}

LANES_TARGET void LANES_NAME(quantise_vertices)(const struct quantise_box *box,
	const float *positions, const float *normals, size_t count, packed_vertex *out) {
	size_t i = 0;
	for (; i + LANE_COUNT <= count; i += LANE_COUNT) {
		quantise_lanes(box, positions ? positions + i * 3 : NULL,
			normals ? normals + i * 3 : NULL, out + i);
	}
	if (i < count) {
		quantise_rest(box, positions ? positions + i * 3 : NULL,
			normals ? normals + i * 3 : NULL, count - i, out + i);
	}
}
