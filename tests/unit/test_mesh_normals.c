// Gradients of the weights, and the exact and recomputed normals that need more than a vertex.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "mesh/laplacian.h"
#include "rigs.h"
#include "skinned.h"
#include "soup.h"

static float (*gradients_of(const struct rig *rig))[3] {
	struct error err = {0};
	struct mesh_surface *surface = surface_create(rig, NULL, &err);
	struct smooth_groups groups;
	assert_true(smooth_groups_init(&groups, surface, rig->normals, &err));
	float(*out)[3] = xcalloc(rig->influence_count, sizeof *out);
	assert_true(weight_gradients(rig, surface, &groups, out, &err));
	smooth_groups_finish(&groups);
	surface_destroy(surface);
	return out;
}

/* The influence of joint 1 at a vertex of cyl2's. */
static size_t of_joint_1(const struct rig *rig, int vertex) {
	size_t at = (size_t)vertex * 4;
	while (rig->influence_slots[at] != 1) {
		at++;
	}
	return at;
}

/* METHODS 0.8: the weight of joint 1 rises by 2 per metre from y = 0.75 to 1.25. */
static void assert_ramp(const struct rig *rig, int vertex, const float (*gradients)[3]) {
	const double y = rig->positions[vertex * 3 + 1];
	const bool inside = 0.76 < y && y < 1.24, outside = y < 0.74 || y > 1.26;
	const double slope = inside ? 2 : 0;
	if (!inside && !outside) {
		return; // at a kink there is no gradient
	}
	double sum[3] = {0};
	for (int k = 0; k < 4; k++) {
		const size_t at = (size_t)vertex * 4 + (size_t)k;
		const bool used = rig->influence_weights[at] > 0;
		const double sign = !used || outside ? 0 : at == of_joint_1(rig, vertex) ? 1 : -1;
		assert_near(gradients[at][0], 0, 1e-5);
		assert_near(gradients[at][1], sign * slope, 1e-5);
		assert_near(gradients[at][2], 0, 1e-5);
		for (int i = 0; i < 3; i++) {
			sum[i] += (double)gradients[at][i];
		}
	}
	for (int i = 0; i < 3; i++) {
		assert_near(sum[i], 0, 0);
	}
}

static void gradients_are_the_slope_of_the_ramp(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	int *owner = xcalloc((size_t)rig->index_count, sizeof *owner);
	struct rig *soup = soup_of(rig, owner);
	float(*few)[3] = gradients_of(rig), (*many)[3] = gradients_of(soup);
	for (int i = 0; i < 41 * 16; i++) {
		assert_ramp(rig, i, (const float(*)[3])few);
	}
	// Vertices of one point share their triangles.
	for (int i = 0; i < soup->vertex_count * 4; i++) {
		for (int k = 0; k < 3; k++) {
			assert_near(many[i][k], few[owner[i / 4] * 4 + i % 4][k], 1e-6);
		}
	}
	free(few);
	free(many);
	free(owner);
	rig_release(soup);
	rig_release(rig);
}

/* Any surface, any weights: gradients lie in the tangent plane and sum to zero. */
static void gradients_are_tangential_and_sum_to_zero(void **state) {
	(void)state;
	struct rig *rig = rig_random(4, 6, 300, 8);
	rig->indices = rig_storage(rig, 900, sizeof *rig->indices, "", NULL);
	unsigned seed = 5;
	for (int i = 0; i < 900; i++) {
		rig->indices[i] = (uint32_t)((random_number(&seed) + 1) * 149.9);
	}
	rig->index_count = rig->primitives[0].index_count = 900;
	float(*gradients)[3] = gradients_of(rig);
	double most = 0;
	for (int v = 0; v < 300; v++) {
		double sum[3] = {0}, largest = 0;
		for (int k = 0; k < 8; k++) {
			const float *g = gradients[v * 8 + k], *n = rig->normals + v * 3;
			const double length = sqrt(
				(double)g[0] * g[0] + (double)g[1] * g[1] + (double)g[2] * g[2]);
			const double along =
				(double)g[0] * n[0] + (double)g[1] * n[1] + (double)g[2] * n[2];
			assert_near(along, 0, 1e-5 * (1 + length));
			for (int i = 0; i < 3; i++) {
				sum[i] += (double)g[i];
			}
			largest = fmax(largest, length);
		}
		for (int i = 0; i < 3; i++) {
			assert_near(sum[i], 0, 1e-7 * largest);
		}
		most = fmax(most, largest);
	}
	assert_true(most > 0.1);
	free(gradients);
	rig_release(rig);
}

/* A posed cyl2, skinned with the settings: joint 1 turned about z and moved along x. */
static void pose_cylinder(
	const char *skinning, double degrees, float shift, struct rig *rig, float *positions) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], 0, 0, 1, degrees);
	pose.local[1].translation[0] += shift;
	skinned_as(
		rig, skinning, NULL, &pose, positions, positions + (size_t)rig->vertex_count * 3);
	arena_destroy(arena);
}

static void assert_normal(const float *normal, double x, double y, double z, double tolerance) {
	assert_near(normal[0], x, tolerance);
	assert_near(normal[1], y, tolerance);
	assert_near(normal[2], z, tolerance);
}

/* METHODS B3: joint 1 moved by 0.3 along x shears the ramp; bent by 90 degrees, ring 18 is at
 * y = 0.9 with the weight 0.3. */
static void exact_normals_are_the_known_ones(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const size_t normals = (size_t)rig->vertex_count * 3;
	float *out = xcalloc(normals * 2, sizeof *out);
	const size_t ring = 20 * 16 * 3, quarter = 4 * 3;
	pose_cylinder("{'method': 'lbs', 'normals': 'exact'}", 0, 0.3f, rig, out);
	assert_normal(out + normals + ring, 0.857493, -0.514496, 0, 2e-6);
	assert_normal(out + normals + ring + quarter, 0, 0, 1, 2e-6);
	pose_cylinder("{'method': 'lbs', 'normals': 'cof'}", 0, 0.3f, rig, out);
	assert_normal(out + normals + ring, 1, 0, 0, 1e-6);
	const size_t bent = 18 * 16 * 3;
	pose_cylinder("{'method': 'lbs', 'normals': 'exact'}", 90, 0, rig, out);
	assert_normal(out + normals + bent, 0.964764, 0.263117, 0, 5e-6);
	pose_cylinder("{'method': 'lbs', 'normals': 'same'}", 90, 0, rig, out);
	assert_normal(out + normals + bent, 0.919145, 0.393919, 0, 5e-6);
	free(out);
	rig_release(rig);
}

/* METHODS B4, by an implementation of its own over faces: at rest and bent. */
static void recomputed_normals_are_those_of_the_triangles(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const size_t count = (size_t)rig->vertex_count;
	float *out = xcalloc(count * 6, sizeof *out);
	double(*sums)[3] = xcalloc(count, sizeof *sums);
	for (int bend = 0; bend <= 90; bend += 90) {
		pose_cylinder("{'method': 'lbs', 'normals': 'recompute'}", bend, 0, rig, out);
		memset(sums, 0, count * sizeof *sums);
		for (int i = 0; i < rig->index_count; i += 3) {
			const float *p[3];
			for (int k = 0; k < 3; k++) {
				p[k] = out + rig->indices[i + k] * 3;
			}
			for (int k = 0; k < 3; k++) {
				const int a = (k + 1) % 3, b = (k + 2) % 3;
				const double cross =
					((double)p[1][a] - p[0][a]) * ((double)p[2][b] - p[0][b]) -
					((double)p[1][b] - p[0][b]) * ((double)p[2][a] - p[0][a]);
				for (int corner = 0; corner < 3; corner++) {
					sums[rig->indices[i + corner]][k] += cross;
				}
			}
		}
		for (size_t v = 0; v < count; v++) {
			const double *s = sums[v];
			const double length = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
			assert_normal(out + count * 3 + v * 3, s[0] / length, s[1] / length,
				s[2] / length, 1e-6);
		}
	}
	free(sums);
	free(out);
	rig_release(rig);
}

static void vertices_without_triangles_keep_their_normals(void **state) {
	(void)state;
	const float at[3] = {0.1f, 0.9f, 0}, axis[3] = {0, 0, 1};
	float own[3], made[3], position[3];
	const double z[3] = {(double)axis[0], (double)axis[1], (double)axis[2]};
	skinned_cyl2_vertex("'lbs'", at, 0.3f, z, 90, position, own);
	skinned_cyl2_vertex(
		"{'method': 'lbs', 'normals': 'recompute'}", at, 0.3f, z, 90, position, made);
	assert_memory_equal(own, made, sizeof own);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gradients_are_the_slope_of_the_ramp),
		cmocka_unit_test(gradients_are_tangential_and_sum_to_zero),
		cmocka_unit_test(exact_normals_are_the_known_ones),
		cmocka_unit_test(recomputed_normals_are_those_of_the_triangles),
		cmocka_unit_test(vertices_without_triangles_keep_their_normals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
