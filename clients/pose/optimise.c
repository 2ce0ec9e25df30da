// pose optimise: GLBs with as few keys as a tolerance allows.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset.h"
#include "base/json_write.h"
#include "base/log.h"
#include "commands.h"
#include "files.h"
#include "optimise_files.h"
#include "problem_print.h"
#include "progress.h"
#include "reader.h"
#include "renderer.h"
#include "status.h"
#include "tolerance.h"

#define NORMAL_BITS 8 // without --normal-bits

/* One file's result. */
struct optimised {
	const char *path, *target;
	size_t bytes_before;
	double tolerance_m;
	struct rig *rig;
	struct optimise_clip *clips; // [rig->clip_count]
	bool *left;                  // [rig->clip_count]
	struct optimise_pruned pruned;
	struct optimise_quantising quantised;
	struct optimise_meshes meshes;
	struct buffer glb;
};

static double metres_of(const struct tolerance *tolerance, const struct rig *rig) {
	const double diagonal = renderer_optimise_diagonal(rig);
	return tolerance->metres > 0              ? tolerance->metres
		: tolerance->share * diagonal > 0 ? tolerance->share * diagonal
						  : renderer_optimise_tolerance(rig);
}

static double greatest(const struct optimised *file) {
	double error = 0;
	for (int i = 0; i < file->rig->clip_count; i++) {
		error = fmax(error, file->clips[i].max_m);
	}
	return error;
}

/* Takes joints out of what was made. */
static bool prune(struct optimised *file, struct error *err) {
	struct buffer made = file->glb;
	struct rig *rig = reader_import_one(&made, err);
	const struct prune_job job = {rig, made.data, made.size};
	file->glb = (struct buffer){0};
	const bool done = rig && renderer_optimise_prune(&job, &file->pruned, &file->glb, err);
	rig_release(rig);
	buffer_finish(&made);
	return done;
}

/* Makes vertices of what was made integers. */
static bool quantise(const struct arguments *arguments, struct optimised *file, struct error *err) {
	struct buffer made = file->glb;
	struct rig *rig = reader_import_one(&made, err);
	const char *bits = arguments_value(arguments, "--normal-bits");
	const struct quantise_job job = {.rig = rig,
		.bytes = made.data,
		.size = made.size,
		.tolerance_m = file->tolerance_m,
		.normal_bits = bits ? atoi(bits) : NORMAL_BITS};
	file->glb = (struct buffer){0};
	const bool done = rig &&
		renderer_optimise_quantise(
			&job, reader_import_one, &file->quantised, &file->glb, err);
	rig_release(rig);
	buffer_finish(&made);
	return done;
}

/* Packs the vertices and indices of what was made. */
static bool pack_meshes(struct optimised *file, struct error *err) {
	struct buffer made = file->glb;
	file->glb = (struct buffer){0};
	const bool done =
		renderer_optimise_meshes(made.data, made.size, &file->meshes, &file->glb, err);
	buffer_finish(&made);
	return done;
}

static void show_progress(void *context, int done, int count) {
	const struct optimised *file = context;
	progress_show("%s: clip %d of %d", file->path, done + 1, count);
}

static bool optimise(const struct arguments *arguments, const struct tolerance *tolerance,
	const struct buffer *asset, struct optimised *file, struct error *err) {
	file->rig = reader_import_one(asset, err);
	if (!file->rig || !licence_check(file->rig, asset_uses(arguments), LICENCE_FILES, err)) {
		return false;
	}
	file->clips = calloc((size_t)file->rig->clip_count + 1, sizeof *file->clips);
	file->left = calloc((size_t)file->rig->clip_count + 1, sizeof *file->left);
	if (!file->clips || !file->left) {
		return error_set(err, ERROR_TOO_LARGE, "there is no memory for its clips");
	}
	file->tolerance_m = metres_of(tolerance, file->rig);
	const struct clip_progress progress = {show_progress, file};
	struct optimise_job job = {.rig = file->rig,
		.bytes = asset->data,
		.size = asset->size,
		.tolerance_m = file->tolerance_m,
		.left = file->left,
		.meshopt = arguments_value(arguments, "--meshopt"),
		.progress = &progress};
	const bool made =
		renderer_optimise_within(&job, reader_import_one, file->clips, &file->glb, err);
	progress_end();
	return made && (!arguments_value(arguments, "--prune") || prune(file, err)) &&
		(!arguments_value(arguments, "--quantise-mesh") ||
			quantise(arguments, file, err)) &&
		(!job.meshopt || pack_meshes(file, err));
}

static void write_clip(const struct rig *rig, const struct optimise_clip *clip, const char *name,
	struct json_writer *json) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", name);
	json_write_member_bool(json, "left", clip->is_left);
	json_write_member_integer(json, "channels_before", clip->channels_before);
	json_write_member_integer(json, "channels_after", clip->channels_after);
	json_write_member_integer(json, "json_before", (int64_t)clip->json_before);
	json_write_member_integer(json, "json_after", (int64_t)clip->json_after);
	json_write_member_integer(json, "keys_before", (int64_t)clip->data_before);
	json_write_member_integer(json, "keys_after", (int64_t)clip->data_after);
	json_write_member_double(json, "error_max", clip->max_m);
	json_write_member_double(json, "error_rms", clip->rms_m);
	json_write_member_string(json, "joint", rig->joints[clip->joint].name);
	json_write_member_double(json, "time", clip->time_s);
	json_write_end_object(json);
}

static int mesh_count(const struct optimised *file) {
	return file->quantised.count > 0 ? file->quantised.count : file->meshes.count;
}

/* A mesh's bytes before all steps and after them. */
static struct optimise_mesh mesh_of(const struct optimised *file, int i) {
	struct optimise_mesh mesh = {.name = ""};
	if (file->meshes.count > 0) {
		mesh = file->meshes.list[i];
	}
	if (file->quantised.count > 0) {
		const struct optimise_quantised *quantised = &file->quantised.list[i];
		memcpy(mesh.name, quantised->name, sizeof mesh.name);
		mesh.before = quantised->before;
		mesh.after = file->meshes.count > 0 ? mesh.after : quantised->after;
	}
	return mesh;
}

static void write_mesh(const struct optimised *file, int i, struct json_writer *json) {
	const struct optimise_mesh mesh = mesh_of(file, i);
	json_write_begin_object(json);
	json_write_member_string(json, "name", mesh.name);
	json_write_member_integer(json, "bytes_before", (int64_t)mesh.before);
	json_write_member_integer(json, "bytes_after", (int64_t)mesh.after);
	if (file->quantised.count > 0) {
		const struct optimise_quantised *quantised = &file->quantised.list[i];
		json_write_member_bool(json, "quantised", !quantised->left);
		if (quantised->left) {
			json_write_member_string(json, "left", quantised->left);
		} else {
			json_write_member_double(json, "error_max", quantised->max_m);
			json_write_member_double(json, "normal_error", quantised->normal_deg);
		}
	}
	json_write_end_object(json);
}

static void write_report(const struct optimised *file, struct json_writer *json) {
	json_write_begin_object(json);
	json_write_member_string(json, "file", file->path);
	json_write_member_string(json, "output", file->target);
	json_write_member_integer(json, "bytes_before", (int64_t)file->bytes_before);
	json_write_member_integer(json, "bytes_after", (int64_t)file->glb.size);
	json_write_member_double(json, "tolerance", file->tolerance_m);
	if (file->pruned.nodes_before > 0) {
		json_write_member_integer(json, "nodes_before", file->pruned.nodes_before);
		json_write_member_integer(json, "nodes_after", file->pruned.nodes_after);
	}
	json_write_key(json, "clips");
	json_write_begin_list(json);
	for (int i = 0; i < file->rig->clip_count; i++) {
		write_clip(file->rig, &file->clips[i], file->rig->clips[i].name, json);
	}
	json_write_end_list(json);
	json_write_key(json, "meshes");
	json_write_begin_list(json);
	for (int i = 0; i < mesh_count(file); i++) {
		write_mesh(file, i, json);
	}
	json_write_end_list(json);
	json_write_end_object(json);
}

static double saved(uint64_t before, uint64_t after) {
	return before > 0 ? 100 - 100 * (double)after / (double)before : 0;
}

static void print_line(FILE *to, const char *name, uint64_t before, uint64_t after) {
	fprintf(to, "%-32.32s %10llu %10llu %6.1f%%", name, (unsigned long long)before,
		(unsigned long long)after, saved(before, after));
}

static void print_mesh(FILE *to, const struct optimised *file, int i) {
	const struct optimise_mesh mesh = mesh_of(file, i);
	const struct optimise_quantised *quantised =
		file->quantised.count > 0 ? &file->quantised.list[i] : NULL;
	print_line(to, mesh.name, mesh.before, mesh.after);
	if (!quantised) {
		fprintf(to, " %12s\n", "exact");
	} else if (quantised->left) {
		fprintf(to, " %12s  no integers: %s\n", "exact", quantised->left);
	} else {
		fprintf(to, " %12.4g  normals %.2g degrees\n", 1000 * quantised->max_m,
			quantised->normal_deg);
	}
}

static void print_table(FILE *to, const struct optimised *file) {
	uint64_t before = 0, after = 0;
	fprintf(to, "%s -> %s, within %.4g mm\n%-32s %10s %10s %7s %12s\n", file->path,
		file->target, 1000 * file->tolerance_m, "clip", "before", "after", "saved",
		"error, mm");
	for (int i = 0; i < file->rig->clip_count; i++) {
		const struct optimise_clip *clip = &file->clips[i];
		const uint64_t old = clip->json_before + clip->data_before;
		const uint64_t now = clip->json_after + clip->data_after;
		print_line(to, file->rig->clips[i].name, old, now);
		fprintf(to, " %12.4g%s\n", 1000 * clip->max_m, clip->is_left ? "  as it was" : "");
		before += old;
		after += now;
	}
	print_line(to, "all clips", before, after);
	fprintf(to, " %12.4g\n", 1000 * greatest(file));
	for (int i = 0; i < mesh_count(file); i++) {
		print_mesh(to, file, i);
	}
	if (file->pruned.nodes_before > 0) {
		fprintf(to, "%-32s %10d %10d %6.1f%%\n", "nodes", file->pruned.nodes_before,
			file->pruned.nodes_after,
			saved((uint64_t)file->pruned.nodes_before,
				(uint64_t)file->pruned.nodes_after));
	}
	print_line(to, "the file", file->bytes_before, file->glb.size);
	fprintf(to, " %12s\n", "");
}

/* All files of a command. */
struct run {
	const struct arguments *arguments;
	struct tolerance tolerance;
	struct buffer report;
	struct json_writer json;
};

static int write_result(
	struct run *run, const struct optimise_file *names, const struct optimised *file) {
	const int status = optimise_files_write(run->arguments, names, &file->glb);
	if (status != STATUS_OK) {
		return status;
	}
	if (arguments_want_json(run->arguments)) {
		write_report(file, &run->json);
	} else {
		print_table(strcmp(file->target, "-") == 0 ? stderr : stdout, file);
	}
	return STATUS_OK;
}

static int run_file(struct run *run, const struct optimise_file *names) {
	struct buffer asset = {0};
	struct error err = {0};
	struct optimised file = {.path = names->path, .target = names->target};
	int status =
		asset_read_packed(run->arguments, names->path, renderer_optimise_gather, &asset);
	if (status == STATUS_OK) {
		file.bytes_before = asset.size;
		status = optimise(run->arguments, &run->tolerance, &asset, &file, &err)
			? write_result(run, names, &file)
			: problem_print_error(run->arguments, names->path, &err);
	}
	free(file.clips);
	free(file.left);
	free(file.meshes.list);
	free(file.quantised.list);
	rig_release(file.rig);
	buffer_finish(&asset);
	buffer_finish(&file.glb);
	return status;
}

static bool check_normal_bits(const struct arguments *arguments) {
	const char *bits = arguments_value(arguments, "--normal-bits");
	if (bits && strcmp(bits, "8") != 0 && strcmp(bits, "16") != 0) {
		fprintf(stderr, "pose: --normal-bits is \"%s\", must be 8 or 16\n", bits);
		return false;
	}
	if (bits && !arguments_value(arguments, "--quantise-mesh")) {
		fputs("pose: --normal-bits is for --quantise-mesh; see pose --help\n", stderr);
		return false;
	}
	return true;
}

int run_optimise(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct arena *arena = arena_create();
	struct optimise_files files = {.items = NULL};
	struct run run = {.arguments = arguments};
	log_configure(LOG_ERROR, LOG_TEXT);
	run.json.out = &run.report;
	int status = check_normal_bits(arguments) && tolerance_read(arguments, &run.tolerance)
		? optimise_files_find(arguments, arena, &files)
		: STATUS_USAGE;
	const bool found = status == STATUS_OK;
	json_write_begin_list(&run.json);
	for (size_t i = 0; i < files.count && found; i++) {
		const int own = run_file(&run, &files.items[i]);
		status = own == STATUS_OK ? status : own;
	}
	json_write_end_list(&run.json);
	if (arguments_want_json(arguments) && status == STATUS_OK &&
		!file_write(arguments, NULL, &run.report, true)) {
		status = STATUS_FAILED;
	}
	buffer_finish(&run.report);
	arena_destroy(arena);
	return status;
}
