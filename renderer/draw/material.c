// The parts of a material that a picture shows.
#include "draw/material.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

_Static_assert((int)TEXTURE_NORMAL == MAP_NORMAL && (int)TEXTURE_TRANSMISSION == MAP_TRANSMISSION &&
		(int)TEXTURE_THICKNESS == MAP_THICKNESS &&
		(int)TEXTURE_SHADE_MULTIPLY == MAP_COUNT &&
		(int)TEXTURE_UV_ANIMATION_MASK == MAP_UV_ANIMATION_MASK,
	"textures are numbered alike");

#define NORMAL_MAPS (1U << MAP_NORMAL | 1U << MAP_CLEARCOAT_NORMAL)

bool material_variant_equals(const struct material_variant *a, const struct material_variant *b) {
	return a->flags == b->flags && a->maps == b->maps && a->second == b->second &&
		a->moved == b->moved;
}

bool material_is_blended(const struct material *material) {
	return material->alpha_mode == ALPHA_BLEND;
}

bool material_transmits(const struct material *material) {
	return material->transmission > 0 && !material->unlit && !material->mtoon;
}

bool primitive_transmits(const struct rig *rig, const struct primitive *primitive) {
	return !primitive->unlit && material_transmits(drawn_material(rig, primitive));
}

enum draw_pass primitive_pass(const struct rig *rig, const struct primitive *primitive) {
	return material_is_blended(drawn_material(rig, primitive)) ? DRAW_BLENDED
		: primitive_transmits(rig, primitive)              ? DRAW_TRANSMISSIVE
								   : DRAW_OPAQUE;
}

int material_draw_order(const struct material *material) {
	const int first = material->transparent_with_z_write ? 0 : 2 * RENDER_QUEUE_OFFSET_MAX + 1;
	return first + material->render_queue_offset;
}

static bool has_sheen(const struct material *material) {
	const float *color = material->sheen_color;
	return color[0] > 0 || color[1] > 0 || color[2] > 0;
}

/* --- MToon --- */

/* True when its texture coordinates are not those of time 0. */
static bool is_animated(const struct material *material, const struct shaded_look *look) {
	const struct material_toon *toon = &material->toon;
	return material->mtoon && look->time_s != 0 &&
		(toon->uv_scroll_x != 0 || toon->uv_scroll_y != 0 || toon->uv_rotation != 0);
}

static bool has_mask(const struct material *material) {
	return material->textures[TEXTURE_UV_ANIMATION_MASK].texture >= 0;
}

static bool is_moved_by_time(enum texture_use use) {
	return use != TEXTURE_MATCAP && use != TEXTURE_UV_ANIMATION_MASK;
}

static unsigned toon_maps(const struct material *material, const struct shaded_look *look) {
	const unsigned mask = 1U << MAP_UV_ANIMATION_MASK;
	return 1U << MAP_BASE_COLOR | 1U << MAP_EMISSIVE | 1U << MAP_NORMAL |
		1U << MAP_SHADE_MULTIPLY | 1U << MAP_SHADING_SHIFT | 1U << MAP_MATCAP |
		1U << MAP_RIM_MULTIPLY | (is_animated(material, look) ? mask : 0U);
}

static double finite_or_0(double x) {
	return isfinite(x) ? x : 0;
}

/* Turns and shifts texture coordinates about their middle, before the texture's own transform. */
static void animate_rows(const struct material_toon *toon, double time_s, float rows[static 6]) {
	const double full_turn = 6.28318530717958647692;
	const double angle = finite_or_0((double)toon->uv_rotation * time_s);
	const double shift[2] = {finite_or_0((double)toon->uv_scroll_x * time_s),
		finite_or_0((double)toon->uv_scroll_y * time_s)};
	double sine, cosine;
	angle_sine_cosine(fabs(fmod(angle, full_turn)) / full_turn, &sine, &cosine);
	sine = angle < 0 ? -sine : sine;
	const double turn[2][3] = {
		{cosine, sine, 0.5 - 0.5 * (cosine + sine) + shift[0]},
		{-sine, cosine, 0.5 - 0.5 * (cosine - sine) + shift[1]},
	};
	for (int i = 0; i < 2; i++) {
		const double u = (double)rows[i * 3], v = (double)rows[i * 3 + 1];
		for (int k = 0; k < 3; k++) {
			const double own = k == 2 ? (double)rows[i * 3 + 2] : 0;
			rows[i * 3 + k] = (float)(u * turn[0][k] + v * turn[1][k] + own);
		}
	}
}

void material_map_rows(const struct material *material, enum texture_use use,
	const struct shaded_look *look, float rows[static 6]) {
	texture_slot_rows(&material->textures[use], rows);
	if (is_animated(material, look) && !has_mask(material) && is_moved_by_time(use)) {
		animate_rows(&material->toon, look->time_s, rows);
	}
}

void material_toon_numbers(const struct material *material, const struct shaded_look *look,
	float out[static TOON_VECTORS][4]) {
	const struct material_toon *t = &material->toon;
	// A step has a width, too, so that there is no division by 0.
	const float ramp = fmaxf(2 - 2 * t->shading_toony, 1e-6F);
	const float power = fmaxf(t->rim_fresnel_power, 1e-5F);
	const double time = look->time_s;
	const float numbers[TOON_VECTORS][4] = {
		{t->shade_color[0], t->shade_color[1], t->shade_color[2], t->shading_shift},
		{t->matcap[0], t->matcap[1], t->matcap[2], ramp / 2},
		{t->rim_color[0], t->rim_color[1], t->rim_color[2], power},
		{t->rim_lift, t->rim_lighting_mix, t->gi_equalization, 1 / ramp},
		{t->outline_color[0], t->outline_color[1], t->outline_color[2],
			t->outline_lighting_mix},
		{t->shading_shift_scale, t->outline_width,
			material->outline_mode == OUTLINE_SCREEN ? 1 : 0, 0},
		{(float)finite_or_0((double)t->uv_scroll_x * time),
			(float)finite_or_0((double)t->uv_scroll_y * time),
			(float)finite_or_0((double)t->uv_rotation * time), 0},
	};
	memcpy(out, numbers, sizeof numbers);
}

bool primitive_has_outline(const struct primitive *primitive, const struct material *material) {
	return material->mtoon && material->outline_mode != OUTLINE_NONE &&
		material->toon.outline_width > 0 && !primitive->unlit &&
		primitive->topology == TOPOLOGY_TRIANGLES;
}

float outline_scale(const float m[static 16]) {
	// The row of y, less what of it lies along that of w: the view's height remains.
	const double y[3] = {(double)m[1], (double)m[5], (double)m[9]};
	const double w[3] = {(double)m[3], (double)m[7], (double)m[11]};
	const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
	const double along = square > 0 ? (y[0] * w[0] + y[1] * w[1] + y[2] * w[2]) / square : 0;
	double height = 0;
	for (int k = 0; k < 3; k++) {
		height += (y[k] - along * w[k]) * (y[k] - along * w[k]);
	}
	return height > 0 ? (float)(1 / sqrt(height)) : 0;
}

/* --- Variants --- */

/* Textures of layers that are not there are not looked at. */
static unsigned used_maps(
	const struct material *material, const struct shaded_look *look, unsigned flags) {
	const unsigned none = 0, base = 1U << MAP_BASE_COLOR, emissive = 1U << MAP_EMISSIVE;
	const unsigned coat =
		1U << MAP_CLEARCOAT | 1U << MAP_CLEARCOAT_ROUGHNESS | 1U << MAP_CLEARCOAT_NORMAL;
	const unsigned sheen = 1U << MAP_SHEEN_COLOR | 1U << MAP_SHEEN_ROUGHNESS;
	const unsigned through = 1U << MAP_TRANSMISSION | 1U << MAP_THICKNESS,
		       stretched = 1U << MAP_ANISOTROPY;
	const unsigned film = 1U << MAP_IRIDESCENCE | 1U << MAP_IRIDESCENCE_THICKNESS;
	const unsigned all = (1U << MAP_COUNT) - 1;
	return material->unlit         ? base
		: flags & SHADED_UNLIT ? base | emissive
		: material->mtoon      ? toon_maps(material, look)
				       : all &
			~((material->clearcoat > 0 ? none : coat) |
				(has_sheen(material) ? none : sheen) |
				(material->transmission > 0 ? none : through) |
				(material->anisotropy > 0 ? none : stretched) |
				(material->iridescence > 0 ? none : film));
}

static unsigned layers_of(const struct material *material) {
	return (material->clearcoat > 0 ? SHADED_CLEARCOAT : 0U) |
		(has_sheen(material) ? SHADED_SHEEN : 0U) |
		(material->transmission > 0 ? SHADED_TRANSMISSION : 0U) |
		(material->transmission > 0 && material->thickness > 0 ? SHADED_VOLUME : 0U) |
		(material->transmission > 0 && material->thickness > 0 && material->dispersion > 0
				? SHADED_DISPERSION
				: 0U) |
		(material->anisotropy > 0 ? SHADED_ANISOTROPY : 0U) |
		(material->iridescence > 0 ? SHADED_IRIDESCENCE : 0U);
}

bool material_takes_tangents(const struct material *material) {
	const struct shaded_look look = {0};
	const unsigned used = used_maps(material, &look, 0) & NORMAL_MAPS;
	for (int i = 0; i < TEXTURE_USE_COUNT; i++) {
		if (used & 1U << i && material->textures[i].texture >= 0) {
			return true;
		}
	}
	return layers_of(material) & SHADED_ANISOTROPY && !material->unlit && !material->mtoon;
}

static unsigned light_of(const struct shaded_look *look) {
	static const unsigned tones[] = {
		[TONE_NEUTRAL] = 0, [TONE_ACES] = SHADED_ACES, [TONE_LINEAR] = SHADED_LINEAR};
	return tones[look->tone_mapping] | (look->light_count > 0 ? SHADED_LIT : 0U) |
		(look->environment != ENVIRONMENT_NONE ? SHADED_ENVIRONMENT : 0U) |
		(look->key ? SHADED_CAST : 0U);
}

/* The lighting of a material. Without light there is only the base colour, and emission unless
 * the material itself is unlit. */
static unsigned lighting_of(
	const struct shaded_look *look, const struct material *material, unsigned flags) {
	return material->unlit         ? SHADED_UNLIT
		: flags & SHADED_UNLIT ? SHADED_UNLIT | SHADED_EMISSIVE
		: material->mtoon      ? SHADED_TOON | light_of(look)
				       : layers_of(material) | light_of(look);
}

static bool is_moved(
	const struct material *material, const struct shaded_look *look, enum texture_use use) {
	return texture_slot_transforms(&material->textures[use]) ||
		(is_animated(material, look) && !has_mask(material) && is_moved_by_time(use));
}

static void add_maps(struct material_variant *variant, const struct material *material,
	const struct shaded_look *look, unsigned used) {
	for (enum texture_use use = 0; use < TEXTURE_USE_COUNT; use++) {
		const struct texture_slot *slot = &material->textures[use];
		const unsigned bit = used & 1U << use;
		if (bit && slot->texture >= 0) {
			variant->maps |= bit;
			variant->second |= slot->texcoords > 0 ? bit : 0;
			variant->moved |= is_moved(material, look, use) ? bit : 0;
		}
	}
}

struct material_variant material_variant_of(const struct rig *rig, const struct material *material,
	const struct shaded_look *look, unsigned flags) {
	struct material_variant variant = {.flags = flags};
	variant.flags |= rig->colors ? SHADED_COLORS : 0U;
	variant.flags |= material->alpha_mode == ALPHA_MASK ? SHADED_CUT : 0U;
	variant.flags |= lighting_of(look, material, flags);
	if (variant.flags & SHADED_TOON) {
		variant.flags &= ~(unsigned)SHADED_COLORS;
		variant.flags |=
			is_animated(material, look) && has_mask(material) ? SHADED_ANIMATED : 0U;
	}
	unsigned used = used_maps(material, look, flags);
	if (flags & SHADED_OUTLINE) {
		used = (used | 1U << MAP_OUTLINE_WIDTH) & ~NORMAL_MAPS;
	}
	add_maps(&variant, material, look, used);
	if (!(variant.maps & NORMAL_MAPS) && !(variant.flags & SHADED_ANISOTROPY)) {
		variant.flags &= ~(unsigned)SHADED_TANGENTS;
	}
	return variant;
}

/* The share of light reflected from the front at the boundary of two media. */
static float front_reflection(float ior) {
	const float root = ior > 0 ? (ior - 1) / (ior + 1) : 1;
	return root * root;
}

void material_numbers(
	const struct material *m, float scale, float out[static MATERIAL_VECTORS][4]) {
	const float front = front_reflection(m->ior), strength = m->emissive_strength;
	const double full_turn = 6.28318530717958647692, angle = (double)m->anisotropy_rotation;
	double sine, cosine;
	angle_sine_cosine(fmod(fabs(angle), full_turn) / full_turn, &sine, &cosine);
	sine = angle < 0 ? -sine : sine;
	const float numbers[MATERIAL_VECTORS][4] = {
		{m->base_color[0], m->base_color[1], m->base_color[2], m->base_color[3]},
		{m->emissive[0] * strength, m->emissive[1] * strength, m->emissive[2] * strength,
			m->metallic},
		{m->roughness, m->normal_scale, m->occlusion_strength, m->alpha_cutoff},
		{front * m->specular_color[0], front * m->specular_color[1],
			front * m->specular_color[2], m->specular},
		{m->clearcoat, m->clearcoat_roughness, m->clearcoat_normal_scale, m->transmission},
		{m->sheen_color[0], m->sheen_color[1], m->sheen_color[2], m->sheen_roughness},
		{m->alpha_mode == ALPHA_BLEND ? 0 : 1, m->anisotropy, (float)cosine, (float)sine},
		{m->iridescence, m->iridescence_ior, m->iridescence_thickness_least,
			m->iridescence_thickness_most},
		{m->thickness * scale, m->ior, m->dispersion, 0},
		{m->attenuation_color[0], m->attenuation_color[1], m->attenuation_color[2],
			m->attenuation_distance > 0 ? 1 / m->attenuation_distance : 0},
	};
	memcpy(out, numbers, sizeof numbers);
}

const struct material *drawn_material(const struct rig *rig, const struct primitive *primitive) {
	return primitive->material >= 0 ? &rig->materials[primitive->material] : &material_default;
}

bool rig_transmits(const struct rig *rig) {
	for (int i = 0; i < rig->primitive_count; i++) {
		if (primitive_transmits(rig, &rig->primitives[i])) {
			return true;
		}
	}
	return false;
}

bool rig_has_blended(const struct rig *rig) {
	for (int i = 0; i < rig->primitive_count; i++) {
		if (material_is_blended(drawn_material(rig, &rig->primitives[i]))) {
			return true;
		}
	}
	return false;
}

bool rig_takes_tangents(const struct rig *rig) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		if (rig_has_tangents(rig, primitive) &&
			material_takes_tangents(drawn_material(rig, primitive))) {
			return true;
		}
	}
	return false;
}
