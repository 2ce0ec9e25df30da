// Materials as expressions change them.
#include "draw/expressed.h"

#include <string.h>

/* The destination of a kind of colour; NULL = the material has none. *count: its components. */
static float *color_of(struct material *material, enum avatar_color color, int *count) {
	struct material_toon *toon = &material->toon;
	*count = color == AVATAR_COLOR_BASE ? 4 : 3;
	if (color == AVATAR_COLOR_BASE) {
		return material->base_color;
	}
	if (color == AVATAR_COLOR_EMISSION) {
		return material->unlit ? NULL : material->emissive;
	}
	if (!material->mtoon) {
		return NULL;
	}
	switch (color) {
	case AVATAR_COLOR_SHADE:
		return toon->shade_color;
	case AVATAR_COLOR_MATCAP:
		return toon->matcap;
	case AVATAR_COLOR_RIM:
		return toon->rim_color;
	case AVATAR_COLOR_OUTLINE:
		return toon->outline_color;
	case AVATAR_COLOR_BASE:
	case AVATAR_COLOR_EMISSION:
		break;
	}
	return NULL;
}

/* base is the file's material: distances are from its colours, whatever others have added. */
static void add_tint(
	const struct rig *rig, const struct avatar_tint *tint, float weight, struct material *out) {
	int count;
	struct material base = rig->materials[tint->material];
	const float *from = color_of(&base, tint->color, &count);
	float *to = color_of(&out[tint->material], tint->color, &count);
	for (int k = 0; from && k < count; k++) {
		to[k] += (tint->target[k] - from[k]) * weight;
	}
}

static void add_shift(const struct rig *rig, const struct avatar_shift *shift, float weight,
	struct material *out) {
	for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
		const struct texture_slot *from = &rig->materials[shift->material].textures[use];
		struct texture_slot *to = &out[shift->material].textures[use];
		for (int k = 0; use != TEXTURE_MATCAP && k < 2; k++) {
			to->scale[k] += (shift->scale[k] - from->scale[k]) * weight;
			to->offset[k] += (shift->offset[k] - from->offset[k]) * weight;
		}
	}
}

/* Sums may leave the ranges that drawing counts on. */
static void bound(struct material *material) {
	for (int i = 0; i < material_factor_count; i++) {
		const struct material_factor *factor = &material_factors[i];
		float *values = (float *)material_factor_of(material, factor);
		for (int k = 0; k < factor->count; k++) {
			const float value = values[k];
			values[k] = value > factor->most ? factor->most
				: value >= factor->least ? value
							 : factor->least;
		}
	}
}

static bool changes(const struct avatar *avatar, const float *weights) {
	bool any = false;
	for (int i = 0; i < avatar->expression_count; i++) {
		const struct avatar_expression *expression = &avatar->expressions[i];
		any |= weights[i] != 0 && expression->tint_count + expression->shift_count > 0;
	}
	return any;
}

struct material *materials_with_expressions(
	const struct rig *rig, const float *weights, struct arena *arena) {
	const struct avatar *avatar = rig->avatar;
	if (!avatar || !weights || !changes(avatar, weights)) {
		return NULL;
	}
	const size_t count = (size_t)rig->material_count;
	struct material *out = arena_alloc(arena, count + 1, sizeof *out);
	memcpy(out, rig->materials, count * sizeof *out);
	for (int i = 0; i < avatar->expression_count; i++) {
		const struct avatar_expression *expression = &avatar->expressions[i];
		for (int k = 0; weights[i] != 0 && k < expression->tint_count; k++) {
			add_tint(rig, &expression->tints[k], weights[i], out);
		}
		for (int k = 0; weights[i] != 0 && k < expression->shift_count; k++) {
			add_shift(rig, &expression->shifts[k], weights[i], out);
		}
	}
	for (size_t i = 0; i < count; i++) {
		bound(&out[i]);
	}
	return out;
}

const struct rig *rig_with_expressions(
	const struct rig *rig, const float *weights, struct arena *arena) {
	struct material *materials = materials_with_expressions(rig, weights, arena);
	if (!materials) {
		return rig;
	}
	struct rig *copy = arena_alloc(arena, 1, sizeof *copy);
	*copy = *rig;
	copy->materials = materials;
	return copy;
}
