// POST /v1/frame and GET /v1/rigs/{rig}/frame.{format}: a picture.
#include "api/api.h"
#include "api/data_first.h"
#include "api/formats.h"
#include "api/report.h"
#include "api/subject.h"
#include "metrics/metrics.h"
#include "renderer.h"
#include "request.h"

static bool draw(struct call *call, struct error *err) {
	const struct frame_request *request = call->state;
	const struct rig *rig = call_load(call, err);
	if (!rig || !data_first_load_examples(call, &request->skinning, 1, err)) {
		return false;
	}
	const struct frame_job job = {
		.rig = rig,
		.pose = subject_pose(&request->subject, 0),
		.sources = &call->sources,
		.skinning = request->skinning,
		.examples = call->hold.examples,
		.picture = request->picture,
		.stop = &call->stop,
	};
	struct skinning_report report;
	if (!renderer_frame(call->renderer, &job, &call->answer.body, &report, err)) {
		return subject_name(&request->subject, err);
	}
	report_add(call, &report);
	metrics_count(call->service->metrics, METRICS_FRAMES_RENDERED, 1);
	report_set_header(call, &report);
	report_warn(call, rig);
	return true;
}

/* body is the request, or NULL with *err filled. */
static bool answer(struct call *call, const struct picture_format *format, const struct value *body,
	struct error *err) {
	struct frame_request *request = arena_alloc(call->arena, 1, sizeof *request);
	if (!body || !request_read_frame(body, request, err) ||
		!formats_use(call, format, &request->picture, err) ||
		!subject_hold(call, &request->subject, err)) {
		return false;
	}
	data_first_continue(call, &request->skinning, 1, PLACE_RENDER, draw, request);
	call_is_known(call, call->hold.state);
	return true;
}

bool api_frame(struct call *call, struct error *err) {
	const struct formats_choice any = {0};
	const struct picture_format *format;
	return formats_choose(call, &any, &format, err) &&
		answer(call, format, call_json(call, err), err);
}

bool api_frame_link(struct call *call, struct error *err) {
	const struct picture_format *format = formats_of_ending(call, call->item, err);
	return format &&
		answer(call, format,
			query_read_frame(call->arena, call->rig, call->parameters,
				call->parameter_count, err),
			err);
}
