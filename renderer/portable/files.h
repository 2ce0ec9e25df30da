/* Textures of numbers, and the tar that they are in. */
#pragma once

#include "portable/portable.h"

/* Chooses a texture's size: the least of 2048 (what WebGL2 promises), 4096, 8192 and 16384 texels
 * that holds all frames of so many items both ways. Fails with ERROR_TOO_LARGE. */
bool portable_lay_out(struct portable *portable, struct baked_texture *texture, struct error *err);

/* Where an item of a frame begins, in texels. */
size_t portable_texel(const struct portable *portable, const struct baked_texture *texture,
	size_t item, size_t frame);

/* Zeroed memory for a texture; free() it. NULL with ERROR_TOO_LARGE. */
void *portable_texels(const struct baked_texture *texture, size_t texel_bytes, struct error *err);

/* Appends a tar of mesh.glb as the export has it, the facts' textures with their texels, each
 * texel_bytes, and bake.json. */
struct portable_texels {
	const void *texels;
	size_t texel_bytes;
};

bool portable_write_tar(struct portable *portable, const struct export_job *mesh,
	const struct portable_texels texels[static BAKED_TEXTURES_MAX], struct buffer *out,
	struct error *err);
