// Visible triangles and depths against rays in double: figures before the eye, around it, and
// through the near plane.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "raster_scene.h"

#define WIDTH 64
#define HEIGHT 48

struct soup {
	float (*positions)[3];
	int count; // triangles
	float matrix[16];
};

/* --- Rays --- */

/* A triangle's edge functions over the picture in homogeneous coordinates: weights of its corners,
 * up to a common factor, are row . (x, y, 1) with x and y in clip space at w = 1. No clipping is
 * needed: what is behind the eye has a negative w. */
struct ray_triangle {
	double rows[3][3];
	double z[3], w[3];
};

static void transform(const struct soup *soup, const float p[static 3], double out[static 4]) {
	for (int i = 0; i < 4; i++) {
		out[i] = (double)soup->matrix[12 + i];
		for (int k = 0; k < 3; k++) {
			out[i] += (double)soup->matrix[k * 4 + i] * (double)p[k];
		}
	}
}

static struct ray_triangle *make_rays(const struct soup *soup) {
	struct ray_triangle *rays = xcalloc((size_t)soup->count, sizeof *rays);
	for (int i = 0; i < soup->count; i++) {
		double c[3][4];
		for (int k = 0; k < 3; k++) {
			transform(soup, soup->positions[i * 3 + k], c[k]);
			rays[i].z[k] = c[k][2];
			rays[i].w[k] = c[k][3];
		}
		double det = 0;
		for (int k = 0; k < 3; k++) {
			const double *b = c[(k + 1) % 3], *d = c[(k + 2) % 3];
			rays[i].rows[k][0] = b[1] * d[3] - b[3] * d[1];
			rays[i].rows[k][1] = b[3] * d[0] - b[0] * d[3];
			rays[i].rows[k][2] = b[0] * d[1] - b[1] * d[0];
			det += c[k][0] * rays[i].rows[k][0] / 3 + c[k][1] * rays[i].rows[k][1] / 3 +
				c[k][3] * rays[i].rows[k][2] / 3;
		}
		for (int k = 0; k < 9; k++) {
			rays[i].rows[k / 3][k % 3] /= det == 0 ? 1 : det;
		}
	}
	return rays;
}

/* The depth z / w where a ray meets a triangle between the planes; infinite if it does not. */
static double meet(const struct ray_triangle *t, double x, double y) {
	double sum = 0, z = 0, w = 0;
	for (int k = 0; k < 3; k++) {
		const double weight = t->rows[k][0] * x + t->rows[k][1] * y + t->rows[k][2];
		if (!(weight >= 0)) {
			return INFINITY;
		}
		sum += weight;
		z += weight * t->z[k];
		w += weight * t->w[k];
	}
	return sum > 0 && w > 0 && z >= -w && z <= w ? z / w : INFINITY;
}

/* The triangle that a ray through a place in pixels meets first, -1 = none. */
static int nearest(const struct soup *soup, const struct ray_triangle *rays, double x, double y,
	double *depth) {
	int found = -1;
	*depth = INFINITY;
	for (int i = 0; i < soup->count; i++) {
		const double at = meet(&rays[i], x * 2 / WIDTH - 1, y * 2 / HEIGHT - 1);
		if (at < INFINITY && at <= *depth) {
			*depth = at;
			found = i;
		}
	}
	return found;
}

/* True when a ray as near as corners are moved by the grid finds the same, or when both are as far.
 */
static bool is_near_miss(
	const struct soup *soup, const struct ray_triangle *rays, double x, double y, int found) {
	double first, depth;
	nearest(soup, rays, x, y, &first);
	const double own =
		found < 0 ? INFINITY : meet(&rays[found], x * 2 / WIDTH - 1, y * 2 / HEIGHT - 1);
	if (fabs(own - first) < 2e-4) {
		return true;
	}
	for (int i = 0; i < 16; i++) {
		const double angle = i * 0.3926990817, reach = i % 2 ? 1 / 256.0 : 1 / 100.0;
		if (nearest(soup, rays, x + cos(angle) * reach, y + sin(angle) * reach, &depth) ==
			found) {
			return true;
		}
	}
	return false;
}

struct misses {
	int all, wrong, samples;
};

static void compare(struct raster *raster, const struct soup *soup, struct misses *misses) {
	struct scene_mesh mesh;
	scene_mesh_init(&mesh, soup->positions[0], soup->count * 3, NULL, 0);
	mesh.surface.shade = scene_ids;
	struct raster_figure figure = scene_figure(&mesh, WIDTH, HEIGHT);
	memcpy(figure.view_projection, soup->matrix, sizeof soup->matrix);
	const struct raster_target target = {WIDTH, HEIGHT, 1, RASTER_PLAIN, {0}};
	assert_true(raster_begin(raster, &target, NULL));
	assert_true(raster_surfaces(raster, &figure, NULL));
	unsigned char *rgba = scene_read(raster, WIDTH, HEIGHT);
	struct ray_triangle *rays = make_rays(soup);
	for (int i = 0; i < WIDTH * HEIGHT; i++) {
		const double x = i % WIDTH + 0.5, y = i / WIDTH + 0.5;
		double depth;
		const int want = nearest(soup, rays, x, y, &depth);
		const int found = scene_id_of(rgba + i * 4);
		assert_in_range(found + 1, 0, soup->count);
		misses->samples++;
		if (found != want) {
			misses->all++;
			misses->wrong += !is_near_miss(soup, rays, x, y, found);
		}
	}
	free(rays);
	free(rgba);
}

/* --- Scenes --- */

/* Perspective times rotation about the vertical, times a move along the view. */
static void set_camera(struct soup *soup, double turn, double distance, double near, double far) {
	const double c = cos(turn), s = sin(turn);
	const double a = (far + near) / (near - far), b = 2 * far * near / (near - far);
	const double view[3][3] = {{c, 0, s}, {0, 1, 0}, {-s, 0, c}};
	for (int k = 0; k < 3; k++) {
		soup->matrix[k * 4] = (float)(1.2 * view[0][k]);
		soup->matrix[k * 4 + 1] = (float)(-1.6 * view[1][k]);
		soup->matrix[k * 4 + 2] = (float)(a * view[2][k]);
		soup->matrix[k * 4 + 3] = (float)-view[2][k];
	}
	soup->matrix[12] = soup->matrix[13] = 0;
	soup->matrix[14] = (float)(-a * distance + b);
	soup->matrix[15] = (float)distance;
}

#define RINGS 8
#define SEGMENTS 10

static void sphere_point(int ring, int segment, float out[static 3]) {
	const double up = 3.14159265 * ring / RINGS, round = 6.2831853 * segment / SEGMENTS + 0.1;
	out[0] = (float)(sin(up) * cos(round));
	out[1] = (float)cos(up);
	out[2] = (float)(sin(up) * sin(round));
}

/* A ball of radius 1 on a floor that reaches far beyond the guard band and behind the eye. */
static void make_ball(struct soup *soup) {
	const float floor[6][3] = {{-9e3f, -1.1f, -9e3f}, {9e3f, -1.1f, -9e3f}, {9e3f, -1.1f, 9e3f},
		{-9e3f, -1.1f, -9e3f}, {9e3f, -1.1f, 9e3f}, {-9e3f, -1.1f, 9e3f}};
	soup->positions = xcalloc((RINGS * SEGMENTS * 2 + 2) * 3, sizeof *soup->positions);
	float(*to)[3] = soup->positions;
	for (int ring = 0; ring < RINGS; ring++) {
		for (int segment = 0; segment < SEGMENTS; segment++) {
			const int corners[6][2] = {{0, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 1}, {1, 0}};
			for (int k = 0; k < 6; k++) {
				sphere_point(ring + corners[k][0],
					(segment + corners[k][1]) % SEGMENTS, *to++);
			}
		}
	}
	memcpy(to, floor, sizeof floor);
	soup->count = RINGS * SEGMENTS * 2 + 2;
}

/* The eye goes from before the ball through it, and out at its back. */
static void cameras_pass_through_the_near_plane(void **state) {
	(void)state;
	struct raster *raster = raster_create();
	struct soup soup;
	struct misses misses = {0};
	make_ball(&soup);
	for (int i = 0; i < 1000; i++) {
		set_camera(&soup, i * 0.02, 2 - 3.5 * i / 1000, 0.05 + 0.2 * (i % 3), 40);
		compare(raster, &soup, &misses);
	}
	print_message("%d of %d samples beside an edge\n", misses.all, misses.samples);
	assert_int_equal(misses.wrong, 0);
	assert_true(misses.all < misses.samples / 1000);
	free(soup.positions);
	raster_destroy(raster);
}

static void every_visible_triangle_has_its_number(void **state) {
	(void)state;
	struct raster *raster = raster_create();
	struct soup soup = {.count = 150};
	struct misses misses = {0};
	uint64_t seed = 11;
	soup.positions = xcalloc((size_t)soup.count * 3, sizeof *soup.positions);
	for (int i = 0; i < 150; i++) {
		for (int k = 0; k < soup.count * 3; k++) {
			const double size = k / 3 % 5 == 0 ? 2 : 0.3;
			for (int c = 0; c < 3; c++) {
				const double from =
					k % 3 == 0 ? 0 : (double)soup.positions[k - k % 3][c];
				const double reach = k % 3 == 0 ? 1.2 : size;
				soup.positions[k][c] =
					(float)(from + reach * (2 * scene_random(&seed) - 1));
			}
		}
		set_camera(&soup, scene_random(&seed) * 7, 3.5 + scene_random(&seed), 0.5, 20);
		compare(raster, &soup, &misses);
	}
	print_message("%d of %d samples beside an edge\n", misses.all, misses.samples);
	assert_int_equal(misses.wrong, 0);
	assert_true(misses.all < misses.samples / 200);
	free(soup.positions);
	raster_destroy(raster);
}

/* Corners up to four times as far away as the guard band, seen along parallel lines. */
static void triangles_reach_beyond_the_guard_band(void **state) {
	(void)state;
	struct raster *raster = raster_create();
	struct soup soup = {.count = 20};
	struct misses misses = {0};
	uint64_t seed = 13;
	soup.positions = xcalloc((size_t)soup.count * 3, sizeof *soup.positions);
	scene_pixel_matrix(WIDTH, HEIGHT, soup.matrix);
	for (int i = 0; i < 300; i++) {
		for (int k = 0; k < soup.count * 3; k++) {
			const double reach = i % 2 ? 60000 : 3000;
			soup.positions[k][0] = (float)(reach * (2 * scene_random(&seed) - 1));
			soup.positions[k][1] = (float)(reach * (2 * scene_random(&seed) - 1));
			soup.positions[k][2] = (float)(k / 3) / 32;
		}
		compare(raster, &soup, &misses);
	}
	print_message("%d of %d samples beside an edge\n", misses.all, misses.samples);
	assert_int_equal(misses.wrong, 0);
	assert_true(misses.all < misses.samples / 1000);
	free(soup.positions);
	raster_destroy(raster);
}

/* --- Depth --- */

/* Where rays meet the plane of an outline's corners. */
static double depth_at(const struct raster_outline *o, double x, double y) {
	const double bx = o->x[1] - o->x[0], by = o->y[1] - o->y[0];
	const double cx = o->x[2] - o->x[0], cy = o->y[2] - o->y[0];
	const double area = bx * cy - cx * by, dx = x - o->x[0], dy = y - o->y[0];
	const double b = (dx * cy - cx * dy) / area, c = (bx * dy - dx * by) / area;
	return (double)o->depth[0] + b * (double)(o->depth[1] - o->depth[0]) +
		c * (double)(o->depth[2] - o->depth[0]);
}

/* Depths that are handed on, of all samples of a block. */
struct depths {
	const struct raster_outline *outline;
	bool sliver;
	double worst; // in units of the last place below 1
	int count;
};

static void compare_depths(void *context, uint32_t triangle, const struct raster_covered *covered) {
	struct depths *depths = context;
	(void)triangle;
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		const int x = covered->block % 16 * 4 + i % 4, y = covered->block / 16 * 2 + i / 4;
		for (int s = 0; s < 4; s++) {
			if (!(covered->pixels[i] >> s & 1)) {
				continue;
			}
			const uint8_t *place = raster_sample_places(4)[s];
			const double want =
				depth_at(depths->outline, x * 256 + place[0], y * 256 + place[1]);
			const double off = fabs((double)covered->depths[s][i] - want) / 0x1p-24;
			const float *corners = depths->outline->depth,
				    found = covered->depths[s][i];
			assert_true(found >= fminf(corners[0], fminf(corners[1], corners[2])));
			assert_true(found <= fmaxf(corners[0], fmaxf(corners[1], corners[2])));
			if (!depths->sliver) {
				depths->worst = fmax(depths->worst, off);
				depths->count++;
			}
		}
	}
}

/* Depth changes so fast across slivers that float32 has fewer digits; it is held between those of
 * their corners. */
static bool is_sliver(const struct raster_outline *o) {
	double longest = 0;
	for (int i = 0; i < 3; i++) {
		longest = fmax(
			longest, hypot(o->x[(i + 1) % 3] - o->x[i], o->y[(i + 1) % 3] - o->y[i]));
	}
	return fabs((double)raster_area(o)) < longest * longest / 6;
}

static void depths_are_those_of_rays(void **state) {
	(void)state;
	uint8_t blocks[512];
	struct raster_tile tile = {.width = 64,
		.height = 64,
		.column_shift = 4,
		.samples = 4,
		.blocks = blocks,
		.depths = xcalloc(64 * 64 * 4, sizeof(float))};
	struct depths depths = {0};
	uint64_t seed = 12;
	for (int i = 0; i < 20000; i++) {
		struct raster_outline outline = {.right = 63, .bottom = 63};
		for (int k = 0; k < 3; k++) {
			const double reach = i % 3 == 0 ? 64 : i % 3 == 1 ? 12 : 0.1;
			outline.x[k] = (int32_t)(256 * reach * scene_random(&seed));
			outline.y[k] = (int32_t)(256 * reach * scene_random(&seed));
			outline.depth[k] = (float)(0.9 + 0.1 * scene_random(&seed));
			// The smallest lie around the first sample of a pixel far from the origin.
			outline.x[k] += i % 3 == 2 ? 60 * 256 + 96 - 12 : 0;
			outline.y[k] += i % 3 == 2 ? 60 * 256 + 32 - 12 : 0;
		}
		if (raster_area(&outline) == 0) {
			continue;
		}
		depths.outline = &outline;
		depths.sliver = is_sliver(&outline);
		memset(blocks, 0, sizeof blocks);
		const struct raster_cover_job job = {
			.tile = &tile,
			.outlines = &outline,
			.list = &(uint32_t){0},
			.count = 1,
			.visit = compare_depths,
			.context = &depths,
		};
		raster_cover(&job);
	}
	assert_true(depths.count > 1000000);
	print_message("%d depths, %.2f ulp\n", depths.count, depths.worst);
	assert_true(depths.worst <= 4);
	free(tile.depths);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cameras_pass_through_the_near_plane),
		cmocka_unit_test(every_visible_triangle_has_its_number),
		cmocka_unit_test(triangles_reach_beyond_the_guard_band),
		cmocka_unit_test(depths_are_those_of_rays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
