// POST and GET /v1/bake, and GET /v1/rigs/{rig}/motion.{form}: a pose that runs by the clock, as
// files that run without posed.
#include <string.h>

#include "access/link.h"
#include "api/api.h"
#include "api/results.h"
#include "bake.h"
#include "describe/describe.h"
#include "json_text.h"
#include "limits.h"
#include "query.h"
#include "renderer.h"
#include "version.h"

static bool respond(struct request_context *context, struct error *err) {
	const struct bake_request *request = context->state;
	const struct rig *rig = context_load(context, err);
	if (!rig || !skinning_data_load_examples(context, &request->skinning, 1, err)) {
		return false;
	}
	const struct bake_export_job job = {
		.subject = subject_posed(
			context, subject_pose(&request->subject, 0), &request->skinning),
		.baked = request->baked,
		.max_frames = LIMIT_CLIP_FRAMES,
		.generator = "posed " POSED_VERSION,
		.rig_name = request->subject.rig,
		.max_bytes = LIMIT_REPLY_BYTES,
		.describe = describe_baked,
	};
	struct skinning_report report;
	struct baked_facts facts;
	if (!renderer_bake_export(
		    context->renderer, &job, &context->response.body, &facts, &report, err)) {
		return subject_name(&request->subject, err);
	}
	context_header(context, "Posed-Frames", "%zu", facts.frames);
	if (!report.method) {
		context->spans_s[SPAN_POSE] += report.times.pose_s;
		context->spans_s[SPAN_ENCODE] += report.times.encode_s;
		return true;
	}
	context_header(context, "Posed-Vertices", "%zu", facts.vertices);
	result_headers_add(context, &report);
	result_headers_set_header(context, &report);
	return true;
}

static bool begin(struct request_context *context, const struct value *body, struct error *err) {
	struct bake_request *request = arena_alloc(context->arena, 1, sizeof *request);
	if (!body || !bake_read(body, request, err)) {
		return false;
	}
	const char *const types[] = {renderer_bake_export_type(request->baked.form), NULL};
	if (!context_choose_type(context, types, err) ||
		!subject_hold(context, &request->subject, err)) {
		return false;
	}
	const enum executor source = skinning_executor(context, &request->skinning, 1);
	skinning_data_continue(context, &request->skinning, 1, source, respond, request);
	context_is_known(context, context->hold.state);
	return true;
}

bool api_bake(struct request_context *context, struct error *err) {
	return begin(context, context_json(context, err), err);
}

/* A link's rig may be another tomorrow, unless it names the content. */
bool api_bake_link(struct request_context *context, struct error *err) {
	struct bake_link_query query = {0};
	if (!query_read(context->arena, &bake_link_query_members, context->parameters,
		    context->parameter_count, &query, err) ||
		(query.content && !link_check_content(query.content, err))) {
		return false;
	}
	context->body_is_json = true; // errors point into it
	const struct value *body =
		json_read(context->arena, query.request, strlen(query.request), err);
	return begin(context, body, err) &&
		(!query.content || result_pin(context, query.content, RESULT_KEPT_S, err));
}

bool api_motion_link(struct request_context *context, struct error *err) {
	const char *const *name = bake_motion_names;
	while (*name && strcmp(*name, context->item) != 0) {
		name++;
	}
	if (!*name) {
		char known[160];
		value_list_names(bake_motion_names, known, sizeof known);
		return error_set(err, ERROR_UNKNOWN_ROUTE,
			"there is no \"motion.%.80s\"; it may end with: %s", context->item, known);
	}
	return begin(context,
		query_read_motion(context->arena, context->rig, *name, context->parameters,
			context->parameter_count, err),
		err);
}
