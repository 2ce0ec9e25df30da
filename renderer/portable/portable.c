// Motions as files that need no posed: the table of forms, and the frames that all have in common.
#include "portable/portable.h"

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
#include "state/scratch.h"
#include "state/state.h"

/* A frame nearer to the one before than this share of a step is that one. */
#define SAME_FRAME 1e-3

static const struct {
	const char *media_type;
	portable_make *make;
} forms[BAKED_FORM_COUNT] = {
	[BAKED_VERTEX_TEXTURE] = {"application/x-tar", portable_vertex_texture},
	[BAKED_JOINT_TEXTURE] = {"application/x-tar", portable_joint_texture},
	[BAKED_MORPH] = {"model/gltf-binary", portable_morph},
	[BAKED_JOINTS] = {"model/gltf-binary", portable_joints},
};

const char *renderer_portable_type(enum baked_form form) {
	return forms[form].media_type;
}

static bool find_duration(const struct portable *portable, double *duration_s, struct error *err) {
	const struct portable_job *job = portable->job;
	*duration_s = job->baked.duration_s;
	if (*duration_s >= 0) {
		return true;
	}
	return pose_find_length(job->subject.rig, job->subject.pose, &portable->run, duration_s,
		       NULL, err) &&
		(*duration_s > 0 ||
			value_error(job->baked.place, err, ERROR_INVALID_VALUE,
				"\"duration\" is missing, and the pose samples no clip that it "
				"could be taken from"));
}

static bool check_times(const struct portable *portable, struct error *err) {
	for (size_t i = 1; i < portable->count; i++) {
		const float time_s = portable->times[i];
		if (!isfinite(time_s) || !(time_s > portable->times[i - 1])) {
			return value_error(portable->job->baked.place, err, ERROR_INVALID_VALUE,
				"frames at a rate of %.15g are nearer to one another than float32 "
				"can tell after %.9g s",
				portable->rate, (double)portable->times[i - 1]);
		}
	}
	return true;
}

/* Evenly, so that a row of a texture is as good as a time. */
static bool set_times(struct portable *portable, struct error *err) {
	const struct portable_job *job = portable->job;
	double duration_s;
	if (!find_duration(portable, &duration_s, err)) {
		return false;
	}
	double steps = ceil(duration_s * job->baked.rate - SAME_FRAME);
	steps = duration_s > 0 ? fmax(steps, 1) : 0;
	if (!(steps + 1 <= (double)job->most_frames)) {
		return value_error(job->baked.place, err, ERROR_TOO_LARGE,
			"%.15g s at %.15g frames a second are %.0f frames, may be %zu; bake less, "
			"or at a lower rate",
			duration_s, job->baked.rate, steps + 1, job->most_frames);
	}
	portable->count = (size_t)steps + 1;
	portable->rate = steps > 0 ? steps / duration_s : job->baked.rate;
	portable->times = arena_alloc(portable->arena, portable->count, sizeof *portable->times);
	for (size_t i = 0; i < portable->count; i++) {
		const bool last = i > 0 && i + 1 == portable->count;
		portable->times[i] = (float)(last ? duration_s : (double)i / portable->rate);
	}
	portable->facts->frames = portable->count;
	portable->facts->rate = portable->rate;
	portable->facts->duration_s = duration_s;
	return check_times(portable, err);
}

/* Methods and devices are the same for all; times add up. */
static void add_report(struct portable *portable, const struct prepared *prepared) {
	const struct skinning_report before = *portable->report;
	*portable->report = prepared_report(prepared);
	portable->report->flags |= before.flags;
	portable->report->vertices = before.vertices;
	portable->report->times = before.times;
	portable->report->times.pose_s += clock_lap_s(&portable->mark);
}

bool portable_prepare(struct portable *portable, size_t i, struct arena *arena,
	struct prepared *out, struct error *err) {
	const struct portable_job *job = portable->job;
	struct prepare_wish wish = {
		.subject = job->subject,
		.run = &portable->run,
		.memory = &portable->memory,
	};
	wish.subject.clock_s = (double)portable->times[i];
	portable->run.joints = 0; // each frame has its share
	if (!stop_check(job->subject.stop, err) ||
		!prepare(portable->renderer, &wish, arena, out, err)) {
		return false;
	}
	add_report(portable, out);
	return true;
}

bool portable_check_frame(
	const struct portable *portable, const struct prepared *prepared, struct error *err) {
	if (!morph_is_active(prepared->rig, prepared->weights) &&
		skin_plan_keeps_near(&prepared->plan, &prepared->palette, portable->reach)) {
		return true;
	}
	const size_t count = (size_t)prepared->rig->vertex_count;
	const struct skin_room room = {
		&portable->renderer->morphed, &portable->renderer->displaced};
	float *vertices = scratch_get(&portable->renderer->vertices, count * 6);
	const struct streams streams = streams_in(vertices, count, false);
	skin_on_cpu(prepared, &room, &streams);
	return vertices_check(vertices, count * 3, err);
}

bool portable_check_bytes(const struct portable *portable, double bytes, struct error *err) {
	const struct portable_job *job = portable->job;
	return bytes <= (double)job->most_bytes ||
		value_error(job->baked.place, err, ERROR_TOO_LARGE,
			"%zu frames take %.0f MiB, may take %zu; bake less, or at a lower rate",
			portable->count, ceil(bytes / (1 << 20)), job->most_bytes >> 20);
}

bool portable_check_linear(const struct portable *portable, struct error *err) {
	const struct portable_job *job = portable->job;
	const struct skin_plan_wish wish = {
		.subject = {.rig = job->subject.rig, .skinning = job->subject.skinning},
		.clip = -1};
	struct skin_plan plan;
	struct skin_plan_progress progress;
	if (!skin_plan_look(portable->renderer->library, &wish, false, &plan, &progress, err)) {
		return false;
	}
	const bool linear = strcmp(plan.asked.method->id, "lbs") == 0 && !plan.kmax.method &&
		plan.normals == NORMALS_OWN;
	const char *id = plan.asked.method->id;
	skin_plan_finish(&plan);
	return linear ||
		value_error(job->baked.form_place, err, ERROR_INVALID_VALUE,
			"\"%s\" is played by whoever shows it with \"lbs\" and its own normals, "
			"not with %s and these options; \"vertex_texture\" and \"morph\" show any",
			job->baked.form_place->string, id);
}

struct export_job portable_export_job(const struct portable *portable, const struct rig *rig) {
	return (struct export_job){
		.rig = rig,
		.positions = rig->positions,
		.normals = rig->normals,
		.mirrored =
			arena_alloc(portable->arena, (size_t)rig->primitive_count, sizeof(bool)),
		.generator = portable->job->generator,
		.most_bytes = portable->job->most_bytes,
		.encode = mesh_encode_image,
	};
}

bool portable_export(const struct portable *portable, const struct export_job *export,
	struct buffer *out, struct error *err) {
	struct error why = {0};
	if (export_glb(export, out, &why)) {
		return true;
	}
	return why.code == ERROR_TOO_LARGE ? value_error(portable->job->baked.place, err, why.code,
						     "%s; bake less, or at a lower rate", why.text)
					   : error_set(err, why.code, "%s", why.text);
}

bool renderer_portable(struct renderer *renderer, const struct portable_job *job,
	struct buffer *out, struct baked_facts *facts, struct skinning_report *report,
	struct error *err) {
	struct portable portable = {
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
	portable.run = (struct pose_run){.arena = portable.notes,
		.sources = job->subject.sources,
		.stop = job->subject.stop};
	portable.memory.arena = portable.notes;
	const bool fine =
		set_times(&portable, err) && forms[job->baked.form].make(&portable, out, err);
	report->times.encode_s = clock_lap_s(&portable.mark);
	facts->slots = NULL;
	arena_destroy(portable.notes);
	arena_destroy(portable.arena);
	return fine;
}

static bool skin_frame(struct portable *portable, const struct portable_mesh *mesh, size_t i,
	const struct prepared *prepared, struct arena *arena, struct error *err) {
	const size_t floats = (size_t)mesh->rig->vertex_count * 3;
	const struct streams streams = {
		.positions = mesh->positions + i * floats,
		.normals = mesh->normals + i * floats,
	};
	if (!skin_streams(portable->renderer, prepared, &streams, err) ||
		!vertices_check(streams.positions, floats, err)) {
		return false;
	}
	streams_turn_outwards(&streams, mesh->rig, prepared_mirrored(prepared, arena));
	prepared_add_outcome(prepared, portable->report);
	portable->report->vertices += mesh->rig->vertex_count;
	portable->report->times.skin_s += clock_lap_s(&portable->mark);
	return true;
}

/* Room for all frames of as many vertices as the first has. */
static bool open_mesh(struct portable *portable, double more_bytes, struct portable_mesh *mesh,
	struct error *err) {
	const size_t floats = (size_t)mesh->rig->vertex_count * 3;
	const double bytes = (double)portable->count * 2 * (double)floats * sizeof *mesh->positions;
	if (floats == 0) {
		return error_set(
			err, ERROR_INVALID_VALUE, "the rig has no vertices that could be baked");
	}
	if (!portable_check_bytes(portable, bytes + more_bytes, err)) {
		return false;
	}
	mesh->positions = try_calloc(
		portable->count * 2 * floats + 1, sizeof *mesh->positions, "the frames", err);
	if (!mesh->positions) {
		return false;
	}
	mesh->normals = mesh->positions + portable->count * floats;
	mesh->mirrored = prepared_mirrored(&mesh->first, portable->arena);
	return true;
}

static bool skin_others(
	struct portable *portable, const struct portable_mesh *mesh, struct error *err) {
	struct arena *arena = arena_create();
	bool fine = true;
	for (size_t i = 1; fine && i < portable->count; i++) {
		struct prepared prepared;
		fine = portable_prepare(portable, i, arena, &prepared, err);
		if (fine) {
			fine = skin_frame(portable, mesh, i, &prepared, arena, err);
			prepared_finish(&prepared);
		}
		arena_reset(arena);
	}
	arena_destroy(arena);
	return fine;
}

static void note_bounds(struct portable *portable, const struct portable_mesh *mesh) {
	struct baked_facts *facts = portable->facts;
	const size_t vertices = (size_t)mesh->rig->vertex_count;
	facts->vertices = vertices;
	facts->has_bounds = vertices > 0;
	if (facts->has_bounds) {
		glb_find_extent(
			mesh->positions, portable->count * vertices, facts->min, facts->max);
	}
}

bool portable_mesh_make(struct portable *portable, double more_bytes, struct portable_mesh *mesh,
	struct error *err) {
	*mesh = (struct portable_mesh){0};
	if (!portable_prepare(portable, 0, portable->arena, &mesh->first, err)) {
		return false;
	}
	mesh->rig = mesh->first.rig;
	if (open_mesh(portable, more_bytes, mesh, err) &&
		skin_frame(portable, mesh, 0, &mesh->first, portable->arena, err) &&
		skin_others(portable, mesh, err)) {
		note_bounds(portable, mesh);
		return true;
	}
	portable_mesh_finish(mesh);
	return false;
}

void portable_mesh_finish(struct portable_mesh *mesh) {
	prepared_finish(&mesh->first);
	free(mesh->positions);
}

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
