// What is blended, cut out and drawn over: commands of a picture against sums in double.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/srgb.h"
#include "check.h"
#include "raster_scene.h"

#define SIZE 16
#define SHEETS 12

static const float white[4] = {1, 1, 1, 1};
static const float black[4] = {0, 0, 0, 1};

static struct raster_target target_of(enum raster_encoding encoding, const float color[static 4]) {
	struct raster_target target = {SIZE, SIZE, 4, encoding, {0}};
	memcpy(target.background, color, sizeof target.background);
	return target;
}

/* --- Sheets over the whole picture --- */

struct sheets {
	float positions[SHEETS * 4][3];
	uint32_t indices[SHEETS * 2][3];
	float colors[SHEETS * 2][4];
	struct scene_mesh mesh;
};

/* Sheets at depths from 0.1 on, each with a colour of its own, in a random order of the file. */
static void make_sheets(struct sheets *sheets, int count, double alpha, uint64_t *seed) {
	int order[SHEETS];
	for (int i = 0; i < count; i++) {
		const int other = (int)(scene_random(seed) * (i + 1));
		order[i] = order[other];
		order[other] = i;
	}
	for (int i = 0; i < count; i++) {
		const float depth = 0.1f + 0.05f * (float)order[i];
		for (int k = 0; k < 4; k++) {
			float *at = sheets->positions[i * 4 + k];
			at[0] = k == 0 || k == 3 ? -8 : SIZE + 8;
			at[1] = k < 2 ? -8 : SIZE + 8;
			at[2] = depth;
		}
		const uint32_t a = (uint32_t)i * 4;
		memcpy(sheets->indices[i * 2], (uint32_t[]){a, a + 1, a + 2}, 12);
		memcpy(sheets->indices[i * 2 + 1], (uint32_t[]){a, a + 2, a + 3}, 12);
		for (int c = 0; c < 4; c++) {
			const double light = 0.1 + 0.08 * ((order[i] * 7 + c * 3) % 11);
			sheets->colors[i * 2][c] = (float)(c == 3 ? alpha : alpha * light);
		}
		memcpy(sheets->colors[i * 2 + 1], sheets->colors[i * 2], 16);
	}
	scene_mesh_init(
		&sheets->mesh, sheets->positions[0], count * 4, sheets->indices[0], count * 6);
	sheets->mesh.surface = (struct raster_surface){
		.kind = RASTER_BLENDED, .shade = scene_by_id, .context = sheets->colors};
}

/* The colour of all sheets of a rank, nearest first or, seen from the other side, last. */
static void blend_exactly(const struct sheets *sheets, int count, bool from_behind, double out[4]) {
	memset(out, 0, 4 * sizeof *out);
	for (int rank = 0; rank < count; rank++) {
		const double depth = 0.1f + 0.05f * (float)(from_behind ? rank : count - 1 - rank);
		for (int i = 0; i < count; i++) {
			if (fabs((double)sheets->positions[i * 4][2] - depth) > 0.01) {
				continue;
			}
			const float *color = sheets->colors[i * 2];
			for (int c = 0; c < 4; c++) {
				out[c] = (double)color[c] + (1 - (double)color[3]) * out[c];
			}
		}
	}
}

static void draw_sheets(struct raster *raster, const struct sheets *sheets, bool from_behind,
	unsigned char rgba[static 4]) {
	const struct raster_target target = target_of(RASTER_STRAIGHT, (float[4]){0});
	struct raster_figure figure = scene_figure(&sheets->mesh, SIZE, SIZE);
	if (from_behind) {
		figure.view_projection[10] = -2;
		figure.view_projection[14] = 1;
		figure.back[2] = 1;
	}
	assert_true(raster_begin(raster, &target, NULL));
	assert_true(raster_blended(raster, &figure, NULL));
	unsigned char *all = scene_read(raster, SIZE, SIZE);
	for (int i = 1; i < SIZE * SIZE; i++) {
		assert_memory_equal(all, all + (size_t)i * 4, 4);
	}
	memcpy(rgba, all, 4);
	free(all);
}

static void stacks_of_sheets_add_up(void **state) {
	(void)state;
	struct raster *raster = raster_create();
	struct sheets *sheets = xcalloc(1, sizeof *sheets);
	uint64_t seed = 3;
	for (int i = 0; i < 200; i++) {
		const int count = 1 + i % SHEETS;
		const double alpha = 0.05 + 0.9 * scene_random(&seed);
		make_sheets(sheets, count, alpha, &seed);
		for (int side = 0; side < 2; side++) {
			unsigned char rgba[4];
			double want[4];
			draw_sheets(raster, sheets, side == 1, rgba);
			blend_exactly(sheets, count, side == 1, want);
			assert_near(rgba[3] / 255.0, 1 - pow(1 - alpha, count), 1 / 255.0);
			for (int c = 0; c < 3; c++) {
				assert_near(rgba[c] / 255.0, srgb_from_linear(want[c] / want[3]),
					1 / 255.0);
			}
		}
	}
	free(sheets);
	raster_destroy(raster);
}

/* --- Two sheets, and what each command makes of them --- */

struct sheet {
	float positions[4][3];
	struct scene_mesh mesh;
};

static const uint32_t square[6] = {0, 1, 2, 0, 2, 3};

/* A square of the picture, [from, to) pixels to the right, over all its height. */
static void make_sheet(
	struct sheet *sheet, float from, float to, float depth, const float color[static 4]) {
	const float x[4] = {from, to, to, from}, y[4] = {0, 0, SIZE, SIZE};
	for (int i = 0; i < 4; i++) {
		memcpy(sheet->positions[i], (float[]){x[i], y[i], depth}, 12);
	}
	scene_mesh_init(&sheet->mesh, sheet->positions[0], 4, square, 6);
	sheet->mesh.surface.context = color;
}

typedef bool add(struct raster *, const struct raster_figure *, struct error *);

static void add_sheet(struct raster *raster, struct sheet *sheet, add *how) {
	sheet->mesh.surface.kind = how == raster_blended ? RASTER_BLENDED : RASTER_OPAQUE;
	const struct raster_figure figure = scene_figure(&sheet->mesh, SIZE, SIZE);
	assert_true(how(raster, &figure, NULL));
}

static void assert_pixel(const unsigned char *rgba, int x, const int want[static 4]) {
	const unsigned char *pixel = rgba + (SIZE * 3 + x) * 4;
	for (int c = 0; c < 4; c++) {
		assert_near(pixel[c], want[c], 1);
	}
}

/* Numbers of a plain target: no curve between what is drawn and what is read. */
static struct raster *begin_plain(const float color[static 4]) {
	struct raster *raster = raster_create();
	const struct raster_target target = target_of(RASTER_PLAIN, color);
	assert_true(raster_begin(raster, &target, NULL));
	return raster;
}

static void blended_sheets_behind_opaque_ones_are_hidden(void **state) {
	(void)state;
	const float half_red[4] = {0.5f, 0, 0, 0.5f};
	struct raster *raster = begin_plain(black);
	struct sheet opaque, before, behind;
	make_sheet(&opaque, 0, 8, 0.5f, white);
	make_sheet(&before, 0, 4, 0.4f, half_red);
	make_sheet(&behind, 4, 12, 0.6f, half_red);
	add_sheet(raster, &opaque, raster_surfaces);
	add_sheet(raster, &behind, raster_blended);
	add_sheet(raster, &before, raster_blended);
	unsigned char *rgba = scene_read(raster, SIZE, SIZE);
	assert_pixel(rgba, 2, (int[]){255, 128, 128, 255});
	assert_pixel(rgba, 6, (int[]){255, 255, 255, 255});
	assert_pixel(rgba, 10, (int[]){128, 0, 0, 255});
	assert_pixel(rgba, 14, (int[]){0, 0, 0, 255});
	free(rgba);
	raster_destroy(raster);
}

static void translucent_figures_show_their_nearest_surface_only(void **state) {
	(void)state;
	static const float half[2][4] = {{0.5f, 0, 0, 0.5f}, {0, 0.5f, 0, 0.5f}};
	struct raster *raster = begin_plain(black);
	float positions[8][3];
	const uint32_t indices[12] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
	struct sheet near, far;
	struct scene_mesh both;
	float colors[4][4];
	make_sheet(&near, 0, 8, 0.4f, half[0]);
	make_sheet(&far, 4, 16, 0.5f, half[1]);
	memcpy(positions, near.positions, sizeof near.positions);
	memcpy(positions + 4, far.positions, sizeof far.positions);
	for (int i = 0; i < 4; i++) {
		memcpy(colors[i], half[i / 2], 16);
	}
	scene_mesh_init(&both, positions[0], 8, indices, 12);
	both.surface = (struct raster_surface){
		.kind = RASTER_OPAQUE, .shade = scene_by_id, .context = colors};
	const struct raster_figure figure = scene_figure(&both, SIZE, SIZE);
	assert_true(raster_translucent(raster, &figure, NULL));
	unsigned char *rgba = scene_read(raster, SIZE, SIZE);
	assert_pixel(rgba, 2, (int[]){128, 0, 0, 255});
	assert_pixel(rgba, 6, (int[]){128, 0, 0, 255});
	assert_pixel(rgba, 10, (int[]){0, 128, 0, 255});
	free(rgba);
	raster_destroy(raster);
}

/* The farther primitive leaves fewer fragments than are shaded at once, the nearer one more. */
static void primitives_are_blended_in_their_order(void **state) {
	(void)state;
	static const float half[2][4] = {{0, 0.5f, 0, 0.5f}, {0.5f, 0, 0, 0.5f}};
	struct raster *raster = begin_plain(black);
	float positions[8][3];
	struct sheet near, far;
	struct scene_mesh both;
	make_sheet(&near, 0, SIZE, 0.4f, half[0]);
	make_sheet(&far, 2, 4, 0.5f, half[1]);
	memcpy(positions, near.positions, sizeof near.positions);
	memcpy(positions + 4, far.positions, sizeof far.positions);
	scene_mesh_init(&both, positions[0], 8, square, 6);
	struct primitive primitives[2] = {both.primitive, both.primitive};
	struct raster_surface surfaces[2];
	for (int i = 0; i < 2; i++) {
		primitives[i].vertex_count = 4;
		primitives[i].first_vertex = i * 4;
		surfaces[i] = (struct raster_surface){
			.kind = RASTER_BLENDED, .shade = scene_flat, .context = half[i]};
	}
	both.rig.primitives = primitives;
	both.rig.primitive_count = 2;
	struct raster_figure figure = scene_figure(&both, SIZE, SIZE);
	figure.surfaces = surfaces;
	assert_true(raster_blended(raster, &figure, NULL));
	unsigned char *rgba = scene_read(raster, SIZE, SIZE);
	assert_pixel(rgba, 1, (int[]){0, 128, 0, 255});
	for (int y = 0; y < SIZE; y++) {
		assert_near(rgba[(y * SIZE + 3) * 4], 64, 1);
		assert_near(rgba[(y * SIZE + 3) * 4 + 1], 128, 1);
	}
	free(rgba);
	raster_destroy(raster);
}

/* --- Holes --- */

/* Holes in every other column of pixels. */
static void odd_columns(
	const void *context, const struct raster_fragments *fragments, bool solid[RASTER_QUEUE]) {
	(void)context;
	for (int i = 0; i < fragments->count; i++) {
		assert_int_equal(fragments->x[i] % RASTER_PIXEL, RASTER_PIXEL / 2);
		solid[i] = fragments->x[i] / RASTER_PIXEL % 2 == 1;
	}
}

static void holes_show_what_is_behind(void **state) {
	(void)state;
	const float red[4] = {1, 0, 0, 1}, half_green[4] = {0, 0.5f, 0, 0.5f};
	struct raster *raster = begin_plain(black);
	struct sheet masked, behind, veil;
	make_sheet(&masked, 0, 16, 0.4f, red);
	make_sheet(&behind, 0, 8, 0.5f, white);
	make_sheet(&veil, 0, 16, 0.3f, half_green);
	masked.mesh.surface.mask = veil.mesh.surface.mask = odd_columns;
	add_sheet(raster, &masked, raster_surfaces);
	add_sheet(raster, &behind, raster_surfaces);
	unsigned char *rgba = scene_read(raster, SIZE, SIZE);
	assert_pixel(rgba, 2, (int[]){255, 255, 255, 255});
	assert_pixel(rgba, 3, (int[]){255, 0, 0, 255});
	assert_pixel(rgba, 10, (int[]){0, 0, 0, 255});
	assert_pixel(rgba, 11, (int[]){255, 0, 0, 255});
	free(rgba);
	add_sheet(raster, &veil, raster_blended);
	rgba = scene_read(raster, SIZE, SIZE);
	assert_pixel(rgba, 2, (int[]){255, 255, 255, 255});
	assert_pixel(rgba, 3, (int[]){128, 128, 0, 255});
	free(rgba);
	raster_destroy(raster);
}

/* --- Flat triangles --- */

static void add_flat(struct raster *raster, int from, int to, float depth,
	const float color[static 4], bool behind) {
	struct raster_flat_triangle halves[2];
	for (int i = 0; i < 2; i++) {
		const int32_t left = from * 256, right = to * 256, bottom = SIZE * 256;
		halves[i] = (struct raster_flat_triangle){
			.x = {left, right, i == 0 ? right : left},
			.y = {0, i == 0 ? 0 : bottom, bottom},
			.depth = {depth, depth, depth},
		};
		memcpy(halves[i].color, color, sizeof halves[i].color);
	}
	const struct raster_flats flats = {halves, 2, behind};
	assert_true(raster_flat(raster, &flats, NULL));
}

static void flat_triangles_are_drawn_before_or_behind(void **state) {
	(void)state;
	const float half_red[4] = {0.5f, 0, 0, 0.5f}, green[4] = {0, 1, 0, 1};
	struct raster *raster = begin_plain(black);
	struct sheet sheet;
	make_sheet(&sheet, 0, 8, 0.5f, white);
	add_sheet(raster, &sheet, raster_surfaces);
	add_flat(raster, 0, 4, 0.5f, half_red, false);
	add_flat(raster, 4, 12, 0.6f, half_red, false);
	add_flat(raster, 6, 16, 0.7f, green, true);
	add_flat(raster, 2, 6, 0.4f, green, true);
	unsigned char *rgba = scene_read(raster, SIZE, SIZE);
	assert_pixel(rgba, 1, (int[]){255, 128, 128, 255});
	assert_pixel(rgba, 3, (int[]){255, 128, 128, 255});
	assert_pixel(rgba, 5, (int[]){255, 255, 255, 255});
	assert_pixel(rgba, 7, (int[]){0, 255, 0, 255});
	assert_pixel(rgba, 10, (int[]){0, 255, 0, 255});
	assert_pixel(rgba, 14, (int[]){0, 0, 0, 255});
	free(rgba);
	raster_destroy(raster);
}

static void cleared_depth_hides_nothing(void **state) {
	(void)state;
	const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};
	struct raster *raster = begin_plain(black);
	struct sheet first, second;
	make_sheet(&first, 0, 12, 0.3f, white);
	make_sheet(&second, 4, 16, 0.6f, red);
	add_sheet(raster, &first, raster_surfaces);
	raster_clear_depth(raster);
	add_sheet(raster, &second, raster_surfaces);
	raster_clear_depth(raster);
	add_flat(raster, 8, 10, 0.9f, green, false);
	unsigned char *rgba = scene_read(raster, SIZE, SIZE);
	assert_pixel(rgba, 2, (int[]){255, 255, 255, 255});
	assert_pixel(rgba, 6, (int[]){255, 0, 0, 255});
	assert_pixel(rgba, 9, (int[]){0, 255, 0, 255});
	assert_pixel(rgba, 14, (int[]){255, 0, 0, 255});
	free(rgba);
	raster_destroy(raster);
}

/* --- Bytes --- */

/* A quarter of a pixel in a dark colour over nothing. */
static void rims_keep_their_colour(void **state) {
	(void)state;
	const float dark[4] = {0.02f, 0.2f, 0.6f, 1};
	const enum raster_encoding encodings[2] = {RASTER_STRAIGHT, RASTER_PREMULTIPLIED};
	for (int i = 0; i < 2; i++) {
		struct raster *raster = raster_create();
		const struct raster_target target = target_of(encodings[i], (float[4]){0});
		struct sheet sheet;
		make_sheet(&sheet, 0, 4.25f, 0.5f, dark);
		assert_true(raster_begin(raster, &target, NULL));
		add_sheet(raster, &sheet, raster_surfaces);
		unsigned char *rgba = scene_read(raster, SIZE, SIZE);
		int want[4] = {0, 0, 0, 64};
		for (int c = 0; c < 3; c++) {
			const double light = (double)dark[c] * (i == 0 ? 1 : 0.25);
			want[c] = (int)(255 * srgb_from_linear(light) + 0.5);
		}
		assert_pixel(rgba, 4, want);
		assert_int_equal(rgba[(SIZE * 3 + 4) * 4 + 3], 64);
		assert_pixel(rgba, 5, (int[]){0, 0, 0, 0});
		free(rgba);
		raster_destroy(raster);
	}
}

/* The background counts as much as the samples that it has. */
static void samples_are_averaged_in_linear_light(void **state) {
	(void)state;
	struct raster *raster = raster_create();
	const struct raster_target target = target_of(RASTER_STRAIGHT, black);
	struct sheet sheet;
	make_sheet(&sheet, 0, 4.5f, 0.5f, white);
	assert_true(raster_begin(raster, &target, NULL));
	add_sheet(raster, &sheet, raster_surfaces);
	unsigned char *rgba = scene_read(raster, SIZE, SIZE);
	const int half = (int)(255 * srgb_from_linear(0.5) + 0.5);
	assert_pixel(rgba, 4, (int[]){half, half, half, 255});
	free(rgba);
	raster_destroy(raster);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_of_sheets_add_up),
		cmocka_unit_test(blended_sheets_behind_opaque_ones_are_hidden),
		cmocka_unit_test(translucent_figures_show_their_nearest_surface_only),
		cmocka_unit_test(primitives_are_blended_in_their_order),
		cmocka_unit_test(holes_show_what_is_behind),
		cmocka_unit_test(flat_triangles_are_drawn_before_or_behind),
		cmocka_unit_test(cleared_depth_hides_nothing),
		cmocka_unit_test(rims_keep_their_colour),
		cmocka_unit_test(samples_are_averaged_in_linear_light),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
