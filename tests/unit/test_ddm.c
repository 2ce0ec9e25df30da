// Direct delta mush as it is served checked against METHODS A21, all variants; the nearest rotation
// and the weights of v5 with it.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "mesh/laplacian.h"
#include "motions.h"
#include "rigs.h"
#include "skin/nearest_rotation.h"
#include "skinned.h"

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

/* METHODS: lambda 3, p 30: twist 150 0.9837, twist 90 0.9870, bend 90 0.8887; lambda 1, p 4:
 * twist 150 0.8381. */
static void volumes_are_those_of_methods(void **state) {
	(void)state;
	assert_near(skinned_cyl2_volume("'ddm'", y_axis, 150), 0.9837, 2e-4);
	assert_near(skinned_cyl2_volume("'ddm'", y_axis, 90), 0.9870, 2e-4);
	assert_near(skinned_cyl2_volume("'ddm'", z_axis, 90), 0.8887, 2e-4);
	const char *little = "{'method': 'ddm', 'lambda': 1, 'p': 4}";
	assert_near(skinned_cyl2_volume(little, y_axis, 150), 0.8381, 2e-4);
}

/* Skins cyl2 whole, with rigid motion or a turned joint. */
struct posed {
	struct rig *rig;
	float *positions, *normals;
};

static struct posed pose_cylinder(
	const char *skinning, const double axis[3], double degrees, int joint) {
	struct posed posed = {.rig = rig_cyl2()};
	const size_t floats = (size_t)posed.rig->vertex_count * 3;
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(posed.rig, arena);
	set_rotation(&pose.local[joint], axis[0], axis[1], axis[2], degrees);
	posed.positions = xcalloc(floats * 2, sizeof(float));
	posed.normals = posed.positions + floats;
	skinned_as(posed.rig, skinning, NULL, &pose, posed.positions, posed.normals);
	arena_destroy(arena);
	return posed;
}

static void posed_finish(struct posed *posed) {
	free(posed->positions);
	rig_release(posed->rig);
}

static void every_variant_keeps_rest_and_rigid_motions(void **state) {
	(void)state;
	for (int variant = 0; variant <= 5; variant++) {
		for (int cotangent = 0; cotangent <= 1; cotangent++) {
			char skinning[128];
			snprintf(skinning, sizeof skinning,
				"{'method': 'ddm', 'variant': 'v%d', 'laplacian': '%s', 'alpha': "
				"%g}",
				variant, cotangent ? "cotangent" : "uniform", cotangent * 0.3);
			for (int degrees = 0; degrees <= 70; degrees += 70) {
				struct posed posed = pose_cylinder(skinning, x_axis, degrees, 0);
				double m[12];
				motion_make(x_axis, degrees, (double[3]){0, 0, 0}, m);
				for (int i = 0; i < posed.rig->vertex_count; i++) {
					const float *rest = posed.rig->positions + i * 3;
					double expected[3];
					motion_map(m, (double[3]){rest[0], rest[1], rest[2]},
						expected);
					for (int k = 0; k < 3; k++) {
						assert_near(posed.positions[i * 3 + k], expected[k],
							degrees ? 2e-6 : 5e-7);
					}
				}
				posed_finish(&posed);
			}
		}
	}
}

/* The identities of the variants: with the sums over joints from METHODS, a lone vertex between
 * two joints, twisted, is the centre itself; so all are linear blending there, and their normals
 * turn by half. */
static void a_lone_vertex_moves_as_by_linear_blending(void **state) {
	(void)state;
	const float at[3] = {0.1f, 1, 0};
	for (int variant = 0; variant <= 5; variant++) {
		char skinning[64];
		snprintf(skinning, sizeof skinning, "{'method': 'ddm', 'variant': 'v%d'}", variant);
		float out[3], normal[3], lbs[3], other[3];
		skinned_cyl2_vertex(skinning, at, 0.5f, y_axis, 90, out, normal);
		skinned_cyl2_vertex("'lbs'", at, 0.5f, y_axis, 90, lbs, other);
		for (int k = 0; k < 3; k++) {
			assert_near(out[k], lbs[k], 1e-7);
		}
		assert_near(normal[0], sqrt(0.5), 1e-6);
		assert_near(normal[2], -sqrt(0.5), 1e-6);
	}
}

static double rms_between(const struct posed *a, const struct posed *b) {
	double sum = 0;
	const int count = a->rig->vertex_count * 3;
	for (int i = 0; i < count; i++) {
		sum += pow((double)a->positions[i] - (double)b->positions[i], 2);
	}
	return sqrt(sum / count * 3);
}

/* v1 to v3 keep where the surroundings go, and differ in how they turn; v5 has only weights, and
 * comes nearer than those it had. */
static void variants_approach_the_full_model(void **state) {
	(void)state;
	static const double most[] = {0, 0.1, 0.05, 0.12, INFINITY, 0.95};
	struct posed full = pose_cylinder("'ddm'", z_axis, 60, 1);
	struct posed plain = pose_cylinder("'lbs'", z_axis, 60, 1);
	const double off = rms_between(&full, &plain);
	for (int variant = 1; variant <= 5; variant++) {
		char skinning[64];
		snprintf(skinning, sizeof skinning, "{'method': 'ddm', 'variant': 'v%d'}", variant);
		struct posed posed = pose_cylinder(skinning, z_axis, 60, 1);
		const double left = rms_between(&full, &posed);
		assert_true(left > 1e-5); // it is another
		assert_true(left < most[variant] * off);
		posed_finish(&posed);
	}
	posed_finish(&full);
	posed_finish(&plain);
}

/* The centres of v4 move as by linear blending, and turning about them keeps the radius, as with
 * centres of rotation, as far as they lie on the axis: 30 steps of smoothing leave 1.5 % of the
 * radius, (1 + 3 (2 - 2 cos(2 pi / 16)) / 3)^-30. */
static void v4_keeps_the_radius_of_a_twist(void **state) {
	(void)state;
	struct posed posed = pose_cylinder("{'method': 'ddm', 'variant': 'v4'}", y_axis, 150, 1);
	for (int i = 0; i < posed.rig->vertex_count; i++) {
		const float *rest = posed.rig->positions + i * 3, *at = posed.positions + i * 3;
		assert_near(hypot(at[0], at[2]), hypot(rest[0], rest[2]), 1.5e-3);
		assert_near(at[1], rest[1], 5e-4);
	}
	posed_finish(&posed);
}

static void nearest_of(const double a[9], double out[9], bool *ok) {
	float columns[9];
	for (int i = 0; i < 9; i++) {
		columns[i] = (float)a[i % 3 * 3 + i / 3];
	}
	struct lanes_columns m;
	lane_mask has;
	const lanes zero = {0};
	m.a0 = (struct lanes3){zero + columns[0], zero + columns[1], zero + columns[2]};
	m.a1 = (struct lanes3){zero + columns[3], zero + columns[4], zero + columns[5]};
	m.a2 = (struct lanes3){zero + columns[6], zero + columns[7], zero + columns[8]};
	m = nearest_rotation(m, &has);
	const struct lanes3 found[3] = {m.a0, m.a1, m.a2};
	for (int k = 0; k < 3; k++) {
		out[k] = (double)found[k].x[0];
		out[3 + k] = (double)found[k].y[0];
		out[6 + k] = (double)found[k].z[0];
	}
	*ok = has[0];
}

static void multiply(const double a[9], const double b[9], bool transposed, double out[9]) {
	for (int i = 0; i < 9; i++) {
		out[i] = 0;
		for (int k = 0; k < 3; k++) {
			out[i] += a[i / 3 * 3 + k] *
				(transposed ? b[i % 3 * 3 + k] : b[k * 3 + i % 3]);
		}
	}
}

static void random_rotation(unsigned *seed, double out[9]) {
	const double axis[3] = {
		random_number(seed), random_number(seed), random_number(seed) + 1e-3};
	double m[12];
	motion_make(axis, 180 * random_number(seed), (double[3]){0, 0, 0}, m);
	for (int i = 0; i < 9; i++) {
		out[i] = m[i / 3 * 4 + i % 3];
	}
}

/* A = U diag(s) V^T has the nearest rotation U V^T, whatever the scale, if s1 >= s2 >= |s3|: flat
 * and mirrored ones, too. */
static void nearest_rotation_is_u_times_v(void **state) {
	(void)state;
	unsigned seed = 12;
	double worst = 0;
	for (int i = 0; i < 20000; i++) {
		double u[9], v[9], scaled[9], a[9], expected[9], found[9];
		random_rotation(&seed, u);
		random_rotation(&seed, v);
		const double size = pow(10, 5 * random_number(&seed));
		const double second = 0.1 + 0.9 * fabs(random_number(&seed));
		// Mirrored so far that the greatest and the next solution are still apart.
		const double third = second * (i % 3 == 0 ? 0 : 0.3 + 0.7 * random_number(&seed));
		const double s[3] = {size, size * second, size * third};
		for (int k = 0; k < 9; k++) {
			scaled[k] = u[k] * s[k % 3];
		}
		multiply(scaled, v, true, a);
		multiply(u, v, true, expected);
		bool ok;
		nearest_of(a, found, &ok);
		assert_true(ok);
		for (int k = 0; k < 9; k++) {
			worst = fmax(worst, fabs(found[k] - expected[k]));
		}
	}
	assert_near(worst, 0, 2e-4);
	// Of rank 1, and zero: there is none.
	bool ok;
	double found[9];
	nearest_of((double[9]){1, 0, 0, 0, 0, 0, 0, 0, 0}, found, &ok);
	assert_false(ok);
	nearest_of((double[9]){0}, found, &ok);
	assert_false(ok);
}

/* min |A x - y| with x >= 0, against all choices of which unknowns are 0. */
static void nonnegative_solution_is_the_best_of_all_choices(void **state) {
	(void)state;
	unsigned seed = 4;
	for (int round = 0; round < 200; round++) {
		enum { UNKNOWNS = 3 };
		double n[UNKNOWNS][NONNEGATIVE_MAX] = {{0}}, b[UNKNOWNS] = {0}, x[UNKNOWNS];
		for (int row = 0; row < 5; row++) {
			double a[UNKNOWNS];
			const double y = random_number(&seed);
			for (int i = 0; i < UNKNOWNS; i++) {
				a[i] = random_number(&seed);
				b[i] += a[i] * y;
			}
			for (int i = 0; i < UNKNOWNS * UNKNOWNS; i++) {
				n[i / UNKNOWNS][i % UNKNOWNS] += a[i / UNKNOWNS] * a[i % UNKNOWNS];
			}
		}
		nonnegative_solve(UNKNOWNS, (const double(*)[NONNEGATIVE_MAX])n, b, x);
		// The conditions of Karush, Kuhn and Tucker: no step to where it may go is better.
		for (int i = 0; i < UNKNOWNS; i++) {
			double gradient = -b[i];
			for (int k = 0; k < UNKNOWNS; k++) {
				gradient += n[i][k] * x[k];
			}
			assert_true(x[i] >= 0);
			assert_true(gradient > -1e-9);
			assert_near(gradient * x[i], 0, 1e-9);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearest_rotation_is_u_times_v),
		cmocka_unit_test(nonnegative_solution_is_the_best_of_all_choices),
		cmocka_unit_test(volumes_are_those_of_methods),
		cmocka_unit_test(every_variant_keeps_rest_and_rigid_motions),
		cmocka_unit_test(a_lone_vertex_moves_as_by_linear_blending),
		cmocka_unit_test(variants_approach_the_full_model),
		cmocka_unit_test(v4_keeps_the_radius_of_a_twist),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
