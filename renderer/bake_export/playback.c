// An animation as what a page plays: what the method's shader takes of every frame, or, where no
// shader can show it or would take more bytes, packed vertices.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake_export/bake_export.h"
#include "base/memory.h"
#include "image/tar_file.h"
#include "interface/shader_texts.h"
#include "skin/plan.h"
#include "skinned/shader_inputs.h"
#include "skinned/skin.h"

/* Bytes that packed vertices take through the codec, by the table in docs/vertices.md: in the
 * first frame and in each. */
#define PACKED_FIRST_BYTES 5
#define PACKED_BYTES 3

/* The greatest share that gzip leaves of numbers beside the mesh, measured with all methods. */
#define STILL_SHARE 0.5

/* What /v1/vertices packs several frames with by default. */
static const struct packing_settings packing = {
	.positions = true,
	.normals = true,
	.bits = 14,
	.compressed = true,
	.deltas = true,
	.reordered = true,
};

struct playback {
	struct bake_export *bake;
	struct prepared first;
	struct shader_inputs inputs; // of the first frame
	struct scratch vertices;     // likewise
	float *weights;              // [rig->weight_count] likewise, in bake->arena
	const char *text;            // the method whose text has the functions
	struct buffer frames;        // palettes, or blocks of packed vertices
	struct baked_playback facts;
};

/* --- Palettes --- */

static bool same_numbers(const void *a, const void *b, size_t bytes) {
	return a == b || (a && b && memcmp(a, b, bytes) == 0);
}

static bool same_uniform(const struct shader_uniform *a, const struct shader_uniform *b) {
	return a->count == b->count &&
		same_numbers(a->words, b->words, a->count * sizeof *a->words) &&
		same_numbers(a->floats, b->floats, a->count * sizeof *a->floats);
}

/* True if two stages differ at most by their palettes. */
static bool same_stage(const struct shader_stage *a, const struct shader_stage *b) {
	bool same = a->buffers[0].count == b->buffers[0].count;
	for (size_t i = 0; same && i < SHADER_UNIFORMS; i++) {
		same = same_uniform(&a->uniforms[i], &b->uniforms[i]);
	}
	for (size_t i = 1; same && i < SHADER_STAGE_BUFFERS; i++) {
		same = a->buffers[i].count == b->buffers[i].count &&
			same_numbers(a->buffers[i].words, b->buffers[i].words,
				a->buffers[i].count * sizeof(uint32_t));
	}
	return same;
}

static bool keeps_shape(const struct playback *playback, const struct prepared *prepared,
	const struct shader_inputs *inputs) {
	const size_t weights = (size_t)prepared->rig->weight_count;
	bool same = inputs->stage_count == playback->inputs.stage_count &&
		(weights == 0 ||
			memcmp(prepared->weights, playback->weights,
				weights * sizeof *prepared->weights) == 0);
	for (size_t i = 0; same && i < inputs->stage_count; i++) {
		same = same_stage(&inputs->stages[i], &playback->inputs.stages[i]);
	}
	return same;
}

static void add_palettes(const struct shader_inputs *inputs, struct buffer *out) {
	for (size_t i = 0; i < inputs->stage_count; i++) {
		const struct shader_numbers *palette = &inputs->stages[i].buffers[0];
		buffer_append(out, palette->floats, palette->count * sizeof *palette->floats);
	}
}

/* Bytes of all palettes, and of what comes with the mesh. */
static double palettes_bytes(const struct playback *playback) {
	const struct shader_inputs *inputs = &playback->inputs;
	double frame = 0, still = (double)inputs->influences.count;
	for (size_t i = 0; i < inputs->stage_count; i++) {
		frame += (double)inputs->stages[i].buffers[0].count;
		for (size_t k = 1; k < SHADER_STAGE_BUFFERS; k++) {
			still += (double)inputs->stages[i].buffers[k].count;
		}
	}
	const double frames = (double)playback->bake->count;
	return sizeof(uint32_t) *
		(frame * frames + (playback->facts.has_mesh ? still * STILL_SHARE : 0));
}

static double packed_bytes(const struct playback *playback) {
	const double frames = (double)playback->bake->count;
	return (double)playback->first.rig->vertex_count *
		(PACKED_FIRST_BYTES + PACKED_BYTES * frames);
}

/* False if it cannot be shown by palettes, or would take more bytes. */
static bool begin_palettes(struct playback *playback) {
	struct bake_export *bake = playback->bake;
	const struct prepared *first = &playback->first;
	const size_t weights = (size_t)first->rig->weight_count;
	playback->text = shader_inputs_text(first);
	if (!playback->text ||
		!shader_inputs_make(
			first, NULL, bake->arena, &playback->vertices, &playback->inputs, NULL) ||
		palettes_bytes(playback) > packed_bytes(playback)) {
		return false;
	}
	playback->weights = arena_alloc(bake->arena, weights, sizeof *playback->weights);
	if (weights > 0) {
		memcpy(playback->weights, first->weights, weights * sizeof *playback->weights);
	}
	add_palettes(&playback->inputs, &playback->frames);
	return true;
}

/* Adds the palettes of frame i; *fits is false if they do not tell all of it. */
static bool add_palette_frame(struct playback *playback, size_t i, struct arena *arena,
	struct scratch *vertices, bool *fits, struct error *err) {
	struct prepared prepared;
	struct shader_inputs inputs;
	if (!bake_export_prepare(playback->bake, i, arena, &prepared, err)) {
		return false;
	}
	*fits = shader_inputs_make(&prepared, NULL, arena, vertices, &inputs, NULL) &&
		keeps_shape(playback, &prepared, &inputs);
	bool ok = true;
	if (*fits) {
		add_palettes(&inputs, &playback->frames);
		ok = bake_export_check_frame(playback->bake, &prepared, err);
	}
	prepared_finish(&prepared);
	return ok;
}

static bool add_palette_frames(struct playback *playback, bool *fits, struct error *err) {
	struct arena *arena = arena_create();
	struct scratch vertices = {0};
	bool ok = true;
	*fits = begin_palettes(playback);
	for (size_t i = 1; ok && *fits && i < playback->bake->count; i++) {
		ok = add_palette_frame(playback, i, arena, &vertices, fits, err);
		arena_reset(arena);
	}
	scratch_finish(&vertices);
	arena_destroy(arena);
	return ok;
}

/* --- Packed vertices --- */

/* Skins frame i; normals follow the winding, as those of /v1/vertices do. */
static bool skin_frame(struct playback *playback, size_t i, struct arena *arena, float *out,
	struct bounds *bounds, struct error *err) {
	struct bake_export *bake = playback->bake;
	struct prepared prepared;
	if (!bake_export_prepare(bake, i, arena, &prepared, err)) {
		return false;
	}
	const size_t count = (size_t)prepared.rig->vertex_count;
	const struct streams streams = {.positions = out, .normals = out + count * 3};
	const bool ok = skin_streams(bake->renderer, &prepared, &streams, err) &&
		vertices_check(out, count * 3, err);
	if (ok) {
		packer_measure(out, count, bounds);
		prepared_add_outcome(&prepared, bake->report);
		bake->report->vertices += prepared.rig->vertex_count;
	}
	prepared_finish(&prepared);
	return ok;
}

static bool skin_frames(
	struct playback *playback, float *out, struct bounds *bounds, struct error *err) {
	const size_t floats = (size_t)playback->first.rig->vertex_count * 6;
	struct arena *arena = arena_create();
	bool ok = true;
	for (size_t i = 0; ok && i < playback->bake->count; i++) {
		ok = skin_frame(playback, i, arena, out + i * floats, bounds, err);
		arena_reset(arena);
	}
	arena_destroy(arena);
	return ok;
}

/* Sets the number of bytes since from, which begin with room for it. */
static void set_length(struct buffer *out, size_t from) {
	const uint32_t bytes = (uint32_t)(out->size - from - sizeof bytes);
	memcpy(out->data + from, &bytes, sizeof bytes);
}

static size_t begin_block(struct buffer *out) {
	const uint32_t nothing = 0;
	const size_t from = out->size;
	buffer_append(out, &nothing, sizeof nothing);
	return from;
}

static bool pack_frames(struct playback *playback, const float *frames, const struct bounds *bounds,
	struct error *err) {
	struct bake_export *bake = playback->bake;
	const struct posed_subject *subject = &bake->job->subject;
	int vertices;
	struct packer *packer = renderer_packer(bake->renderer, subject->rig, &subject->skinning,
		&packing, subject->stop, &vertices, err);
	const bool ok = packer && packer_set_box(packer, bounds, err);
	if (ok) {
		struct buffer *out = &playback->frames;
		packer_box(packer, playback->facts.box);
		size_t from = begin_block(out);
		packer_add_order(packer, out);
		set_length(out, from);
		for (size_t i = 0; i < bake->count; i++) {
			const float *frame = frames + i * (size_t)vertices * 6;
			from = begin_block(out);
			packer_add_frame(packer, frame, frame + (size_t)vertices * 3, out);
			set_length(out, from);
		}
	}
	packer_destroy(packer);
	return ok;
}

static bool add_packed_frames(struct playback *playback, struct error *err) {
	struct bake_export *bake = playback->bake;
	const size_t floats = (size_t)playback->first.rig->vertex_count * 6;
	if (!bake_export_check_bytes(
		    bake, (double)bake->count * (double)floats * sizeof(float), err)) {
		return false;
	}
	bake_export_restart(bake);
	struct bounds bounds = BOUNDS_NONE;
	float *frames = try_calloc(bake->count * floats + 1, sizeof *frames, "the frames", err);
	const bool ok = frames && skin_frames(playback, frames, &bounds, err) &&
		pack_frames(playback, frames, &bounds, err);
	free(frames);
	return ok;
}

/* --- The tar --- */

static bool put_numbers(struct tar_file *tar, const char *name,
	const struct shader_numbers *numbers, struct buffer *out, struct error *err) {
	const void *bytes = numbers->floats ? (const void *)numbers->floats : numbers->words;
	return numbers->count == 0 ||
		tar_file_put(tar, name, bytes, numbers->count * sizeof(uint32_t), out, err);
}

/* The shader's inputs besides the palettes and the mesh. */
static bool put_inputs(
	struct playback *playback, struct tar_file *tar, struct buffer *out, struct error *err) {
	const struct shader_inputs *inputs = &playback->inputs;
	struct buffer text = {0};
	bool ok = renderer_shader_text(playback->text, SHADER_ES_300, &text, err) &&
		tar_file_put(tar, "shader.glsl", text.data, text.size, out, err) &&
		put_numbers(tar, "influences.bin", &inputs->influences, out, err);
	buffer_finish(&text);
	for (size_t i = 0; ok && i < inputs->stage_count; i++) {
		const struct shader_numbers *buffers = inputs->stages[i].buffers;
		for (size_t k = 1; ok && k < SHADER_STAGE_BUFFERS; k++) {
			char name[40];
			snprintf(name, sizeof name, "%s%zu.bin", buffers[k].name, i);
			ok = put_numbers(tar, name, &buffers[k], out, err);
		}
	}
	return ok;
}

/* The vertices before skinning, with the morph weights of the first frame. */
static bool put_mesh(
	struct playback *playback, struct tar_file *tar, struct buffer *out, struct error *err) {
	struct bake_export *bake = playback->bake;
	const struct rig *rig = playback->first.rig;
	struct export_job export = bake_export_glb_job(bake, rig);
	export.mirrored = prepared_mirrored(&playback->first, bake->arena);
	if (playback->facts.inputs) {
		export.positions = playback->inputs.vertices.floats;
		export.normals = export.positions + (size_t)rig->vertex_count * 3;
	}
	return bake_export_put_mesh(tar, &export, out, err) &&
		(!playback->facts.inputs || put_inputs(playback, tar, out, err));
}

static bool write(struct playback *playback, struct buffer *out, struct error *err) {
	struct bake_export *bake = playback->bake;
	const struct buffer *frames = &playback->frames;
	const char *name = playback->facts.inputs ? "palettes.bin" : "vertices.bin";
	struct tar_file *tar = tar_file_create_gzip(err);
	bake->facts->playback = &playback->facts;
	const bool ok = tar && bake_export_put_description(bake, tar, out, err) &&
		(!playback->facts.has_mesh || put_mesh(playback, tar, out, err)) &&
		tar_file_put(tar, name, frames->data, frames->size, out, err) &&
		tar_file_end(tar, out, err);
	bake->facts->playback = NULL;
	tar_file_destroy(tar);
	return ok && bake_export_check_bytes(bake, (double)out->size, err);
}

static bool make(struct playback *playback, struct buffer *out, struct error *err) {
	struct bake_export *bake = playback->bake;
	const struct rig *rig = playback->first.rig;
	bool fits;
	if (rig->vertex_count == 0) {
		return error_set(err, ERROR_INVALID_VALUE, "the rig has no vertices to move");
	}
	bake->facts->vertices = (size_t)rig->vertex_count;
	if (!add_palette_frames(playback, &fits, err)) {
		return false;
	}
	if (fits) {
		playback->facts.inputs = &playback->inputs;
		return write(playback, out, err);
	}
	playback->frames.size = 0;
	return add_packed_frames(playback, err) && write(playback, out, err);
}

bool bake_export_playback(struct bake_export *bake, struct buffer *out, struct error *err) {
	struct playback playback = {
		.bake = bake,
		.facts = {.packing = packing, .has_mesh = !bake->job->baked.without_mesh},
	};
	if (!bake_export_prepare(bake, 0, bake->arena, &playback.first, err)) {
		return false;
	}
	const bool ok = make(&playback, out, err);
	buffer_finish(&playback.frames);
	scratch_finish(&playback.vertices);
	prepared_finish(&playback.first);
	return ok;
}
