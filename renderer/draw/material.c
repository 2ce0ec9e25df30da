// The parts of a material that a picture shows.
#include "draw/material.h"

#include <string.h>

_Static_assert((int)TEXTURE_USE_COUNT == MAP_COUNT && (int)TEXTURE_NORMAL == MAP_NORMAL &&
		(int)TEXTURE_TRANSMISSION == MAP_TRANSMISSION,
	"textures are numbered alike");

#define NORMAL_MAPS (1U << MAP_NORMAL | 1U << MAP_CLEARCOAT_NORMAL)

bool material_variant_equals(const struct material_variant *a, const struct material_variant *b) {
	return a->flags == b->flags && a->maps == b->maps && a->second == b->second &&
		a->moved == b->moved;
}

bool material_is_blended(const struct material *material) {
	return material->alpha_mode == ALPHA_BLEND ||
		(material->transmission > 0 && !material->unlit);
}

static bool has_sheen(const struct material *material) {
	const float *color = material->sheen_color;
	return color[0] > 0 || color[1] > 0 || color[2] > 0;
}

/* Textures of layers that are not there are not looked at. */
static unsigned used_maps(const struct material *material, unsigned flags) {
	const unsigned none = 0, base = 1U << MAP_BASE_COLOR, emissive = 1U << MAP_EMISSIVE;
	const unsigned coat =
		1U << MAP_CLEARCOAT | 1U << MAP_CLEARCOAT_ROUGHNESS | 1U << MAP_CLEARCOAT_NORMAL;
	const unsigned sheen = 1U << MAP_SHEEN_COLOR | 1U << MAP_SHEEN_ROUGHNESS;
	const unsigned through = 1U << MAP_TRANSMISSION;
	return material->unlit ? base
		: flags & SHADED_UNLIT
		? base | emissive
		: ~((material->clearcoat > 0 ? none : coat) | (has_sheen(material) ? none : sheen) |
			  (material->transmission > 0 ? none : through));
}

bool material_takes_tangents(const struct material *material) {
	const unsigned used = used_maps(material, 0) & NORMAL_MAPS;
	for (int i = 0; i < TEXTURE_USE_COUNT; i++) {
		if (used & 1U << i && material->textures[i].texture >= 0) {
			return true;
		}
	}
	return false;
}

static unsigned layers_of(const struct material *material) {
	return (material->clearcoat > 0 ? SHADED_CLEARCOAT : 0U) |
		(has_sheen(material) ? SHADED_SHEEN : 0U) |
		(material->transmission > 0 ? SHADED_TRANSMISSION : 0U);
}

static unsigned light_of(const struct shaded_look *look) {
	static const unsigned tones[] = {
		[TONE_NEUTRAL] = 0, [TONE_ACES] = SHADED_ACES, [TONE_LINEAR] = SHADED_LINEAR};
	return tones[look->tone_mapping] | (look->light_count > 0 ? SHADED_LIT : 0U) |
		(look->environment != ENVIRONMENT_NONE ? SHADED_ENVIRONMENT : 0U);
}

/* The lighting of a material. Without light there is only the base colour, and emission unless
 * the material itself is unlit. */
static unsigned lighting_of(
	const struct shaded_look *look, const struct material *material, unsigned flags) {
	return material->unlit         ? SHADED_UNLIT
		: flags & SHADED_UNLIT ? SHADED_UNLIT | SHADED_EMISSIVE
				       : layers_of(material) | light_of(look);
}

struct material_variant material_variant_of(const struct rig *rig, const struct material *material,
	const struct shaded_look *look, unsigned flags) {
	struct material_variant variant = {.flags = flags};
	variant.flags |= rig->colors ? SHADED_COLORS : 0U;
	variant.flags |= material->alpha_mode == ALPHA_MASK ? SHADED_CUT : 0U;
	variant.flags |= lighting_of(look, material, flags);
	const unsigned used = used_maps(material, flags);
	for (int i = 0; i < TEXTURE_USE_COUNT; i++) {
		const struct texture_slot *slot = &material->textures[i];
		const unsigned bit = used & 1U << i;
		if (bit && slot->texture >= 0) {
			variant.maps |= bit;
			variant.second |= slot->texcoords > 0 ? bit : 0;
			variant.moved |= texture_slot_transforms(slot) ? bit : 0;
		}
	}
	if (!(variant.maps & NORMAL_MAPS)) {
		variant.flags &= ~(unsigned)SHADED_TANGENTS;
	}
	return variant;
}

/* The share of light reflected from the front at the boundary of two media. */
static float front_reflection(float ior) {
	const float root = ior > 0 ? (ior - 1) / (ior + 1) : 1;
	return root * root;
}

void material_numbers(const struct material *m, float out[static MATERIAL_VECTORS][4]) {
	const float front = front_reflection(m->ior), strength = m->emissive_strength;
	const float numbers[MATERIAL_VECTORS][4] = {
		{m->base_color[0], m->base_color[1], m->base_color[2], m->base_color[3]},
		{m->emissive[0] * strength, m->emissive[1] * strength, m->emissive[2] * strength,
			m->metallic},
		{m->roughness, m->normal_scale, m->occlusion_strength, m->alpha_cutoff},
		{front * m->specular_color[0], front * m->specular_color[1],
			front * m->specular_color[2], m->specular},
		{m->clearcoat, m->clearcoat_roughness, m->clearcoat_normal_scale, m->transmission},
		{m->sheen_color[0], m->sheen_color[1], m->sheen_color[2], m->sheen_roughness},
		{m->alpha_mode == ALPHA_BLEND ? 0 : 1, 0, 0, 0},
	};
	memcpy(out, numbers, sizeof numbers);
}

const struct material *drawn_material(const struct rig *rig, const struct primitive *primitive) {
	return primitive->material >= 0 ? &rig->materials[primitive->material] : &material_default;
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
