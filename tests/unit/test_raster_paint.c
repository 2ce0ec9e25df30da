// Plain shading and paints against the shaders' formulas in doubles. Four lanes against eight, and
// fragments in another order.
#include "raster/painting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "base/memory.h"
#include "base/srgb.h"
#include "base/vec.h"
#include "check.h"
#include "raster_meshes.h"
#include "rigs.h"

static const float no_turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Of a rig with one primitive. */
struct scenery {
	struct test_mesh mesh;
	double eye[3], target[3], angle;
	struct shaded_look look;
	struct raster_scene scene;
	struct material material;
	struct primitive primitive;
	struct rig rig;
	struct raster_texture *texture;
	double texel[4];
	struct paint paint;
	float of_primitive;
	unsigned char scale[PAINT_COLORS][4];
	float ids[90];
	struct paint_range ranges[10];
};

static struct raster_skies *skies;
static struct raster_fragments fragments, turned;
static struct raster_colors got, other;
static struct raster_plain plain;
static struct raster_painting painting;

static float share(unsigned *seed) {
	return (float)(0.5 + 0.5 * random_number(seed));
}

static void create_texture(struct scenery *s, unsigned *seed) {
	static const struct raster_places none;
	unsigned char rgba[4];
	float texel[8][4];
	for (int k = 0; k < 4; k++) {
		rgba[k] = (unsigned char)(share(seed) * 255);
	}
	const struct image image = {.width = 1, .height = 1, .rgba = rgba};
	const struct texture how = {.nearest = true}; // which mixes nothing
	s->texture = raster_texture_create(&image, &how, true, NULL);
	texture_sample(s->texture, &none, 8, texel);
	for (int k = 0; k < 4; k++) {
		s->texel[k] = (double)texel[0][k];
	}
}

static void create_paint(struct scenery *s, unsigned *seed) {
	for (int i = 0; i < PAINT_VECTORS * 4; i++) {
		s->paint.vectors[i / 4][i % 4] = share(seed);
	}
	s->paint.vectors[3][3] *= random_number(seed) > 0 ? 20 : 0;
	s->of_primitive = random_number(seed) > 0 ? 1 : 0;
	s->paint.of_primitives = &s->of_primitive;
	for (int i = 0; i < PAINT_COLORS * 4; i++) {
		s->scale[i / 4][i % 4] = (unsigned char)(share(seed) * 255);
	}
	s->paint.scale = (const unsigned char(*)[4])s->scale;
	s->paint.values = s->mesh.colors;
	s->paint.width = 4;
	for (int i = 0; i < 90; i++) {
		s->ids[i] = (float)(int)(share(seed) * 65000 * 255);
	}
	for (int i = 0; i < 10; i++) {
		s->ranges[i] =
			(struct paint_range){0, i * 9, 9, {share(seed), share(seed), share(seed)}};
	}
}

static void scenery_create(struct scenery *s, unsigned *seed) {
	*s = (struct scenery){.eye = {random_number(seed) * 3, 1 + random_number(seed), 4},
		.angle = random_number(seed) > 0 ? 0.8 : 0,
		.look = {.environment = ENVIRONMENT_NONE, .exposure = 1}};
	memcpy(s->look.turn, no_turn, sizeof no_turn);
	view_look(&s->mesh.view, s->eye, s->target, s->angle, 300, 200);
	mesh_random(&s->mesh, seed, 30, 0.4);
	s->mesh.mirrored = random_number(seed) > 0;
	raster_scene_begin(&s->scene, &s->mesh.view, &s->look, skies);
	s->material = material_default;
	for (int k = 0; k < 4; k++) {
		s->material.base_color[k] = share(seed);
		s->material.emissive[k % 3] = share(seed) / 4;
	}
	s->material.unlit = random_number(seed) > 0.6;
	s->material.alpha_mode = (enum alpha_mode)((*seed >> 9) % 3);
	s->material.alpha_cutoff = 0.1F;
	s->primitive.vertex_count = 90;
	s->rig = (struct rig){.primitive_count = 1,
		.primitives = &s->primitive,
		.material_count = 1,
		.materials = &s->material};
	if (random_number(seed) > 0) {
		create_texture(s, seed);
	} else {
		s->texel[0] = s->texel[1] = s->texel[2] = s->texel[3] = 1;
	}
	create_paint(s, seed);
	fragments_random(&s->mesh, seed, RASTER_QUEUE, &fragments);
}

static void scenery_finish(struct scenery *s) {
	raster_texture_destroy(s->texture);
	mesh_finish(&s->mesh);
}

static void shade(
	raster_shade *four, raster_shade *eight, raster_shade *sixteen, const void *context) {
	four(context, &fragments, &got);
	if (LANES_CPU_HAS_AVX2()) {
		eight(context, &fragments, &other);
		assert_memory_equal(&got, &other, sizeof got);
	}
	if (LANES_CPU_HAS_AVX512()) {
		sixteen(context, &fragments, &other);
		assert_memory_equal(&got, &other, sizeof got);
	}
	if (LANES_CPU_HAS_AVX512()) {
		eight(context, &fragments, &other);
		assert_memory_equal(&got, &other, sizeof got);
	}
	if (LANES_CPU_HAS_AVX512()) {
		sixteen(context, &fragments, &other);
		assert_memory_equal(&got, &other, sizeof got);
	}
	fragments_turn(&fragments, &turned);
	four(context, &turned, &other);
	for (int i = 0; i < RASTER_QUEUE * 4; i++) {
		const int channel = i / RASTER_QUEUE * RASTER_QUEUE, from = i % RASTER_QUEUE;
		const int at = channel + fragment_turned(from, RASTER_QUEUE);
		assert_memory_equal(got.red + i, other.red + at, sizeof *got.red);
	}
}

static double channel(int k, int i) {
	return (double)(k == 0 ? got.red : k == 1 ? got.green : k == 2 ? got.blue : got.alpha)[i];
}

static bool is_back(const struct scenery *s, int i) {
	return s->mesh.triangles[fragments.triangle[i]].back;
}

static void facing_normal(const struct scenery *s, int i, double n[static 3]) {
	exact_normal(&s->mesh, &fragments, i, n);
	const double sign = is_back(s, i) != s->mesh.mirrored ? -1 : 1;
	for (int k = 0; k < 3; k++) {
		n[k] *= sign;
	}
}

static void eye_of(const struct scenery *s, int i, double out[static 3]) {
	exact_eye(s->eye, s->target, s->angle, &s->mesh.view, &fragments, i, out);
}

static double mixed_color(const struct scenery *s, int i, int k) {
	const struct exact_weights w = exact_weights_at(&fragments, i);
	return exact_mix(&fragments, i, w.of, s->mesh.colors, 4, k);
}

/* Mixed normals that vanish have no direction. */
static bool is_steady(const struct scenery *s, int i) {
	const struct exact_weights w = exact_weights_at(&fragments, i);
	double n[3];
	for (int k = 0; k < 3; k++) {
		n[k] = exact_mix(&fragments, i, w.of, s->mesh.normals, 3, k);
	}
	return vec3_length(n) > 0.3 && !fragment_is_thin(&fragments, i);
}

static void exact_plain(const struct scenery *s, int i, double out[static 4]) {
	static const double key_color[3] = {2.05, 1.97, 1.85}, sky_color[3] = {0.60, 0.66, 0.76};
	static const double ground_color[3] = {0.30, 0.27, 0.25};
	double n[3], eye[3], l[3], base[4], light[3];
	facing_normal(s, i, n);
	eye_of(s, i, eye);
	for (int k = 0; k < 4; k++) {
		base[k] = (double)s->material.base_color[k] * s->texel[k] * mixed_color(s, i, k);
		l[k % 3] = (double)s->scene.key_direction[k % 3];
	}
	out[3] = s->material.alpha_mode == ALPHA_BLEND ? base[3] : 1;
	const double key = fmax(vec3_dot(n, l), 0), to_eye = vec3_dot(n, eye);
	const double between = fmax(vec3_dot(n, l) + to_eye, 0);
	const double gloss =
		pow(between * between / fmax(2 + 2 * vec3_dot(l, eye), 1e-6), 16) * key;
	const double rim = pow(1 - fmax(to_eye, 0), 4);
	double peak = 0;
	for (int k = 0; k < 3; k++) {
		const double up = 0.5 + 0.5 * n[1];
		const double sky = ground_color[k] * (1 - up) + sky_color[k] * up;
		light[k] = base[k] * (sky + key_color[k] * key * 0.42) +
			0.05 * (gloss * 2 + rim * sky) + (double)s->material.emissive[k];
		peak = fmax(peak, light[k]);
	}
	const double bent = 1 - 0.16 / (fmax(peak - 0.6, 0) + 0.4);
	for (int k = 0; k < 3; k++) {
		out[k] = (s->material.unlit           ? base[k]
					 : peak > 0.6 ? light[k] * bent / peak
						      : light[k]) *
			out[3];
	}
}

static void plain_agrees(void **state) {
	(void)state;
	unsigned seed = 40;
	for (int round = 0; round < 60; round++) {
		struct scenery s;
		scenery_create(&s, &seed);
		raster_plain_begin(&plain, &s.scene, &s.material, s.texture, false);
		shade(plain_shade, plain_shade_avx2, plain_shade_avx512, &plain);
		for (int i = 0; i < RASTER_QUEUE; i++) {
			double exact[4];
			exact_plain(&s, i, exact);
			for (int k = 0; k < 4 && is_steady(&s, i); k++) {
				assert_near(channel(k, i), exact[k], 1e-5);
			}
		}
		scenery_finish(&s);
	}
}

/* --- Paints --- */

typedef void exact_paint(const struct scenery *s, int i, double out[static 4]);

static double exact_shade(const struct scenery *s, int i) {
	double n[3], eye[3];
	facing_normal(s, i, n);
	eye_of(s, i, eye);
	return fmin(0.3 + 0.8 * fabs(vec3_dot(n, eye)), 1);
}

static void exact_colors(const struct scenery *s, int i, double out[static 4]) {
	for (int k = 0; k < 3; k++) {
		out[k] = mixed_color(s, i, k) * exact_shade(s, i);
	}
}

static void exact_ranges(const struct scenery *s, int i, double out[static 4]) {
	const struct paint_range *range = &s->ranges[fragments.triangle[i] / 3];
	for (int k = 0; k < 3; k++) {
		out[k] = (double)range->color[k] * exact_shade(s, i);
	}
}

static double wave(double x) {
	return fabs(x * 0.5 - floor(x * 0.5) - 0.5);
}

static void exact_checker(const struct scenery *s, int i, double out[static 4]) {
	static const double dark[3] = {0.09, 0.11, 0.14}, bright[3] = {0.82, 0.80, 0.76};
	const struct exact_weights w = exact_weights_at(&fragments, i);
	double board = 1;
	for (int k = 0; k < (s->of_primitive > 0.5F ? 2 : 3); k++) {
		const double at = mixed_color(s, i, k);
		const double width = fmax(
			fabs(exact_mix(&fragments, i, w.right, s->mesh.colors, 4, k)) +
				fabs(exact_mix(&fragments, i, w.down, s->mesh.colors, 4, k)),
			1e-4);
		board *= 2 * (wave(at - 0.5 * width) - wave(at + 0.5 * width)) / width;
	}
	for (int k = 0; k < 3; k++) {
		const double up = 0.5 + 0.5 * board;
		out[k] = (dark[k] * (1 - up) + bright[k] * up) * exact_shade(s, i);
	}
}

static void exact_ghost(const struct scenery *s, int i, double out[static 4]) {
	double n[3], eye[3];
	facing_normal(s, i, n);
	eye_of(s, i, eye);
	for (int k = 0; k < 3; k++) {
		out[k] = (double)s->paint.vectors[0][k] * (0.35 + 0.65 * fabs(vec3_dot(n, eye)));
	}
	out[3] = (double)s->paint.vectors[0][3];
}

static double wrapped(const double *n, double x, double y, double z, double around) {
	double from[3] = {x, y, z};
	vec3_normalize(from);
	return fmax((vec3_dot(n, from) + around) / (1 + around), 0);
}

static void exact_matcap(const struct scenery *s, int i, double out[static 4]) {
	static const double clay[3] = {0.62, 0.40, 0.29}, window[3] = {1.50, 1.42, 1.32};
	static const double wall[3] = {0.16, 0.20, 0.27}, room[3] = {0.20, 0.19, 0.19};
	double world[3], x[3], y[3], z[3], up[3];
	facing_normal(s, i, world);
	eye_of(s, i, z);
	for (int k = 0; k < 3; k++) {
		up[k] = (double)s->paint.vectors[0][k];
	}
	vec3_cross(up, z, x);
	vec3_normalize(x);
	vec3_cross(z, x, y);
	const double n[3] = {vec3_dot(world, x), vec3_dot(world, y), vec3_dot(world, z)};
	const double key = wrapped(n, -0.55, 0.75, 0.65, 0.25);
	const double back = wrapped(n, 0.9, -0.3, 0.2, 0.5);
	const double gloss = pow(wrapped(n, -0.30, 0.42, 0.86, 0), 24);
	const double edge = 1 - fmin(fmax(n[2], 0), 1);
	for (int k = 0; k < 3; k++) {
		const double light =
			room[k] * (0.7 + 0.3 * n[1]) + window[k] * key * key + wall[k] * back;
		out[k] = fmin(clay[k] * light * (1 - 0.35 * edge * edge) + 0.10 * gloss +
				0.25 * wall[k] * pow(edge, 4),
			1);
	}
}

static void exact_normals(const struct scenery *s, int i, double out[static 4]) {
	facing_normal(s, i, out);
	for (int k = 0; k < 3; k++) {
		out[k] = out[k] * 0.5 + 0.5;
	}
}

static void exact_scale(const struct scenery *s, int i, double out[static 4]) {
	const double at = mixed_color(s, i, 0) * 255;
	const int first = (int)fmin(at, 254);
	for (int k = 0; k < 3; k++) {
		const double near = srgb_to_linear(s->scale[first][k] / 255.0);
		const double next = srgb_to_linear(s->scale[first + 1][k] / 255.0);
		out[k] = (near * (1 - (at - first)) + next * (at - first)) * exact_shade(s, i);
	}
}

static void exact_silhouette(const struct scenery *s, int i, double out[static 4]) {
	(void)i;
	for (int k = 0; k < 3; k++) {
		out[k] = (double)s->paint.vectors[0][k];
	}
}

static void exact_ids(const struct scenery *s, int i, double out[static 4]) {
	const int id = (int)(s->ids[fragments.triangle[i] * 3 + 2] + s->of_primitive);
	for (int k = 0; k < 3; k++) {
		out[k] = (id >> (16 - 8 * k) & 255) / 255.0;
	}
}

/* The light of a corner as lit_vertex.glsl has it. */
static void corner_light(
	const struct scenery *s, size_t vertex, double side, double out[static 3]) {
	const float(*v)[4] = s->paint.vectors;
	double position[3], n[3], l[3], h[3], eye[3];
	for (size_t k = 0; k < 3; k++) {
		position[k] = (double)s->mesh.positions[vertex * 3 + k];
		n[k] = (double)s->mesh.normals[vertex * 3 + k] * side;
		l[k] = v[0][3] > 0 ? (double)v[0][k] - position[k]
				   : (double)s->scene.key_direction[k];
		eye[k] = (double)s->scene.eye[k] - (double)s->scene.eye[3] * position[k];
	}
	vec3_normalize(l);
	vec3_normalize(eye);
	for (int k = 0; k < 3; k++) {
		h[k] = l[k] + eye[k];
	}
	vec3_normalize(h);
	const double cosine = vec3_dot(n, l), half = fmax(vec3_dot(n, h), 0);
	const double gloss = v[3][3] > 0 ? pow(half, (double)v[3][3]) : 1;
	for (size_t k = 0; k < 3; k++) {
		const double emitted = s->material.unlit
			? 0
			: (double)s->material.emissive[k] * (double)s->of_primitive;
		const double base =
			(double)s->material.base_color[k] * (double)s->mesh.colors[vertex * 4 + k];
		const double reflected =
			base * fmax(cosine, 0) + (cosine > 0 ? (double)v[3][k] * gloss : 0);
		out[k] = s->material.unlit
			? base + emitted
			: emitted + base * (double)v[1][k] + (double)v[2][k] * reflected;
	}
}

static void exact_cg4m(const struct scenery *s, int i, double out[static 4]) {
	const struct exact_weights w = exact_weights_at(&fragments, i);
	memset(out, 0, 3 * sizeof *out);
	for (size_t corner = 0; corner < 3; corner++) {
		double light[3];
		corner_light(s, fragments.triangle[i] * 3 + corner,
			is_back(s, i) != s->mesh.mirrored ? -1 : 1, light);
		for (int k = 0; k < 3; k++) {
			out[k] += w.of[corner] * light[k] * s->texel[k];
		}
	}
}

static void exact_depth(const struct scenery *s, int i, double out[static 4]) {
	const struct exact_weights w = exact_weights_at(&fragments, i);
	out[0] = (double)s->paint.vectors[0][3];
	for (int k = 0; k < 3; k++) {
		out[0] += (double)s->paint.vectors[0][k] *
			exact_mix(&fragments, i, w.of, s->mesh.positions, 3, k);
	}
}

/* The float whose bytes are the channels. */
static double channels_as_float(int i) {
	uint32_t bits = 0;
	float value;
	for (int k = 0; k < 4; k++) {
		bits |= (uint32_t)(channel(k, i) * 255 + 0.5) << (8 * k);
	}
	memcpy(&value, &bits, sizeof value);
	return (double)value;
}

static void check_paint(struct scenery *s, const char *shader, exact_paint *exact, double error) {
	s->paint.shader = shader;
	raster_painting_begin(&painting, &s->scene, &s->rig, 0, &s->paint, s->texture, true);
	shade(paint_shade, paint_shade_avx2, paint_shade_avx512, &painting);
	for (int i = 0; i < RASTER_QUEUE; i++) {
		double wanted[4] = {0, 0, 0, 1};
		exact(s, i, wanted);
		if (exact == exact_depth && !fragment_is_thin(&fragments, i)) {
			assert_near(channels_as_float(i), wanted[0], error);
		}
		for (int k = 0; k < 4 && exact != exact_depth && is_steady(s, i); k++) {
			assert_near(channel(k, i), wanted[k], error);
		}
	}
}

static void paints_agree(void **state) {
	(void)state;
	unsigned seed = 50;
	for (int round = 0; round < 40; round++) {
		struct scenery s;
		scenery_create(&s, &seed);
		check_paint(&s, "paint_colors.frag", exact_colors, 1e-5);
		check_paint(&s, "paint_checker.frag", exact_checker, 5e-4);
		check_paint(&s, "paint_ghost.frag", exact_ghost, 1e-5);
		check_paint(&s, "paint_matcap.frag", exact_matcap, 1e-5);
		check_paint(&s, "paint_normals.frag", exact_normals, 1e-5);
		check_paint(&s, "paint_scale.frag", exact_scale, 3e-4);
		check_paint(&s, "paint_silhouette.frag", exact_silhouette, 1e-6);
		check_paint(&s, "paint_depth.frag", exact_depth, 1e-5);
		s.paint.ranges = s.ranges;
		s.paint.range_count = 10;
		check_paint(&s, "paint_colors.frag", exact_ranges, 1e-5);
		s.paint.ranges = NULL;
		s.paint.values = NULL;
		check_paint(&s, "paint_cg4m.frag", exact_cg4m, 2e-5);
		s.paint.values = s.ids;
		s.paint.width = 1;
		check_paint(&s, "paint_ids.frag", exact_ids, 1e-7);
		scenery_finish(&s);
	}
}

static void every_kind_of_paint_is_known(void **state) {
	(void)state;
	static const char *const shaders[] = {"paint_cg4m.frag", "paint_checker.frag",
		"paint_colors.frag", "paint_depth.frag", "paint_ghost.frag", "paint_ids.frag",
		"paint_matcap.frag", "paint_normals.frag", "paint_scale.frag",
		"paint_silhouette.frag"};
	for (int i = 0; i < RASTER_PAINT_COUNT; i++) {
		const struct paint paint = {.shader = shaders[i]};
		assert_int_equal(raster_paint_of(&paint), i);
	}
	const struct paint unknown = {.shader = "paint_new.frag"};
	assert_int_equal(raster_paint_of(&unknown), RASTER_PAINT_COUNT);
}

static void values_are_completed(void **state) {
	(void)state;
	const float values[] = {1, 2, 3, 4};
	const struct paint paint = {.values = values, .width = 2};
	float out[2][4], colors[] = {9, 9, 9, 0.25f, 9, 9, 9, 0.5f};
	struct rig rig = {.vertex_count = 2};
	raster_paint_values(&paint, &rig, out);
	const float wanted[2][4] = {{1, 2, 0, 1}, {3, 4, 0, 1}};
	assert_memory_equal(out, wanted, sizeof wanted);
	rig.colors = colors;
	raster_paint_values(&paint, &rig, out);
	const float with_alpha[2][4] = {{1, 2, 0, 0.25f}, {3, 4, 0, 0.5f}};
	assert_memory_equal(out, with_alpha, sizeof with_alpha);
}

/* Masks have holes by their own limit, blended surfaces where nothing is seen, others none. */
static void holes_are_those_of_the_material(void **state) {
	(void)state;
	unsigned seed = 60;
	for (int round = 0; round < 30; round++) {
		struct scenery s;
		scenery_create(&s, &seed);
		s.material.alpha_cutoff = 0.3F;
		s.paint.shader = round % 2 ? "paint_checker.frag" : "paint_normals.frag";
		s.material.base_color[3] = round % 5 ? s.material.base_color[3] : 0;
		raster_painting_begin(&painting, &s.scene, &s.rig, 0, &s.paint, s.texture, true);
		raster_plain_begin(&plain, &s.scene, &s.material, s.texture, false);
		bool solid[RASTER_QUEUE], wide[RASTER_QUEUE], lit[RASTER_QUEUE];
		paint_mask(&painting, &fragments, solid);
		plain_mask(&plain, &fragments, lit);
		for (int i = 0; i < RASTER_QUEUE; i++) {
			const double alpha = (double)s.material.base_color[3] * s.texel[3] *
				mixed_color(&s, i, 3);
			const bool masks = s.material.alpha_mode == ALPHA_MASK;
			const double limit = masks                     ? 0.3
				: s.material.alpha_mode == ALPHA_BLEND ? 0.5 / 255
								       : 0;
			if (fabs(alpha - limit) > 1e-5 || limit == 0) {
				assert_int_equal(solid[i], alpha >= limit);
				assert_int_equal(lit[i], !masks || alpha >= limit);
			}
		}
		if (LANES_CPU_HAS_AVX2()) {
			paint_mask_avx2(&painting, &fragments, wide);
			assert_memory_equal(solid, wide, sizeof solid);
			plain_mask_avx2(&plain, &fragments, wide);
			assert_memory_equal(lit, wide, sizeof lit);
		}
		if (LANES_CPU_HAS_AVX512()) {
			paint_mask_avx512(&painting, &fragments, wide);
			assert_memory_equal(solid, wide, sizeof solid);
			plain_mask_avx512(&plain, &fragments, wide);
			assert_memory_equal(lit, wide, sizeof lit);
		}
		scenery_finish(&s);
	}
}

static void nasty_values_do_no_harm(void **state) {
	(void)state;
	static const float nasty[] = {NAN, INFINITY, -INFINITY, 3e38F, -3e38F, 1e-42F, 0, 1};
	static const char *const shaders[] = {"paint_cg4m.frag", "paint_checker.frag",
		"paint_colors.frag", "paint_depth.frag", "paint_ghost.frag", "paint_ids.frag",
		"paint_matcap.frag", "paint_normals.frag", "paint_scale.frag"};
	unsigned seed = 70;
	for (int round = 0; round < 45; round++) {
		struct scenery s;
		scenery_create(&s, &seed);
		for (size_t i = 0; i < 90 * 4; i++) {
			s.mesh.colors[i] = nasty[(i + (size_t)round) % 8];
			s.mesh.positions[i * 3 / 4] = nasty[(i * 3 + (size_t)round) % 8];
			s.paint.vectors[i % 4][i / 4 % 4] = nasty[(i * 5 + (size_t)round) % 8];
		}
		s.paint.shader = shaders[round % 9];
		raster_painting_begin(&painting, &s.scene, &s.rig, 0, &s.paint, s.texture, true);
		paint_shade(&painting, &fragments, &got);
		raster_plain_begin(&plain, &s.scene, &s.material, s.texture, false);
		plain_shade(&plain, &fragments, &other);
		scenery_finish(&s);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_agrees),
		cmocka_unit_test(paints_agree),
		cmocka_unit_test(every_kind_of_paint_is_known),
		cmocka_unit_test(values_are_completed),
		cmocka_unit_test(holes_are_those_of_the_material),
		cmocka_unit_test(nasty_values_do_no_harm),
	};
	skies = raster_skies_create();
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	raster_skies_destroy(skies);
	return failed;
}
