// Vertices from the world to the picture: places on a grid of 1/256 pixel, depth and 1/w.
#include "raster/geometry.h"

#include "base/lanes.h"

#define GREATEST_PLACE ((float)(RASTER_GUARD - 1))

struct projected {
	lane_mask x, y, flags;
	lanes inverse_w, depth;
};

KERNEL struct lanes4 clip_of(const float *m, struct lanes3 p) {
	return (struct lanes4){
		(m[0] * p.x + m[4] * p.y) + (m[8] * p.z + m[12]),
		(m[1] * p.x + m[5] * p.y) + (m[9] * p.z + m[13]),
		(m[2] * p.x + m[6] * p.y) + (m[10] * p.z + m[14]),
		(m[3] * p.x + m[7] * p.y) + (m[11] * p.z + m[15]),
	};
}

/* Pixels in 256ths, held to the grid; NaN falls on its greatest place. */
KERNEL lane_mask place_of(lanes of_half, float half) {
	const lanes zero = {0};
	const lanes most = zero + GREATEST_PLACE, least = zero - GREATEST_PLACE;
	lanes at = (of_half + 1.0f) * half;
	at = lanes_select(at < most, at, most);
	at = lanes_select(at > least, at, least) + 0.5f;
	const lane_mask truncated = __builtin_convertvector(at, lane_mask);
	return truncated + (__builtin_convertvector(truncated, lanes) > at);
}

KERNEL lane_mask flags_of(struct lanes4 clip, const struct raster_view *view) {
	const lane_mask finite = ((clip.x - clip.x) == 0) & ((clip.y - clip.y) == 0) &
		((clip.z - clip.z) == 0) & ((clip.w - clip.w) == 0);
	const lane_mask ahead = (clip.z >= -clip.w) & (clip.w >= RASTER_LEAST_W);
	const lane_mask near = (lanes_abs(clip.x) <= clip.w * view->guard_x) &
		(lanes_abs(clip.y) <= clip.w * view->guard_y);
	return (~ahead & VERTEX_NEAR) | ((clip.z > clip.w) & VERTEX_FAR) | (~near & VERTEX_AWAY) |
		(~finite & VERTEX_INVALID);
}

KERNEL struct projected project(const struct raster_view *view, struct lanes4 clip) {
	const lanes inverse_w = 1.0f / clip.w;
	return (struct projected){
		.x = place_of(clip.x * inverse_w, view->half_x),
		.y = place_of(clip.y * inverse_w, view->half_y),
		.flags = flags_of(clip, view),
		.inverse_w = inverse_w,
		.depth = (clip.z * inverse_w) * 0.5f + 0.5f,
	};
}

/* Registers of corners; the rows of the arrays. */
KERNEL void store_corners(const struct projected *p, lanes u, lanes v, struct lanes3 normal,
	struct raster_corner *corners) {
	float *starts[LANE_COUNT], *ends[LANE_COUNT];
	for (int i = 0; i < LANE_COUNT; i++) {
		starts[i] = (float *)(void *)&corners[i];
		ends[i] = corners[i].normal;
	}
	lanes_store_rows((struct lanes4){(lanes)p->x, (lanes)p->y, p->inverse_w, u}, starts);
	lanes_store_rows((struct lanes4){normal.x, normal.y, normal.z, v}, ends);
}

KERNEL unsigned store_places(
	const struct projected *p, size_t first, const struct raster_vertices *to) {
	float *rows[LANE_COUNT];
	unsigned all = 0;
	for (int i = 0; i < LANE_COUNT; i++) {
		rows[i] = (float *)(void *)&to->places[first + (size_t)i];
		all |= (unsigned)p->flags[i];
	}
	lanes_store_rows(
		(struct lanes4){(lanes)p->x, (lanes)p->y, p->depth, (lanes)p->flags}, rows);
	return all;
}

/* Pairs of numbers, a pair for each vertex. */
KERNEL void load2(const float *from, lanes *u, lanes *v) {
	const lanes lower = lanes_join(load4(from), load4(from + 2 * LANES_UPPER));
	const lanes upper = lanes_join(load4(from + 4), load4(from + 4 + 2 * LANES_UPPER));
	*u = PICK(lower, upper, 0, 2, 0, 2);
	*v = PICK(lower, upper, 1, 3, 1, 3);
}

KERNEL unsigned project_at(const struct raster_view *view, const struct raster_attributes *from,
	size_t at, const struct raster_vertices *to, size_t first) {
	const struct projected p =
		project(view, clip_of(view->matrix, lanes_load3(from->positions + at * 3)));
	struct lanes3 normal = {{0}, {0}, {0}};
	lanes u = {0}, v = {0};
	if (from->normals) {
		normal = lanes_load3(from->normals + at * 3);
	}
	if (from->texcoords) {
		load2(from->texcoords + at * 2, &u, &v);
	}
	store_corners(&p, u, v, normal, to->corners + first);
	return store_places(&p, first, to);
}

/* The last vertices, fewer than lanes: from arrays that may be read to a register's end. */
KERNEL unsigned project_rest(const struct raster_view *view, const struct raster_attributes *from,
	size_t first, const struct raster_vertices *to) {
	float positions[LANE_COUNT * 3] = {0}, normals[LANE_COUNT * 3] = {0};
	float texcoords[LANE_COUNT * 2] = {0};
	const size_t count = from->count - first;
	for (size_t i = 0; i < LANE_COUNT; i++) {
		const size_t at = first + (i < count ? i : 0);
		memcpy(positions + i * 3, from->positions + at * 3, 3 * sizeof(float));
		if (from->normals) {
			memcpy(normals + i * 3, from->normals + at * 3, 3 * sizeof(float));
		}
		if (from->texcoords) {
			memcpy(texcoords + i * 2, from->texcoords + at * 2, 2 * sizeof(float));
		}
	}
	const struct raster_attributes rest = {
		.positions = positions, .normals = normals, .texcoords = texcoords};
	return project_at(view, &rest, 0, to, first);
}

LANES_TARGET unsigned LANES_NAME(raster_project)(const struct raster_view *view,
	const struct raster_attributes *from, const struct raster_vertices *to) {
	unsigned all = 0;
	size_t i = 0;
	for (; i + LANE_COUNT <= from->count; i += LANE_COUNT) {
		all |= project_at(view, from, i, to, i);
	}
	return i < from->count ? all | project_rest(view, from, i, to) : all;
}

#ifndef LANES_AVX2
/* Places beyond this many pixels are cut off: no picture is as large. */
#define GUARD_PIXELS 15000.0f

struct raster_view raster_view_of(
	const float matrix[static 16], const struct raster_target *target) {
	struct raster_view view = {
		.half_x = (float)(target->width * (RASTER_PIXEL / 2)),
		.half_y = (float)(target->height * (RASTER_PIXEL / 2)),
		.guard_x = GUARD_PIXELS * 2 / (float)target->width - 1,
		.guard_y = GUARD_PIXELS * 2 / (float)target->height - 1,
	};
	memcpy(view.matrix, matrix, sizeof view.matrix);
	return view;
}

void raster_to_clip(
	const struct raster_view *view, const float position[static 3], float clip[static 4]) {
	const float *m = view->matrix, *p = position;
	for (int i = 0; i < 4; i++) {
		clip[i] = (m[i] * p[0] + m[4 + i] * p[1]) + (m[8 + i] * p[2] + m[12 + i]);
	}
}

unsigned raster_from_clip(const struct raster_view *view, const float clip[static 4],
	struct raster_corner *corner, float *depth) {
	const lanes zero = {0};
	const struct projected p = project(view,
		(struct lanes4){zero + clip[0], zero + clip[1], zero + clip[2], zero + clip[3]});
	corner->x = p.x[0];
	corner->y = p.y[0];
	corner->inverse_w = p.inverse_w[0];
	*depth = p.depth[0];
	return (unsigned)p.flags[0];
}
#endif
