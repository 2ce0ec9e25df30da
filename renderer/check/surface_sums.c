// Sums over edges and triangles. Those of four have their products in the lanes of four registers.
#include "check/surface_sums.h"

#include "base/mat_lanes.h"

typedef void edge_kernel(const check_point *points, const int (*ends)[2], int count, double *out);
typedef void volume_kernel(const check_point *points, const double *origin, const int (*corners)[3],
	int count, double *out);
typedef void side_kernel(const check_point *points, const float *normals, const int (*corners)[3],
	int count, double *out);

edge_kernel sum_edges, sum_edges_avx2;
volume_kernel sum_volumes, sum_volumes_avx2;
side_kernel sum_sides, sum_sides_avx2;

/* (x + y) + z of each of four. */
KERNEL doubles4 sum_products(const doubles4 products[static 4]) {
	doubles4 halves[2]; // x + y of two, then z of both
	for (int i = 0; i < 2; i++) {
		const doubles4 a = products[2 * i], b = products[2 * i + 1];
		halves[i] = __builtin_shufflevector(a, b, 0, 4, 2, 6) +
			__builtin_shufflevector(a, b, 1, 5, 3, 7);
	}
	return __builtin_shufflevector(halves[0], halves[1], 0, 1, 4, 5) +
		__builtin_shufflevector(halves[0], halves[1], 2, 3, 6, 7);
}

/* One of four; behind the last one, the last one again. */
KERNEL int place(int first, int lane, int count) {
	return first + lane < count ? first + lane : count - 1;
}

KERNEL void put(doubles4 sums, int first, int count, double *out) {
	if (first + 4 <= count) {
		doubles4_store(sums, out + first);
	}
	for (int i = first; first + 4 > count && i < count; i++) {
		out[i] = sums[i - first];
	}
}

/* The numbers of a x b, before they are added up. */
KERNEL doubles4 cross(doubles4 a, doubles4 b) {
	return __builtin_shufflevector(a, a, 1, 2, 0, 3) *
		__builtin_shufflevector(b, b, 2, 0, 1, 3) -
		__builtin_shufflevector(a, a, 2, 0, 1, 3) *
		__builtin_shufflevector(b, b, 1, 2, 0, 3);
}

LANES_TARGET void LANES_NAME(sum_edges)(
	const check_point *points, const int (*ends)[2], int count, double *out) {
	for (int first = 0; first < count; first += 4) {
		doubles4 products[4];
		for (int i = 0; i < 4; i++) {
			const int *end = ends[place(first, i, count)];
			const doubles4 way =
				doubles4_load(points[end[0]]) - doubles4_load(points[end[1]]);
			products[i] = way * way;
		}
		put(sum_products(products), first, count, out);
	}
}

LANES_TARGET void LANES_NAME(sum_volumes)(const check_point *points, const double *origin,
	const int (*corners)[3], int count, double *out) {
	const doubles4 from = {origin[0], origin[1], origin[2], 0};
	for (int first = 0; first < count; first += 4) {
		doubles4 products[4];
		for (int i = 0; i < 4; i++) {
			const int *at = corners[place(first, i, count)];
			const doubles4 a = doubles4_load(points[at[0]]) - from;
			const doubles4 b = doubles4_load(points[at[1]]) - from;
			const doubles4 c = doubles4_load(points[at[2]]) - from;
			products[i] = a * cross(b, c);
		}
		put(sum_products(products), first, count, out);
	}
}

KERNEL doubles4 normal_at(const float *normals, int vertex) {
	return widen4(load4(normals + (size_t)vertex * 3));
}

LANES_TARGET void LANES_NAME(sum_sides)(const check_point *points, const float *normals,
	const int (*corners)[3], int count, double *out) {
	const doubles4_mask three = {-1, -1, -1, 0};
	for (int first = 0; first < count; first += 4) {
		doubles4 products[4];
		for (int i = 0; i < 4; i++) {
			const int *at = corners[place(first, i, count)];
			const doubles4 a = doubles4_load(points[at[0]]);
			const doubles4 u = doubles4_load(points[at[1]]) - a;
			const doubles4 v = doubles4_load(points[at[2]]) - a;
			const doubles4 normal = normal_at(normals, at[0]) +
				normal_at(normals, at[1]) + normal_at(normals, at[2]);
			products[i] = cross(u, v) * (doubles4)((doubles4_mask)normal & three);
		}
		put(sum_products(products), first, count, out);
	}
}

#ifndef LANES_AVX2
void check_sums_points(const float *positions, size_t count, check_point *out) {
	for (size_t i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) {
			out[i][k] = (double)positions[i * 3 + (size_t)k];
		}
		out[i][3] = 0;
	}
}

void check_sums_edges(const check_point *points, const int (*ends)[2], int count, double *out) {
	(LANES_CPU_HAS_AVX2() ? sum_edges_avx2 : sum_edges)(points, ends, count, out);
}

void check_sums_volumes(const check_point *points, const double origin[static 3],
	const int (*corners)[3], int count, double *out) {
	(LANES_CPU_HAS_AVX2() ? sum_volumes_avx2 : sum_volumes)(
		points, origin, corners, count, out);
}

void check_sums_sides(const check_point *points, const float *normals, const int (*corners)[3],
	int count, double *out) {
	(LANES_CPU_HAS_AVX2() ? sum_sides_avx2 : sum_sides)(points, normals, corners, count, out);
}
#endif
