// Small triangles: what they are tested with is found for as many at once as there are lanes.
#include "raster/cover.h"

/* Differences of corners, and those of corners from their first block, are such numbers. */
_Static_assert(OUTLINE_SMALL_SIDE + BLOCK_WIDTH * RASTER_PIXEL < 1 << 15, "of 16 bits");

/* Triangles with what a block of theirs is tested with. */
struct setups {
	int32_t sides[3][LANE_COUNT];    // of each edge function the factors of x and y, a pair
	int32_t edges[3][LANE_COUNT];    // its value at the first block's corner
	int32_t steps[3][2][LANE_COUNT]; // and what it grows by from a block to the next
	float depth[LANE_COUNT], x[LANE_COUNT], y[LANE_COUNT]; // as in struct plane
	float least[LANE_COUNT], most[LANE_COUNT];
	int32_t at_x[LANE_COUNT], at_y[LANE_COUNT];
};

struct lane_outlines {
	lane_mask x[3], y[3];
	lanes depth[3];
};

KERNEL lane_mask load_integers(const int32_t *from) {
	lane_mask a;
	memcpy(&a, from, sizeof a);
	return a;
}

KERNEL void store_integers(lane_mask a, int32_t *out) {
	memcpy(out, &a, sizeof a);
}

KERNEL lane_mask chosen(lane_mask mask, lane_mask yes, lane_mask no) {
	return (lane_mask)lanes_select(mask, (lanes)yes, (lanes)no);
}

KERNEL struct lane_outlines load_outlines(
	const struct raster_cover_job *job, const struct small_batch *batch) {
	const float *first[LANE_COUNT], *second[LANE_COUNT], *third[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		const int at = i < batch->count ? i : 0;
		first[i] = (const float *)(const void *)&job->outlines[batch->triangles[at]];
		second[i] = first[i] + 4;
		third[i] = first[i] + 8;
	}
	const struct lanes4 a = lanes_load_rows(first), b = lanes_load_rows(second);
	const struct lanes4 c = lanes_load_rows(third);
	return (struct lane_outlines){
		.x = {(lane_mask)a.x, (lane_mask)a.y, (lane_mask)a.z},
		.y = {(lane_mask)a.w, (lane_mask)b.x, (lane_mask)b.y},
		.depth = {b.z, b.w, c.x},
	};
}

/* The edge from P to Q: see edge_of() in cover.c. */
KERNEL void set_up_edge(lane_mask px, lane_mask py, lane_mask qx, lane_mask qy, lane_mask left,
	lane_mask top, int samples, int edge, struct setups *out) {
	const int shift = units_shift(samples), pixel = RASTER_PIXEL >> shift;
	const lane_mask a = py - qy, b = qx - px, sides = pair(a, b);
	const lane_mask inclusive = (a > 0) | ((a == 0) & (b > 0));
	const lane_mask exact = PAIR_PRODUCTS(sides, pair(left - px, top - py)) + ~inclusive;
	store_integers(sides, out->sides[edge]);
	store_integers(exact >> shift, out->edges[edge]);
	store_integers(a * (BLOCK_WIDTH * pixel), out->steps[edge][0]);
	store_integers(b * (BLOCK_HEIGHT * pixel), out->steps[edge][1]);
}

/* The plane of depths: the same bits as plane_of() in cover.c finds. */
KERNEL void set_up_plane(const struct lane_outlines *o, lane_mask area, struct setups *out) {
	const lanes by_area = 1 / __builtin_convertvector(area, lanes);
	const lanes to_b = o->depth[1] - o->depth[0], to_c = o->depth[2] - o->depth[0];
	const lanes bx = __builtin_convertvector(o->x[1] - o->x[0], lanes);
	const lanes by = __builtin_convertvector(o->y[1] - o->y[0], lanes);
	const lanes cx = __builtin_convertvector(o->x[2] - o->x[0], lanes);
	const lanes cy = __builtin_convertvector(o->y[2] - o->y[0], lanes);
	lanes_store(o->depth[0], out->depth);
	lanes_store((to_b * cy - to_c * by) * by_area, out->x);
	lanes_store((to_c * bx - to_b * cx) * by_area, out->y);
	lanes_store(lanes_less(lanes_less(o->depth[0], o->depth[1]), o->depth[2]), out->least);
	lanes_store(lanes_greater(lanes_greater(o->depth[0], o->depth[1]), o->depth[2]), out->most);
	store_integers(o->x[0], out->at_x);
	store_integers(o->y[0], out->at_y);
}

KERNEL void set_up(const struct raster_cover_job *job, const struct small_batch *batch, int samples,
	struct setups *out) {
	const struct lane_outlines o = load_outlines(job, batch);
	const lane_mask across = o.x[1] - o.x[0], down = o.y[1] - o.y[0];
	const lane_mask area =
		PAIR_PRODUCTS(pair(across, o.x[0] - o.x[2]), pair(o.y[2] - o.y[0], down));
	const lane_mask turned = area < 0;
	const lane_mask bx = chosen(turned, o.x[2], o.x[1]), by = chosen(turned, o.y[2], o.y[1]);
	const lane_mask cx = chosen(turned, o.x[1], o.x[2]), cy = chosen(turned, o.y[1], o.y[2]);
	const lane_mask left = load_integers(batch->left) * (BLOCK_WIDTH * RASTER_PIXEL);
	const lane_mask top = load_integers(batch->top) * (BLOCK_HEIGHT * RASTER_PIXEL);
	set_up_edge(o.x[0], o.y[0], bx, by, left, top, samples, 0, out);
	set_up_edge(bx, by, cx, cy, left, top, samples, 1, out);
	set_up_edge(cx, cy, o.x[0], o.y[0], left, top, samples, 2, out);
	set_up_plane(&o, area, out);
}

/* The place in a block of each lane's sample, in register r, in units, as a pair. */
KERNEL lane_mask place_of(int samples, int r) {
	const uint8_t(*places)[2] = raster_sample_places(samples);
	const int shift = units_shift(samples), pixel = RASTER_PIXEL >> shift;
	lane_mask out;
#pragma GCC unroll 16
	for (int i = 0; i < LANE_COUNT; i++) {
		const uint8_t *place = places[(r * LANE_COUNT + i) / BLOCK_PIXELS];
		const int lane = (r * LANE_COUNT + i) % BLOCK_PIXELS;
		const int x = lane % BLOCK_WIDTH * pixel + (place[0] >> shift);
		const int y = lane / BLOCK_WIDTH * pixel + (place[1] >> shift);
		out[i] = y << 16 | x;
	}
	return out;
}

/* The same in 1/256 pixel. */
KERNEL void place_in_block(int samples, int r, lanes *x, lanes *y) {
	const uint8_t(*places)[2] = raster_sample_places(samples);
#pragma GCC unroll 16
	for (int i = 0; i < LANE_COUNT; i++) {
		const uint8_t *place = places[(r * LANE_COUNT + i) / BLOCK_PIXELS];
		const int lane = (r * LANE_COUNT + i) % BLOCK_PIXELS;
		(*x)[i] = (float)(lane % BLOCK_WIDTH * RASTER_PIXEL + place[0]);
		(*y)[i] = (float)(lane / BLOCK_WIDTH * RASTER_PIXEL + place[1]);
	}
}

KERNEL void fill_registers(const struct setups *setups, int i, int samples, struct registers *out) {
#pragma GCC unroll 16
	for (int r = 0; r < registers_of(samples); r++) {
		const lane_mask at = place_of(samples, r);
		lanes x, y;
		place_in_block(samples, r, &x, &y);
#pragma GCC unroll 3
		for (int e = 0; e < 3; e++) {
			const lane_mask sides = setups->sides[e][i] + (lane_mask){0};
			out->edges[e][r] = PAIR_PRODUCTS(sides, at);
		}
		out->depths[r] = x * setups->x[i] + y * setups->y[i];
	}
}

KERNEL void write_triangle(const struct raster_tile *tile, const struct small_batch *batch,
	const struct setups *setups, int i, uint32_t number, int samples, bool late) {
	const struct plane plane = {
		.depth = setups->depth[i],
		.x = setups->x[i],
		.y = setups->y[i],
		.least = setups->least[i],
		.most = setups->most[i],
		.at_x = setups->at_x[i],
		.at_y = setups->at_y[i],
	};
	const int left = batch->left[i], right = batch->right[i];
	const int top = batch->top[i], bottom = batch->bottom[i];
	int32_t across[3], down[3], starts[3];
	struct registers registers;
	fill_registers(setups, i, samples, &registers);
	for (int e = 0; e < 3; e++) {
		starts[e] = setups->edges[e][i];
		across[e] = setups->steps[e][0][i];
		down[e] = setups->steps[e][1][i];
	}
	for (int y = top; y <= bottom; y++) {
		const int row = block_row(tile, y);
		const float depth_down =
			plane.y * (float)(y * BLOCK_HEIGHT * RASTER_PIXEL - plane.at_y);
		struct base base = {.edges = {starts[0], starts[1], starts[2]}};
		for (int x = left; x <= right; x++) {
			const int at = x * BLOCK_WIDTH * RASTER_PIXEL - plane.at_x;
			base.depth = plane.depth + (plane.x * (float)at + depth_down);
			write_block(
				tile, row + x, &registers, &plane, &base, number, samples, late);
			for (int e = 0; e < 3; e++) {
				base.edges[e] += across[e];
			}
		}
		for (int e = 0; e < 3; e++) {
			starts[e] += down[e];
		}
	}
}

KERNEL void write_all(const struct raster_cover_job *job, const struct small_batch *batch,
	int samples, bool late) {
	// Copies, which no store to a block may change.
	const struct raster_tile tile = *job->tile;
	const uint32_t first = job->first_number;
	struct setups setups;
	set_up(job, batch, samples, &setups);
	for (int i = 0; i < batch->count; i++) {
		write_triangle(
			&tile, batch, &setups, i, first + batch->triangles[i], samples, late);
	}
}

#define WRITING(name, samples, late) \
	LANES_TARGET void LANES_NAME(name)( \
		const struct raster_cover_job *job, struct small_batch *batch) { \
		write_all(job, batch, samples, late); \
	}

#if LANE_COUNT < 16
WRITING(cover_small_1, 1, false)
WRITING(cover_late_1, 1, true)
#endif
WRITING(cover_small_4, 4, false)
WRITING(cover_late_4, 4, true)
WRITING(cover_small_8, 8, false)
WRITING(cover_late_8, 8, true)
