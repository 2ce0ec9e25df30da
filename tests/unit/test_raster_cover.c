// Coverage of triangles against edge functions in 64 bits, and meshes whose triangles share edges.
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "base/memory.h"
#include "check.h"
#include "raster_scene.h"

static const float white[4] = {1, 1, 1, 1};

/* --- One triangle --- */

/* Samples in sixteenths of a pixel from its middle: Direct3D 11's standard patterns. */
static const int patterns[3][8][2] = {
	{{0, 0}},
	{{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
	{{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
};
static const int sample_counts[3] = {1, 4, 8};

struct points {
	int64_t x[3], y[3]; // 1/256 pixel
};

/* True when a point lies inside, or on a left or an upper edge. */
static bool is_inside(const struct points *p, int64_t x, int64_t y) {
	const int64_t area = (p->x[1] - p->x[0]) * (p->y[2] - p->y[0]) -
		(p->x[2] - p->x[0]) * (p->y[1] - p->y[0]);
	const int turn = area > 0 ? 1 : -1;
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3;
		const int64_t dx = turn * (p->x[j] - p->x[i]), dy = turn * (p->y[j] - p->y[i]);
		const int64_t side = dx * (y - p->y[i]) - dy * (x - p->x[i]);
		// With rows that go down, a left edge goes up and an upper one to the right.
		if (side < 0 || (side == 0 && !(dy < 0 || (dy == 0 && dx > 0)))) {
			return false;
		}
	}
	return area != 0;
}

static int count_samples(const struct points *points, int pattern, int x, int y) {
	int count = 0;
	for (int s = 0; s < sample_counts[pattern]; s++) {
		const int *sample = patterns[pattern][s];
		count += is_inside(
			points, x * 256 + 128 + sample[0] * 16, y * 256 + 128 + sample[1] * 16);
	}
	return count;
}

/* Corners of all sizes and places; now and then two in one place, or on samples. */
static struct points random_points(uint64_t *seed, int width, int height) {
	const double sizes[] = {2, 10, 60, 300, 5000, 14000};
	const double size = sizes[(int)(scene_random(seed) * 6)];
	const double middle_x = scene_random(seed) * width, middle_y = scene_random(seed) * height;
	const int grid = scene_random(seed) < 0.3 ? 32 : scene_random(seed) < 0.3 ? 16 : 1;
	struct points points;
	for (int i = 0; i < 3; i++) {
		const double x = middle_x + (scene_random(seed) - 0.5) * size * 2;
		const double y = middle_y + (scene_random(seed) - 0.5) * size * 2;
		points.x[i] = (int64_t)(fmax(-14900, fmin(14900, x)) * 256) / grid * grid;
		points.y[i] = (int64_t)(fmax(-14900, fmin(14900, y)) * 256) / grid * grid;
	}
	return points;
}

/* Counts pixels whose alpha is not that of so many samples. */
static int compare(const unsigned char *rgba, const struct points *points, int pattern, int width,
	int height) {
	int wrong = 0;
	for (int y = 0; y < height; y++) {
		for (int x = 0; x < width; x++) {
			const int samples = count_samples(points, pattern, x, y);
			const int alpha = (int)(255.0 * samples / sample_counts[pattern] + 0.5);
			wrong += rgba[(y * width + x) * 4 + 3] != alpha;
		}
	}
	return wrong;
}

static void coverage_is_that_of_exact_edges(void **state) {
	(void)state;
	const int width = 128, height = 64;
	uint64_t seed = 1;
	for (int wide = 4; wide <= 16; wide *= 2) {
		if (!scene_has_lanes(wide)) {
			continue;
		}
		struct raster *raster = raster_create();
		raster_choose(raster, &(struct raster_choice){6, RASTER_QUEUE, wide});
		for (int i = 0; i < 2000; i++) {
			const int pattern = i % 3;
			const struct points points = random_points(&seed, width, height);
			float positions[9];
			for (int k = 0; k < 3; k++) {
				positions[k * 3] = (float)points.x[k] / 256;
				positions[k * 3 + 1] = (float)points.y[k] / 256;
				positions[k * 3 + 2] = 0.5f;
			}
			struct scene_mesh mesh;
			scene_mesh_init(&mesh, positions, 3, NULL, 0);
			mesh.surface.context = white;
			const struct raster_figure figure = scene_figure(&mesh, width, height);
			assert_true(raster_begin(raster,
				&(struct raster_target){width, height, sample_counts[pattern],
					RASTER_STRAIGHT, {0}},
				NULL));
			assert_true(raster_surfaces(raster, &figure, NULL));
			unsigned char *rgba = scene_read(raster, width, height);
			assert_int_equal(compare(rgba, &points, pattern, width, height), 0);
			free(rgba);
		}
		raster_destroy(raster);
	}
}

/* --- Shared edges --- */

#define GRID 40
#define GRID_VERTICES ((GRID + 1) * (GRID + 1))
#define GRID_TRIANGLES (GRID * GRID * 2)

struct grid {
	float positions[GRID_VERTICES][3];
	uint32_t indices[GRID_TRIANGLES][3];
};

enum jitter { ON_QUARTERS, ON_SAMPLES, ANYWHERE };

/* A grid over more than the picture; its inner corners are moved. far has its outermost ones reach
 * beyond by many pictures. */
static void make_grid(
	struct grid *grid, uint64_t *seed, int width, int height, enum jitter jitter, bool far) {
	for (int i = 0; i < GRID_VERTICES; i++) {
		const int column = i % (GRID + 1), row = i / (GRID + 1);
		const double reach = 0.48 * width / GRID; // so that no triangle turns over
		double x = ((double)column / GRID * 1.2 - 0.1) * width;
		double y = ((double)row / GRID * 1.2 - 0.1) * height;
		x += (scene_random(seed) - 0.5) * reach;
		y += (scene_random(seed) - 0.5) * reach * height / width;
		if (far && (column == 0 || row == 0 || column == GRID || row == GRID)) {
			x += (x - width / 2.0) * 60;
			y += (y - height / 2.0) * 60;
		}
		const double step = jitter == ON_QUARTERS ? 64 : jitter == ON_SAMPLES ? 32 : 1;
		grid->positions[i][0] = (float)(floor(x * 256 / step) * step / 256);
		grid->positions[i][1] = (float)(floor(y * 256 / step) * step / 256);
		grid->positions[i][2] = 0.5f;
	}
	uint32_t(*to)[3] = grid->indices;
	for (uint32_t i = 0; i < GRID * GRID; i++) {
		const uint32_t a = i / GRID * (GRID + 1) + i % GRID, b = a + 1;
		const uint32_t c = a + GRID + 1, d = c + 1;
		const bool falling = scene_random(seed) < 0.5;
		memcpy(to++, falling ? (uint32_t[]){a, b, d} : (uint32_t[]){a, b, c}, sizeof *to);
		memcpy(to++, falling ? (uint32_t[]){a, d, c} : (uint32_t[]){b, d, c}, sizeof *to);
	}
}

static void reverse(struct grid *grid, float (*colors)[4]) {
	for (int i = 0, j = GRID_TRIANGLES - 1; i < j; i++, j--) {
		uint32_t corners[3];
		float color[4];
		memcpy(corners, grid->indices[i], sizeof corners);
		memcpy(grid->indices[i], grid->indices[j], sizeof corners);
		memcpy(grid->indices[j], corners, sizeof corners);
		memcpy(color, colors[i], sizeof color);
		memcpy(colors[i], colors[j], sizeof color);
		memcpy(colors[j], color, sizeof color);
	}
}

static unsigned char *draw_grid(struct raster *raster, const struct grid *grid,
	const float (*colors)[4], int width, int height, int samples) {
	struct scene_mesh mesh;
	scene_mesh_init(
		&mesh, grid->positions[0], GRID_VERTICES, grid->indices[0], GRID_TRIANGLES * 3);
	mesh.surface.shade = scene_by_id;
	mesh.surface.context = colors;
	const struct raster_figure figure = scene_figure(&mesh, width, height);
	assert_true(raster_begin(raster,
		&(struct raster_target){width, height, samples, RASTER_STRAIGHT, {0}}, NULL));
	assert_true(raster_surfaces(raster, &figure, NULL));
	return scene_read(raster, width, height);
}

/* Every sample at least once: no pixel is transparent. At most once: the order does not matter. */
static void shared_edges_are_drawn_once(void **state) {
	(void)state;
	const int width = 256, height = 128;
	struct raster *raster = raster_create();
	struct grid *grid = xcalloc(1, sizeof *grid);
	float(*colors)[4] = xcalloc(GRID_TRIANGLES, sizeof *colors);
	uint64_t seed = 2;
	for (int i = 0; i < 180; i++) {
		make_grid(grid, &seed, width, height, (enum jitter)(i / 3 % 3), i % 5 == 0);
		for (int k = 0; k < GRID_TRIANGLES; k++) {
			for (int c = 0; c < 3; c++) {
				colors[k][c] = (float)scene_random(&seed);
			}
			colors[k][3] = 1;
		}
		unsigned char *one = draw_grid(raster, grid, (const float(*)[4])colors, width,
			height, sample_counts[i % 3]);
		reverse(grid, colors);
		unsigned char *other = draw_grid(raster, grid, (const float(*)[4])colors, width,
			height, sample_counts[i % 3]);
		assert_memory_equal(one, other, (size_t)width * height * 4);
		for (int k = 0; k < width * height; k++) {
			assert_int_equal(one[k * 4 + 3], 255);
		}
		free(one);
		free(other);
	}
	free(colors);
	free(grid);
	raster_destroy(raster);
}

/* --- Order --- */

#define PILE 90

/* Triangles that lie across one another, at few depths, and either side up. */
struct pile {
	struct points points[PILE];
	float positions[PILE * 3][3], colors[PILE][4];
};

static void make_pile(struct pile *pile, uint64_t *seed, int width, int height) {
	for (int i = 0; i < PILE; i++) {
		const float depth = 0.25f * (float)(1 + (int)(scene_random(seed) * 3));
		pile->points[i] = random_points(seed, width, height);
		for (int k = 0; k < 3; k++) {
			pile->positions[i * 3 + k][0] = (float)pile->points[i].x[k] / 256;
			pile->positions[i * 3 + k][1] = (float)pile->points[i].y[k] / 256;
			pile->positions[i * 3 + k][2] = depth;
			pile->colors[i][k] = (float)(i * 97 % 256) / 255;
		}
		pile->colors[i][3] = 1;
	}
}

/* The colour of the nearest triangle at a place; of several, of the last. */
static double nearest_color(const struct pile *pile, int64_t x, int64_t y) {
	double color = 0, nearest = 1;
	for (int i = 0; i < PILE; i++) {
		const double depth = pile->positions[i * 3][2];
		if (depth <= nearest && is_inside(&pile->points[i], x, y)) {
			nearest = depth;
			color = pile->colors[i][0];
		}
	}
	return color;
}

static double mean_color(const struct pile *pile, int pattern, int x, int y) {
	double sum = 0;
	for (int s = 0; s < sample_counts[pattern]; s++) {
		const int *sample = patterns[pattern][s];
		sum += nearest_color(
			pile, x * 256 + 128 + sample[0] * 16, y * 256 + 128 + sample[1] * 16);
	}
	return sum / sample_counts[pattern];
}

static void the_nearest_is_seen_and_of_equals_the_last(void **state) {
	(void)state;
	const int width = 80, height = 48;
	struct raster *raster = raster_create();
	struct pile *pile = xcalloc(1, sizeof *pile);
	uint64_t seed = 3;
	for (int i = 0; i < 36; i++) {
		const int pattern = i % 3;
		const int wide = 4 << i % 3;
		raster_choose(raster,
			&(struct raster_choice){5, RASTER_QUEUE, scene_has_lanes(wide) ? wide : 4});
		make_pile(pile, &seed, width, height);
		struct scene_mesh mesh;
		scene_mesh_init(&mesh, pile->positions[0], PILE * 3, NULL, 0);
		mesh.surface.shade = scene_by_id;
		mesh.surface.context = pile->colors;
		const struct raster_figure figure = scene_figure(&mesh, width, height);
		assert_true(raster_begin(raster,
			&(struct raster_target){
				width, height, sample_counts[pattern], RASTER_PLAIN, {0}},
			NULL));
		assert_true(raster_surfaces(raster, &figure, NULL));
		unsigned char *rgba = scene_read(raster, width, height);
		for (int k = 0; k < width * height; k++) {
			const double mean = mean_color(pile, pattern, k % width, k / width);
			assert_true(fabs(rgba[k * 4] - 255 * mean) <= 0.501);
		}
		free(rgba);
	}
	free(pile);
	raster_destroy(raster);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(coverage_is_that_of_exact_edges),
		cmocka_unit_test(shared_edges_are_drawn_once),
		cmocka_unit_test(the_nearest_is_seen_and_of_equals_the_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
