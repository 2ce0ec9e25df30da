// A texture as a material names it.
#include "import/gltf_texture_slot.h"

#include <string.h>

static bool read_transform(const struct gltf_item *texture, struct texture_slot *slot, size_t *set,
	struct error *err) {
	struct gltf_item extensions, transform;
	return gltf_object(texture, "extensions", &extensions, err) &&
		gltf_object(&extensions, "KHR_texture_transform", &transform, err) &&
		gltf_numbers(&transform, "offset", 2, slot->offset, err) &&
		gltf_number(&transform, "rotation", &slot->rotation_rad, err) &&
		gltf_numbers(&transform, "scale", 2, slot->scale, err) &&
		gltf_size(&transform, "texCoord", set, err);
}

bool gltf_texture_slot_read(const struct gltf *gltf, const struct gltf_item *object,
	const char *name, struct gltf_item *texture, struct texture_slot *slot, size_t *set,
	struct error *err) {
	if (!gltf_object(object, name, texture, err)) {
		return false;
	}
	if (!texture->json) {
		return true;
	}
	if (!gltf_index(texture, "index", gltf->texture_count, &slot->texture, err) ||
		!gltf_size(texture, "texCoord", set, err) ||
		!read_transform(texture, slot, set, err)) {
		return false;
	}
	return slot->texture >= 0 || gltf_broken(texture, err, "has no index");
}

void gltf_texture_slot_drop(struct material *material, enum texture_use use) {
	material->textures[use] = material_default.textures[use];
	if (use == TEXTURE_METALLIC_ROUGHNESS) {
		material->metallic = 0;
	} else if (use == TEXTURE_EMISSIVE) {
		memset(material->emissive, 0, sizeof material->emissive);
	} else if (use == TEXTURE_SPECULAR_COLOR && material->ior == 0) {
		material->ior = material_default.ior;
	} else if (use == TEXTURE_TRANSMISSION) {
		material->transmission = 0;
	}
}
