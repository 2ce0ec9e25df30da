// The surface as checks look at it: welding, edges, seams, closed parts, supports.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "check/asset_internal.h"
#include "check/percentile.h"
#include "check/surface.h"
#include "check/weld.h"
#include "rigs.h"
#include "skin/method.h"
#include "soup.h"

static double random_in(unsigned *seed, double low, double high) {
	return low + (random_number(seed) + 1) / 2 * (high - low);
}

/* Held against a comparison of all with all; points in a row next to borders of cells. */
static void points_within_the_tolerance_are_welded_to_the_lowest(void **state) {
	(void)state;
	enum { COUNT = 600 };
	static double points[COUNT][3];
	struct arena *arena = arena_create();
	unsigned seed = 5;
	for (int i = 0; i < COUNT; i++) {
		for (int k = 0; k < 3; k++) {
			points[i][k] = random_in(&seed, -0.04, 0.04);
		}
	}
	bool left_out[COUNT] = {[7] = true};
	const double tolerance = 0.01;
	const int *lowest =
		check_weld((const double(*)[3])points, COUNT, tolerance, left_out, arena);
	int welded = 0;
	for (int i = 0; i < COUNT; i++) {
		int expected = i;
		for (int j = 0; j < i && i != 7 && expected == i; j++) {
			const double apart[3] = {points[i][0] - points[j][0],
				points[i][1] - points[j][1], points[i][2] - points[j][2]};
			const double square =
				apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
			if (j != 7 && lowest[j] == j && square <= tolerance * tolerance) {
				expected = j;
			}
		}
		assert_int_equal(lowest[i], expected);
		welded += expected != i;
	}
	assert_in_range(welded, 100, COUNT - 100);
	arena_destroy(arena);
}

static int compare_doubles(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Held against sorting; many values are equal. */
static void percentiles_are_those_of_sorted_values(void **state) {
	(void)state;
	enum { COUNT = 501 };
	unsigned seed = 9;
	for (int count = 1; count <= COUNT; count += 50) {
		double values[COUNT], sorted[COUNT];
		for (int i = 0; i < count; i++) {
			values[i] = sorted[i] = floor(random_in(&seed, 0, 40));
		}
		qsort(sorted, (size_t)count, sizeof *sorted, compare_doubles);
		for (int i = 0; i < count; i++) {
			assert_true(check_select(values, count, i) == sorted[i]);
		}
		const double at = 0.95 * (count - 1);
		const int below = (int)at, above = below + (below + 1 < count);
		const double expected =
			sorted[below] + (at - below) * (sorted[above] - sorted[below]);
		assert_near(check_percentile(values, count, 0.95), expected, 1e-12);
	}
}

static void points_nowhere_stay_alone(void **state) {
	(void)state;
	const double points[5][3] = {
		{NAN, 0, 0}, {NAN, 0, 0}, {1e300, 0, 0}, {1e300, 0, 0}, {INFINITY, 0, 0}};
	struct arena *arena = arena_create();
	const int *lowest = check_weld(points, 5, 1e-5, NULL, arena);
	const int expected[5] = {0, 1, 2, 2, 4};
	assert_memory_equal(lowest, expected, sizeof expected);
	arena_destroy(arena);
}

/* A rig at rest, as far as its surface needs it. */
struct rest {
	struct arena *arena;
	struct asset_facts facts;
	struct check_asset asset;
	struct check_surface *surface;
};

static struct rest rest_of(const struct rig *rig, double length) {
	struct rest rest = {.arena = arena_create()};
	const size_t vertices = (size_t)rig->vertex_count;
	struct primitive_facts *primitives =
		arena_alloc(rest.arena, (size_t)rig->primitive_count, sizeof *primitives);
	double(*world)[12] = arena_alloc(rest.arena, (size_t)rig->joint_count, sizeof *world);
	double(*at)[3] = arena_alloc(rest.arena, vertices, sizeof *at);
	unsigned char *skinned = arena_alloc(rest.arena, vertices, 1);
	bool *active = arena_alloc(rest.arena, (size_t)rig->joint_count, sizeof *active);
	memset(active, true, (size_t)rig->joint_count);
	const struct pose pose = pose_rest(rig, rest.arena);
	pose_to_world(rig, &pose, world);
	float *positions = arena_alloc(rest.arena, vertices * 3, sizeof *positions);
	float *normals = arena_alloc(rest.arena, vertices * 3, sizeof *normals);
	const struct value id = {.kind = VALUE_STRING, .string = "lbs"};
	skin_pose(rig, skin_method_find(&id, NULL), &pose, true, positions, normals);
	for (size_t i = 0; i < vertices * 3; i++) {
		at[i / 3][i % 3] = (double)positions[i];
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		primitives[i].has_normals = true;
		memset(skinned + p->first_vertex, p->skinned, (size_t)p->vertex_count);
	}
	rest.facts.primitives = primitives;
	rest.asset = (struct check_asset){
		.rig = rig,
		.length = length,
		.rest_world = (const double(*)[12])world,
		.rest_vertices = (const double(*)[3])at,
		.skinned = skinned,
		.active = active,
		.dominant = arena_alloc(rest.arena, vertices, sizeof(int)),
		.nonfinite = arena_alloc(rest.arena, vertices, 1),
		.arena = rest.arena,
	};
	check_find_ends(&rest.asset);
	return rest;
}

static void make_surface(struct rest *rest) {
	rest->asset.facts = &rest->facts;
	rest->surface = check_surface_create(&rest->asset, rest->arena);
}

/* METHODS 0.8: 16 segments, 41 rings, two cap centres. */
static void a_cylinder_has_the_parts_that_are_counted(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct rest rest = rest_of(rig, 2);
	make_surface(&rest);
	const struct check_surface *s = rest.surface;
	const int vertices = 16 * 41 + 2, triangles = 2 * vertices - 4;
	assert_int_equal(s->skinned_count, vertices);
	assert_int_equal(s->triangles.count, triangles);
	assert_int_equal(s->edge_count, triangles * 3 / 2);
	assert_int_equal(s->seam_count, 0);
	assert_int_equal(s->part_count, 1);
	assert_int_equal(s->parts[0].count, triangles);
	assert_near(s->parts[0].volume, 0.061229349, 2e-9);
	assert_near(check_part_volume(s, s->parts, s->reference), 0.061229349, 2e-9);
	assert_near(s->rest_high[1], 2, 1e-6);
	// The shaft's triangles and those of the caps, whose borders have the shaft's normals.
	assert_int_equal(s->facing.count, triangles);
	assert_near(s->facing_area, s->area, 1e-12);
	// Weights go from 0 to 1 between y = 0.75 and 1.25: both are above 0.1 on 9 rings,
	// as a float of 0.1 is.
	assert_int_equal(s->support_count, 1);
	assert_int_equal(s->supports[0].joint, 1);
	assert_int_equal(s->supports[0].above, 0);
	assert_int_equal(s->supports[0].count, 9 * 16);
	assert_near(s->supports[0].centre[1], 1, 1e-12);
	for (int i = 0; i < s->supports[0].count; i++) {
		const int ring = s->supports[0].vertices[i] / 16;
		assert_near(s->supports[0].distances[i], hypot(0.1, ring * 0.05 - 1), 1e-6);
	}
	arena_destroy(rest.arena);
	rig_release(rig);
}

/* Edges are [low, high], ascending, each once. */
static void edges_are_unique_and_long(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct rest rest = rest_of(rig, 2);
	make_surface(&rest);
	const int all = rest.surface->edge_count;
	for (int i = 0; i < all; i++) {
		const int *a = rest.surface->edges[i];
		assert_true(a[0] < a[1]);
		if (i > 0) {
			const int *before = rest.surface->edges[i - 1];
			assert_true(before[0] < a[0] || (before[0] == a[0] && before[1] < a[1]));
		}
	}
	// Edges round the cylinder are 0.039 long, those along it 0.05, the others longer.
	rest.asset.length = 0.045 / CHECK_EDGE_LENGTH;
	make_surface(&rest);
	assert_int_equal(rest.surface->edge_count, all - 41 * 16);
	assert_int_equal(rest.surface->short_edge_count, 0);
	arena_destroy(rest.arena);
	rig_release(rig);
}

/* Triangles that share no vertex: the same surface, and every edge is a seam. */
static void a_soup_is_welded(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	int *owner = calloc((size_t)rig->index_count, sizeof *owner);
	struct rig *soup = soup_of(rig, owner);
	free(owner);
	struct rest rest = rest_of(soup, 2);
	make_surface(&rest);
	const struct check_surface *s = rest.surface;
	const int vertices = 16 * 41 + 2, triangles = 2 * vertices - 4;
	assert_int_equal(s->triangles.count, triangles);
	assert_int_equal(s->part_count, 1);
	assert_near(s->parts[0].volume, 0.061229349, 2e-9);
	// Each of the edges has two ends, and no two edges have a pair in common.
	assert_int_equal(s->seam_count, triangles * 3 / 2 * 2);
	for (int i = 0; i < s->seam_count; i++) {
		const int *pair = s->seams[i];
		assert_true(pair[0] < pair[1]);
		assert_int_equal(s->points[pair[0]], s->points[pair[1]]);
	}
	arena_destroy(rest.arena);
	rig_release(soup);
	rig_release(rig);
}

/* With one triangle less nothing is closed; the edges of the hole are no seams. */
static void a_hole_opens_a_part(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	rig->primitives[0].index_count -= 3;
	struct rest rest = rest_of(rig, 2);
	make_surface(&rest);
	assert_int_equal(rest.surface->part_count, 0);
	assert_int_equal(rest.surface->closed.count, 0);
	arena_destroy(rest.arena);
	rig_release(rig);
}

/* A triangle with a vertex that the file does not place counts for nothing. */
static void vertices_that_are_not_finite_are_left_out(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct rest rest = rest_of(rig, 2);
	((unsigned char *)rest.asset.nonfinite)[3 * 16 + 5] = 1;
	make_surface(&rest);
	const int vertices = 16 * 41 + 2;
	assert_int_equal(rest.surface->triangles.count, 2 * vertices - 4 - 6);
	assert_int_equal(rest.surface->skinned_count, vertices - 1);
	assert_int_equal(rest.surface->part_count, 0);
	arena_destroy(rest.arena);
	rig_release(rig);
}

/* A skin that is bound a hundred times as large: the reference has the size of the rest pose. */
static void the_reference_has_the_size_of_the_rest_pose(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	for (int i = 0; i < rig->vertex_count * 3; i++) {
		rig->positions[i] *= 100;
	}
	for (int i = 0; i < rig->slot_count; i++) {
		for (int k = 0; k < 12; k++) {
			if (k % 4 != 3) {
				rig->slots[i].inverse_bind[k] /= 100;
			}
		}
	}
	struct rest rest = rest_of(rig, 2);
	make_surface(&rest);
	assert_near(rest.surface->parts[0].volume, 0.061229349, 2e-8);
	assert_near(rest.surface->supports[0].centre[1], 1, 1e-9);
	assert_int_equal(rest.surface->supports[0].count, 9 * 16);
	arena_destroy(rest.arena);
	rig_release(rig);
}

/* Mirrored by its root at rest: the outside is the outside, and the volume has the sign of the rest
 * pose's. */
static void a_mirrored_skin_is_seen_from_the_outside(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	rig->joints[0].rest.scale[0] = -1;
	struct rest rest = rest_of(rig, 2);
	make_surface(&rest);
	const struct check_surface *s = rest.surface;
	assert_int_equal(s->facing.count, s->triangles.count);
	const double volume = check_part_volume(s, s->parts, rest.asset.rest_vertices);
	assert_near(volume, 0.061229349, 2e-8);
	assert_near(s->parts[0].volume, volume, 2e-8);
	arena_destroy(rest.arena);
	rig_release(rig);
}

static void what_no_skin_moves_has_no_surface(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	rig->primitives[0].skinned = false;
	struct rest rest = rest_of(rig, 2);
	make_surface(&rest);
	assert_null(rest.surface);
	arena_destroy(rest.arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_within_the_tolerance_are_welded_to_the_lowest),
		cmocka_unit_test(percentiles_are_those_of_sorted_values),
		cmocka_unit_test(points_nowhere_stay_alone),
		cmocka_unit_test(a_cylinder_has_the_parts_that_are_counted),
		cmocka_unit_test(edges_are_unique_and_long),
		cmocka_unit_test(a_soup_is_welded),
		cmocka_unit_test(a_hole_opens_a_part),
		cmocka_unit_test(vertices_that_are_not_finite_are_left_out),
		cmocka_unit_test(the_reference_has_the_size_of_the_rest_pose),
		cmocka_unit_test(a_mirrored_skin_is_seen_from_the_outside),
		cmocka_unit_test(what_no_skin_moves_has_no_surface),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
