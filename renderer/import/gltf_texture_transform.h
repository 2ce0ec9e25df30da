/* KHR_texture_transform: texture coordinates moved, turned and scaled. The renderer draws one
 * texture per surface, so that they are changed once, when they are read. Source: Khronos'
 * registry. */
#pragma once

#include "import/gltf_document.h"

/* The set of texture coordinates that a texture of a material uses, and what is done to them. */
bool gltf_texture_transform_read(
	const struct gltf_item *texture, struct gltf_texcoords *texcoords, struct error *err);

/* Applies it to [count][2] coordinates, in place. */
void gltf_texture_transform_apply(
	const struct gltf_texcoords *texcoords, float *coordinates, size_t count);
