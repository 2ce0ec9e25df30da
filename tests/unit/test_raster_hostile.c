// Meshes that no one would draw: numbers of all kinds, and too much of everything.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "raster_scene.h"

static const float white[4] = {1, 1, 1, 1};

static void begin(struct raster *raster, int width, int height, int samples) {
	const struct raster_target target = {width, height, samples, RASTER_STRAIGHT, {0}};
	assert_true(raster_begin(raster, &target, NULL));
}

/* Draws a mesh in every way that figures can be drawn; the caller frees the bytes. */
static unsigned char *draw(struct raster *raster, struct raster_figure *figure,
	struct raster_surface *surface, int width, int height, int samples) {
	begin(raster, width, height, samples);
	surface->kind = RASTER_OPAQUE;
	assert_true(raster_surfaces(raster, figure, NULL));
	assert_true(raster_translucent(raster, figure, NULL));
	surface->kind = RASTER_BLENDED;
	assert_true(raster_blended(raster, figure, NULL));
	return scene_read(raster, width, height);
}

static bool is_empty(const unsigned char *rgba, size_t bytes) {
	for (size_t i = 0; i < bytes; i++) {
		if (rgba[i]) {
			return false;
		}
	}
	return true;
}

static void nothing_that_is_not_finite_is_drawn(void **state) {
	(void)state;
	const float wrong[] = {NAN, -NAN, INFINITY, -INFINITY};
	struct raster *raster = raster_create();
	for (int i = 0; i < 4 * 9; i++) {
		float positions[9] = {2, 2, 0.5f, 30, 2, 0.5f, 2, 30, 0.5f};
		positions[i / 4] = wrong[i % 4];
		struct scene_mesh mesh;
		scene_mesh_init(&mesh, positions, 3, NULL, 0);
		mesh.surface.context = white;
		struct raster_figure figure = scene_figure(&mesh, 32, 32);
		unsigned char *rgba = draw(raster, &figure, &mesh.surface, 32, 32, 4);
		assert_true(is_empty(rgba, 32 * 32 * 4));
		free(rgba);
	}
	raster_destroy(raster);
}

/* Any numbers, in positions, in the matrix, and in what is mixed. */
static void any_numbers_are_drawn_somehow(void **state) {
	(void)state;
	const float odd[] = {0, -0.0f, 1, -1, 1e38f, -1e38f, 3e38f, FLT_MIN, -FLT_MIN, 1e-45f,
		1e-20f, 1e20f, 16384, -16384, NAN, INFINITY, -INFINITY, 0.5f, 255.99f, 1e9f};
	struct raster *raster = raster_create();
	uint64_t seed = 21;
	float positions[60][3], normals[60][3], colors[60][4], texcoords[60][2];
	for (int i = 0; i < 4000; i++) {
		float *all[] = {positions[0], normals[0], colors[0], texcoords[0]};
		const int counts[] = {180, 180, 240, 120};
		for (int k = 0; k < 4; k++) {
			for (int n = 0; n < counts[k]; n++) {
				all[k][n] = scene_random(&seed) < 0.5
					? (float)(scene_random(&seed) * 40 - 4)
					: odd[(int)(scene_random(&seed) * 20)];
			}
		}
		struct scene_mesh mesh;
		scene_mesh_init(&mesh, positions[0], 60, NULL, 0);
		mesh.primitive.topology = (enum topology)(i % 3);
		mesh.rig.normals = normals[0];
		mesh.rig.colors = colors[0];
		mesh.rig.texcoords[0] = mesh.rig.texcoords[1] = texcoords[0];
		mesh.surface.context = white;
		struct raster_figure figure = scene_figure(&mesh, 32, 16);
		figure.wants_positions = true;
		for (int n = 0; i % 2 && n < 16; n++) {
			if (scene_random(&seed) < 0.3) {
				figure.view_projection[n] = odd[(int)(scene_random(&seed) * 20)];
			}
		}
		free(draw(raster, &figure, &mesh.surface, 32, 16, i % 2 ? 4 : 8));
	}
	raster_destroy(raster);
}

static void corners_in_one_place_cover_nothing(void **state) {
	(void)state;
	struct raster *raster = raster_create();
	const float same[9] = {5, 5, 0.5f, 5, 5, 0.5f, 5, 5, 0.5f};
	const float line[9] = {5, 5, 0.5f, 9, 9, 0.5f, 13, 13, 0.5f};
	const float *meshes[] = {same, line};
	for (int i = 0; i < 2; i++) {
		struct scene_mesh mesh;
		scene_mesh_init(&mesh, meshes[i], 3, NULL, 0);
		mesh.surface.context = white;
		struct raster_figure figure = scene_figure(&mesh, 32, 32);
		unsigned char *rgba = draw(raster, &figure, &mesh.surface, 32, 32, 8);
		assert_true(is_empty(rgba, 32 * 32 * 4));
		free(rgba);
	}
	raster_destroy(raster);
}

/* w = 0 in all corners, and behind the eye. */
static void nothing_is_seen_without_w(void **state) {
	(void)state;
	struct raster *raster = raster_create();
	const float positions[9] = {2, 2, 0.5f, 30, 2, 0.5f, 2, 30, 0.5f};
	for (int i = 0; i < 2; i++) {
		struct scene_mesh mesh;
		scene_mesh_init(&mesh, positions, 3, NULL, 0);
		mesh.surface.context = white;
		struct raster_figure figure = scene_figure(&mesh, 32, 32);
		figure.view_projection[15] = i == 0 ? 0 : -1;
		unsigned char *rgba = draw(raster, &figure, &mesh.surface, 32, 32, 4);
		assert_true(is_empty(rgba, 32 * 32 * 4));
		free(rgba);
	}
	raster_destroy(raster);
}

/* The last one is seen, as all are at one depth. */
static void a_million_triangles_share_a_pixel(void **state) {
	(void)state;
	const int count = 1000000;
	const float positions[9] = {5, 5, 0.5f, 6, 5, 0.5f, 5, 6, 0.5f};
	struct raster *raster = raster_create();
	uint32_t *indices = xcalloc((size_t)count * 3, sizeof *indices);
	for (int i = 0; i < count * 3; i++) {
		indices[i] = (uint32_t)i % 3;
	}
	struct scene_mesh mesh;
	scene_mesh_init(&mesh, positions, 3, indices, count * 3);
	mesh.surface.shade = scene_ids;
	struct raster_figure figure = scene_figure(&mesh, 64, 64);
	const struct raster_target target = {64, 64, 4, RASTER_PLAIN, {0}};
	assert_true(raster_begin(raster, &target, NULL));
	assert_true(raster_surfaces(raster, &figure, NULL));
	unsigned char *rgba = scene_read(raster, 64, 64);
	// Two of the four samples, averaged with nothing.
	const uint32_t last = (uint32_t)count - 1;
	const unsigned char *pixel = rgba + (5 * 64 + 5) * 4;
	assert_int_equal(pixel[3], 128);
	assert_near(pixel[0], (double)(last >> 16) / 2, 1);
	assert_near(pixel[1], (double)(last >> 8 & 255) / 2, 1);
	assert_near(pixel[2], (double)(last & 255) / 2, 1);
	free(rgba);
	free(indices);
	raster_destroy(raster);
}

/* One triangle, and then many, over every tile of a large picture. */
static void triangles_may_be_in_all_tiles(void **state) {
	(void)state;
	const int size = 4096, count = 30000;
	const float positions[9] = {-100, -100, 0.5f, 9000, -100, 0.5f, -100, 9000, 0.5f};
	struct raster *raster = raster_create();
	uint32_t *indices = xcalloc((size_t)count * 3, sizeof *indices);
	for (int i = 0; i < count * 3; i++) {
		indices[i] = (uint32_t)i % 3;
	}
	for (int k = 0; k < 2; k++) {
		struct scene_mesh mesh;
		scene_mesh_init(&mesh, positions, 3, indices, k == 0 ? 3 : count * 3);
		mesh.surface.context = white;
		const struct raster_figure figure = scene_figure(&mesh, size, size);
		unsigned char rgba[64 * 4];
		begin(raster, size, size, 4);
		assert_true(raster_surfaces(raster, &figure, NULL));
		for (int i = 0; i < (k == 0 ? 50 : 2); i++) {
			raster_read(raster, &(struct raster_area){i * 80, i * 80, 8, 8}, rgba);
			for (int n = 0; n < 64; n++) {
				assert_int_equal(rgba[n * 4 + 3], 255);
			}
		}
	}
	free(indices);
	raster_destroy(raster);
}

static void pictures_of_odd_sizes_are_filled(void **state) {
	(void)state;
	const int sizes[][2] = {{1, 1}, {4096, 1}, {1, 4096}, {8192, 3}, {3, 5}, {65, 63}};
	const float positions[9] = {-90, -90, 0.5f, 30000, -90, 0.5f, -90, 30000, 0.5f};
	struct raster *raster = raster_create();
	for (int i = 0; i < 6; i++) {
		for (int samples = 1; samples <= 8; samples = samples == 1 ? 4 : samples * 2) {
			const int width = sizes[i][0], height = sizes[i][1];
			struct scene_mesh mesh;
			scene_mesh_init(&mesh, positions, 3, NULL, 0);
			mesh.surface.context = white;
			struct raster_figure figure = scene_figure(&mesh, width, height);
			unsigned char *rgba =
				draw(raster, &figure, &mesh.surface, width, height, samples);
			for (int n = 0; n < width * height * 4; n++) {
				assert_int_equal(rgba[n], 255);
			}
			free(rgba);
		}
	}
	raster_destroy(raster);
}

/* Flat triangles at the ends of the grid. */
static void flat_triangles_reach_the_guard_band(void **state) {
	(void)state;
	const int32_t far = RASTER_GUARD;
	const struct raster_flat_triangle flats[] = {
		{{-far, far, -far}, {-far, -far, far}, {0.5f, 0.5f, 0.5f}, {1, 1, 1, 1}},
		{{far, far, -far}, {-far, far, far}, {0.5f, 0.5f, 0.5f}, {1, 1, 1, 1}},
		{{0, 0, 0}, {0, 0, 0}, {NAN, INFINITY, -INFINITY}, {NAN, 0, 0, 1}},
		{{0, 2560, 0}, {0, 0, 2560}, {NAN, NAN, NAN}, {0, 0, 0, 1}},
	};
	struct raster *raster = raster_create();
	for (int samples = 1; samples <= 8; samples = samples == 1 ? 4 : samples * 2) {
		begin(raster, 64, 64, samples);
		assert_true(raster_flat(raster, &(struct raster_flats){flats, 4, false}, NULL));
		unsigned char *rgba = scene_read(raster, 64, 64);
		for (int n = 0; n < 64 * 64 * 4; n++) {
			assert_int_equal(rgba[n], 255);
		}
		free(rgba);
	}
	raster_destroy(raster);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_that_is_not_finite_is_drawn),
		cmocka_unit_test(any_numbers_are_drawn_somehow),
		cmocka_unit_test(corners_in_one_place_cover_nothing),
		cmocka_unit_test(nothing_is_seen_without_w),
		cmocka_unit_test(a_million_triangles_share_a_pixel),
		cmocka_unit_test(triangles_may_be_in_all_tiles),
		cmocka_unit_test(pictures_of_odd_sizes_are_filled),
		cmocka_unit_test(flat_triangles_reach_the_guard_band),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
