// The edges of triangles, counted by Euler's formula.
#include <stdlib.h>

#include "check.h"
#include "mesh/surface.h"
#include "rigs.h"

static void closed_surfaces_have_what_euler_says(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	uint32_t(*edges)[2];
	size_t count;
	assert_true(mesh_edges(rig, NULL, &edges, &count, NULL));
	// V - E + F = 2, and none of its vertices are one point.
	assert_int_equal(count, rig->vertex_count + rig->index_count / 3 - 2);
	free(edges);
	rig_release(rig);
}

static void each_is_listed_once_lowest_vertex_first(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	uint32_t(*edges)[2];
	size_t count;
	assert_true(mesh_edges(rig, NULL, &edges, &count, NULL));
	for (size_t i = 0; i < count; i++) {
		assert_true(edges[i][0] < edges[i][1]);
		assert_true(edges[i][1] < (uint32_t)rig->vertex_count);
		assert_true(i == 0 || edges[i - 1][0] < edges[i][0] ||
			(edges[i - 1][0] == edges[i][0] && edges[i - 1][1] < edges[i][1]));
	}
	free(edges);
	rig_release(rig);
}

static void other_topologies_have_none(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	uint32_t(*edges)[2];
	size_t count;
	rig->primitives[0].topology = TOPOLOGY_LINES;
	assert_true(mesh_edges(rig, NULL, &edges, &count, NULL));
	assert_int_equal(count, 0);
	free(edges);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed_surfaces_have_what_euler_says),
		cmocka_unit_test(each_is_listed_once_lowest_vertex_first),
		cmocka_unit_test(other_topologies_have_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
