// surface/self_intersection: crossings and depths, held against closed forms.
#include <string.h>

#include "check.h"
#include "check/triangle_tree.h"
#include "checked.h"
#include "rigs.h"
#include "shared_files.h"

/* --- Triangles --- */

static double random_in(unsigned *seed, double low, double high) {
	return low + (random_number(seed) + 1) / 2 * (high - low);
}

#define TRIANGLES 300

/* Triangles of a soup: in and about a unit cube. */
struct soup {
	int corners[TRIANGLES][3];
	float positions[TRIANGLES * 3][3];
	struct check_tree *tree;
};

static void fill(struct soup *soup, unsigned seed, struct arena *arena) {
	for (int i = 0; i < TRIANGLES; i++) {
		for (int k = 0; k < 9; k++) {
			const double middle = random_in(&seed, 0, 1);
			soup->corners[i][k / 3] = i * 3 + k / 3;
			soup->positions[i * 3 + k / 3][k % 3] = (float)middle;
		}
		for (int k = 3; k < 9; k++) {
			const float near = (float)random_in(&seed, -0.3, 0.3);
			soup->positions[i * 3 + k / 3][k % 3] =
				soup->positions[i * 3][k % 3] + near;
		}
	}
	soup->tree = check_tree_create((const int(*)[3])soup->corners, TRIANGLES / 2,
		(const float *)soup->positions, arena);
}

static void load(const struct soup *soup, int triangle, double out[3][3]) {
	for (int i = 0; i < 9; i++) {
		out[i / 3][i % 3] = (double)soup->positions[triangle * 3 + i / 3][i % 3];
	}
}

struct found {
	const struct soup *a, *b;
	unsigned char crossed[TRIANGLES][TRIANGLES];
	int count;
};

static void note(int a, int b, void *context) {
	struct found *found = context;
	double one[3][3], other[3][3];
	load(found->a, a, one);
	load(found->b, b, other);
	if (check_triangles_cross((const double(*)[3])one, (const double(*)[3])other)) {
		assert_int_equal(found->crossed[a][b]++, 0);
		found->count++;
	}
}

/* The same pairs, however else a copy of the second tree is fitted. */
static void found_again(struct found *found, const struct check_tree *a, struct check_tree *copy,
	const float *elsewhere) {
	const int count = found->count;
	long budget = 1000000;
	check_tree_fit(copy, elsewhere);
	memset(found->crossed, 0, sizeof found->crossed);
	found->count = 0;
	assert_true(check_tree_pairs(a, found->b->tree, note, found, &budget));
	assert_int_equal(found->count, count);
}

/* Held against all pairs, of a tree that was fitted to places of its own. */
static void a_tree_finds_all_pairs(void **state) {
	(void)state;
	static struct soup a, b;
	static struct found found;
	struct arena *arena = arena_create();
	fill(&a, 1, arena);
	fill(&b, 2, arena);
	for (int i = 0; i < TRIANGLES * 3; i++) {
		b.positions[i][0] += 0.05f * (float)(i % 3);
	}
	check_tree_fit(b.tree, (const float *)b.positions);
	long budget = 1000000;
	found.a = &a;
	found.b = &b;
	assert_true(check_tree_pairs(a.tree, b.tree, note, &found, &budget));
	int expected = 0;
	for (int i = 0; i < TRIANGLES / 2; i++) {
		for (int k = 0; k < TRIANGLES / 2; k++) {
			double one[3][3], other[3][3];
			load(&a, i, one);
			load(&b, k, other);
			const bool cross = check_triangles_cross(
				(const double(*)[3])one, (const double(*)[3])other);
			assert_int_equal(found.crossed[i][k], cross);
			expected += cross;
		}
	}
	assert_true(expected > 20);
	assert_int_equal(found.count, expected);
	assert_in_range(1000000 - budget, 1, TRIANGLES * TRIANGLES / 4);
	found_again(&found, a.tree, check_tree_copy(b.tree, arena), (const float *)a.positions);
	budget = 10;
	assert_false(check_tree_pairs(a.tree, b.tree, note, &found, &budget));
	arena_destroy(arena);
}

/* A distance is that of the nearest of many points of the triangles, to their spacing. */
static void a_tree_finds_the_nearest_triangle(void **state) {
	(void)state;
	static struct soup soup;
	struct arena *arena = arena_create();
	fill(&soup, 3, arena);
	unsigned seed = 4;
	for (int trial = 0; trial < 20; trial++) {
		double at[3], least = INFINITY;
		for (int k = 0; k < 3; k++) {
			at[k] = random_in(&seed, -0.5, 1.5);
		}
		for (int i = 0; i < TRIANGLES / 2; i++) {
			double t[3][3];
			load(&soup, i, t);
			for (int u = 0; u <= 20; u++) {
				for (int v = 0; v <= 20 - u; v++) {
					double square = 0;
					for (int k = 0; k < 3; k++) {
						const double on = t[0][k] +
							u / 20. * (t[1][k] - t[0][k]) +
							v / 20. * (t[2][k] - t[0][k]);
						square += (on - at[k]) * (on - at[k]);
					}
					least = fmin(least, sqrt(square));
				}
			}
		}
		const double found = check_tree_distance(soup.tree, at, INFINITY);
		assert_true(found <= least + 1e-12);
		assert_near(found, least, 0.02);
		assert_near(check_tree_distance(soup.tree, at, found / 2), found / 2, 0);
	}
	arena_destroy(arena);
}

/* --- Figures --- */

/* Pieces of a mesh, of which the first ones follow joint 0 and the others joint 4. */
struct mesh {
	float positions[32][3], normals[32][3];
	int vertex_count, first_far;
	uint32_t indices[32 * 3];
	int index_count;
};

static void add_box(struct mesh *mesh, const double low[3], const double high[3]) {
	static const uint32_t faces[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6,
		7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
	for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
		mesh->indices[mesh->index_count++] = (uint32_t)mesh->vertex_count + faces[i];
	}
	for (int i = 0; i < 8; i++) {
		for (int k = 0; k < 3; k++) {
			const bool far = i >> (2 - k) & 1;
			mesh->positions[mesh->vertex_count][k] = (float)(far ? high[k] : low[k]);
			mesh->normals[mesh->vertex_count][k] = (float)((far ? 1 : -1) / sqrt(3));
		}
		mesh->vertex_count++;
	}
}

/* A chain of five joints in one place. */
static struct rig *rig_of(const struct mesh *mesh) {
	struct rig *rig = rig_random(1, 5, mesh->vertex_count, 4);
	for (int i = 0; i < rig->joint_count; i++) {
		rig->joints[i].rest = (struct transform)TRANSFORM_IDENTITY;
	}
	rig_bind(rig);
	for (int v = 0; v < mesh->vertex_count; v++) {
		memcpy(rig->positions + v * 3, mesh->positions[v], sizeof mesh->positions[v]);
		memcpy(rig->normals + v * 3, mesh->normals[v], sizeof mesh->normals[v]);
		for (int k = 0; k < 4; k++) {
			rig->influence_slots[v * 4 + k] = v < mesh->first_far ? 0 : 4;
			rig->influence_weights[v * 4 + k] = k == 0;
		}
	}
	rig->indices =
		rig_storage(rig, (size_t)mesh->index_count, sizeof *rig->indices, "a mesh", NULL);
	memcpy(rig->indices, mesh->indices, (size_t)mesh->index_count * sizeof *rig->indices);
	rig->index_count = rig->primitives[0].index_count = mesh->index_count;
	return rig;
}

static void add_move(struct rig *rig, const char *name, float x) {
	const struct constant_channel move = {4, CHANNEL_TRANSLATION, {x, 0, 0}};
	rig_add_clip(rig, name, 1, &move);
}

/* A unit box, and a smaller one that comes to it along x. */
static void boxes_cross_once_they_meet(void **state) {
	(void)state;
	struct mesh mesh = {.vertex_count = 0};
	add_box(&mesh, (const double[]){0, 0, 0}, (const double[]){1, 1, 1});
	mesh.first_far = mesh.vertex_count;
	add_box(&mesh, (const double[]){1.5, 0.21, 0.27}, (const double[]){2, 0.66, 0.73});
	struct rig *rig = rig_of(&mesh);
	add_move(rig, "Apart", -0.45f);
	add_move(rig, "Meet", -0.6f);
	add_move(rig, "Deep", -0.7f);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "surface/self_intersection", "Apart"), 0, 0);
	const double length = checked.file.length;
	const double depths[] = {0.1, 0.2};
	const char *const clips[] = {"Meet", "Deep"};
	for (int i = 0; i < 2; i++) {
		const struct check_measurement *at =
			checked_measurement(&checked, "surface/self_intersection", clips[i]);
		assert_true(at->value > 0.1);
		assert_near(checked_param(at, "depth"), depths[i] / length, 1e-6);
		// The four sides of the smaller box, and one side of the other.
		assert_true(at->triangle_count >= 6 && at->triangle_count <= 10);
	}
	checked_finish(&checked);
	rig_release(rig);
}

/* A slab, and a flat rod of two triangles. */
static struct mesh slab_and_rod(double x) {
	struct mesh mesh = {.vertex_count = 0};
	add_box(&mesh, (const double[]){-1, -0.05, -1}, (const double[]){1, 0.05, 1});
	mesh.first_far = mesh.vertex_count;
	for (int i = 0; i < 4; i++) {
		const float at[] = {
			(float)x + 0.1f * (float)(i & 1), (float)(i & 2 ? 0.8 : -0.7), 0.05f};
		const float normal[] = {0, 0, 1};
		memcpy(mesh.positions[mesh.vertex_count], at, sizeof at);
		memcpy(mesh.normals[mesh.vertex_count++], normal, sizeof normal);
	}
	const uint32_t rod[] = {8, 9, 11, 8, 11, 10};
	memcpy(mesh.indices + mesh.index_count, rod, sizeof rod);
	mesh.index_count += 6;
	return mesh;
}

/* The rod goes through one triangle of each side of the slab, by both of its own. */
static void a_rod_crosses_four_triangles(void **state) {
	(void)state;
	const struct mesh mesh = slab_and_rod(2);
	struct rig *rig = rig_of(&mesh);
	add_move(rig, "Through", -1.55f);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_measurement *at =
		checked_measurement(&checked, "surface/self_intersection", "Through");
	const uint32_t rod[] = {12, 13};
	assert_int_equal(at->triangle_count, 4);
	assert_memory_equal(at->triangles + 2, rod, sizeof rod);
	// Half of the slab's faces of 2 by 2, and the rod of 0.1 by 1.5.
	const double sides = 4 * 2 * 0.1, rods = 0.1 * 1.5;
	assert_near(at->value, (4 + rods) / (8 + sides + rods), 1e-6);
	// None of its ends is inside.
	assert_near(checked_param(at, "depth"), 0, 0);
	checked_finish(&checked);
	rig_release(rig);
}

/* Triangles that cross at rest are meant to. */
static void crossings_at_rest_do_not_count(void **state) {
	(void)state;
	const struct mesh mesh = slab_and_rod(0.45);
	struct rig *rig = rig_of(&mesh);
	add_move(rig, "Nudge", 0.02f);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "surface/self_intersection", "Nudge"), 0, 0);
	checked_finish(&checked);
	rig_release(rig);
}

static void the_demo_figure_keeps_clear_of_itself(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	for (size_t i = 0; i < checked.file.clip_count; i++) {
		const struct check_measurement *at = checked_measurement(
			&checked, "surface/self_intersection", checked.file.clips[i].name);
		assert_near(at->value, 0, 0);
		assert_near(checked_param(at, "looked"), checked_param(at, "samples"), 0);
	}
	checked_finish(&checked);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_finds_all_pairs),
		cmocka_unit_test(a_tree_finds_the_nearest_triangle),
		cmocka_unit_test(boxes_cross_once_they_meet),
		cmocka_unit_test(a_rod_crosses_four_triangles),
		cmocka_unit_test(crossings_at_rest_do_not_count),
		cmocka_unit_test(the_demo_figure_keeps_clear_of_itself),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
