// The members of glTF's materials: names, ranges, defaults.
#include "model/material.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/srgb.h"

#define NO_TEXTURE \
	{ \
		.texture = -1, .scale = { 1, 1 } \
	}

const struct material material_default = {
	.base_color = {1, 1, 1, 1},
	.metallic = 1,
	.roughness = 1,
	.normal_scale = 1,
	.occlusion_strength = 1,
	.emissive_strength = 1,
	.ior = 1.5f,
	.specular = 1,
	.specular_color = {1, 1, 1},
	.clearcoat_normal_scale = 1,
	.attenuation_color = {1, 1, 1},
	.iridescence_ior = 1.3f,
	.iridescence_thickness_least = 100,
	.iridescence_thickness_most = 400,
	.toon =
		{
			.shading_shift_scale = 1,
			.shading_toony = 0.9f,
			.gi_equalization = 0.9f,
			.matcap = {1, 1, 1},
			.rim_fresnel_power = 5,
			.rim_lighting_mix = 1,
			.outline_lighting_mix = 1,
		},
	.alpha_cutoff = 0.5f,
	.textures =
		{
			[TEXTURE_BASE_COLOR] = NO_TEXTURE,
			[TEXTURE_EMISSIVE] = NO_TEXTURE,
			[TEXTURE_METALLIC_ROUGHNESS] = NO_TEXTURE,
			[TEXTURE_NORMAL] = NO_TEXTURE,
			[TEXTURE_OCCLUSION] = NO_TEXTURE,
			[TEXTURE_SPECULAR] = NO_TEXTURE,
			[TEXTURE_SPECULAR_COLOR] = NO_TEXTURE,
			[TEXTURE_CLEARCOAT] = NO_TEXTURE,
			[TEXTURE_CLEARCOAT_ROUGHNESS] = NO_TEXTURE,
			[TEXTURE_CLEARCOAT_NORMAL] = NO_TEXTURE,
			[TEXTURE_SHEEN_COLOR] = NO_TEXTURE,
			[TEXTURE_SHEEN_ROUGHNESS] = NO_TEXTURE,
			[TEXTURE_TRANSMISSION] = NO_TEXTURE,
			[TEXTURE_ANISOTROPY] = NO_TEXTURE,
			[TEXTURE_IRIDESCENCE] = NO_TEXTURE,
			[TEXTURE_IRIDESCENCE_THICKNESS] = NO_TEXTURE,
			[TEXTURE_THICKNESS] = NO_TEXTURE,
			[TEXTURE_SHADE_MULTIPLY] = NO_TEXTURE,
			[TEXTURE_SHADING_SHIFT] = NO_TEXTURE,
			[TEXTURE_MATCAP] = NO_TEXTURE,
			[TEXTURE_RIM_MULTIPLY] = NO_TEXTURE,
			[TEXTURE_OUTLINE_WIDTH] = NO_TEXTURE,
			[TEXTURE_UV_ANIMATION_MASK] = NO_TEXTURE,
		},
};

const char *const material_groups[MATERIAL_GROUP_COUNT] = {
	[MATERIAL_SURFACE] = "pbrMetallicRoughness",
	[MATERIAL_EMISSIVE_STRENGTH] = "KHR_materials_emissive_strength",
	[MATERIAL_IOR] = "KHR_materials_ior",
	[MATERIAL_SPECULAR] = "KHR_materials_specular",
	[MATERIAL_CLEARCOAT] = "KHR_materials_clearcoat",
	[MATERIAL_SHEEN] = "KHR_materials_sheen",
	[MATERIAL_TRANSMISSION] = "KHR_materials_transmission",
	[MATERIAL_VOLUME] = "KHR_materials_volume",
	[MATERIAL_DISPERSION] = "KHR_materials_dispersion",
	[MATERIAL_ANISOTROPY] = "KHR_materials_anisotropy",
	[MATERIAL_IRIDESCENCE] = "KHR_materials_iridescence",
	[MATERIAL_MTOON] = "VRMC_materials_mtoon",
};

const char *const outline_mode_names[OUTLINE_MODE_COUNT + 1] = {
	[OUTLINE_NONE] = "none",
	[OUTLINE_WORLD] = "worldCoordinates",
	[OUTLINE_SCREEN] = "screenCoordinates",
};

#define AT(member) offsetof(struct material, member)

const struct material_factor material_factors[] = {
	{MATERIAL_SURFACE, "base_color", "baseColorFactor", AT(base_color), 4, 0, 1, -1},
	{MATERIAL_SURFACE, "metallic", "metallicFactor", AT(metallic), 1, 0, 1, -1},
	{MATERIAL_SURFACE, "roughness", "roughnessFactor", AT(roughness), 1, 0, 1, -1},
	{MATERIAL_CORE, "normal_scale", "scale", AT(normal_scale), 1, -FLT_MAX, FLT_MAX,
		TEXTURE_NORMAL},
	{MATERIAL_CORE, "occlusion_strength", "strength", AT(occlusion_strength), 1, 0, 1,
		TEXTURE_OCCLUSION},
	{MATERIAL_CORE, "emissive", "emissiveFactor", AT(emissive), 3, 0, 1, -1},
	{MATERIAL_EMISSIVE_STRENGTH, "emissive_strength", "emissiveStrength", AT(emissive_strength),
		1, 0, FLT_MAX, -1},
	{MATERIAL_IOR, "ior", "ior", AT(ior), 1, 0, FLT_MAX, -1},
	{MATERIAL_SPECULAR, "specular", "specularFactor", AT(specular), 1, 0, 1, -1},
	{MATERIAL_SPECULAR, "specular_color", "specularColorFactor", AT(specular_color), 3, 0,
		FLT_MAX, -1},
	{MATERIAL_CLEARCOAT, "clearcoat", "clearcoatFactor", AT(clearcoat), 1, 0, 1, -1},
	{MATERIAL_CLEARCOAT, "clearcoat_roughness", "clearcoatRoughnessFactor",
		AT(clearcoat_roughness), 1, 0, 1, -1},
	{MATERIAL_CLEARCOAT, "clearcoat_normal_scale", "scale", AT(clearcoat_normal_scale), 1,
		-FLT_MAX, FLT_MAX, TEXTURE_CLEARCOAT_NORMAL},
	{MATERIAL_SHEEN, "sheen_color", "sheenColorFactor", AT(sheen_color), 3, 0, 1, -1},
	{MATERIAL_SHEEN, "sheen_roughness", "sheenRoughnessFactor", AT(sheen_roughness), 1, 0, 1,
		-1},
	{MATERIAL_TRANSMISSION, "transmission", "transmissionFactor", AT(transmission), 1, 0, 1,
		-1},
	{MATERIAL_VOLUME, "thickness", "thicknessFactor", AT(thickness), 1, 0, FLT_MAX, -1},
	{MATERIAL_VOLUME, "attenuation_distance", "attenuationDistance", AT(attenuation_distance),
		1, 0, FLT_MAX, -1},
	{MATERIAL_VOLUME, "attenuation_color", "attenuationColor", AT(attenuation_color), 3, 0, 1,
		-1},
	{MATERIAL_DISPERSION, "dispersion", "dispersion", AT(dispersion), 1, 0, FLT_MAX, -1},
	{MATERIAL_ANISOTROPY, "anisotropy", "anisotropyStrength", AT(anisotropy), 1, 0, 1, -1},
	{MATERIAL_ANISOTROPY, "anisotropy_rotation", "anisotropyRotation", AT(anisotropy_rotation),
		1, -FLT_MAX, FLT_MAX, -1},
	{MATERIAL_IRIDESCENCE, "iridescence", "iridescenceFactor", AT(iridescence), 1, 0, 1, -1},
	{MATERIAL_IRIDESCENCE, "iridescence_ior", "iridescenceIor", AT(iridescence_ior), 1, 1,
		FLT_MAX, -1},
	{MATERIAL_IRIDESCENCE, "iridescence_thickness_minimum", "iridescenceThicknessMinimum",
		AT(iridescence_thickness_least), 1, 0, FLT_MAX, -1},
	{MATERIAL_IRIDESCENCE, "iridescence_thickness_maximum", "iridescenceThicknessMaximum",
		AT(iridescence_thickness_most), 1, 0, FLT_MAX, -1},
	{MATERIAL_MTOON, "shade_color", "shadeColorFactor", AT(toon.shade_color), 3, 0, FLT_MAX,
		-1},
	{MATERIAL_MTOON, "shading_shift", "shadingShiftFactor", AT(toon.shading_shift), 1, -FLT_MAX,
		FLT_MAX, -1},
	{MATERIAL_MTOON, "shading_shift_scale", "scale", AT(toon.shading_shift_scale), 1, -FLT_MAX,
		FLT_MAX, TEXTURE_SHADING_SHIFT},
	{MATERIAL_MTOON, "shading_toony", "shadingToonyFactor", AT(toon.shading_toony), 1, 0, 1,
		-1},
	{MATERIAL_MTOON, "gi_equalization", "giEqualizationFactor", AT(toon.gi_equalization), 1, 0,
		1, -1},
	{MATERIAL_MTOON, "matcap", "matcapFactor", AT(toon.matcap), 3, 0, FLT_MAX, -1},
	{MATERIAL_MTOON, "rim_color", "parametricRimColorFactor", AT(toon.rim_color), 3, 0, FLT_MAX,
		-1},
	{MATERIAL_MTOON, "rim_fresnel_power", "parametricRimFresnelPowerFactor",
		AT(toon.rim_fresnel_power), 1, 0, FLT_MAX, -1},
	{MATERIAL_MTOON, "rim_lift", "parametricRimLiftFactor", AT(toon.rim_lift), 1, -FLT_MAX,
		FLT_MAX, -1},
	{MATERIAL_MTOON, "rim_lighting_mix", "rimLightingMixFactor", AT(toon.rim_lighting_mix), 1,
		0, 1, -1},
	{MATERIAL_MTOON, "outline_width", "outlineWidthFactor", AT(toon.outline_width), 1, 0,
		FLT_MAX, -1},
	{MATERIAL_MTOON, "outline_color", "outlineColorFactor", AT(toon.outline_color), 3, 0,
		FLT_MAX, -1},
	{MATERIAL_MTOON, "outline_lighting_mix", "outlineLightingMixFactor",
		AT(toon.outline_lighting_mix), 1, 0, 1, -1},
	{MATERIAL_MTOON, "uv_scroll_x", "uvAnimationScrollXSpeedFactor", AT(toon.uv_scroll_x), 1,
		-FLT_MAX, FLT_MAX, -1},
	{MATERIAL_MTOON, "uv_scroll_y", "uvAnimationScrollYSpeedFactor", AT(toon.uv_scroll_y), 1,
		-FLT_MAX, FLT_MAX, -1},
	{MATERIAL_MTOON, "uv_rotation", "uvAnimationRotationSpeedFactor", AT(toon.uv_rotation), 1,
		-FLT_MAX, FLT_MAX, -1},
};
const int material_factor_count = sizeof material_factors / sizeof material_factors[0];

const struct material_texture material_textures[TEXTURE_USE_COUNT] = {
	[TEXTURE_BASE_COLOR] = {MATERIAL_SURFACE, "base_color", "baseColorTexture", true},
	[TEXTURE_EMISSIVE] = {MATERIAL_CORE, "emissive", "emissiveTexture", true},
	[TEXTURE_METALLIC_ROUGHNESS] = {MATERIAL_SURFACE, "metallic_roughness",
		"metallicRoughnessTexture", false},
	[TEXTURE_NORMAL] = {MATERIAL_CORE, "normal", "normalTexture", false},
	[TEXTURE_OCCLUSION] = {MATERIAL_CORE, "occlusion", "occlusionTexture", false},
	[TEXTURE_SPECULAR] = {MATERIAL_SPECULAR, "specular", "specularTexture", true},
	[TEXTURE_SPECULAR_COLOR] = {MATERIAL_SPECULAR, "specular_color", "specularColorTexture",
		true},
	[TEXTURE_CLEARCOAT] = {MATERIAL_CLEARCOAT, "clearcoat", "clearcoatTexture", false},
	[TEXTURE_CLEARCOAT_ROUGHNESS] = {MATERIAL_CLEARCOAT, "clearcoat_roughness",
		"clearcoatRoughnessTexture", false},
	[TEXTURE_CLEARCOAT_NORMAL] = {MATERIAL_CLEARCOAT, "clearcoat_normal",
		"clearcoatNormalTexture", false},
	[TEXTURE_SHEEN_COLOR] = {MATERIAL_SHEEN, "sheen_color", "sheenColorTexture", true},
	[TEXTURE_SHEEN_ROUGHNESS] = {MATERIAL_SHEEN, "sheen_roughness", "sheenRoughnessTexture",
		true},
	[TEXTURE_TRANSMISSION] = {MATERIAL_TRANSMISSION, "transmission", "transmissionTexture",
		false},
	[TEXTURE_ANISOTROPY] = {MATERIAL_ANISOTROPY, "anisotropy", "anisotropyTexture", false},
	[TEXTURE_IRIDESCENCE] = {MATERIAL_IRIDESCENCE, "iridescence", "iridescenceTexture", false},
	[TEXTURE_IRIDESCENCE_THICKNESS] = {MATERIAL_IRIDESCENCE, "iridescence_thickness",
		"iridescenceThicknessTexture", false},
	[TEXTURE_THICKNESS] = {MATERIAL_VOLUME, "thickness", "thicknessTexture", false},
	[TEXTURE_SHADE_MULTIPLY] = {MATERIAL_MTOON, "shade_multiply", "shadeMultiplyTexture", true},
	[TEXTURE_SHADING_SHIFT] = {MATERIAL_MTOON, "shading_shift", "shadingShiftTexture", false},
	[TEXTURE_MATCAP] = {MATERIAL_MTOON, "matcap", "matcapTexture", true},
	[TEXTURE_RIM_MULTIPLY] = {MATERIAL_MTOON, "rim_multiply", "rimMultiplyTexture", true},
	[TEXTURE_OUTLINE_WIDTH] = {MATERIAL_MTOON, "outline_width", "outlineWidthMultiplyTexture",
		false},
	[TEXTURE_UV_ANIMATION_MASK] = {MATERIAL_MTOON, "uv_animation_mask",
		"uvAnimationMaskTexture", false},
};

const float *material_factor_of(
	const struct material *material, const struct material_factor *factor) {
	return (const float *)((const char *)material + factor->at);
}

bool material_factor_is_default(
	const struct material *material, const struct material_factor *factor) {
	const float *own = material_factor_of(material, factor);
	const float *standard = material_factor_of(&material_default, factor);
	return memcmp(own, standard, (size_t)factor->count * sizeof *own) == 0;
}

void texture_slot_rows(const struct texture_slot *slot, float rows[static 6]) {
	// Without the C library, so that pictures are the same on every machine.
	const double full_turn = 6.28318530717958647692, angle = (double)slot->rotation_rad;
	double sine, cosine;
	angle_sine_cosine(fabs(angle) / full_turn, &sine, &cosine);
	sine = angle < 0 ? -sine : sine;
	const double u = (double)slot->scale[0], v = (double)slot->scale[1];
	rows[0] = (float)(cosine * u);
	rows[1] = (float)(sine * v);
	rows[2] = slot->offset[0];
	rows[3] = (float)(-sine * u);
	rows[4] = (float)(cosine * v);
	rows[5] = slot->offset[1];
}

bool texture_slot_transforms(const struct texture_slot *slot) {
	return slot->offset[0] != 0 || slot->offset[1] != 0 || slot->rotation_rad != 0 ||
		slot->scale[0] != 1 || slot->scale[1] != 1;
}

/* Steps of the way back from linear light: fine enough that the darkest stay within half a step of
 * 8 bits. */
#define ENCODE_BITS 13

static struct {
	uint16_t linear[256];                    // of an sRGB byte, on [0, 65535]
	unsigned char encoded[1 << ENCODE_BITS]; // sRGB byte of linear light
} tables;

static void fill_tables(void) {
	for (int i = 0; i < 256; i++) {
		tables.linear[i] = (uint16_t)(srgb_to_linear(i / 255.0) * 65535 + 0.5);
	}
	const int steps = 1 << ENCODE_BITS;
	for (int i = 0; i < steps; i++) {
		tables.encoded[i] =
			(unsigned char)(srgb_from_linear((i + 0.5) / steps) * 255 + 0.5);
	}
}

static void average_numbers(const unsigned char *top, const unsigned char *bottom, size_t right,
	size_t from, unsigned char *out) {
	for (size_t k = from; k < 4; k++) {
		out[k] = (unsigned char)((top[k] + top[right + k] + bottom[k] + bottom[right + k] +
						 2) /
			4);
	}
}

static void average_light(
	const unsigned char *top, const unsigned char *bottom, size_t right, unsigned char *out) {
	for (size_t k = 0; k < 3; k++) {
		const uint32_t sum = (uint32_t)tables.linear[top[k]] +
			tables.linear[top[right + k]] + tables.linear[bottom[k]] +
			tables.linear[bottom[right + k]];
		out[k] = tables.encoded[sum >> (18 - ENCODE_BITS)];
	}
}

unsigned char *mipmap_halve(const unsigned char *rgba, bool encoded, int *width, int *height) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, fill_tables);
	const size_t from_width = (size_t)*width;
	const size_t w = *width > 1 ? (size_t)*width / 2 : 1;
	const size_t h = *height > 1 ? (size_t)*height / 2 : 1;
	const size_t right = *width > 1 ? 4 : 0, below = *height > 1 ? from_width * 4 : 0;
	unsigned char *half = xcalloc(w * h, 4);
	for (size_t y = 0; y < h; y++) {
		const unsigned char *top = rgba + y * 2 * from_width * 4;
		for (size_t x = 0; x < w; x++) {
			const unsigned char *at = top + x * 8;
			unsigned char *out = half + (y * w + x) * 4;
			if (encoded) {
				average_light(at, at + below, right, out);
			}
			average_numbers(at, at + below, right, encoded ? 3 : 0, out);
		}
	}
	*width = (int)w;
	*height = (int)h;
	return half;
}
