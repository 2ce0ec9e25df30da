// POST /v1/frame and GET /v1/rigs/{rig}/frame.{format}: a picture.
#include "api/api.h"
#include "api/picture_formats.h"
#include "api/results.h"
#include "metrics/metrics.h"
#include "renderer.h"
#include "request.h"
#include "work/assistants.h"

static bool draw(struct request_context *context, struct error *err) {
	const struct frame_request *request = context->state;
	const struct rig *rig = context_load(context, err);
	if (!rig || !skinning_data_load_examples(context, &request->skinning, 1, err)) {
		return false;
	}
	struct assistants *assistants = assistants_create(context->service->pools[EXECUTOR_RENDER]);
	const struct frame_job job = {
		.subject = subject_posed(
			context, subject_pose(&request->subject, 0), &request->skinning),
		.picture = request->picture,
		.help = assistants_help(assistants),
	};
	struct skinning_report report;
	const bool drawn =
		renderer_frame(context->renderer, &job, &context->response.body, &report, err);
	assistants_destroy(assistants);
	if (!drawn) {
		return subject_name(&request->subject, err);
	}
	result_headers_add(context, &report);
	metrics_count(context->service->metrics, METRICS_FRAMES_RENDERED, 1);
	result_headers_set_header(context, &report);
	result_headers_warn(context, rig);
	return true;
}

/* body is the request, or NULL with *err filled. */
static bool respond(struct request_context *context, const struct picture_format *format,
	const struct value *body, struct error *err) {
	struct frame_request *request = arena_alloc(context->arena, 1, sizeof *request);
	if (!body || !request_read_frame(body, request, err) ||
		!formats_use(context, format, &request->picture, err) ||
		!subject_hold(context, &request->subject, err)) {
		return false;
	}
	skinning_data_continue(context, &request->skinning, 1, EXECUTOR_RENDER, draw, request);
	context_is_known(context, context->hold.state);
	return true;
}

bool api_frame(struct request_context *context, struct error *err) {
	const struct formats_choice any = {0};
	const struct picture_format *format;
	return formats_choose(context, &any, &format, err) &&
		respond(context, format, context_json(context, err), err);
}

bool api_frame_link(struct request_context *context, struct error *err) {
	const struct picture_format *format = formats_of_ending(context, context->item, err);
	return format &&
		respond(context, format,
			query_read_frame(context->arena, context->rig, context->parameters,
				context->parameter_count, err),
			err);
}
