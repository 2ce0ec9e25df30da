// Materials against the shaders' formulas in doubles, for random materials, lights, views and
// triangles. Four lanes against eight, fragments in another order, and the furnace.
#include "raster/material.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "base/vec.h"
#include "check.h"
#include "exact_material.h"
#include "raster_meshes.h"
#include "rigs.h"

#define LIGHTS 3

/* A material with textures of one texel, a look and a mesh. */
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
	float behind_texels[64][4];
	struct raster_behind behind;
};

static struct raster_skies *skies;
static struct raster_fragments fragments, turned;
static struct raster_colors got, other;
static struct raster_material material;

static float share(unsigned *seed) {
	return (float)(0.5 + 0.5 * random_number(seed));
}

static bool chance(unsigned *seed) {
	return random_number(seed) > 0;
}

static void random_textures(struct scenery *s, unsigned *seed) {
	static const struct raster_places none;
	for (int i = 0; i < TEXTURE_USE_COUNT; i++) {
		unsigned char rgba[4];
		float texel[8][4] = {{1, 1, 1, 1}};
		for (int k = 0; k < 4; k++) {
			rgba[k] = (unsigned char)(share(seed) * 255);
		}
		// Bent normals stay in front.
		rgba[2] = i == TEXTURE_NORMAL || i == TEXTURE_CLEARCOAT_NORMAL
			? (unsigned char)(255 - rgba[2] / 4)
			: rgba[2];
		s->material.textures[i].texture = chance(seed) ? 0 : -1;
		s->material.textures[i].texcoords = chance(seed);
		s->material.textures[i].rotation_rad = chance(seed) ? share(seed) : 0;
		if (s->material.textures[i].texture >= 0) {
			const struct image image = {.width = 1, .height = 1, .rgba = rgba};
			const struct texture how = {.nearest = true}; // which mixes nothing
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
	m->ior = 1 + share(seed);
	m->anisotropy = chance(seed) ? m->anisotropy : 0;
	m->anisotropy_rotation *= 7;
	m->iridescence = chance(seed) ? m->iridescence : 0;
	m->iridescence_ior = 1 + share(seed);
	m->iridescence_thickness_least = 600 * share(seed);
	m->iridescence_thickness_most = 600 * share(seed);
	m->clearcoat = chance(seed) ? m->clearcoat : 0;
	m->transmission = chance(seed) ? m->transmission : 0;
	m->thickness = chance(seed) ? m->thickness : 0;
	m->dispersion = chance(seed) ? 5 * m->dispersion : 0;
	m->attenuation_distance = chance(seed) ? m->attenuation_distance + 0.1F : 0;
	m->unlit = random_number(seed) > 0.9;
	m->alpha_mode = chance(seed) ? ALPHA_OPAQUE : ALPHA_BLEND;
	if (chance(seed)) {
		memset(m->sheen_color, 0, sizeof m->sheen_color);
	}
	random_textures(s, seed);
}

static void random_look(struct scenery *s, unsigned *seed) {
	const double turn = random_number(seed) * 3;
	s->look = (struct shaded_look){
		.environment = (enum environment)((*seed >> 8) % 4),
		.tone_mapping = (enum tone_mapping)((*seed >> 12) % 3),
		.exposure = 0.3F + share(seed),
		.turn = {(float)cos(turn), 0, (float)-sin(turn), 0, 1, 0, (float)sin(turn), 0,
			(float)cos(turn)},
		.lights = s->lights,
		.light_count = (int)((*seed >> 16) % (LIGHTS + 1)),
	};
	for (int i = 0; i < LIGHTS; i++) {
		struct shaded_light *light = &s->lights[i];
		double toward[3] = {
			random_number(seed), random_number(seed) + 1.1, random_number(seed)};
		vec3_normalize(toward);
		for (int k = 0; k < 3; k++) {
			light->place[k] = (float)(i ? toward[k] * 3 : toward[k]);
			light->direction[k] = (float)-toward[k];
			light->color[k] = 3 * share(seed);
		}
		light->place[3] = i > 0;
		light->direction[3] = i > 1 ? 2 : 0;
		light->color[3] = i > 1 ? -0.5F : 1;
		light->range[0] = i > 1 ? 1e-4F : 0;
	}
}

static void random_behind(struct scenery *s, unsigned *seed) {
	raster_behind_place(&s->behind, 5, 8, s->behind_texels);
	for (int i = 0; i < 64; i++) {
		for (int k = 0; k < 4; k++) {
			s->behind_texels[i][k] = share(seed);
		}
	}
	s->scene.behind = &s->behind;
}

static void scenery_create(struct scenery *s, unsigned *seed) {
	*s = (struct scenery){.eye = {random_number(seed) * 3, 1 + random_number(seed), 4},
		.angle = chance(seed) ? 0.8 : 0};
	view_look(&s->mesh.view, s->eye, s->target, s->angle, 300, 200);
	mesh_random(&s->mesh, seed, 30, 0.4);
	s->mesh.mirrored = chance(seed);
	random_material(s, seed);
	random_look(s, seed);
	raster_scene_begin(&s->scene, &s->mesh.view, &s->look, skies);
	random_behind(s, seed);
	static struct rig rig;
	static float some_color;
	rig.colors = chance(seed) ? &some_color : NULL;
	s->job = (struct raster_material_job){
		.scene = &s->scene,
		.material = &s->material,
		.scale = 0.5F + share(seed),
		.variant = material_variant_of(&rig, &s->material, &s->look,
			(chance(seed) ? SHADED_TANGENTS : 0U) |
				(random_number(seed) > 0.9 ? SHADED_UNLIT : 0U) |
				(random_number(seed) > 0.8 ? SHADED_UNMAPPED : 0U)),
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

static bool looks_up(const struct scenery *s, int map) {
	return s->job.variant.maps >> map & 1;
}

static double texel(const struct scenery *s, int map, int k) {
	return looks_up(s, map) ? s->texels[map][k] : 1;
}

static void turn_to_light(const struct scenery *s, double *v) {
	const double from[3] = {v[0], v[1], v[2]};
	for (int row = 0; row < 3; row++) {
		v[row] = 0;
		for (int k = 0; k < 3; k++) {
			v[row] += (double)s->look.turn[k * 3 + row] * from[k];
		}
	}
}

/* A bent normal with axes of the vertices. */
static void bend_by_tangents(
	const struct scenery *s, int i, const double *of, const double *bend, double n[static 3]) {
	double t[3] = {0}, b[3] = {0};
	for (int corner = 0; corner < 3; corner++) {
		const size_t vertex = fragments.triangle[i] * 3 + (size_t)corner;
		const float *tangent = s->mesh.tangents + vertex * 4;
		double along[3], normal[3], across[3];
		for (int k = 0; k < 3; k++) {
			along[k] = (double)tangent[k];
			normal[k] = (double)s->mesh.normals[vertex * 3 + (size_t)k];
		}
		vec3_cross(normal, along, across);
		vec3_normalize(across);
		for (int k = 0; k < 3; k++) {
			t[k] += of[corner] * along[k];
			b[k] += of[corner] * across[k] * (double)tangent[3];
		}
	}
	vec3_normalize(t);
	vec3_normalize(b);
	for (int k = 0; k < 3; k++) {
		n[k] = t[k] * bend[0] + b[k] * bend[1] + n[k] * bend[2];
	}
	vec3_normalize(n);
}

/* A bent normal with axes by how the texture lies on the surface: those along which a texture's
 * coordinates grow, from positions and coordinates a pixel away. */
static void bend_on_screen(const struct scenery *s, int i, int map, const struct exact_weights *w,
	const double *bend, double n[static 3]) {
	const struct texture_slot none = {.scale = {1, 1}};
	const struct texture_slot *slot = looks_up(s, map) ? &s->material.textures[map] : &none;
	float rows[6];
	texture_slot_rows(slot, rows);
	const float *texcoords = s->mesh.texcoords[slot->texcoords];
	double p[2][3], place[2][2];
	for (int way = 0; way < 2; way++) {
		const double *change = way ? w->down : w->right;
		for (int k = 0; k < 3; k++) {
			p[way][k] = exact_mix(&fragments, i, change, s->mesh.positions, 3, k);
		}
		const double u = exact_mix(&fragments, i, change, texcoords, 2, 0);
		const double v = exact_mix(&fragments, i, change, texcoords, 2, 1);
		place[way][0] = (double)rows[0] * u + (double)rows[1] * v;
		place[way][1] = (double)rows[3] * u + (double)rows[4] * v;
	}
	double down_side[3], across_side[3], flat[3], axes[2][3];
	vec3_cross(p[1], n, down_side);
	vec3_cross(n, p[0], across_side);
	vec3_cross(p[0], p[1], flat);
	const double side = vec3_dot(n, flat) > 0 ? 1 : -1;
	double longest = 0;
	for (int axis = 0; axis < 2; axis++) {
		for (int k = 0; k < 3; k++) {
			axes[axis][k] = (axis ? -side : side) *
				(down_side[k] * place[0][axis] + across_side[k] * place[1][axis]);
		}
		longest = fmax(longest, vec3_dot(axes[axis], axes[axis]));
	}
	for (int k = 0; k < 3; k++) {
		n[k] = (axes[0][k] * bend[0] + axes[1][k] * bend[1]) / sqrt(longest) +
			n[k] * bend[2];
	}
	vec3_normalize(n);
}

static void bend_normal(const struct scenery *s, int i, int map, const struct exact_weights *w,
	double scale, double n[static 3]) {
	if (!looks_up(s, map)) {
		return;
	}
	const bool back = s->mesh.triangles[fragments.triangle[i]].back;
	const double along = back ? -scale : scale;
	const double bend[3] = {(s->texels[map][0] * 2 - 1) * along,
		(s->texels[map][1] * 2 - 1) * along, s->texels[map][2] * 2 - 1};
	if (s->job.variant.flags & SHADED_TANGENTS) {
		bend_by_tangents(s, i, w->of, bend, n);
	} else {
		bend_on_screen(s, i, map, w, bend, n);
	}
}

/* The direction in the plane of the tangent and the bitangent, turned by the rotation and by that
 * of the texture, and what is at right angles to it: axes are those of bent normals. */
static void find_stretch(
	const struct scenery *s, int i, const struct exact_weights *w, struct exact_fragment *f) {
	double angle = (double)s->material.anisotropy_rotation;
	if (looks_up(s, MAP_ANISOTROPY)) {
		angle += atan2(
			s->texels[MAP_ANISOTROPY][1] * 2 - 1, s->texels[MAP_ANISOTROPY][0] * 2 - 1);
	}
	const double bend[3] = {cos(angle), sin(angle), 0};
	const double n[3] = {f->normal[0], f->normal[1], f->normal[2]};
	memcpy(f->along, n, sizeof n);
	if (s->job.variant.flags & SHADED_TANGENTS) {
		bend_by_tangents(s, i, w->of, bend, f->along);
	} else {
		const int map = looks_up(s, MAP_NORMAL) ? MAP_NORMAL : MAP_ANISOTROPY;
		bend_on_screen(s, i, map, w, bend, f->along);
	}
	const double up = vec3_dot(f->along, n);
	for (int k = 0; k < 3; k++) {
		f->along[k] -= up * n[k];
	}
	vec3_normalize(f->along);
	vec3_cross(n, f->along, f->across);
}

static void take_normals(const struct scenery *s, int i, struct exact_fragment *f) {
	const struct exact_weights w = exact_weights_at(&fragments, i);
	const bool back = s->mesh.triangles[fragments.triangle[i]].back;
	for (int k = 0; k < 3; k++) {
		f->normal[k] = exact_mix(&fragments, i, w.of, s->mesh.normals, 3, k) *
			(back != s->mesh.mirrored ? -1 : 1);
		f->world[k] = exact_mix(&fragments, i, w.of, s->mesh.positions, 3, k);
		f->to_origin[k] = (double)s->scene.origin[k] - f->world[k];
	}
	vec3_normalize(f->normal);
	memcpy(f->coat_normal, f->normal, sizeof f->normal);
	find_stretch(s, i, &w, f);
	bend_normal(s, i, MAP_NORMAL, &w, (double)s->material.normal_scale, f->normal);
	bend_normal(s, i, MAP_CLEARCOAT_NORMAL, &w, (double)s->material.clearcoat_normal_scale,
		f->coat_normal);
	exact_eye(s->eye, s->target, s->angle, &s->mesh.view, &fragments, i, f->eye);
	turn_to_light(s, f->normal);
	turn_to_light(s, f->coat_normal);
	turn_to_light(s, f->along);
	turn_to_light(s, f->across);
	turn_to_light(s, f->eye);
	turn_to_light(s, f->to_origin);
}

static struct exact_fragment exact_at(const struct scenery *s, int i) {
	const struct material *m = &s->material;
	const struct exact_weights w = exact_weights_at(&fragments, i);
	struct exact_fragment f = {0};
	const double root = ((double)m->ior - 1) / ((double)m->ior + 1);
	for (int k = 0; k < 4; k++) {
		f.base[k] = (double)m->base_color[k] * texel(s, MAP_BASE_COLOR, k);
		f.base[k] *= s->job.variant.flags & SHADED_COLORS
			? exact_mix(&fragments, i, w.of, s->mesh.colors, 4, k)
			: 1;
	}
	for (int k = 0; k < 3; k++) {
		f.emission[k] = (double)m->emissive[k] * (double)m->emissive_strength *
			texel(s, MAP_EMISSIVE, k);
		f.reflection[k] = fmin(root * root * (double)m->specular_color[k] *
						  texel(s, MAP_SPECULAR_COLOR, k),
					  1) *
			(double)m->specular * texel(s, MAP_SPECULAR, 3);
		f.sheen[k] = (double)m->sheen_color[k] * texel(s, MAP_SHEEN_COLOR, k);
	}
	f.reflection[3] = (double)m->specular * texel(s, MAP_SPECULAR, 3);
	f.sheen[3] = (double)m->sheen_roughness * texel(s, MAP_SHEEN_ROUGHNESS, 3);
	f.metal = (double)m->metallic * texel(s, MAP_METALLIC_ROUGHNESS, 2);
	f.roughness = (double)m->roughness * texel(s, MAP_METALLIC_ROUGHNESS, 1);
	f.has_occlusion = looks_up(s, MAP_OCCLUSION);
	f.occlusion = 1 + (double)m->occlusion_strength * (texel(s, MAP_OCCLUSION, 0) - 1);
	f.transmission = (double)m->transmission * texel(s, MAP_TRANSMISSION, 0);
	f.thickness = (double)m->thickness * (double)s->job.scale * texel(s, MAP_THICKNESS, 1);
	f.index = fmax((double)m->ior, 1);
	f.dispersion = (double)m->dispersion;
	for (int k = 0; k < 3; k++) {
		f.attenuation[k] = fmax((double)m->attenuation_color[k], 1e-6);
	}
	f.attenuation[3] = m->attenuation_distance > 0 ? 1 / (double)m->attenuation_distance : 0;
	f.coat = (double)m->clearcoat * texel(s, MAP_CLEARCOAT, 0);
	f.coat_roughness = (double)m->clearcoat_roughness * texel(s, MAP_CLEARCOAT_ROUGHNESS, 1);
	f.film[0] = (double)m->iridescence * texel(s, MAP_IRIDESCENCE, 0);
	f.film[1] = (double)m->iridescence_thickness_least +
		((double)m->iridescence_thickness_most - (double)m->iridescence_thickness_least) *
			texel(s, MAP_IRIDESCENCE_THICKNESS, 1);
	f.film_index = (double)m->iridescence_ior;
	f.anisotropy = (double)m->anisotropy * texel(s, MAP_ANISOTROPY, 2);
	take_normals(s, i, &f);
	return f;
}

/* Normals of random corners may vanish between them, or lie across the eye's line of sight, where
 * lobes end. */
static bool is_steady(const struct scenery *s, int i, const struct exact_fragment *f) {
	const struct exact_weights w = exact_weights_at(&fragments, i);
	double n[3];
	for (int k = 0; k < 3; k++) {
		n[k] = exact_mix(&fragments, i, w.of, s->mesh.normals, 3, k);
	}
	return vec3_length(n) > 0.3 && vec3_dot(f->normal, f->eye) > 0.05 &&
		vec3_dot(f->coat_normal, f->eye) > 0.05 && !fragment_is_thin(&fragments, i);
}

static double worst;

static int check_fragment(const struct scenery *s, int i) {
	const struct exact_fragment f = exact_at(s, i);
	if (!is_steady(s, i, &f)) {
		return 0;
	}
	double color[3], through;
	exact_shaded(&s->scene, s->job.variant.flags, &f, color, &through);
	const double alpha = s->material.alpha_mode == ALPHA_BLEND ? f.base[3] : 1;
	// Texels are as different as they can be.
	const double behind = s->job.variant.flags & SHADED_TRANSMISSION ? 1e-5 : 0;
	const double error = 4e-6 + behind + 2e-7 * exact_sharpness(s->job.variant.flags, &f);
	const float *channels[3] = {got.red, got.green, got.blue};
	for (int k = 0; k < 3; k++) {
		const double limit = error * (1 + fabs(color[k]));
		worst = fmax(worst, fabs((double)channels[k][i] - color[k] * alpha) / limit);
		assert_near((double)channels[k][i], color[k] * alpha, limit);
	}
	assert_near((double)got.alpha[i], alpha * (1 - through), 2e-6 + behind);
	return 1;
}

static void check_order(void) {
	if (LANES_CPU_HAS_AVX2()) {
		memset(&other, 0, sizeof other);
		material_shade_avx2(&material, &fragments, &other);
		assert_memory_equal(got.red, other.red, sizeof got);
	}
	if (LANES_CPU_HAS_AVX512()) {
		memset(&other, 0, sizeof other);
		material_shade_avx512(&material, &fragments, &other);
		assert_memory_equal(got.red, other.red, sizeof got);
	}
	fragments_turn(&fragments, &turned);
	material_shade(&material, &turned, &other);
	const float *a = got.red, *b = other.red;
	for (int channel = 0; channel < 4; channel++) {
		for (int i = 0; i < fragments.count; i++) {
			const int at = fragment_turned(i, fragments.count);
			assert_memory_equal(a + channel * RASTER_QUEUE + i,
				b + channel * RASTER_QUEUE + at, sizeof *a);
		}
	}
}

static void agree_with_the_shaders(void **state) {
	(void)state;
	unsigned seed = 20;
	int checked = 0;
	for (int round = 0; round < 400; round++) {
		struct scenery s;
		scenery_create(&s, &seed);
		const int count = round % 7 ? RASTER_QUEUE : 29;
		fragments_random(&s.mesh, &seed, count, &fragments);
		memset(&got, 0, sizeof got);
		material_shade(&material, &fragments, &got);
		for (int i = 0; i < count; i++) {
			checked += check_fragment(&s, i);
		}
		check_order();
		scenery_finish(&s);
	}
	print_message("%d fragments, worst %.2f of the limit\n", checked, worst);
	assert_true(checked > 10000);
}

/* A white surface under an environment of 1 gives back all of it, metal or not. */
static void furnace_keeps_light(void **state) {
	(void)state;
	static const float turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	unsigned seed = 30;
	struct scenery s = {.eye = {0, 1, 4}, .angle = 0.8};
	view_look(&s.mesh.view, s.eye, s.target, s.angle, 300, 200);
	mesh_random(&s.mesh, &seed, 60, 0.4);
	s.look = (struct shaded_look){
		.environment = ENVIRONMENT_NEUTRAL, .tone_mapping = TONE_LINEAR, .exposure = 0.5F};
	memcpy(s.look.turn, turn, sizeof turn);
	raster_scene_begin(&s.scene, &s.mesh.view, &s.look, skies);
	fragments_random(&s.mesh, &seed, RASTER_QUEUE, &fragments);
	for (int round = 0; round < 22; round++) {
		static const struct rig rig;
		s.material = material_default;
		s.material.metallic = round < 11 ? 0 : 1;
		s.material.roughness = (float)(round % 11) / 10;
		s.job = (struct raster_material_job){.scene = &s.scene,
			.material = &s.material,
			.variant = material_variant_of(&rig, &s.material, &s.look, 0)};
		raster_material_begin(&material, &s.job);
		material_shade(&material, &fragments, &got);
		for (int i = 0; i < RASTER_QUEUE; i++) {
			assert_near((double)got.red[i] * 2, 1, 3e-5);
			assert_near((double)got.blue[i] * 2, 1, 3e-5);
		}
	}
	mesh_finish(&s.mesh);
}

/* Below the material's limit is a hole, at it is none. */
static void masks_by_alpha(void **state) {
	(void)state;
	unsigned seed = 31;
	int holes = 0;
	for (int round = 0; round < 20; round++) {
		struct scenery s;
		scenery_create(&s, &seed);
		s.job.variant.flags |= SHADED_CUT;
		s.material.alpha_cutoff = (float)(0.2 + 0.2 * random_number(&seed));
		raster_material_begin(&material, &s.job);
		fragments_random(&s.mesh, &seed, RASTER_QUEUE, &fragments);
		bool solid[RASTER_QUEUE], wide[RASTER_QUEUE];
		material_mask(&material, &fragments, solid);
		for (int i = 0; i < RASTER_QUEUE; i++) {
			const double alpha = exact_at(&s, i).base[3],
				     cutoff = (double)s.material.alpha_cutoff;
			if (fabs(alpha - cutoff) > 1e-5) {
				assert_int_equal(solid[i], alpha > cutoff);
			}
			holes += !solid[i];
		}
		if (LANES_CPU_HAS_AVX2()) {
			material_mask_avx2(&material, &fragments, wide);
			assert_memory_equal(solid, wide, sizeof solid);
		}
		if (LANES_CPU_HAS_AVX512()) {
			material_mask_avx512(&material, &fragments, wide);
			assert_memory_equal(solid, wide, sizeof solid);
		}
		scenery_finish(&s);
	}
	assert_in_range(holes, 200, 20 * RASTER_QUEUE - 200);
}

/* Numbers of the file or of a pose that are none, or too great, harm nothing but their colours. */
static void nasty_attributes_do_no_harm(void **state) {
	(void)state;
	static const float nasty[] = {NAN, INFINITY, -INFINITY, 3e38F, -3e38F, 1e-42F, 0, 1};
	unsigned seed = 33;
	for (int round = 0; round < 200; round++) {
		struct scenery s;
		scenery_create(&s, &seed);
		float *const streams[] = {s.mesh.normals, s.mesh.tangents, s.mesh.colors,
			s.mesh.positions, s.mesh.texcoords[0], s.mesh.texcoords[1]};
		const int widths[] = {3, 4, 4, 3, 2, 2};
		for (size_t i = 0; i < 90 * 6; i++) {
			const int width = widths[i / 90], at = (int)(i * 7 + (size_t)round) % width;
			streams[i / 90][i % 90 * (size_t)width + (size_t)at] =
				nasty[(i + (size_t)round) % 8];
		}
		fragments_random(&s.mesh, &seed, RASTER_QUEUE, &fragments);
		for (size_t i = 0; i < 90; i++) {
			s.mesh.corners[i].u = s.mesh.texcoords[0][i * 2];
			s.mesh.corners[i].v = s.mesh.texcoords[0][i * 2 + 1];
			memcpy(s.mesh.corners[i].normal, s.mesh.normals + i * 3, 3 * sizeof(float));
		}
		material_shade(&material, &fragments, &got);
		bool solid[RASTER_QUEUE];
		material_mask(&material, &fragments, solid);
		if (LANES_CPU_HAS_AVX2()) {
			material_shade_avx2(&material, &fragments, &other);
			const float *a = got.red, *b = other.red;
			for (int i = 0; i < RASTER_QUEUE * 4; i++) {
				assert_true(memcmp(a + i, b + i, sizeof *a) == 0 ||
					(isnan(a[i]) && isnan(b[i])));
			}
		}
		if (LANES_CPU_HAS_AVX512()) {
			material_shade_avx512(&material, &fragments, &other);
			const float *a = got.red, *b = other.red;
			for (int i = 0; i < RASTER_QUEUE * 4; i++) {
				assert_true(memcmp(a + i, b + i, sizeof *a) == 0 ||
					(isnan(a[i]) && isnan(b[i])));
			}
		}
		scenery_finish(&s);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agree_with_the_shaders),
		cmocka_unit_test(furnace_keeps_light),
		cmocka_unit_test(masks_by_alpha),
		cmocka_unit_test(nasty_attributes_do_no_harm),
	};
	skies = raster_skies_create();
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	raster_skies_destroy(skies);
	return failed;
}
