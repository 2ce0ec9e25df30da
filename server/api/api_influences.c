// GET /v1/rigs/{rig}/influences?joint=NAME: how much each vertex follows a joint.
#include "api/api.h"
#include "query.h"
#include "renderer.h"

static const char *const types[] = {"application/octet-stream", NULL};

static bool respond(struct request_context *context, struct error *err) {
	const struct influences_query *query = context->state;
	const struct rig *rig = context_load(context, err);
	if (!rig) {
		return false;
	}
	const size_t bytes = (size_t)rig->vertex_count * sizeof(float);
	struct buffer *body = &context->response.body;
	if (!buffer_try_reserve(body, bytes, "the weights", err)) {
		return false;
	}
	struct error why = {0};
	if (!renderer_influences(rig, query->joint,
		    query->of == 1 ? INFLUENCE_SUPPORT : INFLUENCE_WEIGHT,
		    (float *)(void *)body->data, &why)) {
		return error_pass_at(err, "/joint", &why);
	}
	body->size = bytes;
	context_header(context, "Posed-Vertices", "%d", rig->vertex_count);
	context_header(context, "Posed-Layout", "weight:f32x1");
	return true;
}

bool api_get_influences(struct request_context *context, struct error *err) {
	struct influences_query *query = arena_alloc(context->arena, 1, sizeof *query);
	if (!context_choose_type(context, types, err) ||
		!query_read(context->arena, &influences_query_members, context->parameters,
			context->parameter_count, query, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	context_continue(context, EXECUTOR_CPU, respond, query);
	context_is_known(context, context->hold.summary.content);
	return true;
}
