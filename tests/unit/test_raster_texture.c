// Textures against the same look-up in doubles: levels, wrapping, mixing. Four lanes against eight,
// and places in another order.
#include "raster/texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "base/memory.h"
#include "base/srgb.h"
#include "check.h"

static double random_in(unsigned *seed, double low, double high) {
	*seed = *seed * 1664525U + 1013904223U;
	return low + (high - low) * (*seed >> 8) / 16777216.0;
}

/* An image that is noise, or of one number. */
static struct image make_image(unsigned *seed, int width, int height, int number) {
	struct image image = {.width = width, .height = height};
	image.rgba = xcalloc((size_t)width * (size_t)height, 4);
	for (int i = 0; i < width * height * 4; i++) {
		image.rgba[i] =
			(unsigned char)(number >= 0 ? number : (int)random_in(seed, 0, 256));
	}
	return image;
}

struct exact_level {
	int width, height;
	double *texels; // [height][width][4]
};

static struct exact_level exact_first(const struct image *image, bool encoded) {
	struct exact_level level = {image->width, image->height, NULL};
	const size_t count = (size_t)image->width * (size_t)image->height * 4;
	level.texels = xcalloc(count, sizeof(double));
	for (size_t i = 0; i < count; i++) {
		const double number = image->rgba[i] / 255.0;
		level.texels[i] = encoded && i % 4 < 3 ? srgb_to_linear(number) : number;
	}
	return level;
}

static double texel(const struct exact_level *level, int x, int y, int k) {
	return level->texels[((size_t)y * (size_t)level->width + (size_t)x) * 4 + (size_t)k];
}

static struct exact_level exact_half(const struct exact_level *from) {
	struct exact_level to = {from->width > 1 ? from->width / 2 : 1,
		from->height > 1 ? from->height / 2 : 1, NULL};
	to.texels = xcalloc((size_t)to.width * (size_t)to.height * 4, sizeof(double));
	for (int i = 0; i < to.width * to.height * 4; i++) {
		const int k = i % 4, x = i / 4 % to.width * 2, y = i / 4 / to.width * 2;
		const int right = x + (from->width > 1), below = y + (from->height > 1);
		to.texels[i] = (texel(from, x, y, k) + texel(from, right, y, k) +
				       texel(from, x, below, k) + texel(from, right, below, k)) /
			4;
	}
	return to;
}

static int wrapped(int at, int size, enum wrap wrap) {
	if (wrap == WRAP_CLAMP) {
		return at < 0 ? 0 : at >= size ? size - 1 : at;
	}
	const int period = wrap == WRAP_MIRROR ? 2 * size : size;
	const int inside = (at % period + period) % period;
	return inside < size ? inside : period - 1 - inside;
}

struct look_up {
	struct texture texture;
	bool encoded;
	struct exact_level levels[16];
	int level_count;
};

static double at_level(const struct look_up *look, int l, double u, double v, int k) {
	const struct exact_level *level = &look->levels[l];
	const double half = look->texture.nearest ? 0 : 0.5;
	const double x = u * level->width - half, y = v * level->height - half;
	const double right = look->texture.nearest ? 0 : x - floor(x);
	const double down = look->texture.nearest ? 0 : y - floor(y);
	double sum = 0;
	for (int i = 0; i < 4; i++) {
		const int column =
			wrapped((int)floor(x) + i % 2, level->width, look->texture.wrap_u);
		const int row = wrapped((int)floor(y) + i / 2, level->height, look->texture.wrap_v);
		sum += (i % 2 ? right : 1 - right) * (i / 2 ? down : 1 - down) *
			texel(level, column, row, k);
	}
	return sum;
}

static double exact_lambda(const struct look_up *look, const struct raster_places *p, int i) {
	const double w = look->levels[0].width, h = look->levels[0].height;
	const double right = hypot((double)p->u_right[i] * w, (double)p->v_right[i] * h);
	const double down = hypot((double)p->u_down[i] * w, (double)p->v_down[i] * h);
	return fmin(fmax(log2(fmax(right, down)), 0), look->level_count - 1);
}

static double exact(const struct look_up *look, const struct raster_places *p, int i, int k) {
	const double u = (double)p->u[i], v = (double)p->v[i], lambda = exact_lambda(look, p, i);
	if (!look->encoded && !look->texture.nearest) {
		return at_level(look, (int)floor(lambda + 0.5), u, v, k);
	}
	const int near = (int)lambda, next = near + 1 < look->level_count ? near + 1 : near;
	return at_level(look, near, u, v, k) * (1 - (lambda - near)) +
		at_level(look, next, u, v, k) * (lambda - near);
}

static void fill_places(unsigned *seed, struct raster_places *places) {
	for (int i = 0; i < RASTER_QUEUE; i++) {
		const double scale = exp2(random_in(seed, -9, 1));
		places->u[i] = (float)random_in(seed, -3, 3);
		places->v[i] = (float)random_in(seed, -3, 3);
		places->u_right[i] = (float)(random_in(seed, -1, 1) * scale);
		places->v_right[i] = (float)(random_in(seed, -1, 1) * scale);
		places->u_down[i] = (float)(random_in(seed, -1, 1) * scale);
		places->v_down[i] = (float)(random_in(seed, -1, 1) * scale);
	}
}

/* At a limit rounding decides between two texels or two levels. */
static bool is_decided(const struct look_up *look, const struct raster_places *p, int i) {
	const double lambda = exact_lambda(look, p, i);
	bool decided = fabs(lambda - floor(lambda) - 0.5) > 1e-5;
	for (int l = 0; l < look->level_count && look->texture.nearest; l++) {
		const double x = (double)p->u[i] * look->levels[l].width;
		const double y = (double)p->v[i] * look->levels[l].height;
		decided = decided && fabs(x - rint(x)) > 1e-4 && fabs(y - rint(y)) > 1e-4;
	}
	return decided;
}

static void check_lanes(const struct raster_texture *texture, const struct raster_places *places,
	const float four[RASTER_QUEUE][4]) {
	static float other[RASTER_QUEUE][4];
	static struct raster_places turned;
	if (LANES_CPU_HAS_AVX2()) {
		texture_sample_avx2(texture, places, RASTER_QUEUE, other);
		assert_memory_equal(four, other, sizeof other);
	}
	if (LANES_CPU_HAS_AVX512()) {
		texture_sample_avx512(texture, places, RASTER_QUEUE, other);
		assert_memory_equal(four, other, sizeof other);
	}
	for (int i = 0; i < RASTER_QUEUE; i++) {
		const int at = (i * 37 + 5) % RASTER_QUEUE;
		turned.u[at] = places->u[i];
		turned.v[at] = places->v[i];
		turned.u_right[at] = places->u_right[i];
		turned.v_right[at] = places->v_right[i];
		turned.u_down[at] = places->u_down[i];
		turned.v_down[at] = places->v_down[i];
	}
	texture_sample(texture, &turned, RASTER_QUEUE, other);
	for (int i = 0; i < RASTER_QUEUE; i++) {
		assert_memory_equal(other[(i * 37 + 5) % RASTER_QUEUE], four[i], sizeof *four);
	}
}

static void check_texture(
	unsigned *seed, int width, int height, const struct texture *how, bool encoded) {
	const struct image image = make_image(seed, width, height, -1);
	struct look_up look = {.texture = *how, .encoded = encoded, .level_count = 1};
	look.levels[0] = exact_first(&image, encoded);
	while (!how->no_mipmaps &&
		(look.levels[look.level_count - 1].width > 1 ||
			look.levels[look.level_count - 1].height > 1)) {
		look.levels[look.level_count] = exact_half(&look.levels[look.level_count - 1]);
		look.level_count++;
	}
	struct error err = {0};
	struct raster_texture *texture = raster_texture_create(&image, how, encoded, &err);
	assert_non_null(texture);
	assert_int_equal(texture->level_count, look.level_count);
	static struct raster_places places;
	static float got[RASTER_QUEUE][4];
	for (int round = 0; round < 4; round++) {
		fill_places(seed, &places);
		texture_sample(texture, &places, RASTER_QUEUE, got);
		for (int i = 0; i < RASTER_QUEUE * 4; i++) {
			if (is_decided(&look, &places, i / 4)) {
				assert_near((double)got[i / 4][i % 4],
					exact(&look, &places, i / 4, i % 4), 1e-4);
			}
		}
		check_lanes(texture, &places, got);
	}
	raster_texture_destroy(texture);
	for (int l = 0; l < look.level_count; l++) {
		free(look.levels[l].texels);
	}
	free(image.rgba);
}

static void agrees_with_doubles(void **state) {
	(void)state;
	static const int sizes[][2] = {{64, 64}, {37, 20}, {1, 1}, {5, 1}, {1, 8}, {256, 16}};
	unsigned seed = 11;
	for (int i = 0; i < 6 * 9 * 8; i++) {
		const int *size = sizes[i % 6], kind = i / 6 / 9;
		const struct texture how = {.wrap_u = (enum wrap)(i / 6 % 3),
			.wrap_v = (enum wrap)(i / 18 % 3),
			.nearest = kind & 1,
			.no_mipmaps = kind & 2};
		check_texture(&seed, size[0], size[1], &how, kind & 4);
	}
}

/* An opaque texture is opaque everywhere, and black is black. */
static void keeps_one_number_exactly(void **state) {
	(void)state;
	unsigned seed = 4;
	static struct raster_places places;
	static float got[RASTER_QUEUE][4];
	for (int i = 0; i < 40; i++) {
		const struct image image = make_image(&seed, 50, 33, i % 2 ? 255 : 0);
		const struct texture how = {.nearest = i & 2};
		struct raster_texture *texture = raster_texture_create(&image, &how, i & 4, NULL);
		fill_places(&seed, &places);
		texture_sample(texture, &places, RASTER_QUEUE, got);
		for (int k = 0; k < RASTER_QUEUE * 4; k++) {
			assert_near((double)got[k / 4][k % 4], i % 2, 0);
		}
		raster_texture_destroy(texture);
		free(image.rgba);
	}
}

static void takes_places_that_are_none(void **state) {
	(void)state;
	unsigned seed = 5;
	const struct image image = make_image(&seed, 16, 16, -1);
	static const float nasty[] = {NAN, INFINITY, -INFINITY, 1e38F, -1e38F, 1e-42F, -1e-10F, 1};
	static struct raster_places places;
	static float got[RASTER_QUEUE][4];
	for (int wrap = 0; wrap < 6; wrap++) {
		const struct texture how = {.wrap_u = (enum wrap)(wrap % 3),
			.wrap_v = (enum wrap)(wrap % 3),
			.nearest = wrap > 2};
		struct raster_texture *texture = raster_texture_create(&image, &how, true, NULL);
		fill_places(&seed, &places);
		for (int i = 0; i < RASTER_QUEUE; i++) {
			places.u[i] = nasty[i % 8];
			places.v[i] = nasty[i / 8 % 8];
			places.u_right[i] = nasty[i / 3 % 8];
			places.v_down[i] = nasty[i / 5 % 8];
		}
		texture_sample(texture, &places, RASTER_QUEUE, got);
		for (int i = 0; i < RASTER_QUEUE * 4; i++) {
			assert_true(got[i / 4][i % 4] >= 0 && got[i / 4][i % 4] <= 1);
		}
		check_lanes(texture, &places, got);
		raster_texture_destroy(texture);
	}
	free(image.rgba);
}

static void transform_moves_places_and_changes(void **state) {
	(void)state;
	unsigned seed = 6;
	static struct raster_places from, to, other;
	const float rows[6] = {0.5F, -2, 3, 1.5F, 0.25F, -1};
	fill_places(&seed, &from);
	texture_transform(rows, &from, RASTER_QUEUE, &to);
	for (int i = 0; i < RASTER_QUEUE; i++) {
		const double u = (double)from.u[i], v = (double)from.v[i];
		assert_near((double)to.u[i], 0.5 * u - 2 * v + 3, 1e-5);
		assert_near((double)to.v[i], 1.5 * u + 0.25 * v - 1, 1e-5);
		assert_near((double)to.u_right[i],
			0.5 * (double)from.u_right[i] - 2 * (double)from.v_right[i], 1e-6);
		assert_near((double)to.v_down[i],
			1.5 * (double)from.u_down[i] + 0.25 * (double)from.v_down[i], 1e-6);
	}
	if (LANES_CPU_HAS_AVX2()) {
		texture_transform_avx2(rows, &from, RASTER_QUEUE, &other);
		assert_memory_equal(&to, &other, sizeof to);
	}
	if (LANES_CPU_HAS_AVX512()) {
		texture_transform_avx512(rows, &from, RASTER_QUEUE, &other);
		assert_memory_equal(&to, &other, sizeof to);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_doubles),
		cmocka_unit_test(keeps_one_number_exactly),
		cmocka_unit_test(takes_places_that_are_none),
		cmocka_unit_test(transform_moves_places_and_changes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
