// Edges, seams and closed parts of a surface.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "check/surface_internal.h"
#include "mesh/disjoint_sets.h"

/* Parts with less than this share of the area are not looked at. */
#define LEAST_PART 0.05

/* A part's volume is at least this times the 3/2th power of its area (that of a sphere is 0.094
 * times): others are closed sheets. */
#define LEAST_VOLUME 1e-4

/* Vertices of a seam that are this share of the figure's length apart in the reference shape belong
 * to primitives that were modelled in different spaces. */
#define SAME_SPACE 1e-3

/* Pairs of numbers in [0, range), lower number first. */
struct pairs {
	int count, range;
	int (*list)[2]; // [count]
	int *order; // [count] positions in list: by lower, then by higher number, then as listed
};

/* One stable pass of a counting sort: by the lower (0) or the higher (1) number. */
static void sort_pass(
	const struct pairs *pairs, int which, const int *from, int *to, struct arena *scratch) {
	int *starts = arena_alloc(scratch, (size_t)pairs->range + 1, sizeof *starts);
	for (int i = 0; i < pairs->count; i++) {
		starts[pairs->list[i][which] + 1]++;
	}
	for (int i = 0; i < pairs->range; i++) {
		starts[i + 1] += starts[i];
	}
	for (int i = 0; i < pairs->count; i++) {
		to[starts[pairs->list[from[i]][which]]++] = from[i];
	}
}

static void sort_pairs(struct pairs *pairs, struct arena *scratch) {
	const size_t count = (size_t)pairs->count;
	int *first = arena_alloc(scratch, count, sizeof *first);
	int *second = arena_alloc(scratch, count, sizeof *second);
	pairs->order = arena_alloc(scratch, count, sizeof *pairs->order);
	for (int i = 0; i < pairs->count; i++) {
		first[i] = i;
	}
	sort_pass(pairs, 1, first, second, scratch);
	sort_pass(pairs, 0, second, pairs->order, scratch);
}

/* The end of the run of equal pairs that begins at a position in the order. */
static int run_end(const struct pairs *pairs, int start) {
	const int *pair = pairs->list[pairs->order[start]];
	int end = start + 1;
	while (end < pairs->count &&
		memcmp(pair, pairs->list[pairs->order[end]], 2 * sizeof *pair) == 0) {
		end++;
	}
	return end;
}

/* Returns true where the two had to be swapped. */
static bool set_pair(int pair[static 2], int a, int b) {
	pair[0] = a < b ? a : b;
	pair[1] = a < b ? b : a;
	return a > b;
}

static double distance(const double a[static 3], const double b[static 3]) {
	double apart[3];
	vec3_sub(a, b, apart);
	return vec3_length(apart);
}

void check_surface_find_edges(struct check_surface_build *build) {
	struct check_surface *surface = build->surface;
	struct pairs sides = {
		.count = surface->triangles.count * 3, .range = surface->vertex_count};
	sides.list = arena_alloc(build->scratch, (size_t)sides.count, sizeof *sides.list);
	for (int i = 0; i < sides.count; i++) {
		const int *corners = surface->triangles.corners[i / 3];
		set_pair(sides.list[i], corners[i % 3], corners[(i + 1) % 3]);
	}
	sort_pairs(&sides, build->scratch);
	int unique = 0;
	for (int i = 0; i < sides.count; i = run_end(&sides, i)) {
		unique++;
	}
	int(*edges)[2] = arena_alloc(build->arena, (size_t)unique, sizeof *edges);
	double *lengths = arena_alloc(build->arena, (size_t)unique, sizeof *lengths);
	int(*rest)[2] = arena_alloc(build->scratch, (size_t)unique, sizeof *rest);
	const double least = CHECK_EDGE_LENGTH * build->asset->length;
	for (int i = 0; i < sides.count; i = run_end(&sides, i)) {
		const int *edge = sides.list[sides.order[i]];
		const double length =
			distance(surface->reference[edge[0]], surface->reference[edge[1]]);
		if (length > least) {
			lengths[surface->edge_count] = length;
			memcpy(edges[surface->edge_count++], edge, sizeof *edges);
		} else if (build->morphed[edge[0]]) {
			memcpy(rest[surface->short_edge_count++], edge, sizeof *rest);
		}
	}
	for (int i = 0; i < surface->short_edge_count; i++) {
		const int at = surface->edge_count + i;
		memcpy(edges[at], rest[i], sizeof *edges);
		lengths[at] =
			distance(surface->reference[rest[i][0]], surface->reference[rest[i][1]]);
	}
	surface->edges = (const int(*)[2])edges;
	surface->edge_lengths = lengths;
}

/* Sides of triangles between points, each with its triangle's corner. */
struct sides {
	struct pairs pairs;
	int (*vertices)[2]; // [pairs.count] of the rig, in the order of the pair
};

/* Those of triangles that have three points. */
static struct sides list_sides(const struct check_surface_build *build) {
	const struct check_surface *surface = build->surface;
	const int room = surface->triangles.count * 3;
	struct sides sides = {.pairs = {.range = surface->vertex_count}};
	sides.pairs.list = arena_alloc(build->scratch, (size_t)room, sizeof *sides.pairs.list);
	sides.vertices = arena_alloc(build->scratch, (size_t)room, sizeof *sides.vertices);
	for (int i = 0; i < surface->triangles.count; i++) {
		const int *corners = surface->triangles.corners[i];
		const int points[3] = {surface->points[corners[0]], surface->points[corners[1]],
			surface->points[corners[2]]};
		if (points[0] == points[1] || points[1] == points[2] || points[0] == points[2]) {
			continue;
		}
		for (int k = 0; k < 3; k++) {
			const int next = (k + 1) % 3, at = sides.pairs.count++;
			const bool swapped =
				set_pair(sides.pairs.list[at], points[k], points[next]);
			sides.vertices[at][0] = corners[swapped ? next : k];
			sides.vertices[at][1] = corners[swapped ? k : next];
		}
	}
	sort_pairs(&sides.pairs, build->scratch);
	return sides;
}

/* The displacement of a vertex by a morph target; zero if there is none. */
static const float *displacement(const struct primitive *p, int target, int vertex) {
	static const float none[3];
	if (target >= p->target_count || !p->targets[target].positions) {
		return none;
	}
	return p->targets[target].positions + (size_t)(vertex - p->first_vertex) * 3;
}

static bool are_near(const float *a, const float *b, double tolerance) {
	const double apart[3] = {(double)a[0] - (double)b[0], (double)a[1] - (double)b[1],
		(double)a[2] - (double)b[2]};
	return vec3_length(apart) <= tolerance;
}

static const struct primitive *owner_of(const struct check_surface_build *build, int vertex) {
	return &build->asset->rig->primitives[build->owners[vertex]];
}

/* True when no morph target moves a vertex. */
static bool is_unmoved(const struct check_surface_build *build, int vertex, double tolerance) {
	static const float none[3];
	const struct primitive *p = owner_of(build, vertex);
	bool unmoved = true;
	for (int i = 0; i < p->target_count; i++) {
		unmoved &= are_near(displacement(p, i, vertex), none, tolerance);
	}
	return unmoved;
}

/* Lips that touch at rest and that a morph target opens are no seam. */
static bool morph_alike(const struct check_surface_build *build, int a, int b) {
	if (!build->morphed[a] && !build->morphed[b]) {
		return true;
	}
	const double tolerance =
		CHECK_WELD_DISTANCE * build->asset->length / build->surface->scales[a];
	const struct primitive *p = owner_of(build, a), *q = owner_of(build, b);
	if (p->joint != q->joint) {
		return is_unmoved(build, a, tolerance) && is_unmoved(build, b, tolerance);
	}
	bool alike = true;
	for (int i = 0; i < p->target_count || i < q->target_count; i++) {
		alike &= are_near(displacement(p, i, a), displacement(q, i, b), tolerance);
	}
	return alike;
}

/* Pairs of vertices of edges that exactly two triangles share, where they differ; with those that
 * morph targets tell apart. */
static struct pairs list_twins(const struct check_surface_build *build, const struct sides *sides) {
	struct pairs twins = {.range = build->surface->vertex_count};
	twins.list = arena_alloc(build->scratch, (size_t)sides->pairs.count, sizeof *twins.list);
	for (int i = 0, end; i < sides->pairs.count; i = end) {
		end = run_end(&sides->pairs, i);
		for (int k = 0; end == i + 2 && k < 2; k++) {
			const int a = sides->vertices[sides->pairs.order[i]][k];
			const int b = sides->vertices[sides->pairs.order[i + 1]][k];
			if (a != b) {
				set_pair(twins.list[twins.count++], a, b);
			}
		}
	}
	sort_pairs(&twins, build->scratch);
	return twins;
}

static void find_seams(struct check_surface_build *build, const struct pairs *twins) {
	int(*seams)[2] = arena_alloc(build->arena, (size_t)twins->count, sizeof *seams);
	for (int i = 0; i < twins->count; i = run_end(twins, i)) {
		const int *pair = twins->list[twins->order[i]];
		if (morph_alike(build, pair[0], pair[1])) {
			memcpy(seams[build->surface->seam_count++], pair, sizeof *seams);
		}
	}
	build->surface->seams = (const int(*)[2])seams;
}

/* The pieces of the surface, by their lowest points. */
struct pieces {
	int *roots;    // [vertex_count] disjoint sets of points
	bool *open;    // [vertex_count] an edge is not in exactly two triangles, or spaces differ
	double *areas; // [vertex_count]
	int *counts;   // [vertex_count] triangles
	int *parts;    // [vertex_count] position in surface->parts; -1 = it is none
};

static int piece_of(const struct check_surface_build *build, struct pieces *pieces, int triangle) {
	const struct check_surface *surface = build->surface;
	return disjoint_sets_find(
		pieces->roots, surface->points[surface->triangles.corners[triangle][0]]);
}

static struct pieces find_pieces(const struct check_surface_build *build, const struct sides *sides,
	const struct pairs *twins) {
	const struct check_surface *surface = build->surface;
	const size_t count = (size_t)surface->vertex_count;
	struct pieces pieces = {
		.roots = arena_alloc(build->scratch, count, sizeof *pieces.roots),
		.open = arena_alloc(build->scratch, count, sizeof *pieces.open),
		.areas = arena_alloc(build->scratch, count, sizeof *pieces.areas),
		.counts = arena_alloc(build->scratch, count, sizeof *pieces.counts),
		.parts = arena_alloc(build->scratch, count, sizeof *pieces.parts),
	};
	disjoint_sets_init(pieces.roots, surface->vertex_count);
	for (int i = 0; i < surface->triangles.count; i++) {
		const int *corners = surface->triangles.corners[i];
		for (int k = 1; k < 3; k++) {
			disjoint_sets_join(pieces.roots, surface->points[corners[0]],
				surface->points[corners[k]]);
		}
	}
	for (int i = 0, end; i < sides->pairs.count; i = end) {
		end = run_end(&sides->pairs, i);
		const int point = sides->pairs.list[sides->pairs.order[i]][0];
		pieces.open[disjoint_sets_find(pieces.roots, point)] |= end != i + 2;
	}
	const double far = SAME_SPACE * build->asset->length;
	for (int i = 0; i < twins->count; i++) {
		const int *pair = twins->list[i];
		pieces.open[disjoint_sets_find(pieces.roots, surface->points[pair[0]])] |=
			distance(surface->reference[pair[0]], surface->reference[pair[1]]) > far;
	}
	for (int i = 0; i < surface->triangles.count; i++) {
		const int piece = piece_of(build, &pieces, i);
		pieces.areas[piece] += surface->areas[i];
		pieces.counts[piece]++;
	}
	return pieces;
}

/* Copies the triangles of closed pieces, part by part. */
static void list_closed(
	struct check_surface_build *build, struct pieces *pieces, struct check_part *parts) {
	struct check_surface *surface = build->surface;
	int *ends = arena_alloc(build->scratch, (size_t)surface->part_count, sizeof *ends);
	for (int i = 0; i < surface->part_count; i++) {
		parts[i].first = surface->closed.count;
		ends[i] = parts[i].first;
		surface->closed.count += parts[i].count;
	}
	const size_t count = (size_t)surface->closed.count;
	int(*corners)[3] = arena_alloc(build->arena, count, sizeof *corners);
	uint32_t *ids = arena_alloc(build->arena, count, sizeof *ids);
	for (int i = 0; i < surface->triangles.count; i++) {
		const int part = pieces->parts[piece_of(build, pieces, i)];
		if (part >= 0) {
			memcpy(corners[ends[part]], surface->triangles.corners[i], sizeof *corners);
			ids[ends[part]++] = surface->triangles.ids[i];
		}
	}
	surface->closed.corners = (const int(*)[3])corners;
	surface->closed.ids = ids;
}

double check_part_volume(const struct check_surface *surface, const struct check_part *part,
	const double (*positions)[3]) {
	const int(*corners)[3] = surface->closed.corners + part->first;
	const double *origin = positions[corners[0][0]];
	double sum = 0;
	for (int i = 0; i < part->count; i++) {
		double a[3], cross[3];
		const int *at = corners[i];
		check_cross(origin, positions[at[1]], positions[at[2]], cross);
		vec3_sub(positions[at[0]], origin, a);
		sum += vec3_dot(a, cross);
	}
	return sum / 6;
}

/* Leaves out closed sheets. A mirrored part's reference shape is seen from its inside. */
static void measure_parts(struct check_surface_build *build, struct check_part *parts) {
	struct check_surface *surface = build->surface;
	int kept = 0;
	for (int i = 0; i < surface->part_count; i++) {
		struct check_part part = parts[i];
		const int first = surface->closed.corners[part.first][0];
		part.inside = build->mirrored[first] ? -1 : 1;
		double area = 0;
		for (int k = part.first; k < part.first + part.count; k++) {
			double cross[3];
			const int *at = surface->closed.corners[k];
			check_cross(surface->reference[at[0]], surface->reference[at[1]],
				surface->reference[at[2]], cross);
			area += vec3_length(cross) / 2;
		}
		part.volume = check_part_volume(surface, &part, surface->reference) * part.inside;
		if (fabs(part.volume) > LEAST_VOLUME * area * sqrt(area)) {
			parts[kept++] = part;
		}
	}
	surface->part_count = kept;
}

static void find_parts(struct check_surface_build *build, struct pieces *pieces) {
	struct check_surface *surface = build->surface;
	// No more than this many have their share of the area.
	struct check_part *parts =
		arena_alloc(build->arena, (size_t)(1 / LEAST_PART) + 1, sizeof *parts);
	for (int i = 0; i < surface->vertex_count; i++) {
		pieces->parts[i] = -1;
		if (pieces->counts[i] > 0 && !pieces->open[i] && pieces->areas[i] > 0 &&
			pieces->areas[i] >= LEAST_PART * surface->area) {
			parts[surface->part_count].count = pieces->counts[i];
			pieces->parts[i] = surface->part_count++;
		}
	}
	list_closed(build, pieces, parts);
	measure_parts(build, parts);
	surface->parts = parts;
}

void check_surface_find_seams(struct check_surface_build *build) {
	const struct sides sides = list_sides(build);
	const struct pairs twins = list_twins(build, &sides);
	find_seams(build, &twins);
	struct pieces pieces = find_pieces(build, &sides, &twins);
	find_parts(build, &pieces);
}
