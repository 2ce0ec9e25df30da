// glTF's materials -> the rig's: base colour, metalness, alpha mode, sides.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "import/gltf_document.h"
#include "import/gltf_texture_transform.h"

static bool read_alpha_mode(
	const struct gltf_item *object, enum alpha_mode *mode, struct error *err) {
	static const char *const names[] = {
		[ALPHA_OPAQUE] = "OPAQUE",
		[ALPHA_MASK] = "MASK",
		[ALPHA_BLEND] = "BLEND",
		NULL,
	};
	int choice = ALPHA_OPAQUE;
	const bool read = gltf_choice(object, "alphaMode", names, &choice, err);
	*mode = (enum alpha_mode)choice;
	return read;
}

static bool read_base_color(
	const struct gltf_item *surface, float color[static 4], struct error *err) {
	if (!gltf_numbers(surface, "baseColorFactor", 4, color, err)) {
		return false;
	}
	for (int i = 0; i < 4; i++) {
		if (!(color[i] >= 0 && color[i] <= 1)) {
			return gltf_broken(surface, err,
				"baseColorFactor has %g, must be from 0 to 1", (double)color[i]);
		}
	}
	return true;
}

static bool read_texture(
	struct gltf *gltf, const struct gltf_item *surface, int i, struct error *err) {
	struct gltf_item texture;
	int index = -1;
	if (!gltf_object(surface, "baseColorTexture", &texture, err) ||
		!gltf_index(&texture, "index", gltf->texture_count, &index, err) ||
		!gltf_texture_transform_read(&texture, &gltf->texcoords[i], err)) {
		return false;
	}
	if (texture.json && index < 0) {
		return gltf_broken(&texture, err, "has no index");
	}
	gltf->rig->materials[i].texture = index < 0 ? -1 : gltf->textures[index];
	return true;
}

/* How metallic and how rough. A texture multiplies both where there is one; without it a plain
 * rough surface comes closer than the factors alone, which then mostly are 1. */
static bool read_metal(
	const struct gltf_item *surface, struct material *material, struct error *err) {
	struct gltf_item texture;
	float *const factors[] = {&material->metallic, &material->roughness};
	if (!gltf_number(surface, "metallicFactor", factors[0], err) ||
		!gltf_number(surface, "roughnessFactor", factors[1], err) ||
		!gltf_object(surface, "metallicRoughnessTexture", &texture, err)) {
		return false;
	}
	for (int i = 0; i < 2; i++) {
		*factors[i] = fminf(fmaxf(*factors[i], 0), 1);
	}
	if (texture.json) {
		material->metallic = 0;
	}
	return true;
}

/* Light of its own, and KHR_materials_unlit. */
static bool read_light(struct gltf *gltf, const struct gltf_item *object, struct material *material,
	struct error *err) {
	struct gltf_item texture, extensions, unlit;
	if (!gltf_numbers(object, "emissiveFactor", 3, material->emissive, err) ||
		!gltf_object(object, "emissiveTexture", &texture, err) ||
		!gltf_object(object, "extensions", &extensions, err) ||
		!gltf_object(&extensions, "KHR_materials_unlit", &unlit, err)) {
		return false;
	}
	material->unlit = unlit.json != NULL;
	for (int i = 0; i < 3; i++) {
		if (!(material->emissive[i] >= 0 && material->emissive[i] <= 1)) {
			return gltf_broken(object, err,
				"emissiveFactor has %g, must be from 0 to 1",
				(double)material->emissive[i]);
		}
	}
	if (texture.json) {
		gltf_warn(gltf->rig, &texture, "is not drawn; only emissiveFactor is");
	}
	return true;
}

static bool read_material(
	struct gltf *gltf, const struct gltf_item *object, int i, struct error *err) {
	struct material *material = &gltf->rig->materials[i];
	struct gltf_item surface;
	const char *name = "";
	*material = (struct material){
		.base_color = {1, 1, 1, 1},
		.metallic = 1,
		.roughness = 1,
		.texture = -1,
		.alpha_cutoff = 0.5f,
	};
	if (!gltf_string(object, "name", &name, err)) {
		return false;
	}
	material->name = xstrndup(name, strlen(name));
	return gltf_object(object, "pbrMetallicRoughness", &surface, err) &&
		read_base_color(&surface, material->base_color, err) &&
		read_metal(&surface, material, err) && read_texture(gltf, &surface, i, err) &&
		read_light(gltf, object, material, err) &&
		read_alpha_mode(object, &material->alpha_mode, err) &&
		gltf_number(object, "alphaCutoff", &material->alpha_cutoff, err) &&
		gltf_boolean(object, "doubleSided", &material->double_sided, err);
}

bool gltf_read_materials(struct gltf *gltf, struct error *err) {
	struct gltf_item list, object;
	struct rig *rig = gltf->rig;
	if (!gltf_document_list(gltf, "materials", &list, &gltf->material_count, err)) {
		return false;
	}
	const size_t count = (size_t)gltf->material_count;
	gltf->texcoords = arena_alloc(gltf->arena, count, sizeof *gltf->texcoords);
	rig->materials = gltf_storage(gltf, count, sizeof *rig->materials, "materials", err);
	if (!rig->materials) {
		return false;
	}
	rig->material_count = gltf->material_count;
	for (int i = 0; i < rig->material_count; i++) {
		if (!gltf_element_object(&list, (size_t)i, &object, err) ||
			!read_material(gltf, &object, i, err)) {
			return false;
		}
	}
	return true;
}
