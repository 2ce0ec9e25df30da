// Pictures and comparisons without a daemon: the same parser and the same renderer, in this
// process.
#include "offline.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "asset.h"
#include "base/log.h"
#include "compare.h"
#include "describe/describe.h"
#include "json_text.h"
#include "limits.h"
#include "offline_internal.h"
#include "problem_print.h"
#include "progress.h"
#include "reader.h"
#include "sequence.h"
#include "sheet.h"
#include "status.h"
#include "warnings.h"

bool offline_is_file(const char *subject) {
	struct stat there;
	return strchr(subject, '/') || file_is_input(subject) ||
		(stat(subject, &there) == 0 && !S_ISDIR(there.st_mode));
}

int offline_end_rig(const struct arguments *arguments, const char *rig, int status) {
	const bool may_be_file =
		status == STATUS_AWAY || (status == STATUS_REFUSED && strchr(rig, '.'));
	if (may_be_file && !arguments_want_json(arguments)) {
		fprintf(stderr, "pose: there is no file \"%s\", so that it is a rig's name\n", rig);
	}
	return status;
}

int offline_make(struct offline_job *job, offline_function function, struct buffer *answer) {
	struct buffer asset = {0};
	struct error err = {0};
	int status = asset_read(job->arguments, job->path, &asset);
	if (status == STATUS_OK) {
		job->asset = &asset;
		job->uses = asset_uses(job->arguments);
		// An output that failed has said so.
		status = function(job, answer, &err) ? STATUS_OK
			: job->output && output_has_failed(job->output)
			? STATUS_FAILED
			: problem_print_error(job->arguments, job->path, &err);
	}
	buffer_finish(&asset);
	return status;
}

bool offline_work(const struct offline_job *job, enum licence_part part, work_function function,
	struct buffer *out, struct error *err) {
	static const struct renderer_options any = {.choice = RENDERER_AUTO};
	struct workshop shop = {.job = job, .arena = arena_create()};
	const struct buffer *request = job->request;
	const struct value *body =
		request ? json_read(shop.arena, request->data, request->size, err) : NULL;
	// A picture's error says why there is no driver; numbers need none.
	log_configure(LOG_ERROR, LOG_TEXT);
	shop.rig = body || !request ? reader_import_one(job->asset, err) : NULL;
	if (shop.rig) {
		warnings_print_rig(job->arguments, job->path, shop.rig);
	}
	const bool allowed = shop.rig && licence_check(shop.rig, job->uses, part, err);
	shop.renderer = allowed ? renderer_create(&any, err) : NULL;
	const bool ok = shop.renderer && function(&shop, body, out, err);
	if (shop.renderer) {
		renderer_destroy(shop.renderer);
	}
	rig_release(shop.rig);
	arena_destroy(shop.arena);
	return ok;
}

static bool use_format(
	const struct workshop *shop, struct picture_settings *picture, struct error *err) {
	picture->format = shop->job->format;
	return picture_format_check(picture->format, picture->background[3] >= 1, err);
}

static bool frame(const struct workshop *shop, const struct value *body, struct buffer *out,
	struct error *err) {
	struct frame_request request;
	if (!request_read_frame(body, &request, err)) {
		return false;
	}
	if (!use_format(shop, &request.picture, err)) {
		return false;
	}
	const struct frame_job job = {
		.subject = {.rig = shop->rig,
			.pose = subject_pose(&request.subject, 0),
			.skinning = request.skinning},
		.picture = request.picture,
	};
	struct skinning_report report;
	return renderer_frame(shop->renderer, &job, out, &report, err);
}

bool offline_frame(const struct offline_job *job, struct buffer *out, struct error *err) {
	return offline_work(job, LICENCE_PICTURES, frame, out, err);
}

/* Hands on what there is of a sequence. */
static bool pass_on(const struct workshop *shop, struct buffer *out) {
	struct output *output = shop->job->output;
	const bool passed = !output || output_add(output, out->data, out->size);
	out->size = output ? 0 : out->size;
	return passed;
}

static bool draw_sequence(const struct workshop *shop, struct sequence *sequence,
	struct buffer *out, struct error *err) {
	static const struct sequence_piece piece = {.frames = 1};
	const struct sequence_facts facts = renderer_sequence_facts(sequence);
	struct skinning_report report;
	bool done = false, ok = true;
	for (size_t drawn = 0, frames; ok && !done; drawn += frames) {
		progress_show("%zu of %zu frames", drawn, facts.count);
		ok = renderer_sequence_draw(
			     shop->renderer, sequence, &piece, out, &frames, &done, &report, err) &&
			pass_on(shop, out);
	}
	progress_end();
	return ok;
}

/* Has a sheet say where its frames are. The text is the caller's to free after the sequence. */
static void give_map(
	struct sequence *sequence, const struct picture_settings *picture, struct buffer *text) {
	const struct sequence_facts facts = renderer_sequence_facts(sequence);
	const struct sheet_map map = {
		.columns = facts.columns,
		.rows = facts.rows,
		.count = facts.count,
		.frame_width = picture->width,
		.frame_height = picture->height,
		.duration_s = 1 / facts.rate,
		.begins_s = facts.begins_s,
	};
	sheet_write_map(&map, text);
	buffer_append(text, "", 1);
	renderer_sequence_set_map(sequence, (const char *)text->data);
}

static bool write_map(const struct workshop *shop, const struct buffer *map, struct buffer *out) {
	buffer_append(out, map->data, map->size - 1);
	return pass_on(shop, out);
}

static bool frames(const struct workshop *shop, const struct value *body, struct buffer *out,
	struct error *err) {
	struct frames_request request;
	struct buffer map = {0};
	if (!request_read_frames(body, shop->arena, &request, err)) {
		return false;
	}
	const struct sequence_job job = {
		.frame = {.subject = {.rig = shop->rig, .skinning = request.skinning},
			.picture = request.picture},
		.poses = request.subject.poses,
		.pose_count = request.subject.count,
		.many = request.subject.many,
		.frames = request.frames,
		.format = shop->job->sequence,
		.passes = 1,
		.max_frames = LIMIT_POSES,
		.max_pixels = LIMIT_SEQUENCE_PIXELS,
		.max_bytes = LIMIT_REPLY_BYTES,
		.max_rate = LIMIT_FRAME_RATE_MAX,
	};
	struct sequence *sequence = renderer_sequence_create(shop->renderer, &job, err);
	if (sequence) {
		give_map(sequence, &request.picture, &map);
	}
	const bool ok = sequence &&
		(shop->job->map_alone ? write_map(shop, &map, out)
				      : draw_sequence(shop, sequence, out, err));
	renderer_sequence_destroy(sequence);
	buffer_finish(&map);
	return ok;
}

bool offline_frames(const struct offline_job *job, struct buffer *out, struct error *err) {
	return offline_work(job, LICENCE_PICTURES, frames, out, err);
}

static const char *const *list_labels(
	const struct workshop *shop, const struct compare_request *request) {
	struct renderer_method standard;
	renderer_method(0, &standard);
	const char **labels = arena_alloc(shop->arena, request->method_count, sizeof *labels);
	for (size_t i = 0; i < request->method_count; i++) {
		labels[i] = compare_label(shop->arena, request->places[i], standard.id);
	}
	return labels;
}

static bool measure(const struct workshop *shop, const struct compare_job *job,
	const char *const *labels, struct buffer *out, struct error *err) {
	struct comparison comparison;
	struct comparison_description description;
	if (!renderer_compare(shop->renderer, job, shop->arena, &comparison, err)) {
		return false;
	}
	describe_comparison(shop->rig, &comparison, labels, shop->arena, &description);
	reply_write_comparison(&description, out);
	return true;
}

static bool draw_comparison(const struct workshop *shop, const struct compare_request *request,
	const struct compare_job *compared, const char *const *labels, struct buffer *out,
	struct error *err) {
	struct compare_frame_job job = {
		.compare = *compared,
		.labels = labels,
		.picture = request->picture,
		.view = request->view,
		.scale = request->scale,
	};
	struct skinning_report *reports =
		arena_alloc(shop->arena, request->method_count, sizeof *reports);
	return compare_check_view(request, err) && use_format(shop, &job.picture, err) &&
		renderer_compare_frame(shop->renderer, &job, out, reports, err);
}

static bool compare(const struct workshop *shop, const struct value *body, struct buffer *out,
	struct error *err) {
	struct compare_request request;
	if (!request_read_compare(body, &request, err)) {
		return false;
	}
	const struct compare_job job = {
		.subject = {.rig = shop->rig, .pose = subject_pose(&request.subject, 0)},
		.methods = request.methods,
		.count = request.method_count,
		.worst = (size_t)request.worst,
		.max_bytes = LIMIT_REPLY_BYTES,
	};
	const char *const *labels = list_labels(shop, &request);
	return shop->job->format ? draw_comparison(shop, &request, &job, labels, out, err)
				 : measure(shop, &job, labels, out, err);
}

bool offline_compare(const struct offline_job *job, struct buffer *out, struct error *err) {
	return offline_work(job, LICENCE_PICTURES, compare, out, err);
}
