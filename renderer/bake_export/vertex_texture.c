// An animation as textures of every vertex in every frame.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bake_export/bake_export.h"
#include "base/baked.h"
#include "base/memory.h"
#include "export/quantise.h"

/* Numbers in [-1, 1] around the middle of the box, where half floats are finest. */
static void find_scale(const struct baked_facts *facts, struct baked_texture *texture) {
	for (int k = 0; k < 3; k++) {
		texture->offset[k] = facts->min[k] + (facts->max[k] - facts->min[k]) / 2;
		texture->scale[k] = fmaxf(
			facts->max[k] - texture->offset[k], texture->offset[k] - facts->min[k]);
	}
}

static void put_full(const float *position, float *texel) {
	memcpy(texel, position, 3 * sizeof *texel);
	texel[3] = 1;
}

static void put_half(const struct baked_texture *texture, const float *position, uint16_t *texel) {
	float numbers[4] = {0, 0, 0, 1};
	for (int k = 0; k < 3; k++) {
		const float from_middle = position[k] - texture->offset[k];
		numbers[k] = texture->scale[k] > 0 ? from_middle / texture->scale[k] : 0;
	}
	half_from_floats(numbers, 4, texel);
}

/* WebGL's signed bytes: -127 is -1, and -128 is not used. */
static void put_normal(const float *normal, int8_t *texel) {
	for (int k = 0; k < 3; k++) {
		texel[k] = (int8_t)lrintf(fminf(fmaxf(normal[k], -1), 1) * 127);
	}
}

/* Writes the file, once the textures are laid out. */
static void fill(
	struct bake_export *bake, const struct baked_mesh *mesh, void *positions, int8_t *normals) {
	const struct baked_texture *texture = &bake->facts->textures[0];
	const size_t vertices = (size_t)mesh->rig->vertex_count;
	for (size_t i = 0; i < bake->count; i++) {
		for (size_t v = 0; v < vertices; v++) {
			const size_t at = bake_export_texel(bake, texture, v, i) * 4;
			const size_t from = (i * vertices + v) * 3;
			if (bake->job->baked.full) {
				put_full(mesh->positions + from, (float *)positions + at);
			} else {
				put_half(texture, mesh->positions + from,
					(uint16_t *)positions + at);
			}
			put_normal(mesh->normals + from, normals + at);
		}
	}
}

static bool lay_out(struct bake_export *bake, struct error *err) {
	struct baked_facts *facts = bake->facts;
	struct baked_texture *positions = &facts->textures[0];
	facts->texture_count = 2;
	*positions = (struct baked_texture){
		.name = "positions",
		.file = "positions.bin",
		.format = bake->job->baked.full ? "RGBA32F" : "RGBA16F",
		.items = facts->vertices,
		.texels = 1,
	};
	if (!bake_export_lay_out(bake, positions, err)) {
		return false;
	}
	facts->textures[1] = *positions;
	facts->textures[1].name = "normals";
	facts->textures[1].file = "normals.bin";
	facts->textures[1].format = "RGBA8_SNORM";
	if (!bake->job->baked.full) {
		find_scale(facts, positions);
	}
	return true;
}

static bool write(struct bake_export *bake, const struct baked_mesh *mesh, struct buffer *out,
	struct error *err) {
	const struct baked_texture *texture = &bake->facts->textures[0];
	const size_t texel_bytes = bake->job->baked.full ? 4 * sizeof(float) : 4 * sizeof(uint16_t);
	void *positions = bake_export_texels(texture, texel_bytes, err);
	int8_t *normals = positions ? bake_export_texels(texture, 4, err) : NULL;
	bool ok = normals;
	if (ok) {
		struct export_job export = bake_export_glb_job(bake, mesh->rig);
		export.positions = mesh->positions;
		export.normals = mesh->normals;
		export.mirrored = mesh->mirrored;
		export.numbered = true;
		fill(bake, mesh, positions, normals);
		const struct bake_export_texels texels[BAKED_TEXTURES_MAX] = {
			{positions, texel_bytes}, {normals, 4}};
		ok = bake_export_write_tar(bake, &export, texels, out, err);
	}
	free(positions);
	free(normals);
	return ok;
}

bool bake_export_vertex_texture(struct bake_export *bake, struct buffer *out, struct error *err) {
	struct baked_mesh mesh;
	if (!baked_mesh_make(bake, 0, &mesh, err)) {
		return false;
	}
	const bool ok = lay_out(bake, err) && write(bake, &mesh, out, err);
	baked_mesh_finish(&mesh);
	return ok;
}
