// Blend spaces: METHODS C.11's numbers, triangulations of any samples, and sums of weights.
#include "pose/blend/space.h"

#include "check.h"
#include "rigs.h"

static void weigh(const double (*at)[2], int count, enum space_mode mode, double x, double y,
	double *weights) {
	static struct space_mesh mesh;
	const double point[2] = {x, y};
	space_triangulate(at, count, &mesh);
	space_weights(at, count, &mesh, mode, point, weights);
}

static void lines_go_between_neighbours(void **state) {
	(void)state;
	// METHODS C.11: 0, 1 and 3 at 2; in another order and on a slant all the same.
	static const double at[3][2] = {{1, 0}, {3, 0}, {0, 0}},
			    slant[3][2] = {{1, 2}, {3, 6}, {0, 0}};
	static const struct {
		double x, weights[3];
	} cases[] = {
		{2, {0.5, 0.5, 0}},
		{1, {1, 0, 0}},
		{0.25, {0.25, 0, 0.75}},
		{-7, {0, 0, 1}},
		{9, {0, 1, 0}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double straight[3], slanted[3];
		weigh(at, 3, SPACE_TRIANGLES, cases[i].x, 0, straight);
		// Beside the line it is the nearest point of it that counts.
		weigh(slant, 3, SPACE_TRIANGLES, cases[i].x - 4, 2 * cases[i].x + 2, slanted);
		for (int k = 0; k < 3; k++) {
			assert_near(straight[k], cases[i].weights[k], 1e-15);
			assert_near(slanted[k], cases[i].weights[k], 1e-15);
		}
	}
	double alone[1];
	weigh(at, 1, SPACE_TRIANGLES, 5, 5, alone);
	assert_near(alone[0], 1, 0);
}

static void triangles_and_their_surroundings(void **state) {
	(void)state;
	static const double at[3][2] = {{0, 0}, {3, 0}, {0, 3}};
	static const struct {
		double x, y, weights[3];
	} cases[] = {
		{1, 1, {1 / 3.0, 1 / 3.0, 1 / 3.0}},
		{0, 0, {1, 0, 0}},
		{3, 0, {0, 1, 0}},
		{1.5, 1.5, {0, 0.5, 0.5}},
		{0.75, 1.5, {0.25, 0.25, 0.5}},
		{3, 3, {0, 0.5, 0.5}}, // nearest on the long side
		{1, -2, {2 / 3.0, 1 / 3.0, 0}},
		{-1, -1, {1, 0, 0}},
		{9, -1, {0, 1, 0}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double weights[3];
		weigh(at, 3, SPACE_TRIANGLES, cases[i].x, cases[i].y, weights);
		for (int k = 0; k < 3; k++) {
			assert_near(weights[k], cases[i].weights[k], 1e-15);
		}
	}
}

static void bands_have_the_known_weights(void **state) {
	(void)state;
	// Between two samples they are linear, and a third one on the side has no part in it.
	static const double at[3][2] = {{0, 0}, {4, 0}, {0, 4}};
	double weights[3];
	weigh(at, 3, SPACE_GRADIENT_BAND, 1, 0, weights);
	assert_near(weights[0], 0.75, 1e-15);
	assert_near(weights[1], 0.25, 1e-15);
	assert_near(weights[2], 0, 0);
	// At (1, 1): h = 3/4, min(1/4, 1/2) = 1/4 and 1/4.
	weigh(at, 3, SPACE_GRADIENT_BAND, 1, 1, weights);
	assert_near(weights[0], 0.6, 1e-15);
	assert_near(weights[1], 0.2, 1e-15);
	weigh(at, 3, SPACE_GRADIENT_BAND, 50, -3, weights);
	assert_near(weights[1], 1, 0);
}

static void twins_are_found(void **state) {
	(void)state;
	static const double at[4][2] = {{0, 0}, {1e6, 0}, {5, 5}, {5 + 1e-3, 5}};
	int other = -1;
	assert_int_equal(space_find_twin(at, 4, &other), 3);
	assert_int_equal(other, 2);
	assert_int_equal(space_find_twin(at, 3, &other), -1);
	assert_int_equal(space_find_twin(at, 1, &other), -1);
}

static double area_of(const double (*at)[2], const short *t) {
	return ((at[t[1]][0] - at[t[0]][0]) * (at[t[2]][1] - at[t[0]][1]) -
		       (at[t[1]][1] - at[t[0]][1]) * (at[t[2]][0] - at[t[0]][0])) /
		2;
}

/* Far below 0 where a sample is inside of the circle through the corners. */
static double distance_to_circle(
	const double (*at)[2], const short *t, const double sample[static 2]) {
	const double *a = at[t[0]];
	const double bx = at[t[1]][0] - a[0], by = at[t[1]][1] - a[1];
	const double cx = at[t[2]][0] - a[0], cy = at[t[2]][1] - a[1];
	const double d = 2 * (bx * cy - by * cx), b = bx * bx + by * by, c = cx * cx + cy * cy;
	const double x = (cy * b - by * c) / d, y = (bx * c - cx * b) / d;
	return hypot(sample[0] - a[0] - x, sample[1] - a[1] - y) - hypot(x, y);
}

static void expect_delaunay(const double (*at)[2], int count, double area) {
	static struct space_mesh mesh;
	space_triangulate(at, count, &mesh);
	// Euler's formula for the corners that are on the hull.
	assert_int_equal(mesh.triangle_count, 2 * count - 2 - mesh.edge_count);
	double sum = 0;
	for (int i = 0; i < mesh.triangle_count; i++) {
		assert_true(area_of(at, mesh.triangles[i]) > 0);
		sum += area_of(at, mesh.triangles[i]);
		for (int k = 0; k < count; k++) {
			assert_true(distance_to_circle(at, mesh.triangles[i], at[k]) > -1e-5);
		}
	}
	assert_near(sum, area, 1e-9 * area);
}

static void random_samples_are_triangulated(void **state) {
	(void)state;
	unsigned seed = 61;
	for (int round = 0; round < 30; round++) {
		double at[SPACE_SAMPLES_MAX][2] = {{-2, -2}, {2, -2}, {2, 2}, {-2, 2}};
		const int count = round == 0 ? SPACE_SAMPLES_MAX : 4 + round * 3;
		for (int i = 4; i < count; i++) {
			at[i][0] = random_number(&seed);
			at[i][1] = random_number(&seed);
		}
		expect_delaunay((const double(*)[2])at, count, 16);
	}
}

static void grids_are_triangulated(void **state) {
	(void)state;
	// All squares have four corners on one circle, and whole rows are on the hull's edges.
	for (int size = 2; size <= 16; size++) {
		double at[SPACE_SAMPLES_MAX][2];
		for (int i = 0; i < size * size; i++) {
			at[i][0] = (i * 7 % (size * size)) % size;
			at[i][1] = (i * 7 % (size * size)) / size;
		}
		if (size % 7 != 0) {
			expect_delaunay(
				(const double(*)[2])at, size * size, (size - 1.0) * (size - 1.0));
		}
	}
}

static void almost_straight_hulls_have_no_slivers(void **state) {
	(void)state;
	// Tenths are no whole numbers of halves: the lower side bends by a rounding.
	double at[8][2] = {{0, 3}, {2.1, 3.3}};
	for (int i = 0; i < 6; i++) {
		at[2 + i][0] = 0.1 * i * 7;
		at[2 + i][1] = 0.3 * i * 0.7;
	}
	static struct space_mesh mesh;
	space_triangulate((const double(*)[2])at, 8, &mesh);
	for (int i = 0; i < mesh.triangle_count; i++) {
		assert_true(area_of((const double(*)[2])at, mesh.triangles[i]) > 0.1);
	}
	for (int i = 2; i < 7; i++) {
		double weights[8];
		weigh((const double(*)[2])at, 8, SPACE_TRIANGLES, (at[i][0] + at[i + 1][0]) / 2,
			(at[i][1] + at[i + 1][1]) / 2, weights);
		assert_near(weights[i], 0.5, 1e-12);
		assert_near(weights[i + 1], 0.5, 1e-12);
	}
}

static void weights_are_shares_wherever_one_is(void **state) {
	(void)state;
	unsigned seed = 62;
	double at[12][2], weights[12];
	for (int round = 0; round < 500; round++) {
		const int count = 1 + round % 12;
		for (int i = 0; i < count; i++) {
			at[i][0] = random_number(&seed);
			at[i][1] = round % 5 == 0 ? 0.3 * at[i][0] : random_number(&seed);
		}
		const double x = 2 * random_number(&seed), y = 2 * random_number(&seed);
		for (int mode = 0; mode < SPACE_MODE_COUNT; mode++) {
			double sum = 0;
			weigh((const double(*)[2])at, count, (enum space_mode)mode, x, y, weights);
			for (int i = 0; i < count; i++) {
				assert_true(weights[i] >= 0);
				sum += weights[i];
			}
			assert_near(sum, 1, 1e-15);
			const int k = round % count;
			weigh((const double(*)[2])at, count, (enum space_mode)mode, at[k][0],
				at[k][1], weights);
			assert_near(weights[k], 1, 1e-12);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_go_between_neighbours),
		cmocka_unit_test(triangles_and_their_surroundings),
		cmocka_unit_test(bands_have_the_known_weights),
		cmocka_unit_test(twins_are_found),
		cmocka_unit_test(random_samples_are_triangulated),
		cmocka_unit_test(grids_are_triangulated),
		cmocka_unit_test(almost_straight_hulls_have_no_slivers),
		cmocka_unit_test(weights_are_shares_wherever_one_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
