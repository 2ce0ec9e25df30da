// Triangles of which as many are looked at at once as there are lanes.
#include "raster/functions.h"
#include "raster/geometry.h"

/* Differences of corners that are less than this are pairs of 16 bits. */
#define NEAR (1 << 15)

struct corners {
	lane_mask x, y, flags;
	lanes depth;
};

/* Corners of a group of triangles, and their numbers. */
struct group {
	uint32_t numbers[LANE_COUNT * 3];
	struct corners at[3];
};

/* The pixels of the picture that samples between two places lie in. */
struct bound {
	lane_mask first, last, any;
};

KERNEL lane_mask least_of(lane_mask a, lane_mask b) {
	const lane_mask less = a < b;
	return (a & less) | (b & ~less);
}

KERNEL lane_mask most_of(lane_mask a, lane_mask b) {
	const lane_mask more = a > b;
	return (a & more) | (b & ~more);
}

KERNEL void load_group(const struct raster_place *places, const struct raster_run *run, size_t from,
	struct group *out) {
	for (size_t i = 0; i < LANE_COUNT * 3; i++) {
		const size_t at = from * 3 + i;
		out->numbers[i] = (run->indices ? run->indices[at] : (uint32_t)at) + run->first;
	}
	for (int k = 0; k < 3; k++) {
		const float *rows[LANE_COUNT];
		for (int i = 0; i < LANE_COUNT; i++) {
			rows[i] = (const float *)(const void *)&places[out->numbers[i * 3 + k]];
		}
		const struct lanes4 loaded = lanes_load_rows(rows);
		out->at[k] = (struct corners){
			.x = (lane_mask)loaded.x,
			.y = (lane_mask)loaded.y,
			.depth = loaded.z,
			.flags = (lane_mask)loaded.w,
		};
	}
}

/* As bound() in gather.c finds them. */
KERNEL struct bound bound_of(lane_mask from, lane_mask to, int shift, int size) {
	const int32_t offset = 1 << (shift - 1);
	const lane_mask none = {0}, end = none + ((size << (8 - shift)) - 1);
	const lane_mask least = most_of((from + (offset - 1)) >> shift, none);
	const lane_mask most = least_of((to - offset) >> shift, end);
	return (struct bound){least >> (8 - shift), most >> (8 - shift), least <= most};
}

/* Rows of outlines: three of four numbers each. */
KERNEL void store_outlines(const struct group *g, lane_mask upper_left, lane_mask lower_right,
	lane_mask flags, float rows[3][LANE_COUNT][4]) {
	const struct corners *a = &g->at[0], *b = &g->at[1], *c = &g->at[2];
	lanes_store4(
		(struct lanes4){(lanes)a->x, (lanes)b->x, (lanes)c->x, (lanes)a->y}, rows[0][0]);
	lanes_store4((struct lanes4){(lanes)b->y, (lanes)c->y, a->depth, b->depth}, rows[1][0]);
	lanes_store4((struct lanes4){c->depth, (lanes)upper_left, (lanes)lower_right, (lanes)flags},
		rows[2][0]);
}

_Static_assert(sizeof(struct raster_outline) == 3 * 4 * sizeof(float), "rows of outlines");

/* Lists those of a group that a mask has bits for. */
KERNEL void list_group(struct raster_growth *growth, const struct raster_run *run, size_t from,
	const struct group *g, float rows[3][LANE_COUNT][4], unsigned kept, unsigned backs) {
	size_t count = growth->mesh->triangle_count;
	for (unsigned rest = kept; rest; rest &= rest - 1) {
		const unsigned i = (unsigned)__builtin_ctz(rest);
		const uint32_t *numbers = g->numbers + (size_t)i * 3;
		float *outline = (float *)(void *)&growth->outlines[count];
		for (int k = 0; k < 3; k++) {
			store4(load4(rows[k][i]), outline + k * 4);
		}
		growth->triangles[count++] = (struct raster_triangle){
			.corners = {numbers[0], numbers[1], numbers[2]},
			.provoking = numbers[2],
			.id = (uint32_t)from + i,
			.primitive = (uint32_t)run->primitive & INT32_MAX,
			.back = backs >> i & 1,
		};
	}
	growth->mesh->triangle_count = count;
}

/* False where the group is not of the simple kind: nothing was listed. */
KERNEL bool gather_group(struct raster_growth *growth, const struct raster_run *run, size_t from) {
	struct group g;
	load_group(growth->vertices.places, run, from, &g);
	const struct corners *a = &g.at[0], *b = &g.at[1], *c = &g.at[2];
	const lane_mask left = least_of(a->x, least_of(b->x, c->x));
	const lane_mask right = most_of(a->x, most_of(b->x, c->x));
	const lane_mask top = least_of(a->y, least_of(b->y, c->y));
	const lane_mask bottom = most_of(a->y, most_of(b->y, c->y));
	const lane_mask across = right - left, down = bottom - top;
	const lane_mask simple =
		(across < NEAR) & (down < NEAR) & ((a->flags | b->flags | c->flags) == 0);
	if (!lanes_all(simple)) {
		return false;
	}
	const lane_mask area =
		PAIR_PRODUCTS(pair(b->x - a->x, c->x - a->x), pair(c->y - a->y, a->y - b->y));
	const lane_mask turned = area > 0, back = run->mirrored ? ~turned : turned;
	const lane_mask hidden = run->one_sided ? back : (lane_mask){0};
	const struct raster_target *target = growth->target;
	const int shift = raster_grid_shift(target->samples);
	const struct bound x = bound_of(left, right, shift, target->width);
	const struct bound y = bound_of(top, bottom, shift, target->height);
	const unsigned kept = (unsigned)lanes_signs((area != 0) & ~hidden & x.any & y.any);
	if (kept) {
		const lane_mask small = (across < OUTLINE_SMALL_SIDE) & (down < OUTLINE_SMALL_SIDE);
		float rows[3][LANE_COUNT][4];
		store_outlines(&g, pair(x.first, y.first), pair(x.last, y.last),
			(small & OUTLINE_SMALL) | (back & OUTLINE_BACK), rows);
		list_group(growth, run, from, &g, rows, kept, (unsigned)lanes_signs(back));
	}
	return true;
}

LANES_TARGET size_t LANES_NAME(raster_gather_run)(
	struct raster_growth *growth, const struct raster_run *run, size_t from) {
	while (from + LANE_COUNT <= run->count && gather_group(growth, run, from)) {
		from += LANE_COUNT;
	}
	return from;
}
