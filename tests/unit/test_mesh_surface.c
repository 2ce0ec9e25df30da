// Points, edges and parts of a surface: welding, neighbours, open ends, smoothing groups.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "mesh/fans.h"
#include "mesh/parts.h"
#include "mesh/surface.h"
#include "rigs.h"
#include "soup.h"

static struct mesh_surface *surface_of(const struct rig *rig) {
	struct error err = {0};
	struct mesh_surface *surface = surface_create(rig, NULL, &err);
	assert_non_null(surface);
	return surface;
}

/* METHODS 0.8: 16 segments, 41 rings, two cap centres; Euler: V - E + F = 2, so F = 2 V - 4. */
static void a_closed_cylinder_is_one_closed_part(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface = surface_of(rig);
	assert_int_equal(surface->point_count, 16 * 41 + 2);
	assert_int_equal(surface->triangle_count, 2 * surface->point_count - 4);
	struct parts parts;
	assert_true(parts_init(&parts, surface, NULL));
	assert_int_equal(parts.count, 1);
	assert_true(parts.closed[0]);
	parts_finish(&parts);
	surface_destroy(surface);
	rig_release(rig);
}

static void neighbours_are_known_and_sorted(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface = surface_of(rig);
	struct csr csr;
	assert_true(surface_neighbours(surface, &csr, NULL));
	// Ring 3, segment 5: beside it, below and above, and one diagonal each way.
	const int at = 3 * 16 + 5;
	const int expected[6] = {at - 16, at - 15, at - 1, at + 1, at + 15, at + 16};
	assert_int_equal(csr.starts[at + 1] - csr.starts[at], 6);
	for (int i = 0; i < 6; i++) {
		assert_int_equal(csr.items[csr.starts[at] + i], expected[i]);
	}
	// The cap's centre has its ring around it.
	const int bottom = 41 * 16;
	assert_int_equal(csr.starts[bottom + 1] - csr.starts[bottom], 16);
	// Every edge is in two rows: 3 F / 2 edges.
	assert_int_equal(csr.starts[surface->point_count], 3 * surface->triangle_count);
	csr_finish(&csr);
	surface_destroy(surface);
	rig_release(rig);
}

/* The soup is the same surface: as many points, and the same points beside each. */
static void seams_between_vertices_and_primitives_are_welded(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	int *owner = xcalloc((size_t)rig->index_count, sizeof *owner);
	struct rig *soup = soup_of(rig, owner);
	struct mesh_surface *whole = surface_of(rig), *surface = surface_of(soup);
	assert_int_equal(surface->point_count, whole->point_count);
	assert_int_equal(surface->triangle_count, whole->triangle_count);
	for (int v = 0; v < soup->vertex_count; v++) {
		const int same = surface->vertices[surface->points[v]];
		assert_int_equal(owner[same], owner[v]);
		assert_true(same <= v);
	}
	struct csr few, many;
	assert_true(surface_neighbours(whole, &few, NULL));
	assert_true(surface_neighbours(surface, &many, NULL));
	for (int i = 0; i < surface->point_count; i++) {
		const int point = owner[surface->vertices[i]];
		assert_int_equal(many.starts[i + 1] - many.starts[i],
			few.starts[point + 1] - few.starts[point]);
	}
	csr_finish(&few);
	csr_finish(&many);
	// The second primitive's slots are the first one's matrices.
	assert_int_equal(surface->slots[2], 0);
	assert_int_equal(surface->slots[3], 1);
	surface_destroy(whole);
	surface_destroy(surface);
	rig_release(soup);
	rig_release(rig);
	free(owner);
}

/* Two triangles that share the edge 0 1 as vertices of their own: 0 1 2, and 3 4 5. */
static struct rig *two_triangles(float shift) {
	const float positions[6][3] = {
		{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1 + shift, 0, 0}, {shift, 0, 0}, {0, -1, 0}};
	const float weights[6] = {0.25f, 0.5f, 0, 0.5f, 0.25f, 0};
	struct rig *rig = rig_cyl2_vertices(6, positions, weights);
	rig->indices = rig_storage(rig, 6, sizeof *rig->indices, "", NULL);
	for (int i = 0; i < 6; i++) {
		rig->indices[i] = (uint32_t)i;
	}
	rig->index_count = rig->primitives[0].index_count = 6;
	return rig;
}

static int points_of(const struct rig *rig) {
	struct mesh_surface *surface = surface_of(rig);
	const int count = surface->point_count;
	surface_destroy(surface);
	return count;
}

static void only_vertices_that_stay_together_are_welded(void **state) {
	(void)state;
	struct rig *rig = two_triangles(0);
	assert_int_equal(points_of(rig), 4);
	// Other weights: the two part in a pose.
	rig->influence_weights[3 * 4] = 0.9f;
	rig->influence_weights[3 * 4 + 1] = 0.1f;
	assert_int_equal(points_of(rig), 5);
	rig_release(rig);
	// The box is 1 by 2: its diagonal is 2.24, the tolerance 2.24e-6.
	rig = two_triangles(2e-6f);
	assert_int_equal(points_of(rig), 4);
	rig_release(rig);
	rig = two_triangles(3e-6f);
	assert_int_equal(points_of(rig), 6);
	rig_release(rig);
	// A morph target that moves one of two.
	rig = two_triangles(0);
	float *moves = rig_storage(rig, 18, sizeof *moves, "", NULL);
	moves[3 * 3 + 1] = -0.01f;
	rig->primitives[0].target_count = 1;
	rig->primitives[0].targets = xcalloc(1, sizeof *rig->primitives[0].targets);
	rig->primitives[0].targets[0].positions = moves;
	assert_int_equal(points_of(rig), 5);
	rig_release(rig);
	// Points have no seams.
	rig = two_triangles(0);
	rig->primitives[0].topology = TOPOLOGY_POINTS;
	assert_int_equal(points_of(rig), 6);
	rig_release(rig);
}

static void without_its_caps_the_cylinder_is_open_at_its_ends(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	int removed = 0;
	for (int i = 0; i < rig->index_count; i += 3) {
		if (rig->indices[i] >= 41 * 16) {
			rig->indices[i + 1] = rig->indices[i + 2] = rig->indices[i];
			removed++;
		}
	}
	assert_int_equal(removed, 32);
	struct mesh_surface *surface = surface_of(rig);
	bool *open = xcalloc((size_t)surface->point_count, sizeof *open);
	assert_true(open_points(surface, open, NULL));
	for (int i = 0; i < surface->point_count; i++) {
		assert_int_equal(open[i], i < 16 || (40 * 16 <= i && i < 41 * 16));
	}
	struct parts parts;
	assert_true(parts_init(&parts, surface, NULL));
	assert_int_equal(parts.count, 1);
	assert_false(parts.closed[0]);
	assert_int_equal(parts.points[41 * 16], -1);
	parts_finish(&parts);
	free(open);
	surface_destroy(surface);
	rig_release(rig);
}

static void hard_edges_part_smoothing_groups(void **state) {
	(void)state;
	struct rig *rig = two_triangles(0);
	struct mesh_surface *surface = surface_of(rig);
	struct smooth_groups groups;
	assert_true(smooth_groups_init(&groups, surface, rig->normals, NULL));
	assert_int_equal(groups.count, 4);
	smooth_groups_finish(&groups);
	// 0.9 degrees are one group, 1.1 are two: only at the vertex that was turned.
	const double radians[2] = {0.9 * 3.14159265 / 180, 1.1 * 3.14159265 / 180};
	for (int i = 0; i < 2; i++) {
		rig->normals[3 * 3] = (float)cos(radians[i]);
		rig->normals[3 * 3 + 1] = (float)sin(radians[i]);
		assert_true(smooth_groups_init(&groups, surface, rig->normals, NULL));
		assert_int_equal(groups.count, 4 + i);
		assert_int_equal(groups.vertices[3] == groups.vertices[1], i == 0);
		smooth_groups_finish(&groups);
	}
	surface_destroy(surface);
	rig_release(rig);
}

/* By fans as by faces: sums of the cross products of all triangles at a point. */
static void fans_give_the_normals_of_the_faces(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface = surface_of(rig);
	const double(*positions)[3] = (const double(*)[3])surface->positions;
	double(*sums)[3] = xcalloc((size_t)surface->point_count, sizeof *sums);
	for (int i = 0; i < surface->triangle_count; i++) {
		double cross[3];
		surface_cross(surface, i, positions, cross);
		for (int k = 0; k < 9; k++) {
			sums[surface->triangles[i][k / 3]][k % 3] += cross[k % 3];
		}
	}
	struct fans fans;
	assert_true(fans_init(&fans, surface, surface->points, surface->point_count, true, NULL));
	for (int i = 0; i < surface->point_count; i++) {
		double normal[3];
		fans_normal(&fans, i, positions, i, normal);
		for (int k = 0; k < 3; k++) {
			assert_near(normal[k], sums[i][k], 1e-15);
		}
	}
	// Outwards: rig_cyl2's normals, of the same symmetry.
	double side[3];
	fans_normal(&fans, 20 * 16, positions, 20 * 16, side);
	assert_true(side[0] > 0);
	assert_near(side[1], 0, 1e-9);
	fans_finish(&fans);
	free(sums);
	surface_destroy(surface);
	rig_release(rig);
}

static void a_stop_is_heard(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct stop stop = {.left = true};
	const struct watch watch = {.stop = &stop};
	struct error err = {0};
	assert_null(surface_create(rig, &watch, &err));
	assert_int_equal(err.code, ERROR_CLIENT_LEFT);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stop_is_heard),
		cmocka_unit_test(a_closed_cylinder_is_one_closed_part),
		cmocka_unit_test(neighbours_are_known_and_sorted),
		cmocka_unit_test(seams_between_vertices_and_primitives_are_welded),
		cmocka_unit_test(only_vertices_that_stay_together_are_welded),
		cmocka_unit_test(without_its_caps_the_cylinder_is_open_at_its_ends),
		cmocka_unit_test(hard_edges_part_smoothing_groups),
		cmocka_unit_test(fans_give_the_normals_of_the_faces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
