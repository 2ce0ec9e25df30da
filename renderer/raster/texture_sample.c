// Looking textures up.
#include <string.h>

#include "base/lanes.h"
#include "raster/functions.h"
#include "raster/texture.h"

/* Weights of 16 bits sum to this. */
#define WHOLE 65535

/* The least that rounding down in each step leaves of 65535. */
#define WHITE 65529

typedef uint16_t numbers8 __attribute__((vector_size(16)));
typedef uint32_t words4 __attribute__((vector_size(16)));
typedef int32_t integers4 __attribute__((vector_size(16)));

/* Upper halves of products of 16 bits. PRODUCTS: of the lower 16 bits of each lane, whose upper
 * ones are 0. */
#ifdef __SSE2__
#define PRODUCT8(a, b) ((numbers8)_mm_mulhi_epu16((__m128i)(a), (__m128i)(b)))
#else
#define PRODUCT8(a, b) \
	__builtin_convertvector( \
		(__builtin_convertvector(a, words8) * __builtin_convertvector(b, words8)) >> 16, \
		numbers8)
typedef uint32_t words8 __attribute__((vector_size(32)));
#endif
#if LANE_COUNT == 16
#define PRODUCTS(a, b) ((lane_mask)_mm512_mulhi_epu16((__m512i)(a), (__m512i)(b)))
#elif LANE_COUNT == 8
#define PRODUCTS(a, b) ((lane_mask)_mm256_mulhi_epu16((__m256i)(a), (__m256i)(b)))
#else
#define PRODUCTS(a, b) ((lane_mask)PRODUCT8((numbers8)(a), (numbers8)(b)))
#endif

/* Products of numbers from 0 to 2^15 - 1: plain x86-64 has no others of 32 bits. */
#if LANE_COUNT == 16
#define SMALL_PRODUCT(a, b) ((lane_mask)_mm512_madd_epi16((__m512i)(a), (__m512i)(b)))
#elif LANE_COUNT == 8
#define SMALL_PRODUCT(a, b) ((lane_mask)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#elif defined(__SSE2__)
#define SMALL_PRODUCT(a, b) ((lane_mask)_mm_madd_epi16((__m128i)(a), (__m128i)(b)))
#else
#define SMALL_PRODUCT(a, b) ((a) * (b))
#endif
_Static_assert(TEXTURE_SIDE_MAX + 1 < 1 << 15, "offsets are such products");

/* The texels that a place lies between, and their weights. Places between no levels have those of
 * one twice, and the second without weight. */
struct footprints {
	// Of the left ones from the start of all levels: of the level, and of the next.
	int32_t top[2][RASTER_QUEUE], bottom[2][RASTER_QUEUE];
	/* Eight numbers of 16 bits: of the left and right column, then of the next level's; of the
	 * lower row, of the next level's lower row, and the same of the upper rows. */
	float weights[RASTER_QUEUE][4];
};

/* --- In lanes: levels, wrapping, weights --- */

KERNEL lanes fraction(lanes a) {
	return a - lanes_floor(a);
}

/* Beyond this distance there are no fractions left. */
#define FAR 8388608.0F

KERNEL lanes wrapped(lanes at, enum wrap wrap) {
	const lanes bounded = lanes_clamp(at, -FAR, FAR);
	if (wrap == WRAP_REPEAT) {
		return fraction(bounded);
	}
	if (wrap == WRAP_MIRROR) {
		const lanes twice = fraction(bounded * 0.5F) * 2;
		return lanes_less(twice, 2 - twice);
	}
	return lanes_clamp(bounded, 0, 1);
}

/* The logarithm to base 2 of how many texels a pixel is long. */
KERNEL lanes level_of(
	const struct raster_texture *texture, const struct raster_places *places, int i) {
	const lanes u_right = lanes_load(places->u_right + i) * texture->width;
	const lanes v_right = lanes_load(places->v_right + i) * texture->height;
	const lanes u_down = lanes_load(places->u_down + i) * texture->width;
	const lanes v_down = lanes_load(places->v_down + i) * texture->height;
	const lanes right = u_right * u_right + v_right * v_right;
	const lanes down = u_down * u_down + v_down * v_down;
	return lanes_log2(lanes_greater(right, down)) * 0.5F;
}

/* Of a positive number. */
KERNEL lanes whole_of(lanes a) {
	return __builtin_convertvector(__builtin_convertvector(a, lane_mask), lanes);
}

KERNEL void store_integers(lane_mask a, int32_t *out) {
	memcpy(out, &a, sizeof a);
}

struct side {
	lanes size;       // of a level, in texels
	lanes texel;      // the one on the left or above
	lane_mask weight; // of its neighbour, of WHOLE
};

/* Along one side of a level that is this share of the first in size. */
KERNEL struct side find_side(lanes at, float full, lanes share, enum wrap wrap, bool nearest) {
	struct side side;
	side.size = lanes_greater(whole_of(full * share), 1 + (lanes){0});
	const lanes last = side.size - 1;
	lanes place = nearest ? at * side.size : at * side.size - 0.5F;
	if (wrap == WRAP_REPEAT) {
		place += (lanes)((lane_mask)side.size & (place < 0));
	}
	place = lanes_greater(place, (lanes){0});
	place = lanes_less(place, wrap == WRAP_REPEAT ? side.size : last);
	side.texel = lanes_less(whole_of(place), last);
	side.weight = nearest
		? (lane_mask){0}
		: __builtin_convertvector((place - side.texel) * WHOLE + 0.5F, lane_mask);
	return side;
}

/* The starts of levels; from registers, since a load waits for stores of its parts. */
KERNEL lane_mask starts_of(const struct raster_texture *texture, lane_mask level) {
	const int32_t *of = texture->starts;
#if LANE_COUNT == 16
	return (lane_mask)_mm512_permutexvar_epi32((__m512i)level, _mm512_loadu_si512(of));
#elif LANE_COUNT == 8
	return (lane_mask)_mm256_i32gather_epi32(of, (__m256i)level, 4);
#else
	return (lane_mask){of[level[0]], of[level[1]], of[level[2]], of[level[3]]};
#endif
}

/* Stores the rows of a footprint on a level. */
KERNEL void store_rows(
	struct side u, struct side v, lane_mask start, int32_t *top, int32_t *bottom) {
	const lane_mask stride = __builtin_convertvector(u.size, lane_mask) + 1;
	const lane_mask offset =
		SMALL_PRODUCT(__builtin_convertvector(v.texel, lane_mask), stride) +
		__builtin_convertvector(u.texel, lane_mask) + start;
	store_integers(offset, top);
	store_integers(offset + stride, bottom);
}

/* Two numbers of 16 bits in one lane. */
KERNEL lanes paired(lane_mask low, lane_mask high) {
	return (lanes)(low | high << 16);
}

/* The level of each place, the share of the first level's size that it has, and the share of the
 * next one, of WHOLE. */
struct levels {
	lane_mask level;
	lanes size;
	lane_mask next;
};

KERNEL struct levels find_levels(
	const struct raster_texture *texture, const struct raster_places *places, int i) {
	struct levels out = {{0}, 1 + (lanes){0}, {0}};
	if (texture->level_count > 1) {
		const float last = (float)(texture->level_count - 1);
		const lanes level = lanes_clamp(level_of(texture, places, i), 0, last);
		const lanes whole = whole_of(texture->between ? level : level + 0.5F);
		out.level = __builtin_convertvector(whole, lane_mask);
		out.size = (lanes)((127 - out.level) << 23);
		if (texture->between) {
			out.next =
				__builtin_convertvector((level - whole) * WHOLE + 0.5F, lane_mask);
		}
	}
	return out;
}

KERNEL void find_footprints(const struct raster_texture *texture,
	const struct raster_places *places, int i, struct footprints *out) {
	const enum wrap wrap_u = texture->wraps[0], wrap_v = texture->wraps[1];
	const lanes u = wrapped(lanes_load(places->u + i), wrap_u);
	const lanes v = wrapped(lanes_load(places->v + i), wrap_v);
	const struct levels levels = find_levels(texture, places, i);
	const lane_mask start = starts_of(texture, levels.level);
	const struct side left =
		find_side(u, texture->width, levels.size, wrap_u, texture->nearest);
	const struct side top =
		find_side(v, texture->height, levels.size, wrap_v, texture->nearest);
	store_rows(left, top, start, out->top[0] + i, out->bottom[0] + i);
	const lane_mask near = WHOLE - levels.next, right = PRODUCTS(left.weight, near);
	struct lanes4 weights = {.x = paired(near - right, right)};
	lane_mask next_down = {0};
	if (texture->between) {
		const lanes half = levels.size * 0.5F;
		const struct side next_left =
			find_side(u, texture->width, half, wrap_u, texture->nearest);
		const struct side next_top =
			find_side(v, texture->height, half, wrap_v, texture->nearest);
		store_rows(next_left, next_top, starts_of(texture, levels.level + 1),
			out->top[1] + i, out->bottom[1] + i);
		const lane_mask next = PRODUCTS(next_left.weight, levels.next);
		weights.y = paired(levels.next - next, next);
		next_down = next_top.weight;
	} else {
		store_rows(left, top, start, out->top[1] + i, out->bottom[1] + i);
		weights.y = (lanes){0};
	}
	weights.z = paired(top.weight, next_down);
	weights.w = paired(WHOLE - top.weight, WHOLE - next_down);
	lanes_store4(weights, out->weights[i]);
}

/* --- One place after the other: texels --- */

#if LANE_COUNT >= 8
/* Both levels beside one another. */
KERNEL __m256i both_levels(const uint16_t *texels, int32_t near, int32_t next) {
	const void *first = texels + (size_t)near * 4, *second = texels + (size_t)next * 4;
	return _mm256_inserti128_si256(
		_mm256_castsi128_si256(_mm_loadu_si128(first)), _mm_loadu_si128(second), 1);
}

/* Number i of 16 bits to all of the lower half, and number j to all of the upper one. */
KERNEL __m256i spread2(__m256i numbers, int i, int j) {
	const __m128i pair = _mm_set1_epi16(0x0100);
	const __m128i low = _mm_add_epi8(pair, _mm_set1_epi8((char)(2 * i)));
	const __m128i high = _mm_add_epi8(pair, _mm_set1_epi8((char)(2 * j)));
	return _mm256_shuffle_epi8(numbers, _mm256_set_m128i(high, low));
}

/* The left and the right column of both levels, mixed of their rows, times their weights. */
KERNEL __m256i weighted_columns(const struct footprints *found, const uint16_t *texels, int i) {
	const __m256i weights =
		_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)found->weights[i]));
	const __m256i spread = _mm256_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 4,
		5, 4, 5, 4, 5, 4, 5, 6, 7, 6, 7, 6, 7, 6, 7);
	const __m256i top = both_levels(texels, found->top[0][i], found->top[1][i]);
	const __m256i bottom = both_levels(texels, found->bottom[0][i], found->bottom[1][i]);
	const __m256i rows = _mm256_add_epi16(_mm256_mulhi_epu16(top, spread2(weights, 6, 7)),
		_mm256_mulhi_epu16(bottom, spread2(weights, 4, 5)));
	return _mm256_mulhi_epu16(rows, _mm256_shuffle_epi8(weights, spread));
}

/* Two places. */
KERNEL void mix_texels(
	const struct footprints *found, const uint16_t *texels, int i, float (*out)[4]) {
	const __m256i a = weighted_columns(found, texels, i);
	const __m256i b = weighted_columns(found, texels, i + 1);
	const __m256i columns =
		_mm256_add_epi16(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
	const __m128i sums = _mm_add_epi16(
		_mm256_castsi256_si128(columns), _mm256_extracti128_si256(columns, 1));
	const __m256 shares = _mm256_mul_ps(
		_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(sums)), _mm256_set1_ps(1.0F / WHITE));
	_mm256_storeu_ps(out[i], _mm256_min_ps(shares, _mm256_set1_ps(1)));
}
#else
KERNEL numbers8 load8(const void *from) {
	numbers8 a;
	memcpy(&a, from, sizeof a);
	return a;
}

#define SPREAD(pairs, i, j) \
	((numbers8)__builtin_shufflevector((words4)(pairs), (words4)(pairs), i, i, j, j))

KERNEL numbers8 texels_at(const uint16_t *texels, const int32_t *offset) {
	return load8(texels + (size_t)*offset * 4);
}

/* Two neighbours of a level, mixed with the two below them. */
KERNEL numbers8 mixed_rows(const struct footprints *found, const uint16_t *texels, int level, int i,
	numbers8 upper, numbers8 lower) {
	return PRODUCT8(texels_at(texels, &found->top[level][i]), upper) +
		PRODUCT8(texels_at(texels, &found->bottom[level][i]), lower);
}

/* Sums both halves. */
KERNEL floats4 as_numbers(numbers8 both) {
	const numbers8 none = {0};
	const numbers8 sum = both + __builtin_shufflevector(both, both, 4, 5, 6, 7, 4, 5, 6, 7);
	const integers4 whole =
		(integers4)__builtin_shufflevector(sum, none, 0, 8, 1, 9, 2, 10, 3, 11);
	return lanes_less(
		__builtin_convertvector(whole, floats4) * (1.0F / WHITE), 1 + (floats4){0});
}

/* One place: both columns of both levels. */
KERNEL floats4 mixed_texels(const struct footprints *found, const uint16_t *texels, int i) {
	const numbers8 numbers = load8(found->weights[i]);
	const numbers8 columns = __builtin_shufflevector(numbers, numbers, 0, 0, 1, 1, 2, 2, 3, 3);
	const numbers8 rows = __builtin_shufflevector(numbers, numbers, 4, 4, 5, 5, 6, 6, 7, 7);
	const numbers8 near =
		mixed_rows(found, texels, 0, i, SPREAD(rows, 2, 2), SPREAD(rows, 0, 0));
	const numbers8 next =
		mixed_rows(found, texels, 1, i, SPREAD(rows, 3, 3), SPREAD(rows, 1, 1));
	return as_numbers(
		PRODUCT8(near, SPREAD(columns, 0, 1)) + PRODUCT8(next, SPREAD(columns, 2, 3)));
}

/* Two places. */
KERNEL void mix_texels(
	const struct footprints *found, const uint16_t *texels, int i, float (*out)[4]) {
	store4(mixed_texels(found, texels, i), out[i]);
	store4(mixed_texels(found, texels, i + 1), out[i + 1]);
}
#endif

/* Asks for all rows, whose lines are far apart, before any is needed. */
KERNEL void fetch_ahead(const struct footprints *found, const uint16_t *texels, int i) {
	for (int level = 0; level < 2; level++) {
		__builtin_prefetch(texels + (size_t)found->top[level][i] * 4);
		__builtin_prefetch(texels + (size_t)found->bottom[level][i] * 4);
	}
}

LANES_TARGET void LANES_NAME(texture_sample)(const struct raster_texture *texture,
	const struct raster_places *places, int count, float (*out)[4]) {
	struct footprints found;
	for (int i = 0; i < count; i += LANE_COUNT) {
		find_footprints(texture, places, i, &found);
	}
	for (int i = 0; i < count; i++) {
		fetch_ahead(&found, texture->texels, i);
	}
	for (int i = 0; i < count; i += 2) {
		mix_texels(&found, texture->texels, i, out);
	}
}

LANES_TARGET void LANES_NAME(texture_transform)(const float rows[static 6],
	const struct raster_places *from, int count, struct raster_places *to) {
	for (int i = 0; i < count; i += LANE_COUNT) {
		const lanes u = lanes_load(from->u + i), v = lanes_load(from->v + i);
		lanes_store((u * rows[0] + v * rows[1]) + rows[2], to->u + i);
		lanes_store((u * rows[3] + v * rows[4]) + rows[5], to->v + i);
		const lanes u_right = lanes_load(from->u_right + i);
		const lanes v_right = lanes_load(from->v_right + i);
		lanes_store(u_right * rows[0] + v_right * rows[1], to->u_right + i);
		lanes_store(u_right * rows[3] + v_right * rows[4], to->v_right + i);
		const lanes u_down = lanes_load(from->u_down + i),
			    v_down = lanes_load(from->v_down + i);
		lanes_store(u_down * rows[0] + v_down * rows[1], to->u_down + i);
		lanes_store(u_down * rows[3] + v_down * rows[4], to->v_down + i);
	}
}
