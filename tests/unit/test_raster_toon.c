// MToon against its specification's formulas in doubles, for random materials, lights, views and
// triangles; known points of its ramp; the animation of texture coordinates.
#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "base/vec.h"
#include "check.h"
#include "exact_material.h"
#include "raster/material.h"
#include "raster_meshes.h"
#include "rigs.h"

#define LIGHTS 3

struct scenery {
	struct test_mesh mesh;
	double eye[3], target[3], angle;
	struct material material;
	struct raster_texture *textures[TEXTURE_USE_COUNT];
	double texels[TEXTURE_USE_COUNT][4]; // 1 without a texture
	struct shaded_light lights[LIGHTS];
	struct shaded_look look;
	struct raster_scene scene;
	struct raster_material_job job;
};

static struct raster_skies *skies;
static struct raster_fragments fragments;
static struct raster_colors got, other;
static struct raster_material material;

static float share(unsigned *seed) {
	return (float)(0.5 + 0.5 * random_number(seed));
}

static bool chance(unsigned *seed) {
	return random_number(seed) > 0;
}

/* One texel each, so that it is no matter where they are looked up. */
static void random_textures(struct scenery *s, unsigned *seed) {
	static const struct raster_places none;
	for (int i = 0; i < TEXTURE_USE_COUNT; i++) {
		unsigned char rgba[4];
		float texel[8][4] = {{1, 1, 1, 1}};
		for (int k = 0; k < 4; k++) {
			rgba[k] = (unsigned char)(share(seed) * 255);
		}
		s->material.textures[i].texture = i != TEXTURE_NORMAL && chance(seed) ? 0 : -1;
		if (s->material.textures[i].texture >= 0) {
			const struct image image = {.width = 1, .height = 1, .rgba = rgba};
			const struct texture how = {.nearest = true};
			s->textures[i] = raster_texture_create(
				&image, &how, material_textures[i].encoded, NULL);
			texture_sample(s->textures[i], &none, 8, texel);
		}
		for (int k = 0; k < 4; k++) {
			s->texels[i][k] = s->textures[i] ? (double)texel[0][k] : 1;
		}
	}
}

static void random_material(struct scenery *s, unsigned *seed) {
	struct material *m = &s->material;
	*m = material_default;
	for (int i = 0; i < material_factor_count; i++) {
		const struct material_factor *factor = &material_factors[i];
		for (int k = 0; k < factor->count; k++) {
			((float *)(void *)((char *)m + factor->at))[k] = share(seed);
		}
	}
	m->mtoon = true;
	m->toon.shading_shift = (float)random_number(seed);
	m->toon.rim_lift = (float)random_number(seed) * 0.5F;
	m->toon.rim_fresnel_power = 0.5F + 4 * share(seed);
	m->alpha_mode = chance(seed) ? ALPHA_OPAQUE : ALPHA_BLEND;
	random_textures(s, seed);
}

static void random_lights(struct scenery *s, unsigned *seed) {
	for (int i = 0; i < LIGHTS; i++) {
		struct shaded_light *light = &s->lights[i];
		double toward[3] = {
			random_number(seed), random_number(seed), 0.2 + random_number(seed)};
		vec3_normalize(toward);
		for (int k = 0; k < 3; k++) {
			light->place[k] = (float)toward[k];
			light->color[k] = 3 * share(seed);
		}
		light->color[3] = 1;
	}
}

static void scenery_create(struct scenery *s, unsigned *seed, unsigned flags) {
	*s = (struct scenery){.eye = {random_number(seed) * 3, 1 + random_number(seed), 4},
		.angle = chance(seed) ? 0.8 : 0};
	view_look(&s->mesh.view, s->eye, s->target, s->angle, 300, 200);
	mesh_random(&s->mesh, seed, 30, 0.4);
	s->mesh.mirrored = chance(seed);
	random_material(s, seed);
	random_lights(s, seed);
	s->look = (struct shaded_look){
		.environment = (enum environment)((*seed >> 8) % 4),
		.tone_mapping = TONE_LINEAR,
		.exposure = 0.2F,
		.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1},
		.lights = s->lights,
		.light_count = (int)((*seed >> 16) % (LIGHTS + 1)),
	};
	raster_scene_begin(&s->scene, &s->mesh.view, &s->look, skies);
	static const struct rig rig;
	s->job = (struct raster_material_job){
		.scene = &s->scene,
		.material = &s->material,
		.variant = material_variant_of(&rig, &s->material, &s->look, flags),
		.look = &s->look,
	};
	memcpy(s->job.textures, s->textures, sizeof s->textures);
	raster_material_begin(&material, &s->job);
}

static void scenery_finish(struct scenery *s) {
	for (int i = 0; i < TEXTURE_USE_COUNT; i++) {
		raster_texture_destroy(s->textures[i]);
	}
	mesh_finish(&s->mesh);
}

/* --- The specification in doubles --- */

static double clamp01(double x) {
	return fmin(fmax(x, 0), 1);
}

static double mix(double a, double b, double of) {
	return a + (b - a) * of;
}

/* Light from all around as the sky has it in harmonics. */
static double around(const struct scenery *s, const double n[3], int k) {
	if (!s->scene.sky) {
		return 0;
	}
	const float(*f)[3] = s->scene.sky->irradiance;
	const double terms[9] = {1, n[1], n[2], n[0], n[0] * n[1], n[1] * n[2], 3 * n[2] * n[2] - 1,
		n[0] * n[2], n[0] * n[0] - n[1] * n[1]};
	double sum = 0;
	for (int i = 0; i < 9; i++) {
		sum += (double)f[i][k] * terms[i];
	}
	return sum;
}

static double lit_share(const struct scenery *s, const double n[3], const float *place) {
	const struct material_toon *t = &s->material.toon;
	const double l[3] = {(double)place[0], (double)place[1], (double)place[2]};
	const double shift = (double)t->shading_shift +
		(s->textures[TEXTURE_SHADING_SHIFT] ? s->texels[TEXTURE_SHADING_SHIFT][0] *
					(double)t->shading_shift_scale
						    : 0);
	const double toony = (double)t->shading_toony;
	return clamp01((vec3_dot(n, l) + shift + 1 - toony) / (2 - 2 * toony));
}

static double rim_of(const struct scenery *s, const double n[3], const double v[3], int k) {
	const struct material_toon *t = &s->material.toon;
	const double matcap = s->textures[TEXTURE_MATCAP]
		? s->texels[TEXTURE_MATCAP][k] * (double)t->matcap[k]
		: 0;
	const double edge = clamp01(1 - vec3_dot(n, v) + (double)t->rim_lift);
	return (matcap + (double)t->rim_color[k] * pow(edge, (double)t->rim_fresnel_power)) *
		s->texels[TEXTURE_RIM_MULTIPLY][k];
}

static double exact_color(
	const struct scenery *s, const double n[3], const double v[3], bool outline, int k) {
	const struct material *m = &s->material;
	const struct material_toon *t = &m->toon;
	const double up[3] = {0, 1, 0}, down[3] = {0, -1, 0};
	const double base = (double)m->base_color[k] * s->texels[TEXTURE_BASE_COLOR][k];
	const double shade = (double)t->shade_color[k] * s->texels[TEXTURE_SHADE_MULTIPLY][k];
	double light = mix(around(s, n, k), (around(s, up, k) + around(s, down, k)) / 2,
		(double)t->gi_equalization);
	double color = light * base;
	for (int i = 0; i < s->look.light_count; i++) {
		const double own = (double)s->lights[i].color[k] / M_PI;
		color += own * mix(shade, base, lit_share(s, n, s->lights[i].place));
		light += own;
	}
	color += rim_of(s, n, v, k) * mix(1, light, (double)t->rim_lighting_mix);
	color += (double)m->emissive[k] * (double)m->emissive_strength *
		s->texels[TEXTURE_EMISSIVE][k];
	if (outline) {
		color = (double)t->outline_color[k] *
			mix(1, color, (double)t->outline_lighting_mix);
	}
	return clamp01(color * (double)s->look.exposure);
}

/* An outline's mesh counts as mirrored where its surface does not, and is lit from outside. */
static bool normal_at(const struct scenery *s, int i, bool outline, double n[static 3]) {
	const struct exact_weights w = exact_weights_at(&fragments, i);
	const bool back = s->mesh.triangles[fragments.triangle[i]].back;
	const bool turned = outline ? !s->mesh.mirrored : back != s->mesh.mirrored;
	for (int k = 0; k < 3; k++) {
		n[k] = exact_mix(&fragments, i, w.of, s->mesh.normals, 3, k) * (turned ? -1 : 1);
	}
	const double length = vec3_length(n);
	vec3_normalize(n);
	return length > 0.3 && !fragment_is_thin(&fragments, i);
}

static int check_fragment(const struct scenery *s, int i, bool outline) {
	double n[3], v[3];
	if (!normal_at(s, i, outline, n)) {
		return 0;
	}
	exact_eye(s->eye, s->target, s->angle, &s->mesh.view, &fragments, i, v);
	// Near a step both sides of it are right.
	const double ramp = 2 - 2 * (double)s->material.toon.shading_toony;
	const double alpha = s->material.alpha_mode == ALPHA_BLEND
		? (double)s->material.base_color[3] * s->texels[TEXTURE_BASE_COLOR][3]
		: 1;
	const float *channels[3] = {got.red, got.green, got.blue};
	for (int k = 0; k < 3; k++) {
		assert_near((double)channels[k][i], exact_color(s, n, v, outline, k) * alpha,
			2e-6 + 4e-6 / ramp);
	}
	assert_near((double)got.alpha[i], alpha, 2e-6);
	return 1;
}

static void check_all(unsigned flags, unsigned seed) {
	int checked = 0;
	for (int round = 0; round < 300; round++) {
		struct scenery s;
		scenery_create(&s, &seed, flags);
		const int count = round % 7 ? RASTER_QUEUE : 29;
		fragments_random(&s.mesh, &seed, count, &fragments);
		memset(&got, 0, sizeof got);
		memset(&other, 0, sizeof other);
		toon_shade(&material, &fragments, &got);
		for (int i = 0; i < count; i++) {
			checked += check_fragment(&s, i, flags & SHADED_OUTLINE);
		}
		if (LANES_CPU_HAS_AVX2()) {
			toon_shade_avx2(&material, &fragments, &other);
			assert_memory_equal(got.red, other.red, sizeof got);
		}
		if (LANES_CPU_HAS_AVX512()) {
			toon_shade_avx512(&material, &fragments, &other);
			assert_memory_equal(got.red, other.red, sizeof got);
		}
		scenery_finish(&s);
	}
	print_message("%d fragments\n", checked);
	assert_true(checked > 8000);
}

static void surfaces_agree_with_the_specification(void **state) {
	(void)state;
	check_all(0, 41);
}

static void outlines_agree_with_the_specification(void **state) {
	(void)state;
	check_all(SHADED_OUTLINE, 42);
}

/* --- The ramp --- */

/* The share of light by the numbers that kernels take. */
static double ramp_at(float toony, float shift, double cosine) {
	struct material m = material_default;
	m.toon.shading_toony = toony;
	m.toon.shading_shift = shift;
	const struct shaded_look look = {0};
	float numbers[TOON_VECTORS][4];
	material_toon_numbers(&m, &look, numbers);
	return clamp01(
		(cosine + (double)numbers[0][3] + (double)numbers[1][3]) * (double)numbers[3][3]);
}

static void the_ramp_goes_through_known_points(void **state) {
	(void)state;
	// Toony 0: from -1 to 1, as the half of Lambert's; 1: a step at the shift's negative.
	assert_near(ramp_at(0, 0, -1), 0, 1e-7);
	assert_near(ramp_at(0, 0, 0), 0.5, 1e-7);
	assert_near(ramp_at(0, 0, 1), 1, 1e-7);
	assert_near(ramp_at(0.5F, 0, -0.5), 0, 1e-7);
	assert_near(ramp_at(0.5F, 0, 0.25), 0.75, 1e-7);
	assert_near(ramp_at(0.5F, -0.25F, 0.25), 0.5, 1e-7);
	assert_near(ramp_at(1, 0, -1e-5), 0, 0);
	assert_near(ramp_at(1, 0, 1e-5), 1, 0);
	assert_near(ramp_at(1, 0.5F, -0.4999), 1, 0);
	assert_near(ramp_at(1, 0.5F, -0.5001), 0, 0);
}

/* --- Animated texture coordinates --- */

static void the_animation_turns_about_the_middle(void **state) {
	(void)state;
	struct material m = material_default;
	m.mtoon = true;
	m.toon.uv_scroll_x = 0.25F;
	m.toon.uv_scroll_y = -0.5F;
	m.toon.uv_rotation = (float)(M_PI / 2);
	struct texture_slot *slot = &m.textures[TEXTURE_BASE_COLOR];
	slot->scale[0] = 2;
	slot->offset[1] = 0.125F;
	struct shaded_look look = {.time_s = 1};
	float rows[6];
	material_map_rows(&m, TEXTURE_BASE_COLOR, &look, rows);
	// u' = R (u - 1/2) + 1/2 + scroll t with R = [[cos, sin], [-sin, cos]], then the slot's
	// own.
	const double u = 0.75, v = 0.5;
	const double turned[2] = {0.5 + 0 * 0.25 + 1 * 0 + 0.25, 0.5 - 1 * 0.25 + 0 * 0 - 0.5};
	assert_near(
		(double)rows[0] * u + (double)rows[1] * v + (double)rows[2], 2 * turned[0], 1e-6);
	assert_near((double)rows[3] * u + (double)rows[4] * v + (double)rows[5], turned[1] + 0.125,
		1e-6);
	float still[6], matcap[6];
	look.time_s = 0;
	material_map_rows(&m, TEXTURE_BASE_COLOR, &look, rows);
	texture_slot_rows(slot, still);
	assert_memory_equal(rows, still, sizeof rows);
	look.time_s = 1;
	material_map_rows(&m, TEXTURE_MATCAP, &look, matcap);
	texture_slot_rows(&m.textures[TEXTURE_MATCAP], still);
	assert_memory_equal(matcap, still, sizeof still);
}

/* Speeds and times that make no number leave texture coordinates as they are. */
static void nothing_comes_of_endless_speeds(void **state) {
	(void)state;
	struct material m = material_default;
	m.mtoon = true;
	m.toon.uv_scroll_x = m.toon.uv_rotation = 3e38F;
	const struct shaded_look look = {.time_s = 1e300};
	float rows[6];
	material_map_rows(&m, TEXTURE_BASE_COLOR, &look, rows);
	for (int i = 0; i < 6; i++) {
		assert_true(isfinite(rows[i]));
	}
}

/* --- Outlines on the screen --- */

static void a_width_on_the_screen_is_of_half_its_height(void **state) {
	(void)state;
	struct test_mesh mesh = {0};
	const double eye[3] = {3, 2, 4}, target[3] = {0, 1, 0};
	view_look(&mesh.view, eye, target, 0.8, 300, 200);
	// Half the height of the view at a distance of 1 is the tangent of half its angle.
	assert_near((double)outline_scale(mesh.view.view_projection), tan(0.4), 1e-6);
}

static int set_up(void **state) {
	(void)state;
	skies = raster_skies_create();
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	raster_skies_destroy(skies);
	return 0;
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(surfaces_agree_with_the_specification),
		cmocka_unit_test(outlines_agree_with_the_specification),
		cmocka_unit_test(the_ramp_goes_through_known_points),
		cmocka_unit_test(the_animation_turns_about_the_middle),
		cmocka_unit_test(nothing_comes_of_endless_speeds),
		cmocka_unit_test(a_width_on_the_screen_is_of_half_its_height),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
