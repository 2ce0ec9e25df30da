// Points and lines: squares of three pixels, and rectangles one pixel wide.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "raster_scene.h"

#define SIZE 32

static const float white[4] = {1, 1, 1, 1};

static unsigned char *draw(struct raster *raster, enum topology topology, const float *positions,
	int vertex_count, const float *matrix) {
	const struct raster_target target = {SIZE, SIZE, 4, RASTER_STRAIGHT, {0}};
	struct scene_mesh mesh;
	scene_mesh_init(&mesh, positions, vertex_count, NULL, 0);
	mesh.primitive.topology = topology;
	// Neither has a back.
	mesh.surface.one_sided = true;
	mesh.surface.context = white;
	struct raster_figure figure = scene_figure(&mesh, SIZE, SIZE);
	if (matrix) {
		memcpy(figure.view_projection, matrix, sizeof figure.view_projection);
	}
	assert_true(raster_begin(raster, &target, NULL));
	assert_true(raster_surfaces(raster, &figure, NULL));
	return scene_read(raster, SIZE, SIZE);
}

/* Pixels of a rectangle, right and bottom beyond it, are full and all others empty. */
static void assert_rectangle(const unsigned char *rgba, int left, int top, int right, int bottom) {
	for (int i = 0; i < SIZE * SIZE; i++) {
		const int x = i % SIZE, y = i / SIZE;
		const bool inside = x >= left && x < right && y >= top && y < bottom;
		assert_int_equal(rgba[i * 4 + 3], inside ? 255 : 0);
	}
}

static void points_are_squares_of_three_pixels(void **state) {
	(void)state;
	struct raster *raster = raster_create();
	const float place[2][3] = {{10.5f, 7.5f, 0.5f}, {10.5f, 7.5f, 1.5f}};
	unsigned char *rgba = draw(raster, TOPOLOGY_POINTS, place[0], 2, NULL);
	assert_rectangle(rgba, 9, 6, 12, 9);
	free(rgba);
	raster_destroy(raster);
}

static void lines_are_a_pixel_wide(void **state) {
	(void)state;
	struct raster *raster = raster_create();
	const float lines[4][6] = {
		{4, 8.5f, 0.5f, 20, 8.5f, 0.5f},
		{20, 8.5f, 0.5f, 4, 8.5f, 0.5f},
		{8.5f, 4, 0.5f, 8.5f, 20, 0.5f},
		{8.5f, 20, 0.5f, 8.5f, 4, 0.5f},
	};
	for (int i = 0; i < 4; i++) {
		unsigned char *rgba = draw(raster, TOPOLOGY_LINES, lines[i], 2, NULL);
		if (i < 2) {
			assert_rectangle(rgba, 4, 8, 20, 9);
		} else {
			assert_rectangle(rgba, 8, 4, 9, 20);
		}
		free(rgba);
	}
	raster_destroy(raster);
}

/* A slanted line covers as much as it is long, up to samples along its sides; on average just that.
 */
static void slanted_lines_are_as_wide(void **state) {
	(void)state;
	struct raster *raster = raster_create();
	double sum = 0;
	for (int i = 0; i < 20; i++) {
		const double angle = 0.1 + i * 0.3;
		const float line[6] = {16 - 12 * (float)cos(angle), 16 - 12 * (float)sin(angle),
			0.5f, 16 + 12 * (float)cos(angle), 16 + 12 * (float)sin(angle), 0.5f};
		unsigned char *rgba = draw(raster, TOPOLOGY_LINES, line, 2, NULL);
		double area = 0;
		for (int k = 0; k < SIZE * SIZE; k++) {
			area += rgba[k * 4 + 3] / 255.0;
		}
		assert_near(area, 24, 2.5);
		sum += area;
		free(rgba);
	}
	assert_near(sum / 20, 24, 0.5);
	raster_destroy(raster);
}

/* One end is behind the eye, at w = -1: what is left goes on from the near plane to its other end.
 */
static void lines_are_cut_at_the_near_plane(void **state) {
	(void)state;
	struct raster *raster = raster_create();
	// x / w with w = z and near at 0.5, up to 1 at z = 0.5 and 0 at z = 2.
	const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1.5f, 1, 0, 0, -1.25f, 0};
	const float line[6] = {1, 0.03125f, -1, 0, 0.03125f * 2, 2};
	unsigned char *rgba = draw(raster, TOPOLOGY_LINES, line, 2, matrix);
	int left = SIZE, right = -1;
	for (int i = 0; i < SIZE * SIZE; i++) {
		if (rgba[i * 4 + 3]) {
			left = i % SIZE < left ? i % SIZE : left;
			right = i % SIZE > right ? i % SIZE : right;
		}
	}
	assert_in_range(left, 15, 16);
	assert_in_range(right, 30, 31);
	free(rgba);
	raster_destroy(raster);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_are_squares_of_three_pixels),
		cmocka_unit_test(lines_are_a_pixel_wide),
		cmocka_unit_test(slanted_lines_are_as_wide),
		cmocka_unit_test(lines_are_cut_at_the_near_plane),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
