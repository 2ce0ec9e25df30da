// Averages of whole transforms in single precision.
#include "pose/blend/average.h"

#include "base/lanes.h"

/* Sums of squares below which roundings of float32 show in the direction. Two rotations, each on
 * the same side as the other, stay above. */
#define LEAST_SQUARE 0.25f

#define TRANSFORM_FLOATS ((int)(sizeof(struct transform) / sizeof(float)))

/* Both compilations look at a whole block before they write any of it. */
#define PARTS (AVERAGE_BLOCK / LANE_COUNT)

/* Of count joints, the last of which stands for those beyond it. */
KERNEL struct lanes4 load_rotations(const struct transform *local, int first, int count) {
	const float *rows[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		rows[i] = local[first + i < count ? first + i : count - 1].rotation;
	}
	return lanes_load_rows(rows);
}

KERNEL void store_rotations(struct lanes4 q, int first, int count, struct transform *local) {
	float *rows[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		rows[i] = local[first + i < count ? first + i : count - 1].rotation;
	}
	lanes_store_rows(q, rows);
}

/* Each pose adds its share of the way from the first one to it, so that what is the same in all
 * stays as it is. */
KERNEL struct lanes4 sum_rotations(
	const struct average_whole *whole, int poses, int at, int first, int count) {
	const struct lanes4 reference = load_rotations(whole->local[0] + at, first, count);
	struct lanes4 sum = reference;
	for (int i = 1; i < poses; i++) {
		const struct lanes4 q = load_rotations(whole->local[i] + at, first, count);
		const lane_mask far = lanes4_dot(q, reference) < 0;
		const struct lanes4 way = lanes4_subtract(lanes4_negate_where(far, q), reference);
		sum = lanes4_add_scaled(sum, way, (lanes){0} + whole->weights[i]);
	}
	return sum;
}

/* All numbers, as if rotations were others. Halves, as differences may not fit; no weight but the
 * first is more than 1/2. What is taken away leaves the sign of a zero. */
KERNEL void sum_numbers(const struct average_whole *whole, int poses, int at, int count) {
	const float *reference = whole->local[0][at].translation;
	float *out = whole->out[at].translation;
	int k = 0;
	for (; k + LANE_COUNT <= count * TRANSFORM_FLOATS; k += LANE_COUNT) {
		const lanes start = lanes_load(reference + k), half = 0.5f * start;
		lanes sum = start;
		for (int i = 1; i < poses; i++) {
			const float *numbers = whole->local[i][at].translation;
			const lanes way = half - 0.5f * lanes_load(numbers + k);
			sum -= way * (2 * whole->weights[i]);
		}
		lanes_store(sum, out + k);
	}
	for (; k < count * TRANSFORM_FLOATS; k++) {
		float sum = reference[k];
		for (int i = 1; i < poses; i++) {
			const float *numbers = whole->local[i][at].translation;
			const float way = 0.5f * reference[k] - 0.5f * numbers[k];
			sum -= way * (2 * whole->weights[i]);
		}
		out[k] = sum;
	}
}

/* False, and nothing is written, where rotations take more precision. */
KERNEL bool average_block(const struct average_whole *whole, int poses, int at, int count) {
	struct lanes4 sums[PARTS] = {0};
	lanes squares[PARTS] = {0};
	for (int part = 0; whole->turns && part < PARTS; part++) {
		sums[part] = sum_rotations(whole, poses, at, part * LANE_COUNT, count);
		squares[part] = lanes4_dot(sums[part], sums[part]);
		if (!lanes_all(squares[part] >= LEAST_SQUARE)) {
			return false;
		}
	}
	sum_numbers(whole, poses, at, count);
	for (int part = 0; whole->turns && part < PARTS; part++) {
		store_rotations(lanes4_scale(sums[part], 1 / lanes_sqrt(squares[part])),
			part * LANE_COUNT, count, whole->out + at);
	}
	return true;
}

KERNEL int average_blocks(const struct average_whole *whole, int poses) {
	int at = whole->first;
	for (; at + AVERAGE_BLOCK <= whole->end; at += AVERAGE_BLOCK) {
		if (!average_block(whole, poses, at, AVERAGE_BLOCK)) {
			return at;
		}
	}
	return at == whole->end || average_block(whole, poses, at, whole->end - at) ? whole->end
										    : at;
}

LANES_TARGET int LANES_NAME(average_whole_run)(const struct average_whole *whole) {
	// Two are what most ask for: the compiler makes loops over the poses of their own.
	return whole->count == 2 ? average_blocks(whole, 2) : average_blocks(whole, whole->count);
}
