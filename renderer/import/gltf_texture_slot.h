/* A texture as a material names it, with KHR_texture_transform. Source: glTF 2.0, 3.9.1 and
 * Khronos' registry. */
#pragma once

#include "import/gltf_document.h"

/* Reads a member such as "normalTexture" of an object: *texture is its object, and where there is
 * one, slot->texture its index in the file, *set the texture coordinates that it asks for, and the
 * transform is filled in. An absent one leaves slot and set as they are. */
bool gltf_texture_slot_read(const struct gltf *gltf, const struct gltf_item *object,
	const char *name, struct gltf_item *texture, struct texture_slot *slot, size_t *set,
	struct error *err);

/* Leaves out a texture that cannot be shown. A factor that it was to dim in places, mostly 1, would
 * do harm all over the surface: that goes with it. */
void gltf_texture_slot_drop(struct material *material, enum texture_use use);
