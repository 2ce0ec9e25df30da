// POST /v1/compress: clips, or a pose that runs by the clock, as a compressed file of motion, or as
// a GLB with few keys.
#include <math.h>

#include "api/api.h"
#include "api/compressed.h"
#include "api/results.h"
#include "base/clock.h"
#include "limits.h"
#include "version.h"

static const char json_type[] = "application/json";

static struct compression_error error_of(const struct compressed_error *error) {
	return (struct compression_error){
		.max_m = error->max_m,
		.p99_m = error->p99_m,
		.rms_m = error->rms_m,
		.max_at_samples_m = error->max_at_samples_m,
		.joint = error->joint,
		.vertex = error->vertex,
		.time_s = error->time_s,
		.unskinned_m = error->unskinned_m,
	};
}

static void write_report(struct request_context *context, const struct compress_job *job,
	const struct compressed_clips *found, struct buffer *out) {
	struct compression_clip *clips = arena_alloc(context->arena, found->count, sizeof *clips);
	for (size_t i = 0; i < found->count; i++) {
		const struct compressed_clip *clip = &found->items[i];
		clips[i] = (struct compression_clip){
			.name = clip->name,
			.bytes = clip->bytes,
			.raw_bytes = clip->raw_bytes,
			.samples = clip->samples,
			.keys = clip->keys,
			.is_left = clip->is_left,
			.rate = clip->rate,
			.duration_s = clip->duration_s,
			.tolerance_m = clip->tolerance_m,
			.error = error_of(&clip->error),
			.other = error_of(&clip->other),
		};
	}
	const struct compression_report report = {
		.rig = context->hold.summary.name,
		.codec = job->codec,
		.metric = found->at_skin ? COMPRESSION_SKIN : COMPRESSION_SHELL,
		.has_others = found->has_others,
		.clips = clips,
		.count = found->count,
		.shell_m = found->shell_m,
		.segment_samples = job->segment_samples,
		.file_bytes = found->file_bytes,
	};
	compression_write_report(&report, out);
}

bool compressed_respond(
	struct request_context *context, const struct compress_job *job, struct error *err) {
	const bool is_report = context->response.content_type == json_type;
	struct buffer file = {0};
	struct compressed_clips found;
	double mark = clock_now_s(), greatest = 0;
	const bool done = renderer_compress_clips(
		job, context->arena, is_report ? &file : &context->response.body, &found, err);
	context->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	for (size_t i = 0; done && i < found.count; i++) {
		greatest = fmax(greatest, found.items[i].error.max_m);
	}
	if (done && is_report) {
		write_report(context, job, &found, &context->response.body);
	}
	if (done) {
		context_header(context, "Posed-Error", "%.9g", greatest);
	}
	buffer_finish(&file);
	return done;
}

void compressed_continue(struct request_context *context, const struct skinning_settings *skinning,
	request_step step, void *state) {
	if (skinning) {
		skinning_data_continue(context, skinning, 1, EXECUTOR_CPU, step, state);
	} else {
		context_continue(context, EXECUTOR_CPU, step, state);
	}
	context_is_known(context, skinning ? context->hold.state : context->hold.motion);
}

static bool respond(struct request_context *context, struct error *err) {
	const struct compression_request *request = context->state;
	const struct rig *rig = context_load(context, err);
	if (!rig || !skinning_data_load_examples(context, &request->skinning, 1, err)) {
		return false;
	}
	const struct compress_job job = {
		.pose = {.subject = subject_posed(
				 context, subject_pose(&request->subject, 0), &request->skinning),
			.duration_s = request->duration_s,
			.rate = request->rate,
			.max_frames = LIMIT_CLIP_FRAMES,
			.source = request->duration_source},
		.clips = request->clips,
		.is_pose = request->is_pose,
		.rate = request->rate,
		.tolerance = request->tolerance,
		.is_share = request->is_share,
		.tolerance_source = request->tolerance_value,
		.shell_m = request->shell_m,
		.codec = request->codec,
		.segment_samples = request->segment_samples,
		.names = request->names,
		.self_contained = request->self_contained,
		.at_skin = request->metric == COMPRESSION_SKIN,
		.reports_skin = request->skinning_source,
		.free_unskinned = request->unskinned == COMPRESSION_UNSKINNED_FREE,
		.library = context->service->library,
		.metric_source =
			request->metric_source ? request->metric_source : request->skinning_source,
		.generator = "posed " POSED_VERSION,
		.max_bytes = LIMIT_REPLY_BYTES,
	};
	return compressed_respond(context, &job, err) || subject_name(&request->subject, err);
}

/* The file of the codec, or the report. */
static bool choose_type(
	struct request_context *context, enum motion_codec codec, struct error *err) {
	const char *const types[] = {compression_media_type(codec), json_type, NULL};
	struct error why = {0};
	return context_choose_type(context, types, &why) ||
		error_set(err, why.code, "%s; \"codec\" is \"%s\"", why.text,
			compression_codec_name(codec));
}

bool api_compress(struct request_context *context, struct error *err) {
	struct compression_request *request = arena_alloc(context->arena, 1, sizeof *request);
	const struct value *body = context_json(context, err);
	if (!body || !compression_read(body, request, err) ||
		!choose_type(context, request->codec, err) ||
		!subject_hold(context, &request->subject, err)) {
		return false;
	}
	const bool is_skinned = request->metric == COMPRESSION_SKIN || request->skinning_source;
	compressed_continue(context, is_skinned ? &request->skinning : NULL, respond, request);
	return true;
}
