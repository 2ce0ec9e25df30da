// The samples that triangles cover: half-space tests in integers, and the depth of each sample.
#include "raster/tiles.h"

#include "raster/cover.h"

/* Edge functions of large triangles are held to this before what a block's samples add, which is
 * less: no sign changes. The guard band is so narrow for that reason. */
#define EDGE_MOST ((int64_t)1 << 30)

/* Triangles whose corners are closer than this need not be held. */
#define SMALL (128 * RASTER_PIXEL)

struct edge {
	int32_t a, b;
	int64_t c;
};

/* dx and dy times each lane's column and row, in register i of a block. */
KERNEL lane_mask ramp(int32_t dx, int32_t dy, int i) {
	const lane_mask zero = {0};
#if LANE_COUNT == 16
	(void)i;
	const lane_mask one = {0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1};
	const lane_mask two = {0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1};
	const lane_mask down = {0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1, -1};
#elif LANE_COUNT == 8
	(void)i;
	const lane_mask one = {0, -1, 0, -1, 0, -1, 0, -1}, two = {0, 0, -1, -1, 0, 0, -1, -1};
	const lane_mask down = {0, 0, 0, 0, -1, -1, -1, -1};
#else
	const lane_mask one = {0, -1, 0, -1}, two = {0, 0, -1, -1};
	const lane_mask down = zero - i % 2;
#endif
	return ((zero + dx) & one) + ((zero + 2 * dx) & two) + ((zero + dy) & down);
}

/* The first sample of register i of a block, and the last. */
KERNEL int first_sample(int i) {
	return i * LANE_COUNT / BLOCK_PIXELS;
}

KERNEL int last_sample(int i) {
	return (i * LANE_COUNT + LANE_COUNT - 1) / BLOCK_PIXELS;
}

/* A number for the lanes of each of these. */
KERNEL lane_mask of_samples(int32_t first, int32_t last) {
#if LANE_COUNT == 16
	const lane_mask upper = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};
	return (first + (lane_mask){0}) + ((last - first) & upper);
#else
	(void)last;
	return first + (lane_mask){0};
#endif
}

/* The edge from P to Q of a triangle that goes round so that its area is positive. A sample on an
 * edge belongs to the triangle on its right, and below. */
KERNEL struct edge edge_of(const struct raster_outline *o, int p, int q, int shift) {
	const int32_t a = o->y[p] - o->y[q], b = o->x[q] - o->x[p];
	const int64_t exact = -((int64_t)a * o->x[p] + (int64_t)b * o->y[p]);
	const bool inclusive = a > 0 || (a == 0 && b > 0);
	return (struct edge){a, b, (exact - !inclusive) >> shift};
}

KERNEL float least3(const float f[static 3]) {
	const float least = f[0] < f[1] ? f[0] : f[1];
	return least < f[2] ? least : f[2];
}

KERNEL float most3(const float f[static 3]) {
	const float most = f[0] > f[1] ? f[0] : f[1];
	return most > f[2] ? most : f[2];
}

KERNEL struct plane plane_of(const struct raster_outline *o, int64_t area) {
	const float by_area = 1 / (float)area;
	const float to_b = o->depth[1] - o->depth[0], to_c = o->depth[2] - o->depth[0];
	const float bx = (float)(o->x[1] - o->x[0]), by = (float)(o->y[1] - o->y[0]);
	const float cx = (float)(o->x[2] - o->x[0]), cy = (float)(o->y[2] - o->y[0]);
	return (struct plane){
		.depth = o->depth[0],
		.x = (to_b * cy - to_c * by) * by_area,
		.y = (to_c * bx - to_b * cx) * by_area,
		.least = least3(o->depth),
		.most = most3(o->depth),
		.at_x = o->x[0],
		.at_y = o->y[0],
	};
}

KERNEL bool is_small(const struct raster_outline *o) {
	bool small = true;
	for (int i = 0; i < 3; i++) {
		const int32_t x = o->x[(i + 1) % 3] - o->x[i], y = o->y[(i + 1) % 3] - o->y[i];
		small &= x < SMALL && -x < SMALL && y < SMALL && -y < SMALL;
	}
	return small;
}

KERNEL void fill_registers(const struct edge edges[static 3], const struct plane *plane,
	const uint8_t (*places)[2], int samples, struct registers *out) {
	const int shift = units_shift(samples), pixel = RASTER_PIXEL >> shift;
#pragma GCC unroll 16
	for (int i = 0; i < registers_of(samples); i++) {
		const uint8_t *first = places[first_sample(i)], *last = places[last_sample(i)];
		for (int e = 0; e < 3; e++) {
			const int32_t a = edges[e].a, b = edges[e].b;
			out->edges[e][i] = ramp(a * pixel, b * pixel, i) +
				of_samples(a * (first[0] >> shift) + b * (first[1] >> shift),
					a * (last[0] >> shift) + b * (last[1] >> shift));
		}
		const lane_mask x = ramp(RASTER_PIXEL, 0, i) + of_samples(first[0], last[0]);
		const lane_mask y = ramp(0, RASTER_PIXEL, i) + of_samples(first[1], last[1]);
		out->depths[i] = __builtin_convertvector(x, lanes) * plane->x +
			__builtin_convertvector(y, lanes) * plane->y;
	}
}

KERNEL int32_t held(int64_t value) {
	value = value < EDGE_MOST ? value : EDGE_MOST;
	return (int32_t)(value > -EDGE_MOST ? value : -EDGE_MOST);
}

/* Hands on the samples of a block that pass. */
KERNEL void visit_block(const struct raster_cover_job *job, uint32_t triangle, int block,
	const struct registers *r, const struct plane *plane, const struct base *base,
	int samples) {
	const struct raster_tile *tile = job->tile;
	lane_mask outside[REGISTERS_MOST];
	if (!test_edges(r, base, samples, outside)) {
		return;
	}
	const size_t at = (size_t)block * (size_t)(samples * BLOCK_PIXELS);
	if (!(tile->blocks[block] & BLOCK_DEEP)) {
		fill_depths(tile, at, samples);
		tile->blocks[block] |= BLOCK_DEEP;
	}
	const lanes one = (lanes){0} + 1.0f;
	struct raster_covered covered = {.block = block};
	unsigned any = 0;
	float *depths = covered.depths[0];
	for (int i = 0; i < registers_of(samples); i++) {
		const lanes old = lanes_load(tile->depths + at + i * LANE_COUNT);
		const lanes depth = depth_at(r, plane, base, i);
		const lane_mask passes = (outside[i] >= 0) &
			(job->behind ? (depth > old) & (depth <= one) : depth <= old);
		const unsigned bits = (unsigned)lanes_signs(passes);
		lanes_store(depth, depths + i * LANE_COUNT);
		for (int lane = 0; lane < LANE_COUNT; lane++) {
			const int sample = i * LANE_COUNT + lane;
			covered.pixels[sample % BLOCK_PIXELS] |=
				(uint8_t)((bits >> lane & 1) << sample / BLOCK_PIXELS);
		}
		any |= bits;
	}
	if (any) {
		job->visit(job->context, triangle, &covered);
	}
}

KERNEL void cover_range(const struct raster_cover_job *job, uint32_t triangle,
	const struct range *range, const struct edge edges[static 3], const struct plane *plane,
	int samples, bool small, bool late) {
	const struct raster_tile *tile = job->tile;
	const int pixel = RASTER_PIXEL >> units_shift(samples);
	struct registers registers;
	fill_registers(edges, plane, raster_sample_places(samples), samples, &registers);
	for (int y = range->top; y <= range->bottom; y++) {
		const int row = block_row(tile, y);
		const int64_t down = (int64_t)y * BLOCK_HEIGHT * pixel;
		const float depth_down =
			plane->y * (float)(y * BLOCK_HEIGHT * RASTER_PIXEL - plane->at_y);
		int64_t at[3];
		for (int e = 0; e < 3; e++) {
			at[e] = edges[e].c + edges[e].b * down +
				(int64_t)edges[e].a * (range->left * BLOCK_WIDTH * pixel);
		}
		for (int x = range->left; x <= range->right; x++) {
			struct base base;
			for (int e = 0; e < 3; e++) {
				base.edges[e] = small ? (int32_t)at[e] : held(at[e]);
				at[e] += (int64_t)edges[e].a * (BLOCK_WIDTH * pixel);
			}
			base.depth = plane->depth +
				(plane->x * (float)(x * BLOCK_WIDTH * RASTER_PIXEL - plane->at_x) +
					depth_down);
			if (job->visit) {
				visit_block(
					job, triangle, row + x, &registers, plane, &base, samples);
			} else {
				write_block(tile, row + x, &registers, plane, &base,
					job->first_number + triangle, samples, late);
			}
		}
	}
}

KERNEL void cover_triangle(const struct raster_cover_job *job, uint32_t triangle,
	const struct range *range, int samples, bool late) {
	struct raster_outline outline = job->outlines[triangle];
	int64_t area = (int64_t)(outline.x[1] - outline.x[0]) * (outline.y[2] - outline.y[0]) -
		(int64_t)(outline.x[2] - outline.x[0]) * (outline.y[1] - outline.y[0]);
	const bool turned = area < 0;
	area = turned ? -area : area;
	const int b = turned ? 2 : 1, c = 3 - b, shift = units_shift(samples);
	const struct edge edges[3] = {edge_of(&outline, 0, b, shift),
		edge_of(&outline, b, c, shift), edge_of(&outline, c, 0, shift)};
	const struct plane plane = plane_of(&outline, turned ? -area : area);
	if (is_small(&outline)) {
		cover_range(job, triangle, range, edges, &plane, samples, true, late);
	} else {
		cover_range(job, triangle, range, edges, &plane, samples, false, late);
	}
}

/* --- Triangles that are visited --- */

KERNEL void visit(const struct raster_cover_job *job, int samples) {
	for (size_t i = 0; i < job->count; i++) {
		struct range range;
		if (find_range(job->tile, &job->outlines[job->list[i]], &range)) {
			cover_triangle(job, job->list[i], &range, samples, false);
		}
	}
}

/* --- Triangles that are written ---
 * Fronts are written first and then backs: most of these lie behind, which the farthest depth of
 * their blocks tells before anything is set up. Of equal depths the later triangle of the list
 * wins, as if they had been written in its order. */

#define FARTHEST_UNKNOWN (-1.0f)

KERNEL float farthest_of(const struct raster_tile *tile, int block, int samples) {
	if (!(tile->blocks[block] & BLOCK_DEEP)) {
		return 1;
	}
	if (tile->farthest[block] != FARTHEST_UNKNOWN) {
		return tile->farthest[block];
	}
	const float *depths = tile->depths + (size_t)block * (size_t)(samples * BLOCK_PIXELS);
	lanes most = lanes_load(depths);
	for (int i = 1; i < registers_of(samples); i++) {
		most = lanes_greater(lanes_load(depths + i * LANE_COUNT), most);
	}
	float farthest = most[0];
	for (int i = 1; i < LANE_COUNT; i++) {
		farthest = most[i] > farthest ? most[i] : farthest;
	}
	tile->farthest[block] = farthest;
	return farthest;
}

/* True when all that a triangle may cover is nearer. */
KERNEL bool is_hidden(const struct raster_tile *tile, const struct raster_outline *outline,
	const struct range *range, int samples) {
	const float least = least3(outline->depth);
	bool hidden = true;
	for (int y = range->top; hidden && y <= range->bottom; y++) {
		const int row = block_row(tile, y);
		for (int x = range->left; hidden && x <= range->right; x++) {
			hidden = farthest_of(tile, row + x, samples) < least;
		}
	}
	return hidden;
}

KERNEL void add_small(struct small_batch *batch, uint32_t triangle, const struct range *range) {
	const int i = batch->count++;
	batch->triangles[i] = triangle;
	batch->left[i] = range->left;
	batch->top[i] = range->top;
	batch->right[i] = range->right;
	batch->bottom[i] = range->bottom;
}

KERNEL void write_small(
	const struct raster_cover_job *job, struct small_batch *batch, int samples, bool late) {
	if (batch->count == 0) {
		return;
	}
#if LANE_COUNT < 16
	if (samples == 1) {
		(late ? LANES_NAME(cover_late_1) : LANES_NAME(cover_small_1))(job, batch);
	}
#endif
	if (samples == 4) {
		(late ? LANES_NAME(cover_late_4) : LANES_NAME(cover_small_4))(job, batch);
	} else if (samples == 8) {
		(late ? LANES_NAME(cover_late_8) : LANES_NAME(cover_small_8))(job, batch);
	}
	batch->count = 0;
}

/* Triangles of a list that are chosen at once. */
#define CHOSEN 256

/* Finds those of a list that have one of these flags where late, or none of them else; adds all
 * flags to *all. Each is written and then counted or not: fronts and backs take turns as they like,
 * and no branch would guess them. */
KERNEL size_t choose(const struct raster_cover_job *job, size_t from, unsigned put_off, bool late,
	uint32_t chosen[static CHOSEN], unsigned *all) {
	const size_t left = job->count - from, end = from + (left < CHOSEN ? left : CHOSEN);
	size_t count = 0;
	for (size_t i = from; i < end; i++) {
		const unsigned flags = job->outlines[job->list[i]].flags;
		*all |= flags;
		chosen[count] = job->list[i];
		count += ((flags & put_off) != 0) == late;
	}
	return count;
}

KERNEL void write_one(const struct raster_cover_job *job, uint32_t triangle, int samples, bool late,
	struct small_batch *batch) {
	const struct raster_outline *outline = &job->outlines[triangle];
	struct range range;
	if (!find_range(job->tile, outline, &range) ||
		(late && is_hidden(job->tile, outline, &range, samples))) {
		return;
	}
	if (outline->flags & OUTLINE_SMALL) {
		add_small(batch, triangle, &range);
		if (batch->count == LANE_COUNT) {
			write_small(job, batch, samples, late);
		}
	} else {
		write_small(job, batch, samples, late);
		cover_triangle(job, triangle, &range, samples, late);
	}
}

/* Writes those that have one of these flags where late, or none of them else; returns all flags. */
KERNEL unsigned write_some(
	const struct raster_cover_job *job, unsigned put_off, int samples, bool late) {
	struct small_batch batch = {.count = 0};
	unsigned all = 0;
	for (size_t from = 0; from < job->count; from += CHOSEN) {
		uint32_t chosen[CHOSEN];
		const size_t count = choose(job, from, put_off, late, chosen, &all);
		for (size_t i = 0; i < count; i++) {
			write_one(job, chosen[i], samples, late, &batch);
		}
	}
	write_small(job, &batch, samples, late);
	return all;
}

KERNEL void write(const struct raster_cover_job *given, int samples) {
	struct raster_cover_job job = *given;
	job.visit = NULL;
	// Ties are told by numbers as signed ones.
	const bool ordered = job.first_number <= (uint32_t)INT32_MAX / 2;
	const unsigned put_off = ordered ? OUTLINE_BACK : 0;
	if (write_some(&job, put_off, samples, false) & put_off) {
		const struct raster_tile *tile = job.tile;
		const int blocks = (tile->height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT
			<< tile->column_shift;
		for (int i = 0; i < blocks; i++) {
			tile->farthest[i] = FARTHEST_UNKNOWN;
		}
		write_some(&job, put_off, samples, true);
	}
}

#if LANE_COUNT < 16
LANES_TARGET static void write_1(const struct raster_cover_job *job) {
	write(job, 1);
}

LANES_TARGET static void visit_1(const struct raster_cover_job *job) {
	visit(job, 1);
}
#endif

LANES_TARGET static void write_4(const struct raster_cover_job *job) {
	write(job, 4);
}

LANES_TARGET static void write_8(const struct raster_cover_job *job) {
	write(job, 8);
}

LANES_TARGET static void visit_4(const struct raster_cover_job *job) {
	visit(job, 4);
}

LANES_TARGET static void visit_8(const struct raster_cover_job *job) {
	visit(job, 8);
}

void LANES_NAME(raster_cover)(const struct raster_cover_job *job) {
	switch (job->tile->samples) {
	case 1:
#if LANE_COUNT < 16
		(job->visit ? visit_1 : write_1)(job);
#else
		raster_cover_avx2(job);
#endif
		break;
	case 4:
		(job->visit ? visit_4 : write_4)(job);
		break;
	default:
		(job->visit ? visit_8 : write_8)(job);
	}
}
