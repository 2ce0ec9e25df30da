// GLBs whose vertices are integers: what stays is decided by what was made.
#include "optimise/quantised.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define ERROR_ROOM 1.001 // of the tolerance: roundings of measuring
#define TOO_FAR "it would be off by more than the tolerance"
#define NO_SMALLER "the file would be no smaller"

/* A mesh whose bytes are counted. */
struct count {
	const struct quantising *quantising;
	struct optimise_quantised *mesh;
};

static void count_accessor(void *context, const struct mesh_name *named) {
	const struct count *count = context;
	const struct quantising *quantising = count->quantising;
	uint64_t at;
	if (!json_span_whole(named->accessor, &at) ||
		at >= (uint64_t)quantising->parts.accessor_count) {
		return;
	}
	const struct quantised_accessor *accessor = &quantising->accessors[at];
	const uint64_t before = quantising->parts.accessors[at].bytes;
	count->mesh->before += before;
	count->mesh->after += accessor->form == FORM_STAYS || !accessor->is_plain
		? before
		: accessor->from.count * quantising->streams[accessor->stream].stride;
}

static void write_report(const struct quantising *quantising, struct optimise_quantising *report) {
	for (int i = 0; i < report->count; i++) {
		const struct quantised_mesh *mesh = &quantising->meshes[i];
		struct optimise_quantised *out = &report->list[i];
		struct count count = {quantising, out};
		*out = (struct optimise_quantised){.left = quantising->groups[mesh->group].left};
		mesh_name(mesh->text, i, out->name, sizeof out->name);
		mesh_walk(mesh->text, count_accessor, &count);
	}
}

static bool has_quantised(const struct optimise_quantising *report) {
	for (int i = 0; i < report->count; i++) {
		if (!report->list[i].left) {
			return true;
		}
	}
	return false;
}

/* Writes the file with what was decided so far; as it was where all stays. */
static bool write_once(const struct quantise_job *job, const struct quantise_choice *choices,
	struct quantising *quantising, struct optimise_quantising *report, struct buffer *out,
	struct error *err) {
	const struct parts *parts = &quantising->parts;
	quantising->other_views = arena_alloc(
		quantising->arena, (size_t)parts->view_count + 1, sizeof *quantising->other_views);
	quantising->gone = arena_alloc(
		quantising->arena, (size_t)parts->view_count + 1, sizeof *quantising->gone);
	parts_note_other_views(parts, quantising->other_views);
	quantised_find(quantising, choices);
	quantised_choose(quantising, choices);
	if (!quantised_fill(quantising, err)) {
		return false;
	}
	write_report(quantising, report);
	if (!has_quantised(report)) {
		buffer_append(out, job->bytes, job->size);
		return true;
	}
	return quantised_write(quantising, out, err);
}

/* Meshes that are off by too much: with wider weights, and then not at all. */
static bool decide_again(const struct quantise_job *job, const struct optimise_quantising *report,
	struct quantise_choice *choices) {
	bool again = false;
	for (int i = 0; i < report->count; i++) {
		const struct optimise_quantised *mesh = &report->list[i];
		if (mesh->left || mesh->max_m <= ERROR_ROOM * job->tolerance_m) {
			continue;
		}
		choices[i].left = choices[i].is_wide ? TOO_FAR : NULL;
		choices[i].is_wide = again = true;
	}
	return again;
}

static bool leave_all(const struct quantise_job *job, struct quantise_choice *choices, int count,
	const struct buffer *out) {
	for (int i = 0; i < count && out->size >= job->size; i++) {
		choices[i].left = choices[i].left ? choices[i].left : NO_SMALLER;
	}
	return out->size >= job->size;
}

/* *again: the choices have changed. */
static bool attempt(const struct quantise_job *job, optimise_reader *read,
	struct quantise_choice *choices, struct optimise_quantising *report, bool *again,
	struct buffer *file, struct error *err) {
	struct arena *arena = arena_create();
	struct quantising quantising = {.job = job, .arena = arena, .edits = {.arena = arena}};
	file->size = 0;
	*again = false;
	bool done = parts_read(job->bytes, job->size, arena, &quantising.parts, err) &&
		write_once(job, choices, &quantising, report, file, err);
	if (done && has_quantised(report)) {
		struct rig *made = read(file, err);
		done = made && quantised_measure(job, made, quantising.node_count, report, err);
		*again = done &&
			(decide_again(job, report, choices) ||
				leave_all(job, choices, report->count, file));
		rig_release(made);
	}
	for (int i = 0; i < quantising.stream_count; i++) {
		buffer_finish(&quantising.streams[i].bytes);
	}
	arena_destroy(arena);
	return done;
}

static bool count_meshes(const struct quantise_job *job, int *count, struct error *err) {
	struct arena *arena = arena_create();
	struct parts parts;
	const bool done = parts_read(job->bytes, job->size, arena, &parts, err);
	*count = done ? (int)json_span_count(json_span_member(parts.json, "meshes")) : 0;
	arena_destroy(arena);
	return done;
}

bool renderer_optimise_quantise(const struct quantise_job *job, optimise_reader *read,
	struct optimise_quantising *report, struct buffer *out, struct error *err) {
	struct buffer file = {0};
	bool again = true;
	*report = (struct optimise_quantising){.list = NULL};
	if (!count_meshes(job, &report->count, err)) {
		return false;
	}
	report->list = xcalloc((size_t)report->count + 1, sizeof *report->list);
	struct quantise_choice *choices = xcalloc((size_t)report->count + 1, sizeof *choices);
	bool done = true;
	// Each time some mesh has fewer choices left.
	while (done && again) {
		done = attempt(job, read, choices, report, &again, &file, err);
	}
	if (done) {
		buffer_append(out, file.data, file.size);
	}
	free(choices);
	buffer_finish(&file);
	return done;
}
