// POST /v1/compress: clips, or a pose that runs by the clock, as a compressed file of motion, or as
// a GLB with few keys.
#include <math.h>

#include "api/api.h"
#include "api/compressed.h"
#include "api/results.h"
#include "base/clock.h"
#include "describe/compressed.h"
#include "version.h"

static const char json_type[] = "application/json";

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
		compressed_write_report(job, context->hold.summary.name, &found, context->arena,
			&context->response.body);
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
	const struct posed_subject subject =
		subject_posed(context, subject_pose(&request->subject, 0), &request->skinning);
	struct compress_job job = compressed_job(request, &subject);
	job.library = context->service->library;
	job.generator = "posed " POSED_VERSION;
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
