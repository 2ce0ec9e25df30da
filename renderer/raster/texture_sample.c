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
#if LANE_COUNT == 8
#define PRODUCTS(a, b) ((lane_mask)_mm256_mulhi_epu16((__m256i)(a), (__m256i)(b)))
#else
#define PRODUCTS(a, b) ((lane_mask)PRODUCT8((numbers8)(a), (numbers8)(b)))
#endif

/* Products of numbers from 0 to 2^15 - 1: plain x86-64 has no others of 32 bits. */
#if LANE_COUNT == 8
#define SMALL_PRODUCT(a, b) ((lane_mask)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#elif defined(__SSE2__)
#define SMALL_PRODUCT(a, b) ((lane_mask)_mm_madd_epi16((__m128i)(a), (__m128i)(b)))
#else
#define SMALL_PRODUCT(a, b) ((a) * (b))
#endif
_Static_assert(TEXTURE_SIDE_MAX + 1 < 1 << 15, "offsets are such products");

/* The texels that a place lies between, and their weights. */
struct footprints {
	int32_t level[RASTER_QUEUE];
	int32_t offset[2][RASTER_QUEUE]; // texels from the start of the level, and of the next
	int32_t share[RASTER_QUEUE];     // of the next level, of WHOLE
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

KERNEL lane_mask offset_of(struct side u, struct side v) {
	const lane_mask stride = __builtin_convertvector(u.size, lane_mask) + 1;
	return SMALL_PRODUCT(__builtin_convertvector(v.texel, lane_mask), stride) +
		__builtin_convertvector(u.texel, lane_mask);
}

/* Two numbers of 16 bits in one lane. */
KERNEL lanes paired(lane_mask low, lane_mask high) {
	return (lanes)(low | high << 16);
}

KERNEL lane_mask find_levels(const struct raster_texture *texture,
	const struct raster_places *places, int i, struct footprints *out, lanes *size) {
	lanes whole = (lanes){0};
	lane_mask share = (lane_mask){0};
	if (texture->level_count > 1) {
		const float last = (float)(texture->level_count - 1);
		const lanes level = lanes_clamp(level_of(texture, places, i), 0, last);
		whole = whole_of(texture->between ? level : level + 0.5F);
		if (texture->between) {
			share = __builtin_convertvector((level - whole) * WHOLE + 0.5F, lane_mask);
		}
	}
	const lane_mask level = __builtin_convertvector(whole, lane_mask);
	store_integers(level, out->level + i);
	store_integers(share, out->share + i);
	*size = (lanes)((127 - level) << 23);
	return share;
}

KERNEL void find_footprints(const struct raster_texture *texture,
	const struct raster_places *places, int i, struct footprints *out) {
	const enum wrap wrap_u = texture->wraps[0], wrap_v = texture->wraps[1];
	const lanes u = wrapped(lanes_load(places->u + i), wrap_u);
	const lanes v = wrapped(lanes_load(places->v + i), wrap_v);
	lanes size;
	const lane_mask share = find_levels(texture, places, i, out, &size);
	const struct side left = find_side(u, texture->width, size, wrap_u, texture->nearest);
	const struct side top = find_side(v, texture->height, size, wrap_v, texture->nearest);
	store_integers(offset_of(left, top), out->offset[0] + i);
	const lane_mask near = WHOLE - share, right = PRODUCTS(left.weight, near);
	struct lanes4 weights = {.x = paired(near - right, right)};
	lane_mask next_down = {0};
	if (texture->between) {
		const lanes half = size * 0.5F;
		const struct side next_left =
			find_side(u, texture->width, half, wrap_u, texture->nearest);
		const struct side next_top =
			find_side(v, texture->height, half, wrap_v, texture->nearest);
		store_integers(offset_of(next_left, next_top), out->offset[1] + i);
		const lane_mask next = PRODUCTS(next_left.weight, share);
		weights.y = paired(share - next, next);
		next_down = next_top.weight;
	} else {
		weights.y = (lanes){0};
	}
	weights.z = paired(top.weight, next_down);
	weights.w = paired(WHOLE - top.weight, WHOLE - next_down);
	lanes_store4(weights, out->weights[i]);
}

/* --- One place after the other: texels --- */

/* Two neighbours of a level, and the two below them. */
KERNEL numbers8 mixed_rows(const uint16_t *at, size_t stride, numbers8 upper, numbers8 lower) {
	numbers8 top, bottom;
	memcpy(&top, at, sizeof top);
	memcpy(&bottom, at + stride, sizeof bottom);
	return PRODUCT8(top, upper) + PRODUCT8(bottom, lower);
}

#define SPREAD(pairs, i, j) \
	((numbers8)__builtin_shufflevector((words4)(pairs), (words4)(pairs), i, i, j, j))

/* Sums both halves. */
KERNEL floats4 as_numbers(numbers8 both) {
	const numbers8 none = {0};
	const numbers8 sum = both + __builtin_shufflevector(both, both, 4, 5, 6, 7, 4, 5, 6, 7);
	const integers4 whole =
		(integers4)__builtin_shufflevector(sum, none, 0, 8, 1, 9, 2, 10, 3, 11);
	const floats4 share = __builtin_convertvector(whole, floats4) * (1.0F / WHITE);
	const integers4 below = share < 1, one = (integers4)(1 + (floats4){0});
	return (floats4)(((integers4)share & below) | (one & ~below));
}

/* Both columns of one level, or of two at once. */
KERNEL floats4 mixed_texels(
	const struct raster_texture *texture, const struct footprints *found, int i) {
	numbers8 numbers;
	memcpy(&numbers, found->weights[i], sizeof numbers);
	const numbers8 columns = __builtin_shufflevector(numbers, numbers, 0, 0, 1, 1, 2, 2, 3, 3);
	const numbers8 rows = __builtin_shufflevector(numbers, numbers, 4, 4, 5, 5, 6, 6, 7, 7);
	const struct texture_level *level = &texture->levels[found->level[i]];
	numbers8 sum = PRODUCT8(mixed_rows(level->texels + (size_t)found->offset[0][i] * 4,
					level->stride, SPREAD(rows, 2, 2), SPREAD(rows, 0, 0)),
		SPREAD(columns, 0, 1));
	if (found->share[i] > 0) {
		level++;
		sum += PRODUCT8(mixed_rows(level->texels + (size_t)found->offset[1][i] * 4,
					level->stride, SPREAD(rows, 3, 3), SPREAD(rows, 1, 1)),
			SPREAD(columns, 2, 3));
	}
	return as_numbers(sum);
}

/* Asks for both rows of a level, whose lines are far apart, before any is needed. */
KERNEL void fetch_level(const struct texture_level *level, int32_t offset) {
	const uint16_t *at = level->texels + (size_t)offset * 4;
	__builtin_prefetch(at);
	__builtin_prefetch(at + level->stride);
}

KERNEL void fetch_ahead(
	const struct raster_texture *texture, const struct footprints *found, int i) {
	const struct texture_level *level = &texture->levels[found->level[i]];
	fetch_level(level, found->offset[0][i]);
	if (found->share[i] > 0) {
		fetch_level(level + 1, found->offset[1][i]);
	}
}

LANES_TARGET void LANES_NAME(texture_sample)(const struct raster_texture *texture,
	const struct raster_places *places, int count, float (*out)[4]) {
	struct footprints found;
	for (int i = 0; i < count; i += LANE_COUNT) {
		find_footprints(texture, places, i, &found);
	}
	for (int i = 0; i < count; i++) {
		fetch_ahead(texture, &found, i);
	}
	for (int i = 0; i < count; i++) {
		store4(mixed_texels(texture, &found, i), out[i]);
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
