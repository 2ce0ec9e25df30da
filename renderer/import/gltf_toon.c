// MToon of VRM 1.0, and the materials of VRM 0.x.
#include "import/gltf_toon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* --- VRM 1.0 --- */

static void clamp_factors(
	struct rig *rig, const struct gltf_item *item, struct material *material) {
	for (int i = 0; i < material_factor_count; i++) {
		const struct material_factor *factor = &material_factors[i];
		float *values = (float *)material_factor_of(material, factor);
		for (int k = 0; factor->group == MATERIAL_MTOON && k < factor->count; k++) {
			const float told = values[k];
			values[k] = fmaxf(factor->least, fminf(told, factor->most));
			if (values[k] != told) {
				gltf_warn(rig, item, "%s has %g, taken as %g", factor->name,
					(double)told, (double)values[k]);
			}
		}
	}
}

/* What writes depth is drawn earlier: its offsets go upwards from 0, those of others downwards. */
static void set_offset(
	struct rig *rig, const struct gltf_item *item, float told, struct material *material) {
	const bool writes = material->transparent_with_z_write;
	const float least = writes ? 0 : -RENDER_QUEUE_OFFSET_MAX;
	const float most = writes ? RENDER_QUEUE_OFFSET_MAX : 0;
	material->render_queue_offset = (int)fmaxf(least, fminf(told, most));
	if ((float)material->render_queue_offset != told) {
		gltf_warn(rig, item, "renderQueueOffsetNumber is %g, taken as %d", (double)told,
			material->render_queue_offset);
	}
}

bool gltf_toon_read(struct rig *rig, const struct gltf_item *toon, struct material *material,
	struct error *err) {
	int mode = OUTLINE_NONE;
	float offset = 0;
	if (!gltf_choice(toon, "outlineWidthMode", outline_mode_names, &mode, err) ||
		!gltf_boolean(
			toon, "transparentWithZWrite", &material->transparent_with_z_write, err) ||
		!gltf_number(toon, "renderQueueOffsetNumber", &offset, err)) {
		return false;
	}
	material->mtoon = true;
	material->unlit = false;
	material->outline_mode = (enum outline_mode)mode;
	set_offset(rig, toon, offset, material);
	clamp_factors(rig, toon, material);
	return true;
}

/* --- VRM 0.x --- */

/* An element of materialProperties. */
struct properties {
	struct gltf_item list, entry;
	struct gltf_item floats, vectors, textures, keywords;
	const char *shader;
};

#define AT(member) offsetof(struct material, member)

static const struct {
	const char *name;
	size_t at;
	float standard; // where it is absent
} numbers_0x[] = {
	{"_BumpScale", AT(normal_scale), 1},
	{"_ShadeShift", AT(toon.shading_shift), 0},
	{"_ShadeToony", AT(toon.shading_toony), 0.9F},
	{"_IndirectLightIntensity", AT(toon.gi_equalization), 0.1F},
	{"_RimFresnelPower", AT(toon.rim_fresnel_power), 1},
	{"_RimLift", AT(toon.rim_lift), 0},
	{"_RimLightingMix", AT(toon.rim_lighting_mix), 0},
	{"_OutlineWidth", AT(toon.outline_width), 0},
	{"_OutlineLightingMix", AT(toon.outline_lighting_mix), 1},
	{"_UvAnimScrollX", AT(toon.uv_scroll_x), 0},
	{"_UvAnimScrollY", AT(toon.uv_scroll_y), 0},
	{"_UvAnimRotation", AT(toon.uv_rotation), 0},
};

static const struct {
	const char *name;
	size_t at;
	float standard[3];
} colors_0x[] = {
	{"_Color", AT(base_color), {1, 1, 1}},
	{"_ShadeColor", AT(toon.shade_color), {0.97F, 0.81F, 0.86F}},
	{"_EmissionColor", AT(emissive), {0, 0, 0}},
	{"_RimColor", AT(toon.rim_color), {0, 0, 0}},
	{"_OutlineColor", AT(toon.outline_color), {0, 0, 0}},
};

static const struct {
	const char *name;
	enum texture_use use;
} textures_0x[] = {
	{"_MainTex", TEXTURE_BASE_COLOR},
	{"_ShadeTexture", TEXTURE_SHADE_MULTIPLY},
	{"_BumpMap", TEXTURE_NORMAL},
	{"_EmissionMap", TEXTURE_EMISSIVE},
	{"_SphereAdd", TEXTURE_MATCAP},
	{"_RimTexture", TEXTURE_RIM_MULTIPLY},
	{"_OutlineWidthTexture", TEXTURE_OUTLINE_WIDTH},
	{"_UvAnimMaskTexture", TEXTURE_UV_ANIMATION_MASK},
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* Some exporters leave the alpha away. */
static bool read_vector(
	const struct gltf_item *vectors, const char *name, float out[static 4], struct error *err) {
	const struct gltf_item list = gltf_member(vectors, name);
	const size_t count = list.json ? gltf_list_size(&list) : 4;
	return gltf_numbers(vectors, name, count == 3 ? 3 : 4, out, err);
}

/* The colours of 0.x are sRGB, by its power of 2.2; alpha is not. */
static bool read_color(const struct properties *from, const char *name, const float *standard,
	float out[static 3], float *alpha, struct error *err) {
	float color[4] = {standard[0], standard[1], standard[2], 1};
	const bool told = gltf_member(&from->vectors, name).json;
	if (!read_vector(&from->vectors, name, color, err)) {
		return false;
	}
	const float gamma = 2.2F;
	for (int k = 0; k < 3; k++) {
		const double share = pow(fmax((double)color[k], 0), (double)gamma);
		out[k] = (float)fmin(share, 1e6);
	}
	*alpha = told ? fmaxf(0, fminf(color[3], 1)) : 1;
	return true;
}

static float *float_at(struct material *material, size_t at) {
	return (float *)(void *)((char *)material + at);
}

static bool read_numbers(
	const struct properties *from, struct material *material, struct error *err) {
	for (size_t i = 0; i < COUNT(numbers_0x); i++) {
		float *number = float_at(material, numbers_0x[i].at);
		*number = numbers_0x[i].standard;
		if (!gltf_number(&from->floats, numbers_0x[i].name, number, err)) {
			return false;
		}
	}
	for (size_t i = 0; i < COUNT(colors_0x); i++) {
		float alpha;
		if (!read_color(from, colors_0x[i].name, colors_0x[i].standard,
			    float_at(material, colors_0x[i].at), &alpha, err)) {
			return false;
		}
		material->base_color[3] = i == 0 ? alpha : material->base_color[3];
	}
	return true;
}

/* glTF's colours end at 1: emission that does not becomes a strength. */
static void bound_colors(struct material *material) {
	float *emissive = material->emissive;
	const float strength = fmaxf(1, fmaxf(emissive[0], fmaxf(emissive[1], emissive[2])));
	material->emissive_strength = strength;
	for (int k = 0; k < 3; k++) {
		emissive[k] = fminf(emissive[k] / strength, 1);
		material->base_color[k] = fminf(material->base_color[k], 1);
	}
}

/* One transform for all textures, counted from the bottom left. */
static bool read_slots(const struct gltf *gltf, const struct properties *from,
	struct material *material, struct error *err) {
	float place[4] = {0, 0, 1, 1}; // offset and scale
	if (!gltf_numbers(&from->vectors, "_MainTex", 4, place, err)) {
		return false;
	}
	for (enum texture_use use = 0; use < TEXTURE_USE_COUNT; use++) {
		material->textures[use] = material_default.textures[use];
	}
	for (size_t i = 0; i < COUNT(textures_0x); i++) {
		struct texture_slot *slot = &material->textures[textures_0x[i].use];
		if (!gltf_index(&from->textures, textures_0x[i].name, gltf->texture_count,
			    &slot->texture, err)) {
			return false;
		}
		const float down = 1 - place[1] - place[3];
		if (textures_0x[i].use != TEXTURE_MATCAP && isfinite(down)) {
			slot->offset[0] = place[0];
			slot->offset[1] = down;
			slot->scale[0] = place[2];
			slot->scale[1] = place[3];
		}
	}
	return true;
}

static bool is_shader(const struct properties *from, const char *name) {
	return strcmp(from->shader, name) == 0;
}

static bool keyword(const struct properties *from, const char *name) {
	const struct gltf_item item = gltf_member(&from->keywords, name);
	return item.json && item.json->kind == JSON_KIND_TRUE;
}

static float number_of(const struct properties *from, const char *name, float standard) {
	struct error err = {0};
	return gltf_number(&from->floats, name, &standard, &err) ? standard : 0;
}

static enum alpha_mode alpha_mode_of(const struct properties *from) {
	const bool blended = keyword(from, "_ALPHABLEND_ON") ||
		is_shader(from, "VRM/UnlitTransparent") ||
		is_shader(from, "VRM/UnlitTransparentZWrite");
	const bool masked = keyword(from, "_ALPHATEST_ON") || is_shader(from, "VRM/UnlitCutout");
	return blended ? ALPHA_BLEND : masked ? ALPHA_MASK : ALPHA_OPAQUE;
}

static bool writes_depth(const struct properties *from) {
	return alpha_mode_of(from) == ALPHA_BLEND &&
		(number_of(from, "_ZWrite", 0) == 1 ||
			is_shader(from, "VRM/UnlitTransparentZWrite"));
}

static bool open_properties(
	const struct gltf_item *list, size_t i, struct properties *out, struct error *err) {
	*out = (struct properties){.list = *list, .shader = ""};
	return gltf_element_object(list, i, &out->entry, err) &&
		gltf_string(&out->entry, "shader", &out->shader, err) &&
		gltf_object(&out->entry, "floatProperties", &out->floats, err) &&
		gltf_object(&out->entry, "vectorProperties", &out->vectors, err) &&
		gltf_object(&out->entry, "textureProperties", &out->textures, err) &&
		gltf_object(&out->entry, "keywordMap", &out->keywords, err);
}

static bool render_queue(const struct properties *from, float *queue) {
	struct error err = {0};
	return gltf_member(&from->entry, "renderQueue").json &&
		gltf_number(&from->entry, "renderQueue", queue, &err);
}

/* The queues of a file's blended materials, each once and ascending: of those that write no depth,
 * and of those that do. */
struct gltf_queues {
	size_t counts[2];
	float *queues[2];
};

static int ascending(const void *a, const void *b) {
	const float x = *(const float *)a, y = *(const float *)b;
	return (x > y) - (x < y);
}

static size_t sort_queues(float *queues, size_t count) {
	size_t kept = 0;
	qsort(queues, count, sizeof *queues, ascending);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || queues[i] != queues[kept - 1]) {
			queues[kept++] = queues[i];
		}
	}
	return kept;
}

static const struct gltf_queues *queues_of(struct gltf *gltf, const struct gltf_item *list) {
	if (gltf->queues) {
		return gltf->queues;
	}
	const size_t count = gltf_list_size(list);
	struct gltf_queues *out = arena_alloc(gltf->arena, 1, sizeof *out);
	for (int writes = 0; writes < 2; writes++) {
		out->counts[writes] = 0;
		out->queues[writes] = arena_alloc(gltf->arena, count + 1, sizeof **out->queues);
	}
	for (size_t i = 0; i < count; i++) {
		struct properties from;
		struct error err = {0};
		float queue;
		if (open_properties(list, i, &from, &err) && alpha_mode_of(&from) == ALPHA_BLEND &&
			render_queue(&from, &queue)) {
			const int writes = writes_depth(&from);
			out->queues[writes][out->counts[writes]++] = queue;
		}
	}
	for (int writes = 0; writes < 2; writes++) {
		out->counts[writes] = sort_queues(out->queues[writes], out->counts[writes]);
	}
	return gltf->queues = out;
}

/* Unity's queues become offsets in their order. More than fit are drawn as the last that does. */
static int queue_offset(struct gltf *gltf, const struct properties *from) {
	float own;
	if (!render_queue(from, &own)) {
		return 0;
	}
	const struct gltf_queues *all = queues_of(gltf, &from->list);
	const int writes = writes_depth(from);
	const float *queues = all->queues[writes];
	const size_t count = all->counts[writes], most = RENDER_QUEUE_OFFSET_MAX;
	size_t below = 0;
	const float *found = bsearch(&own, queues, count, sizeof *queues, ascending);
	below = found ? (size_t)(found - queues) : 0;
	const size_t above = count > 0 ? count - 1 - below : 0;
	return writes ? (int)(below < most ? below : most) : -(int)(above < most ? above : most);
}

static void set_outline(const struct properties *from, struct material *material) {
	const float mode = number_of(from, "_OutlineWidthMode", 0);
	material->outline_mode = mode == 1 ? OUTLINE_WORLD
		: mode == 2                ? OUTLINE_SCREEN
					   : OUTLINE_NONE;
	material->toon.outline_width *= 0.01F; // centimetres
	if (number_of(from, "_OutlineColorMode", 0) != 1) {
		material->toon.outline_lighting_mix = 0;
	}
}

/* From the shade's middle and sharpness to those of 1.0. */
static void set_shade(struct material_toon *toon) {
	const float shift = toon->shading_shift;
	const float share = 0.5F + 0.5F * shift;
	toon->shading_toony = toon->shading_toony * (1 - share) + share;
	toon->shading_shift = -shift - (1 - toon->shading_toony);
	toon->gi_equalization = 1 - toon->gi_equalization;
}

static void set_sides(
	const struct gltf *gltf, const struct properties *from, struct material *material) {
	const float cull = number_of(from, "_CullMode", 2);
	material->double_sided = cull == 0;
	if (cull == 1) {
		gltf_warn(gltf->rig, &from->entry,
			"culls its front faces, which is not done: its back faces are culled");
	}
}

static bool take_toon(const struct gltf *gltf, const struct properties *from,
	struct material *material, struct error *err) {
	if (!read_numbers(from, material, err) || !read_slots(gltf, from, material, err)) {
		return false;
	}
	material->mtoon = true;
	material->unlit = false;
	bound_colors(material);
	set_sides(gltf, from, material);
	set_shade(&material->toon);
	set_outline(from, material);
	material->toon.uv_scroll_y = -material->toon.uv_scroll_y;
	clamp_factors(gltf->rig, &from->entry, material);
	return true;
}

/* The unlit shaders have a colour, a texture and holes. */
static bool take_unlit(const struct gltf *gltf, const struct properties *from,
	struct material *material, struct error *err) {
	const float white[3] = {1, 1, 1};
	if (!read_slots(gltf, from, material, err) ||
		!read_color(from, "_Color", white, material->base_color, &material->base_color[3],
			err)) {
		return false;
	}
	material->unlit = true;
	bound_colors(material);
	return true;
}

static bool take_properties(struct gltf *gltf, const struct properties *from,
	struct material *material, struct error *err) {
	const bool toon = is_shader(from, "VRM/MToon");
	material->alpha_cutoff = material_default.alpha_cutoff;
	if (!(toon ? take_toon : take_unlit)(gltf, from, material, err) ||
		!gltf_number(&from->floats, "_Cutoff", &material->alpha_cutoff, err)) {
		return false;
	}
	material->alpha_mode = alpha_mode_of(from);
	material->transparent_with_z_write = writes_depth(from);
	material->render_queue_offset =
		material->alpha_mode == ALPHA_BLEND ? queue_offset(gltf, from) : 0;
	return true;
}

static bool is_known(const struct gltf *gltf, const struct properties *from) {
	const bool known = is_shader(from, "VRM/MToon") ||
		strncmp(from->shader, "VRM/Unlit", strlen("VRM/Unlit")) == 0;
	if (!known && !is_shader(from, "VRM_USE_GLTFSHADER")) {
		char quoted[UTF8_QUOTED_BYTES];
		utf8_quote(from->shader, quoted, sizeof quoted);
		gltf_warn(gltf->rig, &from->entry,
			"shader %s is not supported; drawn as glTF's material of the file", quoted);
	}
	return known;
}

/* *taken: the material is the extension's. */
static bool read_0x(
	struct gltf *gltf, int index, struct material *material, bool *taken, struct error *err) {
	struct gltf_item extensions, vrm, list, later;
	struct properties from;
	if (!gltf_object(&gltf->root, "extensions", &extensions, err) ||
		!gltf_object(&extensions, "VRM", &vrm, err) ||
		!gltf_list(&vrm, "materialProperties", &list, err)) {
		return false;
	}
	later = gltf_member(&extensions, "VRMC_vrm");
	if (later.json || (size_t)index >= gltf_list_size(&list)) {
		return true;
	}
	if (!open_properties(&list, (size_t)index, &from, err)) {
		return false;
	}
	// Items name their outer ones, which must not move.
	from.entry.outer = &list;
	*taken = is_known(gltf, &from);
	return !*taken || take_properties(gltf, &from, material, err);
}

bool gltf_toon_read_0x(struct gltf *gltf, int index, struct material *material) {
	struct error err = {0};
	struct material read = *material;
	bool taken = false;
	if (!read_0x(gltf, index, &read, &taken, &err)) {
		rig_warn(gltf->rig, "%s; drawn as glTF's material of the file", err.text);
		return false;
	}
	*material = read;
	return taken;
}
