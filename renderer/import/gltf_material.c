// glTF's materials -> the rig's. Their textures are the file's until gltf_read_textures().
#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "import/gltf_toon.h"

/* A material of the document while it is read. */
struct reader {
	struct gltf *gltf;
	struct material *material;
	struct gltf_texcoords *texcoords;
	struct gltf_item groups[MATERIAL_GROUP_COUNT];
	struct gltf_item extensions;
	struct gltf_item textures[TEXTURE_USE_COUNT];
	size_t sets[TEXTURE_USE_COUNT]; // of texture coordinates
};

static bool open_groups(struct reader *reader, const struct gltf_item *object, struct error *err) {
	struct gltf_item *const groups = reader->groups;
	groups[MATERIAL_CORE] = *object;
	if (!gltf_object(
		    object, material_groups[MATERIAL_SURFACE], &groups[MATERIAL_SURFACE], err) ||
		!gltf_object(object, "extensions", &reader->extensions, err)) {
		return false;
	}
	for (int i = MATERIAL_EMISSIVE_STRENGTH; i < MATERIAL_GROUP_COUNT; i++) {
		if (!gltf_object(&reader->extensions, material_groups[i], &groups[i], err)) {
			return false;
		}
	}
	return true;
}

static bool check_factor(const struct gltf_item *object, const struct material_factor *factor,
	const float *values, struct error *err) {
	for (int i = 0; i < factor->count; i++) {
		if (values[i] >= factor->least && values[i] <= factor->most) {
			continue;
		}
		if (factor->most == FLT_MAX) {
			return gltf_broken(object, err, "%s has %g, must be from %g on",
				factor->gltf, (double)values[i], (double)factor->least);
		}
		return gltf_broken(object, err, "%s has %g, must be from %g to %g", factor->gltf,
			(double)values[i], (double)factor->least, (double)factor->most);
	}
	return true;
}

static bool read_factors(struct reader *reader, struct error *err) {
	for (int i = 0; i < material_factor_count; i++) {
		const struct material_factor *factor = &material_factors[i];
		const struct gltf_item *object = factor->texture < 0
			? &reader->groups[factor->group]
			: &reader->textures[factor->texture];
		float *values = (float *)material_factor_of(reader->material, factor);
		const bool read = factor->count == 1
			? gltf_number(object, factor->gltf, values, err)
			: gltf_numbers(object, factor->gltf, (size_t)factor->count, values, err);
		// Exporters of avatars are less strict: gltf_toon_read() bounds what is MToon's.
		const bool bounded_later = factor->group == MATERIAL_MTOON;
		if (!read || (!bounded_later && !check_factor(object, factor, values, err))) {
			return false;
		}
	}
	const struct gltf_item *volume = &reader->groups[MATERIAL_VOLUME];
	if (reader->material->attenuation_distance == 0 &&
		gltf_member(volume, "attenuationDistance").json) {
		return gltf_broken(volume, err, "attenuationDistance has 0, must be above 0");
	}
	const float ior = reader->material->ior;
	return ior == 0 || ior >= 1 ||
		gltf_broken(&reader->groups[MATERIAL_IOR], err,
			"ior has %g, must be 0 or from 1 on", (double)ior);
}

/* Gives a texture its place among those that rigs have of texture coordinates. */
static void place_texcoords(struct reader *reader, enum texture_use use) {
	struct gltf_texcoords *texcoords = reader->texcoords;
	struct texture_slot *slot = &reader->material->textures[use];
	const size_t set = reader->sets[use];
	while (slot->texcoords < texcoords->count && texcoords->sets[slot->texcoords] != set) {
		slot->texcoords++;
	}
	if (slot->texcoords < texcoords->count) {
		return;
	}
	if (texcoords->count < TEXCOORD_SETS) {
		texcoords->sets[texcoords->count++] = set;
		return;
	}
	gltf_warn(reader->gltf->rig, &reader->textures[use],
		"uses texture coordinates %zu, beyond the %d sets that a material may have; drawn "
		"without it",
		set, TEXCOORD_SETS);
	gltf_texture_slot_drop(reader->material, use);
}

static void place_all_texcoords(struct reader *reader) {
	for (enum texture_use use = 0; use < TEXTURE_USE_COUNT; use++) {
		if (reader->material->textures[use].texture >= 0) {
			place_texcoords(reader, use);
		}
	}
	reader->texcoords->used = reader->texcoords->count;
	if (reader->texcoords->count == 0) {
		reader->texcoords->count = 1; // the first set is kept without a texture, too
	}
}

static bool read_texture(struct reader *reader, const struct gltf_item *object, const char *name,
	enum texture_use use, struct error *err) {
	return gltf_texture_slot_read(reader->gltf, object, name, &reader->textures[use],
		&reader->material->textures[use], &reader->sets[use], err);
}

static bool read_textures(struct reader *reader, struct error *err) {
	for (enum texture_use use = 0; use < TEXTURE_USE_COUNT; use++) {
		const struct material_texture *row = &material_textures[use];
		if (!read_texture(reader, &reader->groups[row->group], row->gltf, use, err)) {
			return false;
		}
	}
	return true;
}

static bool read_alpha(struct reader *reader, struct error *err) {
	static const char *const names[] = {
		[ALPHA_OPAQUE] = "OPAQUE",
		[ALPHA_MASK] = "MASK",
		[ALPHA_BLEND] = "BLEND",
		NULL,
	};
	const struct gltf_item *object = &reader->groups[MATERIAL_CORE];
	int mode = ALPHA_OPAQUE;
	if (!gltf_choice(object, "alphaMode", names, &mode, err)) {
		return false;
	}
	reader->material->alpha_mode = (enum alpha_mode)mode;
	return gltf_number(object, "alphaCutoff", &reader->material->alpha_cutoff, err);
}

static bool read_name(struct reader *reader, struct error *err) {
	const char *name = "";
	if (!gltf_string(&reader->groups[MATERIAL_CORE], "name", &name, err)) {
		return false;
	}
	reader->material->name = xstrndup(name, strlen(name));
	return true;
}

static bool read_unlit(struct reader *reader, struct error *err) {
	struct gltf_item unlit;
	if (!gltf_object(&reader->extensions, "KHR_materials_unlit", &unlit, err)) {
		return false;
	}
	reader->material->unlit = unlit.json != NULL;
	return true;
}

/* Diffuse and specular reflection, as members of KHR_materials_pbrSpecularGlossiness. */
static bool read_glossy(struct reader *reader, const struct gltf_item *glossy, float *glossiness,
	struct error *err) {
	struct material *material = reader->material;
	const struct material_factor factors[] = {
		{.gltf = "diffuseFactor", .count = 4, .most = 1},
		{.gltf = "specularFactor", .count = 3, .most = 1},
		{.gltf = "glossinessFactor", .count = 1, .most = 1},
	};
	return gltf_numbers(glossy, factors[0].gltf, 4, material->base_color, err) &&
		gltf_numbers(glossy, factors[1].gltf, 3, material->specular_color, err) &&
		gltf_number(glossy, factors[2].gltf, glossiness, err) &&
		check_factor(glossy, &factors[0], material->base_color, err) &&
		check_factor(glossy, &factors[1], material->specular_color, err) &&
		check_factor(glossy, &factors[2], glossiness, err) &&
		read_texture(reader, glossy, "diffuseTexture", TEXTURE_BASE_COLOR, err) &&
		read_texture(
			reader, glossy, "specularGlossinessTexture", TEXTURE_SPECULAR_COLOR, err);
}

/* The way in which older files say what a surface reflects. It comes out as one without metal whose
 * reflection has a colour of its own, which is the same but for the texture of glossiness. Where
 * there is pbrMetallicRoughness, too, that is what the author would have others draw.
 * Source: Khronos' registry, KHR_materials_ior on how the extension is taken over. */
static bool read_specular_glossiness(struct reader *reader, struct error *err) {
	struct gltf_item glossy;
	if (!gltf_object(
		    &reader->extensions, "KHR_materials_pbrSpecularGlossiness", &glossy, err)) {
		return false;
	}
	if (!glossy.json || reader->groups[MATERIAL_SURFACE].json) {
		return true;
	}
	struct material *material = reader->material;
	float glossiness = 1;
	if (!read_glossy(reader, &glossy, &glossiness, err)) {
		return false;
	}
	const bool textured = material->textures[TEXTURE_SPECULAR_COLOR].texture >= 0;
	if (textured) {
		gltf_warn(reader->gltf->rig, &reader->textures[TEXTURE_SPECULAR_COLOR],
			"is approximated: its glossiness is not drawn, and taken as one half");
	} else if (!gltf_member(&glossy, "specularFactor").json) {
		gltf_warn(reader->gltf->rig, &glossy,
			"has no specularFactor, and so reflects all light: nothing of its diffuse "
			"colour is seen");
	}
	material->metallic = 0;
	material->roughness = 1 - (textured ? glossiness / 2 : glossiness);
	material->ior = 0;
	return true;
}

/* Older avatars have their emission's strength elsewhere. */
static bool read_hdr(struct reader *reader, struct error *err) {
	struct gltf_item hdr;
	float *strength = &reader->material->emissive_strength;
	if (!gltf_object(&reader->extensions, "VRMC_materials_hdr_emissiveMultiplier", &hdr, err)) {
		return false;
	}
	if (!hdr.json || reader->groups[MATERIAL_EMISSIVE_STRENGTH].json) {
		return true;
	}
	const struct material_factor factor = {
		.gltf = "emissiveMultiplier", .count = 1, .most = FLT_MAX};
	return gltf_number(&hdr, factor.gltf, strength, err) &&
		check_factor(&hdr, &factor, strength, err);
}

static bool read_toon(struct reader *reader, struct error *err) {
	const struct gltf_item *toon = &reader->groups[MATERIAL_MTOON];
	if (toon->json) {
		return gltf_toon_read(reader->gltf->rig, toon, reader->material, err);
	}
	const int index = (int)(reader->material - reader->gltf->rig->materials);
	if (gltf_toon_read_0x(reader->gltf, index, reader->material)) {
		memset(reader->sets, 0, sizeof reader->sets);
	}
	return true;
}

static bool read_material(
	struct reader *reader, const struct gltf_item *object, struct error *err) {
	*reader->material = material_default;
	if (!open_groups(reader, object, err) || !read_name(reader, err) ||
		!read_textures(reader, err) || !read_factors(reader, err) ||
		!read_specular_glossiness(reader, err) || !read_unlit(reader, err) ||
		!read_alpha(reader, err) || !read_hdr(reader, err) ||
		!gltf_boolean(object, "doubleSided", &reader->material->double_sided, err) ||
		!read_toon(reader, err)) {
		return false;
	}
	place_all_texcoords(reader);
	return true;
}

static bool open_list(struct gltf *gltf, struct gltf_item *list, struct error *err) {
	struct gltf_item textures;
	struct rig *rig = gltf->rig;
	if (!gltf_document_list(gltf, "textures", &textures, &gltf->texture_count, err) ||
		!gltf_document_list(gltf, "materials", list, &gltf->material_count, err)) {
		return false;
	}
	const size_t count = (size_t)gltf->material_count;
	gltf->texcoords = arena_alloc(gltf->arena, count, sizeof *gltf->texcoords);
	rig->materials = gltf_storage(gltf, count, sizeof *rig->materials, "materials", err);
	return rig->materials;
}

const struct gltf_texcoords *gltf_texcoords_of(const struct gltf *gltf, int material) {
	static const struct gltf_texcoords first = {.count = 1};
	return material < 0 ? &first : &gltf->texcoords[material];
}

bool gltf_read_materials(struct gltf *gltf, struct error *err) {
	struct gltf_item list, object;
	struct rig *rig = gltf->rig;
	if (!open_list(gltf, &list, err)) {
		return false;
	}
	for (int i = 0; i < gltf->material_count; i++) {
		struct reader reader = {
			.gltf = gltf,
			.material = &rig->materials[rig->material_count++],
			.texcoords = &gltf->texcoords[i],
		};
		if (!gltf_element_object(&list, (size_t)i, &object, err) ||
			!read_material(&reader, &object, err)) {
			return false;
		}
	}
	return true;
}
