// An animation as a texture with the matrix of every slot in every frame.
#include <stdlib.h>
#include <string.h>

#include "bake_export/bake_export.h"
#include "base/memory.h"
#include "interface/vertices.h"
#include "skin/displacement.h"
#include "skinned/prepare.h"
#include "skinned/streams.h"

#define ROWS 3 // of a matrix

/* The mesh: the vertices before skinning, with the morph weights of the first frame. */
struct shape {
	float *weights;  // [rig->weight_count] in the arena
	float *vertices; // positions, normals; NULL = the rig's own; owned
};

static bool take_shape(struct bake_export *bake, const struct prepared *prepared,
	struct shape *shape, struct error *err) {
	const struct rig *rig = bake->job->subject.rig;
	const size_t count = (size_t)rig->vertex_count, weights = (size_t)rig->weight_count;
	shape->weights = arena_alloc(bake->arena, weights, sizeof *shape->weights);
	if (weights > 0) {
		memcpy(shape->weights, prepared->weights, weights * sizeof *shape->weights);
	}
	if (!morph_is_active(rig, shape->weights)) {
		return true;
	}
	shape->vertices = try_calloc(count * 6 + 1, sizeof *shape->vertices, "the mesh", err);
	if (shape->vertices) {
		morph_apply(
			rig, shape->weights, shape->vertices, shape->vertices + count * 3, NULL);
	}
	return shape->vertices;
}

static bool keeps_shape(const struct bake_export *bake, const struct prepared *prepared,
	const struct shape *shape, struct error *err) {
	const struct bake_export_job *job = bake->job;
	const struct rig *rig = job->subject.rig;
	for (int i = 0; i < rig->weight_count; i++) {
		if (prepared->weights[i] != shape->weights[i]) {
			return value_error(job->baked.form_source, err, ERROR_INVALID_VALUE,
				"the pose changes morph weights, which joint matrices cannot "
				"express; \"vertex_texture\", \"morph\" and \"joints\" do");
		}
	}
	return true;
}

static bool put_frame(struct bake_export *bake, size_t frame, const struct prepared *prepared,
	float *texels, struct error *err) {
	const struct baked_texture *texture = &bake->facts->textures[0];
	for (size_t slot = 0; slot < texture->items; slot++) {
		float *to = texels + bake_export_texel(bake, texture, slot, frame) * 4;
		for (size_t k = 0; k < ROWS * 4; k++) {
			to[k] = (float)prepared->matrices[slot][k];
		}
		if (!vertices_check(to, ROWS * 4, err)) {
			return false;
		}
	}
	return true;
}

static bool add_frame(struct bake_export *bake, size_t i, struct arena *arena, struct shape *shape,
	const double (**first)[12], float *texels, struct error *err) {
	struct prepared prepared;
	if (!bake_export_prepare(bake, i, arena, &prepared, err)) {
		return false;
	}
	const bool ok = (i == 0 ? take_shape(bake, &prepared, shape, err)
				: keeps_shape(bake, &prepared, shape, err)) &&
		put_frame(bake, i, &prepared, texels, err) &&
		bake_export_check_frame(bake, &prepared, err);
	*first = i == 0 ? prepared.matrices : *first;
	prepared_finish(&prepared);
	return ok;
}

/* The first frame's matrices live as long as the export. */
static bool add_frames(struct bake_export *bake, struct shape *shape, const double (**first)[12],
	float *texels, struct error *err) {
	bool ok = add_frame(bake, 0, bake->arena, shape, first, texels, err);
	struct arena *arena = arena_create();
	for (size_t i = 1; ok && i < bake->count; i++) {
		ok = add_frame(bake, i, arena, shape, first, texels, err);
		arena_reset(arena);
	}
	arena_destroy(arena);
	return ok;
}

static bool lay_out(struct bake_export *bake, struct error *err) {
	const struct rig *rig = bake->job->subject.rig;
	struct baked_facts *facts = bake->facts;
	facts->vertices = (size_t)rig->vertex_count;
	if (rig->vertex_count == 0) {
		return error_set(err, ERROR_INVALID_VALUE, "the rig has no vertices to move");
	}
	const char **slots = arena_alloc(bake->arena, (size_t)rig->slot_count, sizeof *slots);
	for (int i = 0; i < rig->slot_count; i++) {
		slots[i] = rig->joints[rig->slots[i].joint].name;
	}
	facts->slots = slots;
	facts->slot_count = (size_t)rig->slot_count;
	facts->texture_count = 1;
	facts->textures[0] = (struct baked_texture){
		.name = "joints",
		.file = "joints.bin",
		.format = "RGBA32F",
		.items = facts->slot_count,
		.texels = ROWS,
	};
	return bake_export_lay_out(bake, &facts->textures[0], err);
}

static bool write(struct bake_export *bake, const struct shape *shape, const double (*first)[12],
	const float *texels, struct buffer *out, struct error *err) {
	const struct rig *rig = bake->job->subject.rig;
	const struct export_rigging rigging = {.matrices = first};
	const struct bake_export_texels textures[BAKED_TEXTURES_MAX] = {
		{texels, 4 * sizeof(float)}};
	struct export_job export = bake_export_glb_job(bake, rig);
	export.rigging = &rigging;
	if (shape->vertices) {
		export.positions = shape->vertices;
		export.normals = shape->vertices + (size_t)rig->vertex_count * 3;
	}
	return bake_export_write_tar(bake, &export, textures, out, err);
}

bool bake_export_joint_texture(struct bake_export *bake, struct buffer *out, struct error *err) {
	if (!bake_export_check_linear(bake, err) || !lay_out(bake, err)) {
		return false;
	}
	struct shape shape = {0};
	const double(*first)[12] = NULL;
	float *texels = bake_export_texels(&bake->facts->textures[0], 4 * sizeof *texels, err);
	const bool ok = texels && add_frames(bake, &shape, &first, texels, err) &&
		write(bake, &shape, first, texels, out, err);
	free(shape.vertices);
	free(texels);
	return ok;
}
