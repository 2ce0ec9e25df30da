// Pictures that are drawn in parts, against the same drawn in one go: surfaces of one colour each,
// so that the places where fragments are shaded do not matter, in all kinds of commands.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "raster_scene.h"

#define WIDTH 150
#define HEIGHT 90
#define COMMANDS 60
#define TRIANGLES 5

struct part {
	struct scene_mesh mesh;
	float positions[TRIANGLES * 3][3];
	float color[4];
	struct raster_flat_triangle flats[TRIANGLES];
};

static void fill_part(struct part *part, uint64_t *seed) {
	const float alpha = 0.25f + 0.5f * (float)scene_random(seed);
	for (int k = 0; k < 3; k++) {
		part->color[k] = alpha * (float)scene_random(seed);
	}
	part->color[3] = alpha;
	for (int i = 0; i < TRIANGLES * 3; i++) {
		part->positions[i][0] = (float)(scene_random(seed) * (WIDTH + 40) - 20);
		part->positions[i][1] = (float)(scene_random(seed) * (HEIGHT + 40) - 20);
		part->positions[i][2] = (float)(0.1 + 0.8 * scene_random(seed));
	}
	for (int i = 0; i < TRIANGLES; i++) {
		struct raster_flat_triangle *flat = &part->flats[i];
		for (int k = 0; k < 3; k++) {
			flat->x[k] = (int32_t)(part->positions[i * 3 + k][0] * RASTER_PIXEL);
			flat->y[k] = (int32_t)(part->positions[i * 3 + k][1] * RASTER_PIXEL);
			flat->depth[k] = part->positions[i * 3 + k][2];
		}
		memcpy(flat->color, part->color, sizeof flat->color);
	}
	scene_mesh_init(&part->mesh, part->positions[0], TRIANGLES * 3, NULL, 0);
}

/* One of the five kinds of commands. */
static bool add(struct raster *raster, struct part *part, int kind, struct error *err) {
	struct raster_surface surface = {
		.kind = kind == 1 ? RASTER_BLENDED : RASTER_OPAQUE,
		.shade = scene_flat,
		.context = part->color,
	};
	struct raster_figure figure = scene_figure(&part->mesh, WIDTH, HEIGHT);
	figure.surfaces = &surface;
	const struct raster_flats flats = {
		.triangles = part->flats, .count = TRIANGLES, .behind = kind == 4};
	if (kind == 5) {
		raster_clear_depth(raster);
		return true;
	}
	return kind == 0    ? raster_surfaces(raster, &figure, err)
		: kind == 1 ? raster_blended(raster, &figure, err)
		: kind == 2 ? raster_translucent(raster, &figure, err)
			    : raster_flat(raster, &flats, err);
}

/* The picture, of which so many commands wait at most; 0 = all. */
static unsigned char *draw(int samples, int waiting) {
	static struct part parts[COMMANDS];
	struct raster *raster = raster_create();
	const struct raster_target target = {.width = WIDTH,
		.height = HEIGHT,
		.samples = samples,
		.encoding = RASTER_STRAIGHT,
		.background = {0.1f, 0.2f, 0, 0.5f}};
	struct error err = {0};
	uint64_t seed = 11;
	assert_true(raster_begin(raster, &target, &err));
	for (int i = 0; i < COMMANDS; i++) {
		fill_part(&parts[i], &seed);
		assert_true(add(raster, &parts[i], (int)(scene_random(&seed) * 6), &err));
		if (waiting > 0 && (i + 1) % waiting == 0) {
			assert_true(raster_execute(raster, &err));
		}
	}
	unsigned char *rgba = scene_read(raster, WIDTH, HEIGHT);
	raster_destroy(raster);
	return rgba;
}

static void parts_make_the_same_picture(void **state) {
	(void)state;
	static const int samples[] = {1, 4, 8}, waiting[] = {1, 7, COMMANDS};
	for (int i = 0; i < 3; i++) {
		unsigned char *whole = draw(samples[i], 0);
		size_t seen = 0;
		for (size_t k = 4; k < (size_t)WIDTH * HEIGHT * 4; k += 4) {
			seen += memcmp(whole + k, whole, 4) != 0;
		}
		assert_true(seen > (size_t)WIDTH * HEIGHT / 2);
		for (int k = 0; k < 3; k++) {
			unsigned char *parts = draw(samples[i], waiting[k]);
			assert_memory_equal(parts, whole, (size_t)WIDTH * HEIGHT * 4);
			free(parts);
		}
		free(whole);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_make_the_same_picture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
