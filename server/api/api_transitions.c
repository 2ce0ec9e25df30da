// POST /v1/transitions: where one clip of a rig can go on as another.
#include "api/api.h"
#include "api/results.h"
#include "base/clock.h"
#include "limits.h"
#include "renderer.h"
#include "transitions.h"

_Static_assert(LIMIT_TRANSITIONS <= RENDERER_TRANSITIONS_MAX, "the renderer finds as many");

static const char *const types[] = {"application/json", NULL};

static void write_found(struct request_context *context, const struct found_transitions *found) {
	const size_t count = (size_t)found->count;
	struct transition_description *items = arena_alloc(context->arena, count, sizeof *items);
	for (size_t i = 0; i < count; i++) {
		const struct found_transition *item = &found->items[i];
		items[i] = (struct transition_description){
			item->from_s, item->to_s, item->distance, item->velocity};
	}
	const struct transitions_description description = {
		.rig = context->hold.summary.name,
		.from = found->from->name,
		.to = found->to->name,
		.items = items,
		.count = count,
		.has_core = found->has_core,
		.core_passes = found->core_passes,
		.from_end = {found->from_end.distance, found->from_end.speed},
		.to_start = {found->to_start.distance, found->to_start.speed},
	};
	reply_write_transitions(&description, &context->response.body);
}

static bool respond(struct request_context *context, struct error *err) {
	const struct transitions_request *request = context->state;
	const struct rig *rig = context_load(context, err);
	if (!rig) {
		return false;
	}
	const struct transitions_job job = {
		.subject = subject_posed(context, subject_pose(&request->subject, 0), NULL),
		.from = request->from,
		.to = request->to,
		.rate = request->rate,
		.rate_source = request->rate_source,
		.most = request->count,
	};
	struct found_transitions found;
	double mark = clock_now_s();
	const bool ok = renderer_transitions(&job, context->arena, &found, err);
	context->spans_s[SPAN_POSE] += clock_lap_s(&mark);
	if (!ok) {
		return subject_name(&request->subject, err);
	}
	write_found(context, &found);
	context->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	return true;
}

bool api_transitions(struct request_context *context, struct error *err) {
	struct transitions_request *request = arena_alloc(context->arena, 1, sizeof *request);
	const struct value *body =
		context_choose_type(context, types, err) ? context_json(context, err) : NULL;
	if (!body || !request_read_transitions(body, request, err) ||
		!subject_hold(context, &request->subject, err)) {
		return false;
	}
	context_continue(context, EXECUTOR_CPU, respond, request);
	context_is_known(context, context->hold.motion);
	return true;
}
