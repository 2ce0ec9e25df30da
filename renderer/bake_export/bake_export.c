// Animations baked into files that play without posed: the table of forms, and the frames that all
// forms share.
#include "bake_export/bake_export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/baked.h"
#include "base/clock.h"
#include "base/memory.h"
#include "export/glb.h"
#include "image/tar_file.h"
#include "interface/vertices.h"
#include "pose/motion/root.h"
#include "skin/displacement.h"
#include "skinned/prepare.h"
#include "skinned/skin.h"
#include "state/state.h"

/* Two frames closer than this fraction of a step are the same. */
#define SAME_FRAME 1e-3

static const struct {
	const char *media_type;
	bake_export_make *make;             // NULL = the next
	const struct motion_format *motion; // of BAKED_MOTIONS
} forms[BAKED_FORM_COUNT] = {
	[BAKED_VERTEX_TEXTURE] = {"application/x-tar", bake_export_vertex_texture, NULL},
	[BAKED_JOINT_TEXTURE] = {"application/x-tar", bake_export_joint_texture, NULL},
	[BAKED_MORPH] = {"model/gltf-binary", bake_export_morph, NULL},
	[BAKED_JOINTS] = {"model/gltf-binary", bake_export_joints, NULL},
	[BAKED_PLAYBACK] = {"application/gzip", bake_export_playback, NULL},
	[BAKED_PIA] = {NULL, NULL, &motion_pia},
	[BAKED_PIS] = {NULL, NULL, &motion_pis},
	[BAKED_BVH] = {NULL, NULL, &motion_bvh},
};

const char *renderer_bake_export_type(enum baked_form form) {
	return forms[form].motion ? forms[form].motion->media_type : forms[form].media_type;
}

static bool find_duration(const struct bake_export *bake, double *duration_s, struct error *err) {
	const struct bake_export_job *job = bake->job;
	const struct motion_format *motion = forms[job->baked.form].motion;
	*duration_s = motion && motion->still ? 0 : job->baked.duration_s;
	if (*duration_s >= 0) {
		return true;
	}
	return pose_find_length(
		       job->subject.rig, job->subject.pose, &bake->run, duration_s, NULL, err) &&
		(*duration_s > 0 ||
			value_error(job->baked.source, err, ERROR_INVALID_VALUE,
				"\"duration\" is missing, and the pose samples no clip to take "
				"it from"));
}

static bool check_times(const struct bake_export *bake, struct error *err) {
	for (size_t i = 1; i < bake->count; i++) {
		const float time_s = bake->times[i];
		if (!isfinite(time_s) || !(time_s > bake->times[i - 1])) {
			return value_error(bake->job->baked.source, err, ERROR_INVALID_VALUE,
				"frames at a rate of %.15g are closer than float32 resolves after "
				"%.9g s",
				bake->rate, (double)bake->times[i - 1]);
		}
	}
	return true;
}

/* Evenly spaced, so that the row of a texture follows from the time. */
static bool set_times(struct bake_export *bake, struct error *err) {
	const struct bake_export_job *job = bake->job;
	double duration_s;
	if (!find_duration(bake, &duration_s, err)) {
		return false;
	}
	double steps = ceil(duration_s * job->baked.rate - SAME_FRAME);
	steps = duration_s > 0 ? fmax(steps, 1) : 0;
	if (!(steps + 1 <= (double)job->max_frames)) {
		return value_error(job->baked.source, err, ERROR_TOO_LARGE,
			"%.15g s at %.15g frames a second are %.0f frames, may be %zu; bake less, "
			"or at a lower rate",
			duration_s, job->baked.rate, steps + 1, job->max_frames);
	}
	bake->count = (size_t)steps + 1;
	bake->rate = steps > 0 ? steps / duration_s : job->baked.rate;
	bake->times = arena_alloc(bake->arena, bake->count, sizeof *bake->times);
	for (size_t i = 0; i < bake->count; i++) {
		const bool last = i > 0 && i + 1 == bake->count;
		bake->times[i] = (float)(last ? duration_s : (double)i / bake->rate);
	}
	bake->facts->frames = bake->count;
	bake->facts->rate = bake->rate;
	bake->facts->duration_s = duration_s;
	return check_times(bake, err);
}

/* Methods and devices are the same for all frames; times add up. */
static void add_report(struct bake_export *bake, const struct prepared *prepared) {
	const struct skinning_report before = *bake->report;
	*bake->report = prepared_report(prepared);
	bake->report->flags |= before.flags;
	bake->report->vertices = before.vertices;
	bake->report->times = before.times;
	bake->report->times.pose_s += clock_lap_s(&bake->mark);
}

bool bake_export_prepare(struct bake_export *bake, size_t i, struct arena *arena,
	struct prepared *out, struct error *err) {
	const struct bake_export_job *job = bake->job;
	struct prepare_params params = {
		.subject = job->subject,
		.run = &bake->run,
		.memory = &bake->memory,
	};
	params.subject.clock_s = (double)bake->times[i];
	bake->run.joints = 0; // each frame counts by itself
	if (!stop_check(job->subject.stop, err) ||
		!prepare(bake->renderer, &params, arena, out, err)) {
		return false;
	}
	add_report(bake, out);
	return true;
}

bool bake_export_check_frame(
	const struct bake_export *bake, const struct prepared *prepared, struct error *err) {
	if (!morph_is_active(prepared->rig, prepared->weights) &&
		skin_plan_keeps_near(&prepared->plan, &prepared->palette, bake->reach)) {
		return true;
	}
	const size_t count = (size_t)prepared->rig->vertex_count;
	const struct skin_room room = {&bake->renderer->morphed, &bake->renderer->displaced};
	float *vertices = scratch_get(&bake->renderer->vertices, count * 6);
	const struct streams streams = streams_in(vertices, count, false);
	skin_on_cpu(prepared, &room, &streams);
	return vertices_check(vertices, count * 3, err);
}

bool bake_export_check_bytes(const struct bake_export *bake, double bytes, struct error *err) {
	const struct bake_export_job *job = bake->job;
	return bytes <= (double)job->max_bytes ||
		value_error(job->baked.source, err, ERROR_TOO_LARGE,
			"%zu frames take %.0f MiB, may take %zu; bake less, or at a lower rate",
			bake->count, ceil(bytes / (1 << 20)), job->max_bytes >> 20);
}

bool bake_export_check_linear(const struct bake_export *bake, struct error *err) {
	const struct bake_export_job *job = bake->job;
	const struct skin_plan_params params = {
		.subject = {.rig = job->subject.rig, .skinning = job->subject.skinning},
		.clip = -1};
	struct skin_plan plan;
	struct skin_plan_progress progress;
	if (!skin_plan_look(bake->renderer->library, &params, false, &plan, &progress, err)) {
		return false;
	}
	const bool linear = strcmp(plan.requested.method->id, "lbs") == 0 && !plan.kmax.method &&
		plan.normals == NORMALS_OWN;
	const char *id = plan.requested.method->id;
	skin_plan_finish(&plan);
	return linear ||
		value_error(job->baked.form_source, err, ERROR_INVALID_VALUE,
			"\"%s\" is played with \"lbs\" and its own normals, not with %s and these "
			"options; \"vertex_texture\" and \"morph\" support every method",
			job->baked.form_source->string, id);
}

struct export_job bake_export_glb_job(const struct bake_export *bake, const struct rig *rig) {
	return (struct export_job){
		.rig = rig,
		.positions = rig->positions,
		.normals = rig->normals,
		.mirrored = arena_alloc(bake->arena, (size_t)rig->primitive_count, sizeof(bool)),
		.generator = bake->job->generator,
		.max_bytes = bake->job->max_bytes,
		.encode = mesh_encode_image,
	};
}

bool bake_export_glb(const struct bake_export *bake, const struct export_job *export,
	struct buffer *out, struct error *err) {
	struct error why = {0};
	if (export_glb(export, out, &why)) {
		return true;
	}
	return why.code == ERROR_TOO_LARGE ? value_error(bake->job->baked.source, err, why.code,
						     "%s; bake less, or at a lower rate", why.text)
					   : error_set(err, why.code, "%s", why.text);
}

/* Forms whose players skin the mesh do it linearly, unless that is not what was asked for. */
static struct bake_export_job with_method(const struct bake_export_job *job) {
	static const struct value linear = {.kind = VALUE_STRING, .string = "lbs"};
	struct bake_export_job own = *job;
	const enum baked_form form = job->baked.form;
	if ((form == BAKED_JOINTS || form == BAKED_JOINT_TEXTURE) && !own.subject.skinning.method) {
		own.subject.skinning.method = &linear;
	}
	return own;
}

void bake_export_restart(struct bake_export *bake) {
	const struct posed_subject *subject = &bake->job->subject;
	arena_reset(bake->notes);
	bake->run = (struct pose_run){
		.arena = bake->notes, .sources = subject->sources, .stop = subject->stop};
	bake->memory = (struct skin_memory){.arena = bake->notes};
}

bool renderer_bake_export(struct renderer *renderer, const struct bake_export_job *given,
	struct buffer *out, struct baked_facts *facts, struct skinning_report *report,
	struct error *err) {
	const struct bake_export_job own = with_method(given), *job = &own;
	struct bake_export bake = {
		.renderer = renderer,
		.job = job,
		.arena = arena_create(),
		.notes = arena_create(),
		.facts = facts,
		.report = report,
		.mark = clock_now_s(),
		.reach = rig_reach(job->subject.rig->positions, job->subject.rig->vertex_count),
	};
	*report = (struct skinning_report){0};
	*facts = (struct baked_facts){.form = job->baked.form, .name = job->baked.name};
	bake_export_restart(&bake);
	const struct motion_format *motion = forms[job->baked.form].motion;
	const bool ok = set_times(&bake, err) &&
		(motion ? bake_export_motion(&bake, motion, out, err)
			: forms[job->baked.form].make(&bake, out, err));
	report->times.encode_s = clock_lap_s(&bake.mark);
	facts->slots = NULL;
	arena_destroy(bake.notes);
	arena_destroy(bake.arena);
	return ok;
}

static bool skin_frame(struct bake_export *bake, const struct baked_mesh *mesh, size_t i,
	const struct prepared *prepared, struct arena *arena, struct error *err) {
	const size_t floats = (size_t)mesh->rig->vertex_count * 3;
	const struct streams streams = {
		.positions = mesh->positions + i * floats,
		.normals = mesh->normals + i * floats,
	};
	if (!skin_streams(bake->renderer, prepared, &streams, err) ||
		!vertices_check(streams.positions, floats, err)) {
		return false;
	}
	streams_turn_outwards(&streams, mesh->rig, prepared_mirrored(prepared, arena));
	prepared_add_outcome(prepared, bake->report);
	bake->report->vertices += mesh->rig->vertex_count;
	bake->report->times.skin_s += clock_lap_s(&bake->mark);
	return true;
}

/* Allocates all frames, with as many vertices as the first one has. */
static bool open_mesh(
	struct bake_export *bake, double more_bytes, struct baked_mesh *mesh, struct error *err) {
	const size_t floats = (size_t)mesh->rig->vertex_count * 3;
	const double bytes = (double)bake->count * 2 * (double)floats * sizeof *mesh->positions;
	if (floats == 0) {
		return error_set(
			err, ERROR_INVALID_VALUE, "the rig has no vertices that could be baked");
	}
	if (!bake_export_check_bytes(bake, bytes + more_bytes, err)) {
		return false;
	}
	mesh->positions = try_calloc(
		bake->count * 2 * floats + 1, sizeof *mesh->positions, "the frames", err);
	if (!mesh->positions) {
		return false;
	}
	mesh->normals = mesh->positions + bake->count * floats;
	mesh->mirrored = prepared_mirrored(&mesh->first, bake->arena);
	return true;
}

static bool skin_others(
	struct bake_export *bake, const struct baked_mesh *mesh, struct error *err) {
	struct arena *arena = arena_create();
	bool ok = true;
	for (size_t i = 1; ok && i < bake->count; i++) {
		struct prepared prepared;
		ok = bake_export_prepare(bake, i, arena, &prepared, err);
		if (ok) {
			ok = skin_frame(bake, mesh, i, &prepared, arena, err);
			prepared_finish(&prepared);
		}
		arena_reset(arena);
	}
	arena_destroy(arena);
	return ok;
}

static void note_bounds(struct bake_export *bake, const struct baked_mesh *mesh) {
	struct baked_facts *facts = bake->facts;
	const size_t vertices = (size_t)mesh->rig->vertex_count;
	facts->vertices = vertices;
	facts->has_bounds = vertices > 0;
	if (facts->has_bounds) {
		glb_find_extent(mesh->positions, bake->count * vertices, facts->min, facts->max);
	}
}

bool baked_mesh_make(
	struct bake_export *bake, double more_bytes, struct baked_mesh *mesh, struct error *err) {
	*mesh = (struct baked_mesh){0};
	if (!bake_export_prepare(bake, 0, bake->arena, &mesh->first, err)) {
		return false;
	}
	mesh->rig = mesh->first.rig;
	if (open_mesh(bake, more_bytes, mesh, err) &&
		skin_frame(bake, mesh, 0, &mesh->first, bake->arena, err) &&
		skin_others(bake, mesh, err)) {
		note_bounds(bake, mesh);
		return true;
	}
	baked_mesh_finish(mesh);
	return false;
}

void baked_mesh_finish(struct baked_mesh *mesh) {
	prepared_finish(&mesh->first);
	free(mesh->positions);
}

#define MIN_SIDE 2048  // texels; every WebGL2 has them
#define MAX_SIDE 16384 // the maximum of common GPUs

static bool fits(struct bake_export *bake, struct baked_texture *texture, size_t side) {
	texture->items_per_row = side / texture->texels;
	if (texture->items_per_row > texture->items) {
		texture->items_per_row = texture->items;
	}
	const size_t blocks =
		(texture->items + texture->items_per_row - 1) / texture->items_per_row;
	texture->width = texture->items_per_row * texture->texels;
	texture->height = blocks * bake->count;
	return texture->height <= side;
}

bool bake_export_lay_out(
	struct bake_export *bake, struct baked_texture *texture, struct error *err) {
	for (size_t side = MIN_SIDE; side <= MAX_SIDE; side *= 2) {
		if (fits(bake, texture, side)) {
			return true;
		}
	}
	return value_error(bake->job->baked.source, err, ERROR_TOO_LARGE,
		"%zu frames of %zu texels are more than a texture of %d x %d holds; bake less, or "
		"at a lower rate",
		bake->count, texture->items * texture->texels, MAX_SIDE, MAX_SIDE);
}

size_t bake_export_texel(const struct bake_export *bake, const struct baked_texture *texture,
	size_t item, size_t frame) {
	const size_t row = item / texture->items_per_row * bake->count + frame;
	return row * texture->width + item % texture->items_per_row * texture->texels;
}

void *bake_export_texels(
	const struct baked_texture *texture, size_t texel_bytes, struct error *err) {
	return try_calloc(texture->width * texture->height, texel_bytes, "a texture", err);
}

bool bake_export_put_mesh(struct tar_file *tar, const struct export_job *mesh, struct buffer *out,
	struct error *err) {
	struct buffer glb = {0};
	const bool ok = export_glb(mesh, &glb, err) &&
		tar_file_put(tar, "mesh.glb", glb.data, glb.size, out, err);
	buffer_finish(&glb);
	return ok;
}

bool bake_export_put_description(
	struct bake_export *bake, struct tar_file *tar, struct buffer *out, struct error *err) {
	struct buffer json = {0};
	bake->job->describe(bake->facts, &json);
	const bool ok = tar_file_put(tar, "bake.json", json.data, json.size, out, err);
	buffer_finish(&json);
	return ok;
}

static bool put_textures(const struct baked_facts *facts, const struct bake_export_texels *texels,
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
	struct bake_export *bake, const struct bake_export_texels *texels, struct error *err) {
	double bytes = 0;
	for (size_t i = 0; i < bake->facts->texture_count; i++) {
		const struct baked_texture *texture = &bake->facts->textures[i];
		bytes += (double)texture->width * (double)texture->height *
			(double)texels[i].texel_bytes;
	}
	return bake_export_check_bytes(bake, bytes, err);
}

bool bake_export_write_tar(struct bake_export *bake, const struct export_job *mesh,
	const struct bake_export_texels texels[static BAKED_TEXTURES_MAX], struct buffer *out,
	struct error *err) {
	struct tar_file *tar = check_size(bake, texels, err) ? tar_file_create(err) : NULL;
	const bool ok = tar && bake_export_put_description(bake, tar, out, err) &&
		bake_export_put_mesh(tar, mesh, out, err) &&
		put_textures(bake->facts, texels, tar, out, err) && tar_file_end(tar, out, err);
	tar_file_destroy(tar);
	return ok;
}
