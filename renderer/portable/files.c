// Textures of numbers, and the tar that they are in.
#include "portable/files.h"

#include "base/baked.h"
#include "base/memory.h"
#include "image/tar_file.h"
#include "portable/portable.h"

#define LEAST_SIDE 2048 // texels; what every WebGL2 has
#define MOST_SIDE 16384 // what graphics cards have

static bool fits(struct portable *portable, struct baked_texture *texture, size_t side) {
	texture->items_per_row = side / texture->texels;
	if (texture->items_per_row > texture->items) {
		texture->items_per_row = texture->items;
	}
	const size_t blocks =
		(texture->items + texture->items_per_row - 1) / texture->items_per_row;
	texture->width = texture->items_per_row * texture->texels;
	texture->height = blocks * portable->count;
	return texture->height <= side;
}

bool portable_lay_out(struct portable *portable, struct baked_texture *texture, struct error *err) {
	for (size_t side = LEAST_SIDE; side <= MOST_SIDE; side *= 2) {
		if (fits(portable, texture, side)) {
			return true;
		}
	}
	return value_error(portable->job->baked.place, err, ERROR_TOO_LARGE,
		"%zu frames of %zu texels are more than a texture of %d x %d holds; bake less, or "
		"at a lower rate",
		portable->count, texture->items * texture->texels, MOST_SIDE, MOST_SIDE);
}

size_t portable_texel(const struct portable *portable, const struct baked_texture *texture,
	size_t item, size_t frame) {
	const size_t row = item / texture->items_per_row * portable->count + frame;
	return row * texture->width + item % texture->items_per_row * texture->texels;
}

void *portable_texels(const struct baked_texture *texture, size_t texel_bytes, struct error *err) {
	return try_calloc(texture->width * texture->height, texel_bytes, "a texture", err);
}

static bool put_mesh(struct tar_file *tar, const struct export_job *mesh, struct buffer *out,
	struct error *err) {
	struct buffer glb = {0};
	const bool fine = export_glb(mesh, &glb, err) &&
		tar_file_put(tar, "mesh.glb", glb.data, glb.size, out, err);
	buffer_finish(&glb);
	return fine;
}

static bool put_description(
	struct portable *portable, struct tar_file *tar, struct buffer *out, struct error *err) {
	struct buffer json = {0};
	portable->job->describe(portable->facts, &json);
	const bool fine = tar_file_put(tar, "bake.json", json.data, json.size, out, err);
	buffer_finish(&json);
	return fine;
}

static bool put_textures(const struct baked_facts *facts, const struct portable_texels *texels,
	struct tar_file *tar, struct buffer *out, struct error *err) {
	for (size_t i = 0; i < facts->texture_count; i++) {
		const struct baked_texture *texture = &facts->textures[i];
		if (!tar_file_put(tar, texture->file, texels[i].texels,
			    texture->width * texture->height * texels[i].texel_bytes, out, err)) {
			return false;
		}
	}
	return true;
}

static bool check_size(
	struct portable *portable, const struct portable_texels *texels, struct error *err) {
	double bytes = 0;
	for (size_t i = 0; i < portable->facts->texture_count; i++) {
		const struct baked_texture *texture = &portable->facts->textures[i];
		bytes += (double)texture->width * (double)texture->height *
			(double)texels[i].texel_bytes;
	}
	return portable_check_bytes(portable, bytes, err);
}

bool portable_write_tar(struct portable *portable, const struct export_job *mesh,
	const struct portable_texels texels[static BAKED_TEXTURES_MAX], struct buffer *out,
	struct error *err) {
	struct tar_file *tar = check_size(portable, texels, err) ? tar_file_create(err) : NULL;
	const bool fine = tar && put_description(portable, tar, out, err) &&
		put_mesh(tar, mesh, out, err) &&
		put_textures(portable->facts, texels, tar, out, err) && tar_file_end(tar, out, err);
	tar_file_destroy(tar);
	return fine;
}
