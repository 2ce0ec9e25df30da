// The ground: lines and shadows against their formulas in doubles.
#include "raster/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "check.h"
#include "raster_scene.h"

#define SIZE 96

static double smooth_step(double from, double to, double at) {
	const double t = fmin(fmax((at - from) / (to - from), 0), 1);
	return t * t * (3 - 2 * t);
}

static unsigned char *finish(struct raster *raster) {
	unsigned char *rgba = scene_read(raster, SIZE, SIZE);
	raster_destroy(raster);
	return rgba;
}

static struct raster *begin(void) {
	const struct raster_target target = {SIZE, SIZE, 1, RASTER_PLAIN, {0}};
	struct raster *raster = raster_create();
	assert_true(raster_begin(raster, &target, NULL));
	return raster;
}

/* --- The grid --- */

/* The x and z of the ground at a place of the picture; false above the horizon. */
static bool hit(const float m[static 16], double height, double x, double y, double out[static 2]) {
	// Rows of the matrix without y: two equations for x and z, (X - a W) p = 0.
	double rows[2][3];
	const double at[2] = {2 * x / SIZE - 1, 2 * y / SIZE - 1};
	for (int i = 0; i < 2; i++) {
		double c[4];
		for (int k = 0; k < 4; k++) {
			c[k] = (double)m[k * 4 + i] - at[i] * (double)m[k * 4 + 3];
		}
		rows[i][0] = c[0];
		rows[i][1] = c[2];
		rows[i][2] = c[1] * height + c[3];
	}
	const double det = rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0];
	out[0] = (rows[0][1] * rows[1][2] - rows[1][1] * rows[0][2]) / det;
	out[1] = (rows[1][0] * rows[0][2] - rows[0][0] * rows[1][2]) / det;
	return (double)m[3] * out[0] + (double)m[7] * height + (double)m[11] * out[1] +
		(double)m[15] >
		0;
}

static double covered(double away, double pixel, double width) {
	return fmin(fmax(0.5 * width + 0.5 - away / pixel, 0), 1);
}

/* Lines at multiples of a unit. */
static double ruled(double at, double pixel, double width) {
	return covered(fabs(at - round(at)), pixel, width) * (1 - smooth_step(0.08, 0.3, pixel));
}

static double exact_grid(const float m[static 16], const struct ground_grid *grid, int i) {
	const double x = i % SIZE + 0.5, y = (double)(i / SIZE) + 0.5, step = 1e-3;
	double place[2], right[2], down[2], strongest = 0, corner[2];
	const double height = grid->square.middle[1];
	if (!hit(m, height, x, y, place)) {
		return 0;
	}
	hit(m, height, x + step, y, right);
	hit(m, height, x, y + step, down);
	for (int k = 0; k < 2; k++) {
		const double at = place[k] / grid->unit;
		const double pixel =
			hypot(right[k] - place[k], down[k] - place[k]) / step / grid->unit;
		corner[k] = (place[k] - grid->square.middle[k * 2]) / grid->square.half;
		strongest = fmax(strongest, 0.16 * ruled(at * 10, pixel * 10, 1));
		strongest = fmax(strongest, 0.4 * ruled(at, pixel, 1.2));
		strongest = fmax(strongest,
			0.75 * covered(fabs(at), pixel, 1.8) * (1 - smooth_step(0.3, 1, pixel)));
	}
	const bool inside = fabs(corner[0]) < 1 && fabs(corner[1]) < 1;
	return inside ? strongest * grid->strength *
			(1 - smooth_step(0.15, 1, hypot(corner[0], corner[1])))
		      : 0;
}

static void check_grid(const float matrix[static 16], const struct ground_grid *grid) {
	struct raster *raster = begin();
	struct arena *arena = arena_create();
	int seen = 0;
	assert_true(raster_draw_grid(raster, matrix, grid, arena, NULL));
	unsigned char *rgba = finish(raster);
	for (int i = 0; i < SIZE * SIZE; i++) {
		const double alpha = exact_grid(matrix, grid, i) * 255;
		assert_near(rgba[i * 4 + 3], alpha, 2);
		assert_near(rgba[i * 4], alpha * grid->lightness, 2);
		seen += alpha > 20;
	}
	assert_true(seen > SIZE);
	free(rgba);
	arena_destroy(arena);
}

/* World to clip space, upside down, of an eye that looks at a place. */
static void look(const double eye[static 3], const double place[static 3], float out[static 16]) {
	double axes[3][3]; // right, up, back
	vec3_sub(eye, place, axes[2]);
	vec3_normalize(axes[2]);
	vec3_cross((double[3]){0, 1, 0}, axes[2], axes[0]);
	vec3_normalize(axes[0]);
	vec3_cross(axes[2], axes[0], axes[1]);
	for (int k = 0; k < 4; k++) {
		double seen[3];
		for (int i = 0; i < 3; i++) {
			seen[i] = k < 3 ? axes[i][k] : -vec3_dot(axes[i], eye);
		}
		out[k * 4] = (float)(2 * seen[0]);
		out[k * 4 + 1] = (float)(-2 * seen[1]);
		out[k * 4 + 2] = 0;
		out[k * 4 + 3] = (float)-seen[2];
	}
}

static void lines_are_where_the_formula_has_them(void **state) {
	(void)state;
	static const double eyes[][3] = {
		{0.5, 3, 4}, {5, 1.5, -3}, {-2, 6, 0.3}, {103, 2.5, 54}, {4, 2.5, 3}};
	static const double middles[][2] = {
		{0.3, -0.2}, {0.3, -0.2}, {0.3, -0.2}, {100, 50}, {7, 6}};
	for (int i = 0; i < 5; i++) {
		for (int k = 0; k < 2; k++) {
			const double x = middles[i][0], z = middles[i][1];
			float matrix[16];
			const struct ground_grid grid = {
				.square = {{x, 0.25, z}, 4.5},
				.unit = k == 0 ? 4 : 0.5,
				.lightness = 0.2,
				.strength = 0.9,
			};
			look(eyes[i], (double[3]){x, 0, z}, matrix);
			check_grid(matrix, &grid);
		}
	}
}

/* --- The shadow --- */

#define HALF 2.0  // of the square
#define WHOLE 2.0 // the figure's size
#define SIDE 128  // texels of the map
#define TEXELS (SIDE / (2 * HALF))

/* A plate of texels from..to in x and z at a height above the ground. */
struct plate {
	int from[2], to[2];
	double height;
};

/* A Gaussian's share of a stretch, summed at texels as far as the wider one's three sigmas. */
static double blurred(double sigma, double widest, int at, int from, int to) {
	const int reach = (int)ceil(3 * widest);
	double sum = 0, total = 0;
	for (int i = -reach; i <= reach; i++) {
		const double weight = exp(-0.5 * (i / sigma) * (i / sigma));
		total += weight;
		sum += at + i >= from && at + i < to ? weight : 0;
	}
	return sum / total;
}

static double shade_at(
	const struct plate *plates, double sigma, double widest, double reach, int x, int z) {
	double strongest = 0;
	// Plates do not overlap but where the nearer one is all that counts.
	for (int i = 0; i < 2; i++) {
		const struct plate *p = &plates[i];
		const double near = fmin(fmax(1 - p->height / reach, 0), 1);
		strongest += near * near * blurred(sigma, widest, x, p->from[0], p->to[0]) *
			blurred(sigma, widest, z, p->from[1], p->to[1]);
	}
	return strongest;
}

/* Alpha at a place in texels, between their middles. */
static double exact_shadow(const struct plate *plates, double x, double z) {
	const double touch = 0.01 * WHOLE * TEXELS, near = 0.035 * WHOLE * TEXELS;
	const int x0 = (int)floor(x - 0.5), z0 = (int)floor(z - 0.5);
	const double fx = x - 0.5 - x0, fz = z - 0.5 - z0;
	double shades[2] = {0};
	for (int i = 0; i < 4; i++) {
		const double share = (i % 2 ? fx : 1 - fx) * (i / 2 ? fz : 1 - fz);
		const int u = x0 + i % 2, v = z0 + i / 2;
		shades[0] += share * shade_at(plates, touch, near, 0.06 * WHOLE, u, v);
		shades[1] += share * shade_at(plates, near, near, 0.45 * WHOLE, u, v);
	}
	return 1 - (0.4 + 0.6 * exp(-2 * shades[0])) * (0.3 + 0.7 * exp(-2.6 * shades[1]));
}

static void cast(struct raster_shadow *shadow, const struct ground_square *square,
	const struct plate *plate) {
	static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
	float positions[4][3];
	struct scene_mesh mesh;
	for (int i = 0; i < 4; i++) {
		const int u = i % 2 ? plate->to[0] : plate->from[0];
		const int v = i / 2 ? plate->to[1] : plate->from[1];
		positions[i][0] = (float)(square->middle[0] - HALF + u / TEXELS);
		positions[i][1] = (float)(square->middle[1] + plate->height);
		positions[i][2] = (float)(square->middle[2] - HALF + v / TEXELS);
	}
	scene_mesh_init(&mesh, positions[0], 4, indices, 6);
	assert_true(raster_shadow_cast(shadow, &mesh.rig, positions[0], NULL));
}

static void check_shadow(const struct plate plates[static 2]) {
	const struct ground_square square = {{0.5, -0.25, 1}, HALF};
	// Straight from above: x to the right, z downwards.
	const float scale = (float)(1 / HALF);
	const float matrix[16] = {[0] = scale,
		[6] = 0.1f,
		[9] = scale,
		[12] = -0.5f * scale,
		[13] = -1 * scale,
		[15] = 1};
	struct raster_shadow *shadow = raster_shadow_create();
	struct arena *arena = arena_create();
	assert_true(raster_shadow_begin(shadow, &square, WHOLE, NULL));
	cast(shadow, &square, &plates[0]);
	cast(shadow, &square, &plates[1]);
	assert_true(raster_shadow_end(shadow, NULL));
	struct raster *raster = begin();
	assert_true(raster_draw_shadow(raster, shadow, matrix, &square, arena, NULL));
	unsigned char *rgba = finish(raster);
	for (int i = 0; i < SIZE * SIZE; i++) {
		const double x = (i % SIZE + 0.5) * SIDE / SIZE, z = (i / SIZE + 0.5) * SIDE / SIZE;
		assert_near(rgba[i * 4 + 3], exact_shadow(plates, x, z) * 255, 1.5);
		assert_int_equal(rgba[i * 4] + rgba[i * 4 + 1] + rgba[i * 4 + 2], 0);
	}
	free(rgba);
	arena_destroy(arena);
	raster_shadow_destroy(shadow);
}

static void shadows_are_blurred_by_two_gaussians(void **state) {
	(void)state;
	static const struct plate low = {{40, 44}, {60, 84}, 0.01},
				  middle = {{70, 50}, {96, 80}, 0.3},
				  high = {{70, 50}, {96, 80}, 2};
	check_shadow((struct plate[2]){low, middle});
	check_shadow((struct plate[2]){middle, low});
	check_shadow((struct plate[2]){high, low});
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_where_the_formula_has_them),
		cmocka_unit_test(shadows_are_blurred_by_two_gaussians),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
