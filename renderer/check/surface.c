// The skinned surface of an asset as checks look at it: vertices, triangles, reference shape.
#include "check/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"
#include "check/samples.h"
#include "check/surface_internal.h"
#include "check/weld.h"

/* Triangles smaller than this times the square of the figure's length have no normal. */
#define LEAST_AREA 1e-7

/* The cosine from which on a triangle agrees with its vertices' normals. */
#define FACING_COSINE 0.3

static int ascending(const void *a, const void *b) {
	const double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

/* The scale that brings a skin's bind positions to the size of the rest pose, the median over its
 * joints; *mirrored where most of them mirror. */
static double find_scale(
	const struct check_surface_build *build, const struct primitive *p, bool *mirrored) {
	const struct check_asset *asset = build->asset;
	double *scales = arena_alloc(build->scratch, (size_t)p->slot_count, sizeof *scales);
	int mirrors = 0;
	for (int i = 0; i < p->slot_count; i++) {
		const struct palette_slot *slot = &asset->rig->slots[p->first_slot + i];
		double matrix[12];
		mat_multiply(asset->rest_world[slot->joint], slot->inverse_bind, matrix);
		const double determinant = mat_determinant(matrix);
		scales[i] = cbrt(fabs(determinant));
		mirrors += determinant < 0;
	}
	*mirrored = mirrors * 2 > p->slot_count;
	if (p->slot_count == 0) {
		return 1;
	}
	qsort(scales, (size_t)p->slot_count, sizeof *scales, ascending);
	const double median = (scales[(p->slot_count - 1) / 2] + scales[p->slot_count / 2]) / 2;
	return isfinite(median) && median > 0 ? median : 1;
}

static bool moves_positions(const struct primitive *p) {
	for (int i = 0; i < p->target_count; i++) {
		if (p->targets[i].positions) {
			return true;
		}
	}
	return false;
}

/* Reference shape of all vertices of skinned primitives, and which of them mirror. */
static void find_reference(struct check_surface_build *build, bool *mirrored) {
	const struct rig *rig = build->asset->rig;
	const size_t count = (size_t)rig->vertex_count;
	double *scales = arena_alloc(build->arena, count, sizeof *scales);
	double(*reference)[3] = arena_alloc(build->arena, count, sizeof *reference);
	bool *morphed = arena_alloc(build->scratch, count, sizeof *morphed);
	int *owners = arena_alloc(build->scratch, count, sizeof *owners);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const double scale = p->skinned ? find_scale(build, p, &mirrored[i]) : 1;
		const bool moves = p->skinned && moves_positions(p);
		build->surface->has_targets |= moves;
		for (int v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++) {
			scales[v] = scale;
			morphed[v] = moves;
			owners[v] = i;
			for (int k = 0; k < 3; k++) {
				reference[v][k] = (double)rig->positions[v * 3 + k] * scale;
			}
		}
	}
	build->surface->scales = scales;
	build->surface->reference = (const double(*)[3])reference;
	build->morphed = morphed;
	build->owners = owners;
}

static bool is_sound(const struct check_asset *asset, const int corners[static 3]) {
	return corners[0] != corners[1] && corners[1] != corners[2] && corners[0] != corners[2] &&
		!asset->nonfinite[corners[0]] && !asset->nonfinite[corners[1]] &&
		!asset->nonfinite[corners[2]];
}

/* Room for as many triangles, filled by add_triangle(). */
static struct check_triangles triangles_make(
	int room, int (**corners)[3], uint32_t **ids, struct arena *arena) {
	*corners = arena_alloc(arena, (size_t)room, sizeof **corners);
	*ids = arena_alloc(arena, (size_t)room, sizeof **ids);
	return (struct check_triangles){
		.corners = (const int(*)[3])(*corners),
		.ids = *ids,
	};
}

static bool is_surface(const struct primitive *p) {
	return p->skinned && p->topology == TOPOLOGY_TRIANGLES;
}

static void find_triangles(struct check_surface_build *build, const bool *mirrored) {
	const struct rig *rig = build->asset->rig;
	int room = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		room += is_surface(&rig->primitives[i]) ? rig->primitives[i].index_count / 3 : 0;
	}
	int(*corners)[3];
	uint32_t *ids;
	struct check_triangles all = triangles_make(room, &corners, &ids, build->arena);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const int end = is_surface(p) ? p->first_index + p->index_count : p->first_index;
		for (int at = p->first_index; at + 2 < end; at += 3) {
			int *corner = corners[all.count];
			for (int k = 0; k < 3; k++) {
				const int from = mirrored[i] ? 2 - k : k;
				corner[k] = p->first_vertex + (int)rig->indices[at + from];
			}
			if (is_sound(build->asset, corner)) {
				ids[all.count++] = (uint32_t)(at / 3);
			}
		}
	}
	build->surface->triangles = all;
}

/* The reference shape of a mirrored primitive is seen from its inside. */
static void find_areas(struct check_surface_build *build) {
	struct check_surface *surface = build->surface;
	const struct check_triangles *all = &surface->triangles;
	double(*crosses)[3] = arena_alloc(build->scratch, (size_t)all->count, sizeof *crosses);
	double *areas = arena_alloc(build->arena, (size_t)all->count, sizeof *areas);
	for (int i = 0; i < all->count; i++) {
		const int *corners = all->corners[i];
		const double(*at)[3] = surface->reference;
		check_cross(at[corners[0]], at[corners[1]], at[corners[2]], crosses[i]);
		areas[i] = vec3_length(crosses[i]) / 2;
		surface->area += areas[i];
		if (build->mirrored[corners[0]]) {
			vec3_scale(crosses[i], -1, crosses[i]);
		}
	}
	surface->areas = areas;
	build->crosses = (const double(*)[3])crosses;
}

static bool agrees(const struct check_surface_build *build, int triangle) {
	const int *corners = build->surface->triangles.corners[triangle];
	const double length = build->asset->length;
	double normal[3] = {0};
	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < 3; i++) {
			normal[i] += (double)build->asset->rig->normals[corners[k] * 3 + i];
		}
	}
	const double *cross = build->crosses[triangle];
	return build->surface->areas[triangle] > LEAST_AREA * length * length &&
		vec3_dot(cross, normal) > FACING_COSINE * vec3_length(cross) * vec3_length(normal);
}

static void find_facing(struct check_surface_build *build, const bool *has_normals) {
	struct check_surface *surface = build->surface;
	const int room = surface->triangles.count;
	int(*corners)[3];
	uint32_t *ids;
	surface->facing = triangles_make(room, &corners, &ids, build->arena);
	double *areas = arena_alloc(build->arena, (size_t)room, sizeof *areas);
	for (int i = 0; i < room; i++) {
		const int *from = surface->triangles.corners[i];
		if (!has_normals[from[0]] || !agrees(build, i)) {
			continue;
		}
		const int at = surface->facing.count++;
		memcpy(corners[at], from, sizeof *corners);
		ids[at] = surface->triangles.ids[i];
		areas[at] = surface->areas[i];
		surface->facing_area += areas[at];
	}
	surface->facing_areas = areas;
}

/* A flag for each vertex of those of its primitive. */
static bool *spread(const struct check_surface_build *build, const bool *of_primitives) {
	const struct rig *rig = build->asset->rig;
	bool *flags = arena_alloc(build->scratch, (size_t)rig->vertex_count, sizeof *flags);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		memset(flags + p->first_vertex, of_primitives[i], (size_t)p->vertex_count);
	}
	return flags;
}

static bool *find_normals(const struct check_surface_build *build) {
	const struct rig *rig = build->asset->rig;
	bool *has = arena_alloc(build->scratch, (size_t)rig->primitive_count, sizeof *has);
	for (int i = 0; i < rig->primitive_count; i++) {
		has[i] = build->asset->facts->primitives[i].has_normals;
	}
	return spread(build, has);
}

static void find_skinned(struct check_surface_build *build) {
	const struct check_asset *asset = build->asset;
	struct check_surface *surface = build->surface;
	int *skinned = arena_alloc(build->arena, (size_t)surface->vertex_count, sizeof *skinned);
	for (int k = 0; k < 3; k++) {
		surface->rest_low[k] = INFINITY;
		surface->rest_high[k] = -INFINITY;
	}
	for (int v = 0; v < surface->vertex_count; v++) {
		if (!asset->skinned[v] || asset->nonfinite[v]) {
			continue;
		}
		skinned[surface->skinned_count++] = v;
		for (int k = 0; k < 3; k++) {
			const double at = asset->rest_vertices[v][k];
			surface->rest_low[k] = fmin(surface->rest_low[k], at);
			surface->rest_high[k] = fmax(surface->rest_high[k], at);
		}
	}
	surface->skinned = skinned;
}

/* Vertices of triangles that lie at one place at rest. */
static void find_points(struct check_surface_build *build) {
	const struct check_asset *asset = build->asset;
	struct check_surface *surface = build->surface;
	const size_t count = (size_t)surface->vertex_count;
	bool *alone = arena_alloc(build->scratch, count, sizeof *alone);
	memset(alone, true, count);
	for (int i = 0; i < surface->triangles.count; i++) {
		for (int k = 0; k < 3; k++) {
			alone[surface->triangles.corners[i][k]] = false;
		}
	}
	int *points = check_weld(asset->rest_vertices, surface->vertex_count,
		CHECK_WELD_DISTANCE * asset->length, alone, build->arena);
	for (size_t v = 0; v < count; v++) {
		points[v] = alone[v] ? -1 : points[v];
	}
	surface->points = points;
}

static void find_shape(struct check_surface_build *build) {
	bool *mirrored = arena_alloc(
		build->scratch, (size_t)build->asset->rig->primitive_count, sizeof *mirrored);
	find_skinned(build);
	find_reference(build, mirrored);
	build->mirrored = spread(build, mirrored);
	find_triangles(build, mirrored);
	find_areas(build);
	find_facing(build, find_normals(build));
}

static void build_surface(struct check_surface_build *build) {
	static void (*const parts[])(struct check_surface_build * build) = {find_shape, find_points,
		check_surface_find_edges, check_surface_find_seams, check_surface_find_supports};
	for (size_t i = 0; i < sizeof parts / sizeof *parts && stop_check(build->asset->stop, NULL);
		i++) {
		parts[i](build);
	}
}

struct check_surface *check_surface_create(const struct check_asset *asset, struct arena *arena) {
	bool any = false;
	for (int i = 0; i < asset->rig->primitive_count; i++) {
		any |= asset->rig->primitives[i].skinned;
	}
	if (!any || !(asset->length > 0)) {
		return NULL;
	}
	struct check_surface *surface = arena_alloc(arena, 1, sizeof *surface);
	surface->vertex_count = asset->rig->vertex_count;
	struct check_surface_build build = {
		.asset = asset,
		.surface = surface,
		.arena = arena,
		.scratch = arena_create(),
	};
	build_surface(&build);
	arena_destroy(build.scratch);
	return surface;
}

const double (*check_surface_reference(const struct check_surface *surface,
	const struct check_surface_sample *sample, double (*room)[3]))[3] {
	if (!sample->is_morphed || !surface->has_targets) {
		return surface->reference;
	}
	for (int i = 0; i < surface->skinned_count; i++) {
		const int v = surface->skinned[i];
		for (int k = 0; k < 3; k++) {
			room[v][k] = (double)sample->morphed[v * 3 + k] * surface->scales[v];
		}
	}
	return (const double(*)[3])room;
}

double check_lowest(const struct check_surface *surface, const float *positions) {
	float lowest = INFINITY;
	for (int i = 0; i < surface->skinned_count; i++) {
		const float y = positions[(size_t)surface->skinned[i] * 3 + 1];
		lowest = y < lowest ? y : lowest;
	}
	return (double)lowest;
}
