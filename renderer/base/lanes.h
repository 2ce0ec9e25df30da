/* Arithmetic on several vertices or joints at once, one to a lane, with the compiler's vector
 * extensions.
 *
 * A file with a kernel is compiled twice: as it stands for four lanes, which any CPU can do, and
 * once more with LANES_AVX2 defined, for eight. Some, which the Makefile lists, are
 * compiled once more with LANES_AVX512 defined, too, for sixteen. Doubles go by fours in all. All
 * do the same operations, and only such as IEEE 754 rounds exactly (+ - * / and the square root),
 * so all give the same bits. What is not to be there twice stands between #ifndef LANES_AVX2 and
 * #endif. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef LANES_AVX2
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

// LANES_SSE2 is defined where tests build what a processor without AVX2 would run, and
// LANES_AVX2_MOST for one without AVX-512.
#if (defined(__x86_64__) || defined(__i386__)) && !defined(LANES_SSE2)
#define LANES_CPU_HAS_AVX2() __builtin_cpu_supports("avx2")
#define LANES_AVX2_TARGET __attribute__((target("avx2")))
#else
#define LANES_CPU_HAS_AVX2() false
#define LANES_AVX2_TARGET
#endif

/* The last of these came with Ice Lake and Zen 4. Processors before them lower their clock for
 * registers of 64 bytes, and others share the core. */
#if (defined(__x86_64__) || defined(__i386__)) && !defined(LANES_SSE2) && !defined(LANES_AVX2_MOST)
#define LANES_CPU_HAS_AVX512() \
	(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && \
		__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && \
		__builtin_cpu_supports("avx512vbmi2"))
#define LANES_AVX512_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#else
#define LANES_CPU_HAS_AVX512() false
#define LANES_AVX512_TARGET
#endif

/* LANES_NAME(x_skin) is the kernel's name in this compilation: x_skin, x_skin_avx2 or
 * x_skin_avx512. */
#ifdef LANES_AVX512
#define LANE_COUNT 16
#define LANES_TARGET LANES_AVX512_TARGET
#define LANES_NAME(name) name##_avx512
#elif defined(LANES_AVX2)
#define LANE_COUNT 8
#define LANES_TARGET LANES_AVX2_TARGET
#define LANES_NAME(name) name##_avx2
#else
#define LANE_COUNT 4
#define LANES_TARGET
#define LANES_NAME(name) name
#endif

/* The kernel of so many lanes: 4, 8 or 16. */
#define LANES_CHOICE(lanes, name) \
	((lanes) == 16 ? name##_avx512 : (lanes) == 8 ? name##_avx2 : name)

/* A kernel is a tree of these, inlined whole into one function marked LANES_TARGET. */
#define KERNEL LANES_TARGET static inline __attribute__((always_inline))

typedef float lanes __attribute__((vector_size(4 * LANE_COUNT)));
typedef int32_t lane_mask __attribute__((vector_size(4 * LANE_COUNT))); // -1 = yes, 0 = no
typedef float floats4 __attribute__((vector_size(16)));
typedef double doubles4 __attribute__((vector_size(32)));
typedef int64_t doubles4_mask __attribute__((vector_size(32))); // -1 = yes, 0 = no

struct lanes3 {
	lanes x, y, z;
};

struct lanes4 {
	lanes x, y, z, w;
};

/* The upper three rows of a 4x4 matrix, by columns. */
struct lanes_matrix {
	struct lanes3 a0, a1, a2, b;
};

/* --- One number to a lane --- */

KERNEL lanes lanes_sqrt(lanes a) {
#if LANE_COUNT == 16
	return (lanes)_mm512_sqrt_ps(a);
#else
	lanes root;
	for (int i = 0; i < LANE_COUNT; i++) {
		root[i] = __builtin_sqrtf(a[i]);
	}
	return root;
#endif
}

KERNEL lanes lanes_abs(lanes a) {
	return (lanes)((lane_mask)a & INT32_MAX);
}

KERNEL lanes lanes_negate_where(lane_mask mask, lanes a) {
	return (lanes)((lane_mask)a ^ (mask & INT32_MIN));
}

KERNEL lanes lanes_select(lane_mask mask, lanes yes, lanes no) {
	return (lanes)(((lane_mask)yes & mask) | ((lane_mask)no & ~mask));
}

/* a > b ? a : b, and a < b ? a : b, for which there are instructions that gcc does not find. */
#if LANE_COUNT == 16
#define GREATER(a, b) ((lanes)_mm512_max_ps(a, b))
#define LESS(a, b) ((lanes)_mm512_min_ps(a, b))
#elif LANE_COUNT == 8
#define GREATER(a, b) ((lanes)_mm256_max_ps(a, b))
#define LESS(a, b) ((lanes)_mm256_min_ps(a, b))
#elif defined(__SSE2__)
#define GREATER(a, b) ((lanes)_mm_max_ps(a, b))
#define LESS(a, b) ((lanes)_mm_min_ps(a, b))
#else
#define GREATER(a, b) lanes_select((a) > (b), a, b)
#define LESS(a, b) lanes_select((a) < (b), a, b)
#endif

KERNEL lanes lanes_greater(lanes a, lanes b) {
	return GREATER(a, b);
}

KERNEL lanes lanes_less(lanes a, lanes b) {
	return LESS(a, b);
}

/* A bit for each lane whose number is negative, as those of masks are. */
KERNEL int lanes_signs(lane_mask a) {
#ifdef LANES_AVX512
	return _mm512_movepi32_mask((__m512i)a);
#elif defined(LANES_AVX2)
	return _mm256_movemask_ps((__m256)a);
#elif defined(__SSE2__)
	return _mm_movemask_ps((__m128)a);
#else
	int bits = 0;
	for (int i = 0; i < LANE_COUNT; i++) {
		bits |= (a[i] < 0) << i;
	}
	return bits;
#endif
}

KERNEL bool lanes_all(lane_mask mask) {
	return lanes_signs(mask) == (1 << LANE_COUNT) - 1;
}

/* --- Vectors and matrices --- */

KERNEL struct lanes3 lanes3_of(struct lanes4 a) {
	return (struct lanes3){a.x, a.y, a.z};
}

KERNEL struct lanes3 lanes3_add(struct lanes3 a, struct lanes3 b) {
	return (struct lanes3){a.x + b.x, a.y + b.y, a.z + b.z};
}

KERNEL struct lanes3 lanes3_subtract(struct lanes3 a, struct lanes3 b) {
	return (struct lanes3){a.x - b.x, a.y - b.y, a.z - b.z};
}

KERNEL struct lanes3 lanes3_scale(struct lanes3 a, lanes by) {
	return (struct lanes3){a.x * by, a.y * by, a.z * by};
}

KERNEL struct lanes3 lanes3_divide(struct lanes3 a, lanes by) {
	return (struct lanes3){a.x / by, a.y / by, a.z / by};
}

/* The greatest of the three numbers' sizes. */
KERNEL lanes lanes3_greatest(struct lanes3 a) {
	return lanes_greater(lanes_greater(lanes_abs(a.x), lanes_abs(a.y)), lanes_abs(a.z));
}

KERNEL lanes lanes3_dot(struct lanes3 a, struct lanes3 b) {
	return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

KERNEL struct lanes3 lanes3_cross(struct lanes3 a, struct lanes3 b) {
	return (struct lanes3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

KERNEL struct lanes3 lanes3_select(lane_mask mask, struct lanes3 yes, struct lanes3 no) {
	return (struct lanes3){lanes_select(mask, yes.x, no.x), lanes_select(mask, yes.y, no.y),
		lanes_select(mask, yes.z, no.z)};
}

KERNEL struct lanes4 lanes4_scale(struct lanes4 a, lanes by) {
	return (struct lanes4){a.x * by, a.y * by, a.z * by, a.w * by};
}

KERNEL struct lanes4 lanes4_add_scaled(struct lanes4 a, struct lanes4 b, lanes by) {
	return (struct lanes4){a.x + b.x * by, a.y + b.y * by, a.z + b.z * by, a.w + b.w * by};
}

KERNEL struct lanes4 lanes4_subtract(struct lanes4 a, struct lanes4 b) {
	return (struct lanes4){a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}

KERNEL struct lanes4 lanes4_negate_where(lane_mask mask, struct lanes4 a) {
	return (struct lanes4){lanes_negate_where(mask, a.x), lanes_negate_where(mask, a.y),
		lanes_negate_where(mask, a.z), lanes_negate_where(mask, a.w)};
}

KERNEL lanes lanes4_dot(struct lanes4 a, struct lanes4 b) {
	return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

KERNEL struct lanes4 lanes4_select(lane_mask mask, struct lanes4 yes, struct lanes4 no) {
	return (struct lanes4){lanes_select(mask, yes.x, no.x), lanes_select(mask, yes.y, no.y),
		lanes_select(mask, yes.z, no.z), lanes_select(mask, yes.w, no.w)};
}

KERNEL struct lanes3 lanes_map_direction(const struct lanes_matrix *m, struct lanes3 d) {
	return lanes3_add(lanes3_add(lanes3_scale(m->a0, d.x), lanes3_scale(m->a1, d.y)),
		lanes3_scale(m->a2, d.z));
}

KERNEL struct lanes3 lanes_map_point(const struct lanes_matrix *m, struct lanes3 v) {
	return lanes3_add(lanes3_add(lanes3_scale(m->a0, v.x), lanes3_scale(m->a1, v.y)),
		lanes3_add(lanes3_scale(m->a2, v.z), m->b));
}

/* --- Between memory and lanes ---
 * Memory holds rows of numbers, a row to a vertex. A register takes four numbers of row i and, with
 * more lanes, of row i + 4 beside them and so on; four such registers, transposed, are lanes. */

#define LANES_UPPER (LANE_COUNT - 4) // the first of the last four rows

KERNEL lanes lanes_load(const float *from) {
	lanes a;
	memcpy(&a, from, sizeof a);
	return a;
}

KERNEL void lanes_store(lanes a, float *to) {
	memcpy(to, &a, sizeof a);
}

KERNEL floats4 load4(const float *from) {
	floats4 a;
	memcpy(&a, from, sizeof a);
	return a;
}

KERNEL void store4(floats4 a, float *to) {
	memcpy(to, &a, sizeof a);
}

/* PICK: numbers i and j of a, then k and l of b, in each four lanes. */
#if LANE_COUNT == 16
#define PICK(a, b, i, j, k, l) \
	__builtin_shufflevector(a, b, i, j, 16 + k, 16 + l, 4 + i, 4 + j, 20 + k, 20 + l, 8 + i, \
		8 + j, 24 + k, 24 + l, 12 + i, 12 + j, 28 + k, 28 + l)
#elif LANE_COUNT == 8
// With this, gcc takes the upper half from memory, with a shuffle of the two it does not.
#define JOIN(lower, upper) ((lanes)_mm256_insertf128_ps(_mm256_castps128_ps256(lower), upper, 1))
#define PICK(a, b, i, j, k, l) \
	__builtin_shufflevector(a, b, i, j, 8 + k, 8 + l, 4 + i, 4 + j, 12 + k, 12 + l)
#else
#define JOIN(lower, upper) ((void)(lower), (upper))
#define PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, 4 + k, 4 + l)
#endif

/* Operations that AVX does in one go and gcc, asked in general terms, in halves. */
#if LANE_COUNT >= 8
#define WIDEN(a) ((doubles4)_mm256_cvtps_pd(a))
#define NARROW(a) ((floats4)_mm256_cvtpd_ps(a))
#define SQRT4(a) ((doubles4)_mm256_sqrt_pd(a))
#else
#define WIDEN(a) __builtin_convertvector(a, doubles4)
#define NARROW(a) __builtin_convertvector(a, floats4)
#define SQRT4(a) \
	((doubles4){__builtin_sqrt(a[0]), __builtin_sqrt(a[1]), __builtin_sqrt(a[2]), \
		__builtin_sqrt(a[3])})
#endif

KERNEL doubles4 widen4(floats4 a) {
	return WIDEN(a);
}

KERNEL floats4 narrow4(doubles4 a) {
	return NARROW(a);
}

KERNEL doubles4 sqrt4(doubles4 a) {
	return SQRT4(a);
}

/* Four numbers, from number at on, of row j and of each fourth row after it. */
KERNEL lanes lanes_load_some(const float *const rows[static LANE_COUNT], int j, int at) {
#if LANE_COUNT == 16
	__m512 a = _mm512_castps128_ps512(load4(rows[j] + at));
	a = _mm512_insertf32x4(a, load4(rows[j + 4] + at), 1);
	a = _mm512_insertf32x4(a, load4(rows[j + 8] + at), 2);
	return (lanes)_mm512_insertf32x4(a, load4(rows[j + 12] + at), 3);
#else
	return JOIN(load4(rows[j] + at), load4(rows[j + LANES_UPPER] + at));
#endif
}

/* The reverse. */
KERNEL void lanes_store_some(lanes a, float *const rows[static LANE_COUNT], int j) {
	for (int i = 0; i < LANE_COUNT; i += 4) {
		floats4 row;
		memcpy(&row, (const char *)&a + (size_t)i * sizeof(float), sizeof row);
		store4(row, rows[j + i]);
	}
}

KERNEL struct lanes4 lanes_transpose(struct lanes4 a) {
	const lanes xy_start = PICK(a.x, a.y, 0, 1, 0, 1), xy_end = PICK(a.x, a.y, 2, 3, 2, 3);
	const lanes zw_start = PICK(a.z, a.w, 0, 1, 0, 1), zw_end = PICK(a.z, a.w, 2, 3, 2, 3);
	return (struct lanes4){
		PICK(xy_start, zw_start, 0, 2, 0, 2),
		PICK(xy_start, zw_start, 1, 3, 1, 3),
		PICK(xy_end, zw_end, 0, 2, 0, 2),
		PICK(xy_end, zw_end, 1, 3, 1, 3),
	};
}

/* Rows of four numbers, one for each lane. */
KERNEL struct lanes4 lanes_load_rows(const float *const rows[static LANE_COUNT]) {
	return lanes_transpose((struct lanes4){
		lanes_load_some(rows, 0, 0),
		lanes_load_some(rows, 1, 0),
		lanes_load_some(rows, 2, 0),
		lanes_load_some(rows, 3, 0),
	});
}

/* Rows of four numbers, stride floats apart. */
KERNEL struct lanes4 lanes_load4(const float *from, int stride) {
	const float *rows[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		rows[i] = from + i * stride;
	}
	return lanes_load_rows(rows);
}

KERNEL void lanes_store_rows(struct lanes4 a, float *const to[static LANE_COUNT]) {
	const struct lanes4 rows = lanes_transpose(a);
	lanes_store_some(rows.x, to, 0);
	lanes_store_some(rows.y, to, 1);
	lanes_store_some(rows.z, to, 2);
	lanes_store_some(rows.w, to, 3);
}

KERNEL void lanes_store4(struct lanes4 a, float *to) {
	float *rows[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		rows[i] = to + i * 4;
	}
	lanes_store_rows(a, rows);
}

#if LANE_COUNT < 16
/* Row i and, with eight lanes, row i + 4. */
KERNEL lanes lanes_join(floats4 lower, floats4 upper) {
	return JOIN(lower, upper);
}

KERNEL floats4 lanes_lower(lanes a) {
	return __builtin_shufflevector(a, a, 0, 1, 2, 3);
}

KERNEL floats4 lanes_upper(lanes a) {
	floats4 upper;
	memcpy(&upper, (const char *)&a + sizeof a - sizeof upper, sizeof upper);
	return upper;
}

/* Packed rows of three numbers. Three registers hold four rows, and with eight lanes four more: in
 * the comments, of the first four, 1x is the second row's x. */
KERNEL struct lanes3 lanes_load3(const float *from) {
	const float *upper = from + LANES_UPPER * 3;
	const lanes start = lanes_join(load4(from), load4(upper));          // 0x 0y 0z 1x
	const lanes middle = lanes_join(load4(from + 4), load4(upper + 4)); // 1y 1z 2x 2y
	const lanes end = lanes_join(load4(from + 8), load4(upper + 8));    // 2z 3x 3y 3z
	const lanes early = PICK(start, middle, 1, 2, 0, 1);                // 0y 0z 1y 1z
	const lanes late = PICK(middle, end, 2, 3, 1, 2);                   // 2x 2y 3x 3y
	return (struct lanes3){
		PICK(start, late, 0, 3, 0, 2),
		PICK(early, late, 0, 2, 1, 3),
		PICK(early, end, 1, 3, 0, 3),
	};
}

KERNEL void lanes_store3(struct lanes3 a, float *to) {
	const lanes xy = PICK(a.x, a.y, 0, 2, 0, 2); // 0x 2x 0y 2y
	const lanes yz = PICK(a.y, a.z, 1, 3, 1, 3); // 1y 3y 1z 3z
	const lanes zx = PICK(a.z, a.x, 0, 2, 1, 3); // 0z 2z 1x 3x
	const lanes start = PICK(xy, zx, 0, 2, 0, 2);
	const lanes middle = PICK(yz, xy, 0, 2, 1, 3);
	const lanes end = PICK(zx, yz, 1, 3, 1, 3);
	float *upper = to + LANES_UPPER * 3;
	if (upper > to) {
		store4(lanes_lower(start), to);
		store4(lanes_lower(middle), to + 4);
		store4(lanes_lower(end), to + 8);
	}
	store4(lanes_upper(start), upper);
	store4(lanes_upper(middle), upper + 4);
	store4(lanes_upper(end), upper + 8);
}
#endif
