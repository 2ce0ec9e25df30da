// POST /v1/frame and GET /v1/rigs/{rig}/frame.png: a picture.
#include "api.h"
#include "renderer.h"
#include "report.h"
#include "request.h"
#include "store.h"
#include "subject.h"

static const char *const types[] = {"image/png", NULL};

static bool draw(struct call *call, const struct frame_request *request, struct store_hold *hold,
	struct error *err) {
	if (call_is_known(call, hold->summary.content)) {
		return true;
	}
	const struct frame_job job = {
		.rig = store_load(call->service->store, hold, err),
		.pose = subject_pose(&request->subject, 0),
		.skinning = request->skinning,
		.picture = request->picture,
	};
	struct skinning_report report;
	if (!job.rig || !renderer_frame(call->renderer, &job, &call->answer.body, &report, err)) {
		return false;
	}
	report_set_headers(call, &report);
	return true;
}

/* body is the request, or NULL with *err filled. */
static bool answer(struct call *call, const struct value *body, struct error *err) {
	struct frame_request request;
	struct store_hold hold;
	if (!body || !request_read_frame(body, &request, err) ||
		!subject_hold(call, &request.subject, &hold, err)) {
		return false;
	}
	const bool drawn = draw(call, &request, &hold, err) || subject_name(&request.subject, err);
	store_release(&hold);
	return drawn;
}

bool api_frame(struct call *call, struct error *err) {
	return call_choose_type(call, types, err) && answer(call, call_json(call, err), err);
}

bool api_frame_link(struct call *call, struct error *err) {
	return call_choose_type(call, types, err) &&
		answer(call,
			query_read_frame(call->arena, call->rig, call->parameters,
				call->parameter_count, err),
			err);
}
