// Multi-weight enveloping and animation space checked against METHODS A18 and A19, and against a
// rig whose examples another method made.
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "check.h"
#include "fit/anim_space.h"
#include "fit/joints.h"
#include "fit/mwe.h"
#include "rigs.h"
#include "sculpted.h"

#define PI 3.14159265358979323846

/* --- Small systems --- */

static void ridge_is_the_normal_equations(void **state) {
	(void)state;
	// One unknown, a = (1, 2), b = (3, 4): x = a.b / (a.a + lambda), lambda = ridge a.a.
	struct equations e;
	assert_true(equations_init(&e, 2, 1, NULL));
	e.rows = 2, e.columns = 1, e.exact_rows = 0;
	memcpy(e.a, (double[]){1, 2}, sizeof(double[2]));
	memcpy(e.b, (double[]){3, 4}, sizeof(double[2]));
	double x;
	assert_true(equations_solve(&e, &(struct equations_recipe){.ridge = 0.1}, &x, NULL));
	assert_near(x, 11 / 5.5, 1e-14);
	assert_true(equations_solve(&e, &(struct equations_recipe){.ridge = 0}, &x, NULL));
	assert_near(x, 11.0 / 5, 1e-14);
	equations_finish(&e);
}

static void exact_rows_hold(void **state) {
	(void)state;
	struct equations e;
	assert_true(equations_init(&e, 2, 2, NULL));
	e.rows = 2, e.columns = 2, e.exact_rows = 1;
	memcpy(e.a, (double[]){1, 1, 1, 0}, sizeof(double[4])); // x + y = 0, x = 1
	memcpy(e.b, (double[]){0, 1}, sizeof(double[2]));
	double x[2];
	assert_true(equations_solve(&e, &(struct equations_recipe){.ridge = 1}, x, NULL));
	// On x = -y = t: (t - 1)^2 + lambda 2 t^2 least, lambda = 3 / 2.
	assert_near(x[0], 0.25, 1e-14);
	assert_near(x[1], -0.25, 1e-14);
	equations_finish(&e);
}

/* --- Multi-weight enveloping --- */

static void turn_y(double angle, double m[static 12]) {
	const double rows[12] = {
		cos(angle), 0, sin(angle), 0, 0, 1, 0, 0, -sin(angle), 0, cos(angle), 0};
	memcpy(m, rows, sizeof rows);
}

#define ANGLES 721

/* A ring vertex (radius 1) of the two joints that twist against one another: examples over [0,
 * span], where it turns by half of the angle; the fit's result at each. */
struct ring {
	double least, greatest; // radius
	double weight;          // the greatest weight
	double error;           // the greatest distance
};

static const double identity[12] = MAT_IDENTITY;

static struct ring fit_ring(
	double azimuth, double span, const double frame[static 12], double ridge) {
	static double points[ANGLES][3], matrices[ANGLES][2][12], targets[ANGLES][3];
	double back[12], weights[2][12] = {{0}};
	const double halves[2] = {0.5, 0.5}, v[3] = {cos(azimuth), 0, -sin(azimuth)};
	assert_true(mat_invert(frame, back));
	for (int i = 0; i < ANGLES; i++) {
		const double angle = span * i / (ANGLES - 1);
		double turn[12], half[12], target[3];
		turn_y(angle, turn);
		turn_y(angle / 2, half);
		mat_map_point(half, v, target);
		mat_map_point(frame, target, targets[i]);
		mat_map_point(frame, v, points[i]);
		memcpy(matrices[i][0], identity, sizeof identity);
		mat_multiply(frame, turn, matrices[i][1]);
		mat_multiply(matrices[i][1], back, matrices[i][1]);
	}
	struct mwe_vertex vertex = {.influence_count = 2,
		.weights = halves,
		.example_count = ANGLES,
		.points = (const double(*)[3])points,
		.matrices = (const double(*)[12])matrices,
		.targets = (const double(*)[3])targets};
	struct equations e;
	assert_true(equations_init(&e, ANGLES, 8, NULL));
	const struct equations_recipe recipe = {.ridge = ridge};
	assert_true(mwe_fit_vertex(&vertex, &recipe, &e, weights, NULL));
	equations_finish(&e);
	struct ring ring = {.least = INFINITY};
	for (int i = 0; i < ANGLES; i++) {
		vertex.points = (const double(*)[3])points + i;
		vertex.matrices = (const double(*)[12])matrices[i];
		double out[3], square = 0, distance = 0;
		mwe_map(&vertex, (const double(*)[12])weights, out);
		for (int k = 0; k < 3; k++) {
			square += out[k] * out[k];
			distance += pow(out[k] - targets[i][k], 2);
		}
		ring.least = fmin(ring.least, sqrt(square));
		ring.greatest = fmax(ring.greatest, sqrt(square));
		ring.error = fmax(ring.error, sqrt(distance));
	}
	for (int i = 0; i < 24; i++) {
		ring.weight = fmax(ring.weight, fabs(weights[i / 12][i % 12]));
	}
	return ring;
}

static void twisted_ring_has_the_known_radii(void **state) {
	(void)state;
	// METHODS A18: azimuth, span, least and greatest radius.
	static const double rows[][4] = {
		{45, 90, 0.9960, 1.0009},
		{45, 180, 0.9363, 1.0138},
		{10, 180, 0.9363, 1.0138},
		{2, 180, 0.9363, 1.0138},
		{0, 90, 0.9363, 1.0137},
		{0, 180, 0.2118, 1.1228},
		{90, 180, 0.2118, 1.1228},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const double *row = rows[i];
		const struct ring ring =
			fit_ring(row[0] / 180 * PI, row[1] / 180 * PI, identity, 0);
		assert_near(ring.least, row[2], 1e-4);
		assert_near(ring.greatest, row[3], 1e-4);
	}
}

static void turned_frame_serves_every_azimuth(void **state) {
	(void)state;
	// METHODS A18, G14: 0.937 to 1.014, weights to 29, error to 0.106, with a ridge.
	struct ring all = {.least = INFINITY};
	for (int azimuth = 0; azimuth < 360; azimuth += 15) {
		const struct ring ring = fit_ring(azimuth / 180.0 * PI, PI, mwe_frame, 1e-8);
		all.least = fmin(all.least, ring.least);
		all.greatest = fmax(all.greatest, ring.greatest);
		all.weight = fmax(all.weight, ring.weight);
		all.error = fmax(all.error, ring.error);
	}
	assert_near(all.least, 0.9367, 1e-3);
	assert_near(all.greatest, 1.0140, 1e-3);
	assert_near(all.error, 0.1063, 1e-3);
	assert_true(all.weight < 35);
}

static void frame_is_a_rotation_and_its_inverse(void **state) {
	(void)state;
	double product[12];
	mat_multiply(mwe_frame, mwe_frame_back, product);
	for (int i = 0; i < 12; i++) {
		assert_near(product[i], identity[i], 1e-16 * 4);
	}
	assert_near(mat_determinant(mwe_frame), 1, 1e-15);
	// Rz 15 Ry 25 Rx 35 takes z to (sz sx + cz sy cx, ..., cy cx) with the degrees' sines.
	const double d = PI / 180;
	assert_near(mwe_frame[2],
		sin(15 * d) * sin(35 * d) + cos(15 * d) * sin(25 * d) * cos(35 * d), 1e-16);
	assert_near(mwe_frame[10], cos(25 * d) * cos(35 * d), 1e-16);
	assert_near(mwe_frame[8], -sin(25 * d), 1e-16);
}

static void infinite_ridge_is_linear_blending(void **state) {
	(void)state;
	// METHODS A5: collapses to |cos(angle / 2)|, here at 150 degrees.
	const struct ring ring = fit_ring(0.7, 150.0 / 180 * PI, mwe_frame, 1e12);
	assert_near(ring.least, 0.258819, 1e-6);
	assert_near(ring.weight, 0.5, 1e-9);
}

/* --- Animation space --- */

/* The ring vertex again; radii at angles in steps over [0, span]. */
static void fit_anim_ring(int count, double span, double *radii, int radius_count) {
	double(*world)[2][12] = calloc((size_t)count, sizeof *world);
	double(*missing)[3] = calloc((size_t)count, sizeof *missing);
	double deviations[2][4];
	for (int i = 0; i < count; i++) {
		const double angle = span * i / (count - 1);
		memcpy(world[i][0], identity, sizeof identity);
		turn_y(angle, world[i][1]);
		missing[i][0] = cos(angle / 2) - (0.5 + 0.5 * cos(angle));
		missing[i][2] = -sin(angle / 2) + 0.5 * sin(angle);
	}
	const struct anim_vertex vertex = {.influence_count = 2,
		.example_count = count,
		.world = (const double(*)[12])world,
		.missing = (const double(*)[3])missing};
	struct equations e;
	assert_true(equations_init(&e, 3 * count, 8, NULL));
	assert_true(anim_fit_vertex(&vertex, &(struct equations_recipe){0}, &e, deviations, NULL));
	equations_finish(&e);
	assert_near(deviations[0][3] + deviations[1][3], 0, 1e-12);
	for (int i = 0; i < radius_count; i++) {
		const double angle = span * i / (radius_count - 1);
		const double x = 0.5 + deviations[1][0], z = deviations[1][2];
		const double at_x = 0.5 + deviations[0][0] + cos(angle) * x + sin(angle) * z;
		const double at_z = deviations[0][2] - sin(angle) * x + cos(angle) * z;
		radii[i] = hypot(at_x, at_z);
	}
	free(world);
	free(missing);
}

static void points_fitted_to_both_ends_bulge_between(void **state) {
	(void)state;
	// METHODS A19: exact at 0 and 180 degrees; sqrt 2 at 90, 1.306563 at 45 and 135.
	double radii[5];
	fit_anim_ring(2, PI, radii, 5);
	const double expected[] = {1, 1.306563, sqrt(2), 1.306563, 1};
	for (int i = 0; i < 5; i++) {
		assert_near(radii[i], expected[i], 1e-6);
	}
}

static void points_fitted_to_all_angles_have_the_known_radii(void **state) {
	(void)state;
	// METHODS A19: least squares over [0, 180] and [0, 90] degrees.
	static const double rows[][3] = {{PI, 0.7780, 1.1003}, {PI / 2, 0.9476, 1.0256}};
	for (int r = 0; r < 2; r++) {
		double radii[2000], least = INFINITY, greatest = 0;
		fit_anim_ring(2000, rows[r][0], radii, 2000);
		for (int i = 0; i < 2000; i++) {
			least = fmin(least, radii[i]);
			greatest = fmax(greatest, radii[i]);
		}
		assert_near(least, rows[r][1], 1e-4);
		assert_near(greatest, rows[r][2], 1e-4);
	}
}

/* --- Whole rigs --- */

static const struct equations_recipe usual = {.ridge = 1e-4};

/* cyl2 bent and twisted by dqs, which lbs is to be mended to. */
static struct sculpted *bent_cylinder(void) {
	struct sculpted *s = sculpted_create(rig_cyl2(), "lbs", "dqs");
	for (int i = 1; i <= 8; i++) {
		const struct pose pose = sculpted_pose(s);
		set_rotation(&pose.local[1], i % 2 ? 0 : 0.6, i % 2 ? 0 : 0.8, i % 2, 15 * i);
		sculpted_add(s, "bent", &pose, 0);
	}
	return s;
}

static struct pose between(struct sculpted *s) {
	const struct pose pose = sculpted_pose(s);
	set_rotation(&pose.local[1], 0.3, 0.4, sqrt(0.75), 70);
	return pose;
}

/* v' by the sum that METHODS gives, in double. */
static float *mwe_skinned(struct sculpted *s, const float *weights, const struct fit_example *at) {
	const struct rig *rig = s->rig;
	const size_t slots = (size_t)rig->slot_count;
	int *roots = arena_alloc(s->arena, slots, sizeof *roots);
	double(*framed)[12] = arena_alloc(s->arena, slots, sizeof *framed);
	double(*back)[12] = arena_alloc(s->arena, slots, sizeof *back);
	float *out = arena_alloc(s->arena, (size_t)rig->vertex_count * 3, sizeof *out);
	joints_find_roots(rig, roots);
	mwe_palette(rig, roots, at->matrices, framed, back);
	const int count = rig->primitives[0].influence_count;
	for (int v = 0; v < rig->vertex_count; v++) {
		double p[4] = {rig->positions[v * 3], rig->positions[v * 3 + 1],
			rig->positions[v * 3 + 2], 1};
		double sum[3] = {0};
		mat_map_point(mwe_frame, p, p);
		for (int k = 0; k < count; k++) {
			const int slot = rig->influence_slots[v * count + k];
			for (int i = 0; i < 12; i++) {
				sum[i / 4] += weights[(v * count + k) * 12 + i] * framed[slot][i] *
					p[i % 4];
			}
		}
		mat_map_point(back[rig->influence_slots[v * count]], sum, sum);
		for (int i = 0; i < 3; i++) {
			out[v * 3 + i] = (float)sum[i];
		}
	}
	return out;
}

static float *anim_skinned(
	struct sculpted *s, const float *deviations, const struct fit_example *at) {
	const struct rig *rig = s->rig;
	float *out = arena_alloc(s->arena, (size_t)rig->vertex_count * 3, sizeof *out);
	const int count = rig->primitives[0].influence_count;
	for (int v = 0; v < rig->vertex_count; v++) {
		for (int r = 0; r < 3; r++) {
			double sum = 0;
			for (int k = 0; k < count; k++) {
				const int i = v * count + k;
				const double *m = at->matrices[rig->influence_slots[i]] + r * 4;
				for (int c = 0; c < 4; c++) {
					const double x = c < 3 ? rig->positions[v * 3 + c] : 1;
					sum += m[c] *
						(rig->influence_weights[i] * x +
							deviations[i * 4 + c]);
				}
			}
			out[v * 3 + r] = (float)sum;
		}
	}
	return out;
}

/* Fits one of the two, and skins by it. */
struct fitted {
	float *numbers; // weights or deviations
	float *(*skin)(struct sculpted *s, const float *numbers, const struct fit_example *at);
};

static struct fitted fit_mwe(struct sculpted *s, const struct equations_recipe *recipe) {
	int *roots = arena_alloc(s->arena, (size_t)s->rig->slot_count, sizeof *roots);
	float *weights = arena_alloc(s->arena, s->rig->influence_count * 12, sizeof *weights);
	struct error err = {0};
	joints_find_roots(s->rig, roots);
	if (!mwe_fit(&s->input, recipe, roots, weights, &err)) {
		fail_msg("%s", err.text);
	}
	return (struct fitted){weights, mwe_skinned};
}

static struct fitted fit_anim(struct sculpted *s, const struct equations_recipe *recipe) {
	float *deviations = arena_alloc(s->arena, s->rig->influence_count * 4, sizeof *deviations);
	struct error err = {0};
	if (!anim_fit(&s->input, recipe, deviations, &err)) {
		fail_msg("%s", err.text);
	}
	return (struct fitted){deviations, anim_skinned};
}

typedef struct fitted (*fit_function)(struct sculpted *s, const struct equations_recipe *recipe);
static const fit_function fits[] = {fit_mwe, fit_anim};

/* A pose as an example of which only the pose matters. */
static const struct fit_example *posed(struct sculpted *s, const struct pose *pose) {
	sculpted_add(s, "posed", pose, 0);
	s->input.example_count--;
	return &s->examples[--s->count];
}

static float *lbs_of(struct sculpted *s, const struct pose *pose) {
	float *out = arena_alloc(s->arena, (size_t)s->rig->vertex_count * 3, sizeof *out);
	sculpted_skin(s, s->base, pose, s->rig->positions, s->rig->normals, out, NULL);
	return out;
}

/* The share of linear blending's distance to the truth that a fit leaves in a pose. */
static double share_left(struct sculpted *s, const struct fitted *fitted, const struct pose *pose) {
	const float *truth = sculpted_truth(s, pose, 0, NULL);
	const float *out = fitted->skin(s, fitted->numbers, posed(s, pose));
	return sculpted_rms(s, out, truth) / sculpted_rms(s, lbs_of(s, pose), truth);
}

static void poses_left_out_are_nearer_than_by_lbs(void **state) {
	(void)state;
	// Characterisations: bent about an axis of the examples, bent and twisted, about an axis
	// that none has. mwe leaves 0.59, 0.29, 0.55; animation space 0.73, 0.49, 0.64.
	static const double most[2][3] = {{0.62, 0.31, 0.58}, {0.77, 0.52, 0.67}};
	static const double turns[3][4] = {
		{0, 0, 1, 60}, {0.6, 0.8, 0, 75}, {0.3, 0.4, 0.86602540378443865, 70}};
	for (int i = 0; i < 6; i++) {
		struct sculpted *s = bent_cylinder();
		const struct fitted fitted = fits[i / 3](s, &usual);
		const struct pose pose = sculpted_pose(s);
		const double *turn = turns[i % 3];
		set_rotation(&pose.local[1], turn[0], turn[1], turn[2], turn[3]);
		assert_true(share_left(s, &fitted, &pose) < most[i / 3][i % 3]);
		sculpted_destroy(s);
	}
}

static void rest_pose_stays(void **state) {
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct sculpted *s = bent_cylinder();
		const struct fitted fitted = fits[i](s, &usual);
		const float *out = fitted.skin(s, fitted.numbers, &s->rest);
		for (int k = 0; k < s->rig->vertex_count * 3; k++) {
			assert_near(out[k], s->rig->positions[k], 1e-6);
		}
		sculpted_destroy(s);
	}
}

static void examples_of_lbs_leave_lbs(void **state) {
	(void)state;
	const struct equations_recipe recipes[] = {
		{.ridge = 1e-4}, {.principal = true, .cut = 0.01}, {.ridge = 0}};
	for (int i = 0; i < 6; i++) {
		struct sculpted *s = sculpted_create(rig_random(4, 5, 60, 4), "lbs", "lbs");
		for (int e = 0; e < 3; e++) {
			const struct pose pose = sculpted_pose(s);
			set_rotation(&pose.local[e + 1], 0.6, 0, 0.8, 40 + 20 * e);
			sculpted_add(s, "lbs", &pose, 0);
		}
		const struct fitted fitted = fits[i % 2](s, &recipes[i / 2]);
		const struct pose pose = sculpted_pose(s);
		set_rotation(&pose.local[2], 0, 1, 0, 80);
		const float *out = fitted.skin(s, fitted.numbers, posed(s, &pose));
		const float *expected = lbs_of(s, &pose);
		for (int k = 0; k < s->rig->vertex_count * 3; k++) {
			// Examples come in float, and without a ridge their roundings are fitted.
			assert_near(out[k], expected[k], recipes[i / 2].ridge > 0 ? 1e-5 : 1e-3);
		}
		sculpted_destroy(s);
	}
}

static void the_whole_may_be_moved(void **state) {
	(void)state;
	// METHODS T2. mwe keeps it because the root's motion is taken out.
	for (int i = 0; i < 2; i++) {
		struct sculpted *s = bent_cylinder();
		const struct fitted fitted = fits[i](s, &usual);
		struct pose pose = between(s);
		const float *still = fitted.skin(s, fitted.numbers, posed(s, &pose));
		set_rotation(&pose.local[0], 0.48, 0.6, 0.64, 100);
		pose.local[0].translation[0] = 3;
		const struct fit_example *moved = posed(s, &pose);
		const float *out = fitted.skin(s, fitted.numbers, moved);
		for (int v = 0; v < s->rig->vertex_count; v++) {
			const double p[3] = {still[v * 3], still[v * 3 + 1], still[v * 3 + 2]};
			double expected[3];
			mat_map_point(moved->world[0], p, expected);
			for (int k = 0; k < 3; k++) {
				assert_near(out[v * 3 + k], expected[k], 2e-6);
			}
		}
		sculpted_destroy(s);
	}
}

static void principal_components_fit_too(void **state) {
	(void)state;
	struct sculpted *s = bent_cylinder();
	const struct equations_recipe recipe = {.principal = true, .cut = 0.01};
	const struct fitted fitted = fit_mwe(s, &recipe);
	const struct pose pose = between(s);
	assert_true(share_left(s, &fitted, &pose) < 0.61); // 0.58
	sculpted_destroy(s);
}

static void roots_are_the_joints_that_all_hang_on(void **state) {
	(void)state;
	struct rig *rig = rig_random(3, 6, 40, 4);
	int roots[6];
	joints_find_roots(rig, roots);
	for (int i = 0; i < 6; i++) {
		assert_int_equal(roots[i], 0);
	}
	// Nobody follows the first two any more: the third is the root.
	for (size_t i = 0; i < rig->influence_count; i++) {
		if (rig->influence_slots[i] < 2) {
			rig->influence_slots[i] = 2;
		}
	}
	joints_find_roots(rig, roots);
	assert_int_equal(roots[0], 2);
	assert_int_equal(roots[5], 2);
	rig_release(rig);
}

static void stops_when_nobody_waits(void **state) {
	(void)state;
	struct sculpted *s = bent_cylinder();
	struct stop stop = {.left = true};
	s->input.stop = &stop;
	float *numbers = arena_alloc(s->arena, s->rig->influence_count * 12, sizeof *numbers);
	int roots[2];
	struct error err = {0};
	joints_find_roots(s->rig, roots);
	assert_false(mwe_fit(&s->input, &usual, roots, numbers, &err));
	assert_int_equal(err.code, ERROR_CLIENT_LEFT);
	err = (struct error){0};
	assert_false(anim_fit(&s->input, &usual, numbers, &err));
	assert_int_equal(err.code, ERROR_CLIENT_LEFT);
	sculpted_destroy(s);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ridge_is_the_normal_equations),
		cmocka_unit_test(exact_rows_hold),
		cmocka_unit_test(twisted_ring_has_the_known_radii),
		cmocka_unit_test(turned_frame_serves_every_azimuth),
		cmocka_unit_test(frame_is_a_rotation_and_its_inverse),
		cmocka_unit_test(infinite_ridge_is_linear_blending),
		cmocka_unit_test(points_fitted_to_both_ends_bulge_between),
		cmocka_unit_test(points_fitted_to_all_angles_have_the_known_radii),
		cmocka_unit_test(poses_left_out_are_nearer_than_by_lbs),
		cmocka_unit_test(rest_pose_stays),
		cmocka_unit_test(examples_of_lbs_leave_lbs),
		cmocka_unit_test(the_whole_may_be_moved),
		cmocka_unit_test(principal_components_fit_too),
		cmocka_unit_test(roots_are_the_joints_that_all_hang_on),
		cmocka_unit_test(stops_when_nobody_waits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
