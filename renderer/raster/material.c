// Materials, prepared for a picture.
#include "raster/material.h"

#include <string.h>

/* Layer 2 is for a roughness of a quarter, the last for 1; see shaders/include/environment.glsl. */
static float layer_of_roughness(float roughness) {
	return roughness * (9 - 2 * roughness);
}

/* The numbers between two rows, into what is as long as they are. */
static void mix_rows(const float *rows, size_t length, float at, int last, float *out) {
	const int first = at < (float)last ? (int)at : last - 1;
	const float share = at - (float)first;
	const float *a = rows + (size_t)first * length, *b = a + length;
	for (size_t i = 0; i < length; i++) {
		out[i] = a[i] * (1 - share) + b[i] * share;
	}
}

static float bounded(float x) {
	return x > 0 ? x < 1 ? x : 1 : 0;
}

static void take_roughness(struct raster_material *material, float roughness) {
	const struct raster_scene *scene = material->scene;
	if (material->flags & SHADED_ENVIRONMENT) {
		mix_rows(scene->sky->light[0][0], SCENE_LIGHT_TEXELS * 4,
			layer_of_roughness(roughness), TABLES_LIGHT_LAYERS - 1, material->light[0]);
	}
	mix_rows(scene->reflection[0][0], TABLES_REFLECTION_SIZE * 4,
		roughness * (TABLES_REFLECTION_SIZE - 1), TABLES_REFLECTION_SIZE - 1,
		material->reflection[0]);
}

static void take_maps(struct raster_material *material, const struct raster_material_job *job) {
	const struct material_variant *variant = &job->variant;
	for (int i = 0; i < TEXTURE_USE_COUNT; i++) {
		struct raster_map *map = &material->maps[i];
		const unsigned bit = 1U << i;
		map->texture = variant->maps & bit ? job->textures[i] : NULL;
		map->set = variant->second & bit ? 1 : 0;
		map->moved = variant->moved & bit;
		material_map_rows(job->material, (enum texture_use)i, job->look, map->rows);
	}
}

static unsigned wants_of(const struct material_variant *variant) {
	const bool by_axes = variant->maps & (1U << MAP_NORMAL | 1U << MAP_CLEARCOAT_NORMAL) ||
		variant->flags & SHADED_ANISOTROPY;
	const unsigned on_screen = RASTER_WANTS_POSITION | RASTER_WANTS_POSITION_CHANGES;
	return (variant->second ? RASTER_WANTS_SECOND : 0U) |
		(variant->flags & SHADED_COLORS ? RASTER_WANTS_COLOR : 0U) |
		(variant->flags & (SHADED_LIT | SHADED_TRANSMISSION | SHADED_CAST)
				? RASTER_WANTS_POSITION
				: 0U) |
		(!by_axes                                          ? 0U
				: variant->flags & SHADED_TANGENTS ? RASTER_WANTS_TANGENT
								   : on_screen);
}

/* The mean of the light from above and from below: of its harmonics, those that do not turn round.
 */
static void take_toon(struct raster_material *material, const struct raster_material_job *job) {
	material_toon_numbers(job->material, job->look, material->toon);
	for (int k = 0; material->flags & SHADED_ENVIRONMENT && k < 3; k++) {
		const float(*f)[3] = material->scene->sky->irradiance;
		material->light_equal[k] = (f[0][k] - f[6][k]) - f[8][k];
	}
}

void raster_material_begin(
	struct raster_material *material, const struct raster_material_job *job) {
	material->scene = job->scene;
	material->flags = job->variant.flags;
	material->wants = wants_of(&job->variant);
	material_numbers(job->material, job->scale, material->numbers);
	take_maps(material, job);
	material->one_roughness = !material->maps[MAP_METALLIC_ROUGHNESS].texture;
	if (material->flags & SHADED_TOON) {
		take_toon(material, job);
	} else if (material->one_roughness &&
		material->flags & (SHADED_ENVIRONMENT | SHADED_LIT | SHADED_TRANSMISSION)) {
		take_roughness(material, bounded(material->numbers[2][0]));
	}
}
