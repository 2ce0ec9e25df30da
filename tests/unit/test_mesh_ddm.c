// Direct delta mush checked against METHODS A21: the definition with dense matrices, and the
// formula at run time written down once more. Laplacians and implicit smoothing with it.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "mesh/ddm.h"
#include "mesh/diffusion.h"
#include "motions.h"
#include "rigs.h"
#include "soup.h"

static const struct ddm_settings usual = {.lambda = 3, .times = 30, .kappa = 0.5};

static struct mesh_surface *surface_of(const struct rig *rig) {
	struct error err = {0};
	struct mesh_surface *surface = surface_create(rig, NULL, &err);
	assert_non_null(surface);
	return surface;
}

static struct ddm ddm_of(const struct mesh_surface *surface, const struct ddm_settings *settings) {
	struct ddm ddm;
	struct error err = {0};
	assert_true(ddm_init(&ddm, surface, settings, NULL, &err));
	return ddm;
}

/* A grid of size by size points, one apart, in the plane z = 0; each square cut along the diagonal
 * from its lower right corner. The weight of joint 1 rises with x. */
#define GRID 5

static struct rig *grid_create(void) {
	float positions[GRID * GRID][3], weights[GRID * GRID];
	for (int i = 0; i < GRID * GRID; i++) {
		positions[i][0] = (float)(i % GRID);
		positions[i][1] = (float)(i / GRID);
		positions[i][2] = 0;
		weights[i] = (float)(i % GRID) / (GRID - 1);
	}
	struct rig *rig = rig_cyl2_vertices(GRID * GRID, (const float(*)[3])positions, weights);
	rig->indices = rig_storage(rig, 6 * GRID * GRID, sizeof *rig->indices, "", NULL);
	for (int y = 0; y + 1 < GRID; y++) {
		for (int x = 0; x + 1 < GRID; x++) {
			const uint32_t a = (uint32_t)(y * GRID + x);
			const uint32_t corners[6] = {
				a, a + 1, a + GRID, a + 1, a + GRID + 1, a + GRID};
			memcpy(rig->indices + rig->index_count, corners, sizeof corners);
			rig->index_count += 6;
		}
	}
	rig->primitives[0].index_count = rig->index_count;
	return rig;
}

static double weight_between(const struct laplacian *laplacian, int from, int to) {
	for (int i = laplacian->edges.starts[from]; i < laplacian->edges.starts[from + 1]; i++) {
		if (laplacian->edges.items[i] == to) {
			return laplacian->weights[i];
		}
	}
	return -1;
}

/* Right-angled isosceles triangles: both angles across an inner side of a square are 45 degrees,
 * half of 1 + 1; those across a diagonal 90, whose cotangent is 0; at the border there is one. */
static void cotangents_of_a_grid_are_known(void **state) {
	(void)state;
	struct rig *rig = grid_create();
	struct mesh_surface *surface = surface_of(rig);
	struct laplacian laplacian;
	const int middle = 2 * GRID + 2;
	assert_true(laplacian_init(&laplacian, surface, LAPLACIAN_COTANGENT, NULL));
	assert_near(weight_between(&laplacian, middle, middle + 1), 1, 1e-15);
	assert_near(weight_between(&laplacian, middle, middle - GRID), 1, 1e-15);
	assert_near(weight_between(&laplacian, middle, middle + GRID - 1), 0, 1e-15);
	assert_near(weight_between(&laplacian, 0, 1), 0.5, 1e-15);
	assert_near(laplacian.sums[middle], 4, 1e-14);
	laplacian_finish(&laplacian);
	assert_true(laplacian_init(&laplacian, surface, LAPLACIAN_UNIFORM, NULL));
	assert_near(weight_between(&laplacian, middle, middle + GRID - 1), 1, 0);
	assert_near(weight_between(&laplacian, middle, middle + GRID + 1), -1, 0);
	assert_near(laplacian.sums[middle], 6, 0);
	assert_near(laplacian.sums[0], 2, 0);
	laplacian_finish(&laplacian);
	surface_destroy(surface);
	rig_release(rig);
}

/* (D + lambda L) x = D b, by multiplication; a constant stays one, and a lone point its number. */
static void smoothing_solves_its_equation(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface = surface_of(rig);
	const int count = surface->point_count;
	double *x = xcalloc((size_t)count * 2, sizeof *x), *b = xcalloc((size_t)count, sizeof *b);
	for (int kind = 0; kind < 2; kind++) {
		struct laplacian l;
		assert_true(laplacian_init(&l, surface, (enum laplacian_kind)kind, NULL));
		struct diffusion *diffusion = diffusion_create(&l, 3, NULL);
		unsigned seed = 2;
		for (int i = 0; i < count; i++) {
			x[i] = b[i] = random_number(&seed);
			x[count + i] = 7;
		}
		assert_true(diffusion_apply(diffusion, x, 2, 1, NULL, NULL));
		for (int i = 0; i < count; i++) {
			double left = (1 + 3) * l.sums[i] * x[i];
			for (int k = l.edges.starts[i]; k < l.edges.starts[i + 1]; k++) {
				left -= 3 * l.weights[k] * x[l.edges.items[k]];
			}
			assert_near(left, l.sums[i] * b[i], 1e-12);
			assert_near(x[count + i], 7, 1e-12);
		}
		diffusion_destroy(diffusion);
		laplacian_finish(&l);
	}
	free(x);
	free(b);
	surface_destroy(surface);
	rig_release(rig);
}

/* B^times of METHODS as a dense matrix, by Gauss' elimination of (D + lambda L) x = D b. */
static void dense_smoothing(
	const struct mesh_surface *surface, double lambda, int times, double *out) {
	const int n = surface->point_count;
	double *a = xcalloc((size_t)(n * n), sizeof *a), *d = xcalloc((size_t)n, sizeof *d);
	memset(out, 0, (size_t)(n * n) * sizeof *out);
	for (int i = 0; i < n; i++) {
		out[i * n + i] = 1;
	}
	for (int step = 0; step < times; step++) {
		memset(a, 0, (size_t)(n * n) * sizeof *a);
		memset(d, 0, (size_t)n * sizeof *d);
		for (int f = 0; f < surface->triangle_count; f++) {
			for (int k = 0; k < 9; k++) {
				const int from = surface->triangles[f][k / 3];
				const int to = surface->triangles[f][k % 3];
				a[from * n + to] = from == to ? 0 : -lambda;
			}
		}
		for (int i = 0; i < n * n; i++) {
			d[i / n] += a[i] < 0;
		}
		for (int i = 0; i < n; i++) {
			a[i * n + i] = (1 + lambda) * d[i];
			for (int k = 0; k < n; k++) {
				out[i * n + k] *= d[i];
			}
		}
		for (int i = 0; i < n; i++) {
			for (int row = 0; row < n; row++) {
				const double factor = row == i ? 0 : a[row * n + i] / a[i * n + i];
				for (int k = 0; k < n && factor != 0; k++) {
					a[row * n + k] -= factor * a[i * n + k];
					out[row * n + k] -= factor * out[i * n + k];
				}
			}
		}
		for (int i = 0; i < n * n; i++) {
			out[i] /= a[i / n * n + i / n];
		}
	}
	free(a);
	free(d);
}

static const struct ddm_joint *find_joint(const struct ddm *ddm, int point, int slot) {
	for (int i = ddm->starts[point]; i < ddm->starts[point + 1]; i++) {
		if (ddm->joints[i].slot == slot) {
			return &ddm->joints[i];
		}
	}
	return NULL;
}

/* Omega about the global origin: (1 - alpha) Psi + alpha W' [p p^T, p; p^T, 1]. */
static void define(const struct mesh_surface *surface, const double *b, const double *bk,
	double alpha, int point, int slot, double omega[4][4], double centre[3]) {
	const int n = surface->point_count;
	double total[4] = {0};
	memset(omega, 0, 16 * sizeof(double));
	double smoothed = 0;
	for (int k = 0; k < n; k++) {
		const double *at = surface->positions[k], u[4] = {at[0], at[1], at[2], 1};
		const double w = surface_weight(surface, k, slot);
		smoothed += bk[point * n + k] * w;
		for (int i = 0; i < 16; i++) {
			omega[i / 4][i % 4] +=
				(1 - alpha) * b[point * n + k] * w * u[i / 4] * u[i % 4];
			total[i % 4] += i < 4 ? b[point * n + k] * u[i] : 0;
		}
	}
	const double p[4] = {total[0] / total[3], total[1] / total[3], total[2] / total[3], 1};
	memcpy(centre, p, 3 * sizeof *centre);
	for (int i = 0; i < 16; i++) {
		omega[i / 4][i % 4] += alpha * smoothed * p[i / 4] * p[i % 4];
	}
}

/* The joint's Omega moved back to the global origin. */
static void uncentre(const struct ddm_joint *joint, const double c[3], double omega[4][4]) {
	static const int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			omega[i][k] = joint->second[place[i][k]] + c[i] * joint->first[k] +
				joint->first[i] * c[k] + joint->weight * c[i] * c[k];
		}
		omega[i][3] = omega[3][i] = joint->first[i] + joint->weight * c[i];
	}
	omega[3][3] = joint->weight;
}

static void moments_are_those_of_the_definition(void **state) {
	(void)state;
	struct rig *rig = grid_create();
	struct mesh_surface *surface = surface_of(rig);
	const int n = surface->point_count;
	double *b = xcalloc((size_t)(n * n), sizeof *b), *bk = xcalloc((size_t)(n * n), sizeof *bk);
	const struct ddm_settings settings = {.lambda = 2, .times = 3, .kappa = 0.5, .alpha = 0.25};
	dense_smoothing(surface, 2, 3, b);
	dense_smoothing(surface, 0.5, 3, bk);
	struct ddm ddm = ddm_of(surface, &settings);
	for (int point = 0; point < n; point++) {
		for (int slot = 0; slot < 2; slot++) {
			double expected[4][4], found[4][4], centre[3];
			define(surface, b, bk, 0.25, point, slot, expected, centre);
			const struct ddm_joint *joint = find_joint(&ddm, point, slot);
			assert_non_null(joint); // all are above 1e-4 on so small a grid
			uncentre(joint, ddm.centres[point], found);
			for (int i = 0; i < 16; i++) {
				assert_near(found[i / 4][i % 4], expected[i / 4][i % 4], 1e-12);
			}
			for (int i = 0; i < 3; i++) {
				assert_near(ddm.centres[point][i], centre[i], 1e-12);
			}
		}
	}
	ddm_finish(&ddm);
	free(b);
	free(bk);
	surface_destroy(surface);
	rig_release(rig);
}

/* v' = R (v - p) + q from the joints' matrices; returns det(Q - q p^T). */
static double deform(const struct ddm *ddm, const struct mesh_surface *surface, int point,
	const struct motions *motions, double out[3]) {
	double sum[3][4] = {{0}}, p[4] = {0}, a[9], r[9], det;
	for (int i = ddm->starts[point]; i < ddm->starts[point + 1]; i++) {
		double omega[4][4];
		uncentre(&ddm->joints[i], ddm->centres[point], omega);
		const double *m = motions->m[ddm->joints[i].slot];
		for (int k = 0; k < 48; k++) {
			sum[k / 16][k / 4 % 4] += m[k / 16 * 4 + k % 4] * omega[k % 4][k / 4 % 4];
		}
		for (int k = 0; k < 4; k++) {
			p[k] += omega[3][k];
		}
	}
	assert_near(p[3], 1, 1e-12);
	for (int i = 0; i < 9; i++) {
		a[i] = sum[i / 3][i % 3] - sum[i / 3][3] * p[i % 3];
	}
	det = a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
		a[2] * (a[3] * a[7] - a[4] * a[6]);
	polar_rotation(a, r);
	for (int i = 0; i < 3; i++) {
		out[i] = sum[i][3];
		for (int k = 0; k < 3; k++) {
			out[i] += r[i * 3 + k] * (surface->positions[point][k] - p[k]);
		}
	}
	return det;
}

static double volume_after(const struct rig *rig, const struct ddm *ddm,
	const struct mesh_surface *surface, struct motions motions) {
	float *out = xcalloc((size_t)rig->vertex_count * 3, sizeof *out);
	for (int i = 0; i < surface->point_count; i++) {
		double at[3];
		assert_true(deform(ddm, surface, i, &motions, at) > 0);
		for (int k = 0; k < 3; k++) {
			out[i * 3 + k] = (float)at[k];
		}
	}
	const double share = mesh_volume(rig, out) / mesh_volume(rig, rig->positions);
	free(out);
	return share;
}

/* METHODS: lambda 3, p 30: twist 150 0.9837, twist 90 0.9870, bend 90 0.8887; lambda 1, p 4:
 * twist 150 0.8381. det(Q - q p^T) is above 0 on cyl2. */
static void volumes_are_those_of_methods(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface = surface_of(rig);
	struct ddm ddm = ddm_of(surface, &usual);
	assert_near(volume_after(rig, &ddm, surface, motions_turned(0, 1, 0, 150)), 0.9837, 2e-4);
	assert_near(volume_after(rig, &ddm, surface, motions_turned(0, 1, 0, 90)), 0.9870, 2e-4);
	assert_near(volume_after(rig, &ddm, surface, motions_turned(0, 0, 1, 90)), 0.8887, 2e-4);
	ddm_finish(&ddm);
	const struct ddm_settings little = {.lambda = 1, .times = 4, .kappa = 0.5};
	ddm = ddm_of(surface, &little);
	assert_near(volume_after(rig, &ddm, surface, motions_turned(0, 1, 0, 150)), 0.8381, 2e-4);
	ddm_finish(&ddm);
	surface_destroy(surface);
	rig_release(rig);
}

static void rest_and_rigid_motions_are_kept(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface = surface_of(rig);
	const double axis[3] = {1, 2, 3}, by[3] = {0.3, -0.2, 0.5};
	for (int kind = 0; kind < 2; kind++) {
		struct ddm_settings settings = usual;
		settings.laplacian = (enum laplacian_kind)kind;
		settings.alpha = kind * 0.3;
		struct ddm ddm = ddm_of(surface, &settings);
		for (int turned = 0; turned < 2; turned++) {
			double m[12];
			motion_make(axis, turned * 63.0, by, m);
			const struct motions motions = motions_rigid(m);
			for (int i = 0; i < surface->point_count; i++) {
				double out[3], expected[3];
				deform(&ddm, surface, i, &motions, out);
				motion_map(m, surface->positions[i], expected);
				for (int k = 0; k < 3; k++) {
					assert_near(out[k], expected[k], 1e-11);
				}
			}
		}
		ddm_finish(&ddm);
	}
	surface_destroy(surface);
	rig_release(rig);
}

static void weights_sum_to_one_and_moments_to_zero(void **state) {
	(void)state;
	struct rig *rig = rig_random(3, 30, 400, 8);
	rig->indices = rig_storage(rig, 2400, sizeof *rig->indices, "", NULL);
	unsigned seed = 6;
	for (int i = 0; i < 2400; i++) {
		rig->indices[i] = (uint32_t)((random_number(&seed) + 1) * 199.9);
	}
	rig->index_count = rig->primitives[0].index_count = 2400;
	struct mesh_surface *surface = surface_of(rig);
	struct ddm ddm = ddm_of(surface, &usual);
	// Everything is near everything, but for a few that no triangle has: more joints than a
	// point may keep.
	assert_true(ddm.truncated > 390);
	int full = 0;
	for (int i = 0; i < surface->point_count; i++) {
		double weight = 0, first[3] = {0};
		full += ddm.starts[i + 1] - ddm.starts[i] == DDM_JOINTS_MAX;
		for (int k = ddm.starts[i]; k < ddm.starts[i + 1]; k++) {
			const struct ddm_joint *joint = &ddm.joints[k];
			weight += joint->weight;
			for (int axis = 0; axis < 3; axis++) {
				first[axis] += joint->first[axis];
			}
			assert_true(k == ddm.starts[i] || joint->weight <= joint[-1].weight);
		}
		assert_near(weight, 1, 1e-12);
		for (int axis = 0; axis < 3; axis++) {
			assert_near(first[axis], 0, 1e-12);
		}
	}
	assert_int_equal(full, ddm.truncated);
	ddm_finish(&ddm);
	surface_destroy(surface);
	rig_release(rig);
}

static void seams_change_no_moment(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	int *owner = xcalloc((size_t)rig->index_count, sizeof *owner);
	struct rig *soup = soup_of(rig, owner);
	struct mesh_surface *whole = surface_of(rig), *surface = surface_of(soup);
	struct ddm few = ddm_of(whole, &usual), many = ddm_of(surface, &usual);
	for (int i = 0; i < surface->point_count; i++) {
		const int point = owner[surface->vertices[i]];
		assert_int_equal(few.starts[point + 1] - few.starts[point],
			many.starts[i + 1] - many.starts[i]);
		for (int k = few.starts[point]; k < few.starts[point + 1]; k++) {
			const struct ddm_joint *a = &few.joints[k];
			const struct ddm_joint *b = find_joint(&many, i, a->slot);
			assert_non_null(b);
			assert_near(b->weight, a->weight, 1e-12);
			for (int m = 0; m < 6; m++) {
				assert_near(b->second[m], a->second[m], 1e-13);
			}
		}
	}
	ddm_finish(&few);
	ddm_finish(&many);
	surface_destroy(whole);
	surface_destroy(surface);
	free(owner);
	rig_release(soup);
	rig_release(rig);
}

/* Lone points have no neighbours, and keep their weights; so does a rigid part beside others. */
static void lone_points_and_rigid_parts_keep_their_weights(void **state) {
	(void)state;
	const float at[1][3] = {{0.1f, 1, 0}}, weight[1] = {0.375f};
	struct rig *rig = rig_cyl2_vertices(1, at, weight);
	struct mesh_surface *surface = surface_of(rig);
	struct ddm ddm = ddm_of(surface, &usual);
	assert_int_equal(ddm.starts[1], 2);
	for (int i = 0; i < 2; i++) {
		assert_near(ddm.joints[i].weight, i == 0 ? 0.625 : 0.375, 1e-15);
		for (int k = 0; k < 6; k++) {
			assert_near(ddm.joints[i].second[k], 0, 0);
			assert_near(ddm.joints[i].first[k % 3], 0, 0);
		}
	}
	assert_near(ddm.centres[0][1], 1, 1e-15);
	ddm_finish(&ddm);
	surface_destroy(surface);
	rig_release(rig);
	// The grid again with all the weight on joint 0: as if there were no skin.
	rig = grid_create();
	for (int i = 0; i < GRID * GRID * 4; i++) {
		rig->influence_weights[i] = i % 4 == 0;
		rig->influence_slots[i] = 0;
	}
	surface = surface_of(rig);
	ddm = ddm_of(surface, &usual);
	for (int i = 0; i < GRID * GRID; i++) {
		assert_int_equal(ddm.starts[i + 1] - ddm.starts[i], 1);
		assert_near(ddm.joints[i].weight, 1, 1e-15);
		assert_true(ddm.joints[i].second[0] > 0.5);
	}
	ddm_finish(&ddm);
	surface_destroy(surface);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cotangents_of_a_grid_are_known),
		cmocka_unit_test(smoothing_solves_its_equation),
		cmocka_unit_test(moments_are_those_of_the_definition),
		cmocka_unit_test(volumes_are_those_of_methods),
		cmocka_unit_test(rest_and_rigid_motions_are_kept),
		cmocka_unit_test(weights_sum_to_one_and_moments_to_zero),
		cmocka_unit_test(seams_change_no_moment),
		cmocka_unit_test(lone_points_and_rigid_parts_keep_their_weights),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
