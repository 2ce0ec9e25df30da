// Optimised centres of rotation checked against METHODS A13: closed forms, and an integral of our
// own.
#include <stdlib.h>

#include "base/memory.h"
#include "check.h"
#include "mesh/decay.h"
#include "mesh/refine.h"
#include "mesh/volume.h"
#include "rigs.h"
#include "soup.h"

static struct mesh_surface *surface_of(const struct rig *rig) {
	struct error err = {0};
	struct mesh_surface *surface = surface_create(rig, NULL, &err);
	assert_non_null(surface);
	return surface;
}

static double (*centres_of(const struct mesh_surface *surface))[4] {
	double(*out)[4] = xcalloc((size_t)surface->point_count, sizeof *out);
	struct error err = {0};
	assert_true(centres_find(surface, NULL, out, &err));
	return out;
}

static void decay_is_the_exponential(void **state) {
	(void)state;
	for (double x = 0; x < 700; x += 0.01713) {
		const doubles4 from = {x, x / 2, x / 3, x / 700};
		doubles4 to;
		decay(&from, &to);
		for (int i = 0; i < 4; i++) {
			assert_near(to[i] / exp(-from[i]), 1, 1.5e-15);
		}
	}
	const doubles4 zero = {0};
	doubles4 one;
	decay(&zero, &one);
	assert_near(one[0], 1, 0);
}

/* METHODS A13's likeness of weights (1 - w, w) and (1 - u, u), but for a factor. */
static double likeness(double w, double u) {
	const double apart = (1 - w) * u - w * (1 - u);
	return u * (1 - u) * exp(-apart * apart / 0.01);
}

/* Height of the centre for the weight w: the mean over the ramp, whose area is even in y. */
static double continuous(double w) {
	double sum = 0, weight = 0;
	const int steps = 100000;
	for (int i = 0; i < steps; i++) {
		const double u = (i + 0.5) / steps, s = likeness(w, u);
		sum += s * (0.75 + 0.5 * u);
		weight += s;
	}
	return sum / weight;
}

/* METHODS: on the axis; 1.0 for 1/2, 0.881846 for 1/4, 0.820430 for 0.1. */
static void the_integral_here_is_that_of_methods(void **state) {
	(void)state;
	assert_near(continuous(0.5), 1, 1e-9);
	assert_near(continuous(0.25), 0.881846, 1e-6);
	assert_near(continuous(0.1), 0.820430, 1e-6);
}

static void centres_of_the_cylinder_are_the_known_ones(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface = surface_of(rig);
	double(*centres)[4] = centres_of(surface);
	for (int i = 0; i < surface->point_count; i++) {
		const double y = surface->positions[i][1], w = (y - 0.75) / 0.5;
		const bool blended = 0.76 < y && y < 1.24;
		assert_near(centres[i][3], blended, 0);
		if (blended) {
			assert_near(centres[i][0], 0, 1e-9);
			assert_near(centres[i][2], 0, 1e-9);
			// Sums over pieces half a ring high stand for the integral.
			assert_near(centres[i][1], continuous(w), 2e-4);
		}
	}
	assert_near(centres[20 * 16][1], 1, 1e-7);
	free(centres);
	surface_destroy(surface);
	rig_release(rig);
}

static void seams_change_no_centre(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	int *owner = xcalloc((size_t)rig->index_count, sizeof *owner);
	struct rig *soup = soup_of(rig, owner);
	struct mesh_surface *whole = surface_of(rig), *surface = surface_of(soup);
	double(*few)[4] = centres_of(whole), (*many)[4] = centres_of(surface);
	for (int i = 0; i < surface->point_count; i++) {
		for (int k = 0; k < 4; k++) {
			assert_near(many[i][k], few[owner[surface->vertices[i]]][k], 1e-12);
		}
	}
	free(few);
	free(many);
	free(owner);
	surface_destroy(whole);
	surface_destroy(surface);
	rig_release(soup);
	rig_release(rig);
}

/* By METHODS' definition, pair by pair and piece by piece, without buckets or lanes. */
static void brute_force(const struct mesh_surface *surface, const struct pair_pieces *pieces,
	int point, double out[4]) {
	double sums[4] = {0};
	for (size_t i = 0; i < pieces->count; i++) {
		const struct pair_piece *piece = &pieces->list[i];
		const double p[2] = {surface_weight(surface, point, piece->slots[0]),
			surface_weight(surface, point, piece->slots[1])};
		const double *v = piece->weights;
		const double apart = p[0] * v[1] - p[1] * v[0];
		const double s = p[0] * p[1] * v[0] * v[1] * exp(-apart * apart / 0.01);
		for (int k = 0; k < 3; k++) {
			sums[k] += s * piece->area * piece->middle[k];
		}
		sums[3] += s * piece->area;
	}
	for (int k = 0; k < 3; k++) {
		out[k] = sums[3] > 0 ? sums[k] / sums[3] : 0;
	}
	out[3] = sums[3] > 0;
}

static void any_surface_gives_what_the_definition_says(void **state) {
	(void)state;
	struct rig *rig = rig_random(8, 9, 120, 4);
	rig->indices = rig_storage(rig, 300, sizeof *rig->indices, "", NULL);
	unsigned seed = 6;
	for (int i = 0; i < 300; i++) {
		rig->indices[i] = (uint32_t)((random_number(&seed) + 1) * 59.9);
	}
	rig->index_count = rig->primitives[0].index_count = 300;
	struct mesh_surface *surface = surface_of(rig);
	struct pair_pieces pieces;
	assert_true(pair_pieces_init(&pieces, surface, NULL, NULL));
	double(*centres)[4] = centres_of(surface);
	int found = 0;
	for (int i = 0; i < surface->point_count; i++) {
		double expected[4];
		brute_force(surface, &pieces, i, expected);
		for (int k = 0; k < 4; k++) {
			assert_near(centres[i][k], expected[k], 1e-11);
		}
		found += centres[i][3] > 0;
	}
	assert_true(found > 100);
	free(centres);
	pair_pieces_finish(&pieces);
	surface_destroy(surface);
	rig_release(rig);
}

/* Pieces of the pair cover the ramp: two slanted rows of triangles are partly on it. */
static void pieces_cover_the_surface_once(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface = surface_of(rig);
	struct pair_pieces pieces;
	assert_true(pair_pieces_init(&pieces, surface, NULL, NULL));
	double area = 0;
	for (size_t i = 0; i < pieces.count; i++) {
		const struct pair_piece *piece = &pieces.list[i];
		assert_int_equal(piece->slots[0], 0);
		assert_int_equal(piece->slots[1], 1);
		assert_near(piece->weights[0] + piece->weights[1], 1, 1e-7);
		area += piece->area;
	}
	// Ten rows of 0.05 by 16 sides of 0.2 sin(pi / 16); rows from 0.75 to 1.25.
	assert_near(area, 10 * 0.05 * 16 * 0.2 * sin(3.14159265358979 / 16), 1e-8);
	// Weights change by 0.1 sqrt(2) over a row, more than 0.1: each triangle was cut.
	assert_true(pieces.count >= 2 * 320);
	pair_pieces_finish(&pieces);
	surface_destroy(surface);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decay_is_the_exponential),
		cmocka_unit_test(the_integral_here_is_that_of_methods),
		cmocka_unit_test(centres_of_the_cylinder_are_the_known_ones),
		cmocka_unit_test(seams_change_no_centre),
		cmocka_unit_test(any_surface_gives_what_the_definition_says),
		cmocka_unit_test(pieces_cover_the_surface_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
