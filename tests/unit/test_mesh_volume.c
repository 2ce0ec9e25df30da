// Volumes of closed parts and what brings them back, checked against METHODS A22.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "mesh/volume.h"
#include "motions.h"
#include "rigs.h"

struct cylinder {
	struct rig *rig;
	struct mesh_surface *surface;
	struct parts parts;
	double (*positions)[3], (*directions)[3];
};

static struct cylinder cylinder_create(void) {
	struct cylinder c = {.rig = rig_cyl2()};
	c.surface = surface_create(c.rig, NULL, NULL);
	assert_non_null(c.surface);
	assert_true(parts_init(&c.parts, c.surface, NULL));
	const size_t count = (size_t)c.surface->point_count;
	c.positions = xcalloc(count, sizeof *c.positions);
	c.directions = xcalloc(count, sizeof *c.directions);
	memcpy(c.positions, c.surface->positions, count * sizeof *c.positions);
	return c;
}

static void cylinder_destroy(struct cylinder *c) {
	free(c->positions);
	free(c->directions);
	parts_finish(&c->parts);
	surface_destroy(c->surface);
	rig_release(c->rig);
}

static double volume_of(const struct cylinder *c) {
	struct volume_cubic cubic;
	double(*none)[3] = xcalloc((size_t)c->surface->point_count, sizeof *none);
	volume_cubics(c->surface, &c->parts, (const double(*)[3])c->positions,
		(const double(*)[3])none, &cubic);
	free(none);
	return cubic.c[0];
}

/* METHODS 0.8: 0.061229349 m^3, half of 16 r^2 sin(2 pi / 16) times the length. */
static void the_cylinders_volume_is_known(void **state) {
	(void)state;
	struct cylinder c = cylinder_create();
	assert_near(volume_of(&c), 0.061229349, 2e-9);
	for (int i = 0; i < c.surface->point_count; i++) {
		c.positions[i][0] += 3; // anywhere
		c.positions[i][2] -= 7;
	}
	assert_near(volume_of(&c), 0.061229349, 2e-9);
	cylinder_destroy(&c);
}

static void gradients_are_differences_of_volumes(void **state) {
	(void)state;
	struct cylinder c = cylinder_create();
	volume_gradients(c.surface, (const double(*)[3])c.positions, c.directions);
	for (int i = 0; i < c.surface->point_count; i += 37) {
		for (int k = 0; k < 3; k++) {
			const double here = c.positions[i][k], h = 1e-4;
			c.positions[i][k] = here + h;
			const double more = volume_of(&c);
			c.positions[i][k] = here - h;
			const double less = volume_of(&c);
			c.positions[i][k] = here;
			// The volume is linear in one coordinate.
			assert_near((more - less) / (2 * h), c.directions[i][k], 1e-11);
		}
	}
	cylinder_destroy(&c);
}

static void the_cubic_is_the_volume_on_the_way(void **state) {
	(void)state;
	struct cylinder c = cylinder_create();
	unsigned seed = 3;
	for (int i = 0; i < c.surface->point_count * 3; i++) {
		c.directions[i / 3][i % 3] = random_number(&seed);
	}
	struct volume_cubic cubic;
	volume_cubics(c.surface, &c.parts, (const double(*)[3])c.positions,
		(const double(*)[3])c.directions, &cubic);
	for (double x = -0.2; x < 0.2; x += 0.05) {
		double(*rest)[3] = c.surface->positions;
		for (int i = 0; i < c.surface->point_count * 3; i++) {
			c.positions[i / 3][i % 3] =
				rest[i / 3][i % 3] + x * c.directions[i / 3][i % 3];
		}
		const double *k = cubic.c;
		assert_near(((k[3] * x + k[2]) * x + k[1]) * x + k[0], volume_of(&c), 1e-14);
	}
	cylinder_destroy(&c);
}

/* METHODS A22: cyl2 twisted by 90 degrees with lbs, mu = 4 w (1 - w): 0.915009 V0 comes back with
 * lambda = 20.142 to 1e-9. */
static void a_twist_is_undone_with_the_known_step(void **state) {
	(void)state;
	struct cylinder c = cylinder_create();
	const double before = volume_of(&c);
	const struct motions twist = motions_turned(0, 1, 0, 90);
	const int count = c.surface->point_count;
	for (int i = 0; i < count; i++) {
		const double w = surface_weight(c.surface, i, 1);
		motions_blend(&twist, w, c.surface->positions[i], c.positions[i]);
	}
	assert_near(volume_of(&c) / before, 0.915009, 1e-6);
	volume_gradients(c.surface, (const double(*)[3])c.positions, c.directions);
	for (int i = 0; i < count * 3; i++) {
		const double w = surface_weight(c.surface, i / 3, 1);
		c.directions[i / 3][i % 3] *= 4 * w * (1 - w);
	}
	struct volume_cubic cubic;
	volume_cubics(c.surface, &c.parts, (const double(*)[3])c.positions,
		(const double(*)[3])c.directions, &cubic);
	double lambda;
	assert_true(volume_solve(&cubic, before, 1000, &lambda));
	assert_near(lambda, 20.142, 1e-3);
	for (int i = 0; i < count * 3; i++) {
		c.positions[i / 3][i % 3] += lambda * c.directions[i / 3][i % 3];
	}
	assert_near(volume_of(&c) / before, 1, 1e-9);
	cylinder_destroy(&c);
}

/* (x - a)(x - b)(x - c) times k, plus a volume. */
static struct volume_cubic with_roots(double k, double a, double b, double c, double volume) {
	return (struct volume_cubic){
		{volume - k * a * b * c, k * (a * b + b * c + c * a), -k * (a + b + c), k}};
}

static void the_nearest_root_is_found(void **state) {
	(void)state;
	static const struct {
		double k, roots[3], nearest;
	} rows[] = {
		{1, {1, -2, 3}, 1},
		{-5, {4, -0.5, 0.75}, -0.5},
		{2, {-1, -1.5, 100}, -1},
		{1e-3, {20, 30, 40}, 20},
		{7, {0.1, 0.1000001, 50}, 0.1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const double *r = rows[i].roots;
		const struct volume_cubic cubic = with_roots(rows[i].k, r[0], r[1], r[2], 0.3);
		double x;
		assert_true(volume_solve(&cubic, 0.3, 1000, &x));
		assert_near(x, rows[i].nearest, 1e-6 * fabs(rows[i].nearest));
	}
	// A line and a parabola.
	double x;
	const struct volume_cubic line = {{1, 0.5, 0, 0}}, parabola = {{1, 0, -0.25, 0}};
	assert_true(volume_solve(&line, 2, 10, &x));
	assert_near(x, 2, 1e-15);
	assert_true(volume_solve(&parabola, 0.75, 10, &x));
	assert_near(fabs(x), 1, 1e-15);
}

static void what_is_out_of_reach_is_approached(void **state) {
	(void)state;
	double x;
	// There already, exactly and whatever the direction.
	const struct volume_cubic there = {{2, 5, 1, 1}};
	assert_true(volume_solve(&there, 2, 10, &x));
	assert_near(x, 0, 0);
	// The limit is before the root.
	const struct volume_cubic line = {{1, 0.5, 0, 0}};
	assert_false(volume_solve(&line, 2, 0.5, &x));
	assert_near(x, 0.5, 0);
	// Never reached: 1 - x^2 is at most 1.
	const struct volume_cubic hill = {{0.9, 0.2, -0.1, 0}};
	assert_false(volume_solve(&hill, 3, 5, &x));
	assert_near(x, 1, 1e-12);
	// Nothing moves.
	const struct volume_cubic still = {{1, 0, 0, 0}};
	assert_false(volume_solve(&still, 2, 5, &x));
	assert_near(x, 0, 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_out_of_reach_is_approached),
		cmocka_unit_test(the_nearest_root_is_found),
		cmocka_unit_test(the_cylinders_volume_is_known),
		cmocka_unit_test(gradients_are_differences_of_volumes),
		cmocka_unit_test(the_cubic_is_the_volume_on_the_way),
		cmocka_unit_test(a_twist_is_undone_with_the_known_step),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
