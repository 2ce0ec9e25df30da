// Strokes as capsules of exact geometry: every sample that lies well inside is covered, none
// outside.
#include "raster/strokes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "raster_scene.h"

#define SIZE 64
#define SAMPLES 4

/* Samples so near to an edge may fall on either side: corners lie on 256ths of a pixel. */
#define MARGIN 0.02

/* A half circle is drawn as eight chords: the most that they lie inside of it, of the radius. */
#define SAGITTA (1 - cos(3.14159265358979 / 16))

static float pixel_matrix[16];

static struct strokes_job job_of(int samples) {
	scene_pixel_matrix(SIZE, SIZE, pixel_matrix);
	return (struct strokes_job){.view_projection = pixel_matrix,
		.width = SIZE,
		.height = SIZE,
		.samples = samples,
		.unit = 1,
		.opacity = 1};
}

static struct raster *begin(int samples) {
	const struct raster_target target = {SIZE, SIZE, samples, RASTER_PLAIN, {0}};
	struct raster *raster = raster_create();
	assert_true(raster_begin(raster, &target, NULL));
	return raster;
}

static unsigned char *finish(struct raster *raster) {
	unsigned char *rgba = scene_read(raster, SIZE, SIZE);
	raster_destroy(raster);
	return rgba;
}

static struct stroke random_stroke(uint64_t *seed, bool tapered) {
	struct stroke stroke = {.color = {1, 1, 1, 1}};
	for (int k = 0; k < 2; k++) {
		stroke.start[k] = (float)(scene_random(seed) * SIZE);
		stroke.end[k] = (float)(scene_random(seed) * SIZE);
	}
	stroke.start[2] = stroke.end[2] = 0.5f;
	stroke.start_radius = (float)(0.6 + 7 * scene_random(seed));
	stroke.end_radius = tapered ? (float)(0.6 + 7 * scene_random(seed)) : stroke.start_radius;
	return stroke;
}

/* The distance into a stroke with straight ends; negative outside. */
static double depth_in_box(const struct stroke *s, double x, double y) {
	const double dx = (double)(s->end[0] - s->start[0]), dy = (double)(s->end[1] - s->start[1]);
	const double length = hypot(dx, dy), px = x - (double)s->start[0],
		     py = y - (double)s->start[1];
	const double along = (px * dx + py * dy) / length,
		     across = fabs(px * dy - py * dx) / length;
	const double slope = (double)(s->end_radius - s->start_radius) / length;
	const double side =
		((double)s->start_radius + slope * along - across) / sqrt(1 + slope * slope);
	return fmin(side, fmin(along, length - along));
}

/* The distance to the middle of a stroke. */
static double distance(const struct stroke *s, double x, double y) {
	const double dx = (double)(s->end[0] - s->start[0]), dy = (double)(s->end[1] - s->start[1]);
	const double px = x - (double)s->start[0], py = y - (double)s->start[1];
	const double t = fmin(fmax((px * dx + py * dy) / (dx * dx + dy * dy), 0), 1);
	return hypot(px - t * dx, py - t * dy);
}

/* Holds alpha against how many samples of each pixel are inside, [0, most]. */
typedef double depth_function(const struct stroke *strokes, double x, double y, double *unsure);

static void hold(const unsigned char *rgba, const struct stroke *strokes, depth_function *inside) {
	const uint8_t(*places)[2] = raster_sample_places(SAMPLES);
	int seen = 0;
	for (int i = 0; i < SIZE * SIZE; i++) {
		int least = 0, most = 0;
		for (int s = 0; s < SAMPLES; s++) {
			double unsure = MARGIN;
			const double depth = inside(strokes, i % SIZE + places[s][0] / 256.0,
				(double)(i / SIZE) + places[s][1] / 256.0, &unsure);
			least += depth > unsure;
			most += depth > -MARGIN;
		}
		assert_in_range(rgba[i * 4 + 3], least * 255 / SAMPLES, most * 255 / SAMPLES + 1);
		seen += rgba[i * 4 + 3] > 0;
	}
	assert_true(seen > 0);
}

static double in_box(const struct stroke *strokes, double x, double y, double *unsure) {
	(void)unsure;
	return depth_in_box(strokes, x, y);
}

static void straight_strokes_are_as_wide_as_they_say(void **state) {
	(void)state;
	const struct strokes_job job = job_of(SAMPLES);
	uint64_t seed = 3;
	for (int i = 0; i < 150; i++) {
		const struct stroke stroke = random_stroke(&seed, i % 2);
		struct raster *raster = begin(SAMPLES);
		assert_true(raster_strokes(raster, &job, &stroke, 1, false, NULL));
		unsigned char *rgba = finish(raster);
		hold(rgba, &stroke, in_box);
		free(rgba);
	}
}

static double in_chain(const struct stroke *strokes, double x, double y, double *unsure) {
	const double radius = (double)strokes->start_radius;
	*unsure = MARGIN + SAGITTA * radius;
	return radius - fmin(distance(&strokes[0], x, y), distance(&strokes[1], x, y));
}

/* Two strokes that meet: ends are round, and there is no gap at the joint, whatever the angle. */
static void joints_are_round(void **state) {
	(void)state;
	const struct strokes_job job = job_of(SAMPLES);
	uint64_t seed = 4;
	for (int i = 0; i < 150; i++) {
		struct stroke strokes[2] = {
			random_stroke(&seed, false), random_stroke(&seed, false)};
		memcpy(strokes[1].start, strokes[0].end, sizeof strokes->end);
		strokes[1].start_radius = strokes[1].end_radius = strokes[0].end_radius;
		struct raster *raster = begin(SAMPLES);
		assert_true(raster_strokes(raster, &job, strokes, 2, true, NULL));
		unsigned char *rgba = finish(raster);
		hold(rgba, strokes, in_chain);
		free(rgba);
	}
}

/* Half the width of a line of this radius, from the pixels of a column. */
static double measured(int samples, float radius, double unit) {
	struct strokes_job job = job_of(samples);
	job.unit = unit;
	struct raster *raster = begin(samples);
	double sum = 0;
	// Many lines, none of which lies on pixels as another one does.
	for (int i = 0; i < 10; i++) {
		const float y = 3 + (float)i * 6.1f;
		const struct stroke stroke = {.start = {0, y, 0.5f},
			.end = {SIZE, y, 0.5f},
			.start_radius = radius,
			.end_radius = radius,
			.color = {1, 1, 1, 1}};
		assert_true(raster_strokes(raster, &job, &stroke, 1, false, NULL));
	}
	unsigned char *rgba = finish(raster);
	for (int y = 0; y < SIZE; y++) {
		sum += rgba[(y * SIZE + SIZE / 2) * 4 + 3] / 255.0;
	}
	free(rgba);
	return sum / 10 / 2;
}

static void thin_strokes_are_not_lost(void **state) {
	(void)state;
	assert_near(measured(4, 0.01f, 1), 0.35, 0.06);
	assert_near(measured(1, 0.01f, 1), 0.5, 0.01);
	assert_near(measured(4, 0.5f, 4), 2, 0.03);
}

/* Thin lines of a rig are fainter instead. */
static void thin_edges_are_fainter(void **state) {
	(void)state;
	const struct strokes_job job = job_of(1);
	const float positions[2][3] = {{0, 10.5f, 0.5f}, {SIZE, 10.5f, 0.5f}};
	const uint32_t edge[1][2] = {{0, 1}};
	const struct stroke_style style = {.radius = 0.1, .color = {0.5, 0, 0, 1}};
	struct raster *raster = begin(1);
	assert_true(raster_edges(raster, &job, positions[0], edge, 1, &style, NULL));
	unsigned char *rgba = finish(raster);
	const unsigned char *pixel = rgba + (10 * SIZE + 30) * 4;
	assert_near(pixel[3], 0.1 / 0.5 * 255, 1);
	assert_near(pixel[0], 0.5 * 0.1 / 0.5 * 255, 1);
	free(rgba);
}

static void normals_stand_on_vertices(void **state) {
	(void)state;
	const struct strokes_job job = job_of(SAMPLES);
	const float positions[2][3] = {{10, 12, 0.5f}, {40, 50, 0.5f}};
	const float normals[2][3] = {{0.6f, 0.8f, 0}, {0, -1, 0}};
	const struct stroke_style style = {.radius = 1.5, .color = {1, 1, 1, 1}};
	struct raster *raster = begin(SAMPLES);
	assert_true(raster_normals(raster, &job, positions[0], normals[0], 2, 20, &style, NULL));
	unsigned char *rgba = finish(raster);
	assert_int_equal(rgba[((int)(12 + 0.8 * 10) * SIZE + 10 + 6) * 4 + 3], 255);
	assert_int_equal(rgba[((int)(12 + 0.8 * 22) * SIZE + (int)(10 + 0.6 * 22)) * 4 + 3], 0);
	assert_int_equal(rgba[(35 * SIZE + 40) * 4 + 3], 255);
	assert_int_equal(rgba[(27 * SIZE + 40) * 4 + 3], 0);
	free(rgba);
}

/* Alpha where a stroke crosses a sheet at depth a half, which is drawn first. */
static int over_sheet(float depth, float lift, enum stroke_depth where) {
	static const float red[4] = {1, 0, 0, 1};
	const float corners[4][3] = {
		{0, 0, 0.5f}, {SIZE, 0, 0.5f}, {0, SIZE, 0.5f}, {SIZE, SIZE, 0.5f}};
	const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
	struct strokes_job job = job_of(1);
	struct scene_mesh mesh;
	scene_mesh_init(&mesh, corners[0], 4, indices, 6);
	mesh.surface.context = red;
	const struct raster_figure sheet = scene_figure(&mesh, SIZE, SIZE);
	const struct stroke stroke = {.start = {5, 30, depth},
		.end = {55, 30, depth},
		.start_radius = 4,
		.end_radius = 4,
		.color = {0, 1, 0, 1},
		.lift = lift};
	struct raster *raster = begin(1);
	job.where = where;
	assert_true(raster_surfaces(raster, &sheet, NULL));
	assert_true(raster_strokes(raster, &job, &stroke, 1, true, NULL));
	unsigned char *rgba = finish(raster);
	const int green = rgba[(30 * SIZE + 30) * 4 + 1];
	assert_int_equal(rgba[(30 * SIZE + 30) * 4], 255 - green);
	free(rgba);
	return green;
}

/* A unit of this world is a pixel, and one of depth. */
static void strokes_are_lifted_by_pixels_worth_of_depth(void **state) {
	(void)state;
	for (int behind = 0; behind < 2; behind++) {
		const enum stroke_depth where = behind ? STROKES_BEHIND : STROKES_BEFORE;
		assert_int_equal(over_sheet(0.4f, 0, where), behind ? 0 : 255);
		assert_int_equal(over_sheet(0.6f, 0, where), behind ? 255 : 0);
		assert_int_equal(over_sheet(0.6f, 0.09f, where), behind ? 255 : 0);
		assert_int_equal(over_sheet(0.6f, 0.11f, where), behind ? 0 : 255);
	}
}

/* The end behind the eye is cut off: what is left runs towards the edge of the picture, above the
 * eye's height as the stroke is. */
static void strokes_end_before_the_eye(void **state) {
	(void)state;
	const float perspective[16] = {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2f, 0};
	struct strokes_job job = job_of(SAMPLES);
	job.view_projection = perspective;
	const struct stroke stroke = {.start = {0, 1, -4},
		.end = {0, 1, 40},
		.start_radius = 2,
		.end_radius = 2,
		.color = {1, 1, 1, 1}};
	for (int turned = 0; turned < 3; turned++) {
		struct stroke drawn = stroke;
		memcpy(drawn.start, turned == 1 ? stroke.end : stroke.start, sizeof drawn.start);
		memcpy(drawn.end, turned == 1 ? stroke.start : stroke.end, sizeof drawn.end);
		drawn.start[2] += turned == 2 ? 50 : 0;
		struct raster *raster = begin(SAMPLES);
		assert_true(raster_strokes(raster, &job, &drawn, 1, true, NULL));
		unsigned char *rgba = finish(raster);
		// One unit up at a distance of four is an eighth of the picture above its middle.
		for (int y = 0; y < SIZE; y++) {
			const int alpha = rgba[(y * SIZE + SIZE / 2) * 4 + 3];
			const bool above =
				y<SIZE / 2 - SIZE / 8, below = y> SIZE / 2 - SIZE / 8 + 2;
			assert_int_equal(alpha,
				above && turned < 2            ? 255
					: below || turned == 2 ? 0
							       : alpha);
			assert_int_equal(rgba[(y * SIZE + SIZE / 2 + 5) * 4 + 3], 0);
		}
		free(rgba);
	}
}

static void strokes_to_nowhere_are_not_drawn(void **state) {
	(void)state;
	static const float odd[] = {NAN, -NAN, INFINITY, -INFINITY, 3e38f};
	const struct strokes_job job = job_of(SAMPLES);
	for (int i = 0; i < 5 * 4; i++) {
		struct stroke stroke = {.start = {5, 30, 0.5f},
			.end = {55, 30, 0.5f},
			.start_radius = 4,
			.end_radius = 4,
			.color = {1, 1, 1, 1}};
		(i / 10 ? stroke.start : stroke.end)[i / 5 % 2] = odd[i % 5];
		if (i % 5 == 4) {
			stroke.start[0] = stroke.end[0] = odd[4];
		}
		struct raster *raster = begin(SAMPLES);
		assert_true(raster_strokes(raster, &job, &stroke, 1, true, NULL));
		unsigned char *rgba = finish(raster);
		for (int k = 0; k < SIZE * SIZE * 4; k++) {
			assert_int_equal(rgba[k], 0);
		}
		free(rgba);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(straight_strokes_are_as_wide_as_they_say),
		cmocka_unit_test(joints_are_round),
		cmocka_unit_test(thin_strokes_are_not_lost),
		cmocka_unit_test(thin_edges_are_fainter),
		cmocka_unit_test(normals_stand_on_vertices),
		cmocka_unit_test(strokes_are_lifted_by_pixels_worth_of_depth),
		cmocka_unit_test(strokes_end_before_the_eye),
		cmocka_unit_test(strokes_to_nowhere_are_not_drawn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
