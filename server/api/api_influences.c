// GET /v1/rigs/{rig}/influences?joint=NAME: how much each vertex follows a joint.
#include "api/api.h"
#include "query.h"
#include "renderer.h"

static const char *const types[] = {"application/octet-stream", NULL};

static bool answer(struct call *call, struct error *err) {
	const struct influences_query *query = call->state;
	const struct rig *rig = call_load(call, err);
	if (!rig) {
		return false;
	}
	const size_t bytes = (size_t)rig->vertex_count * sizeof(float);
	struct buffer *body = &call->answer.body;
	if (!buffer_try_reserve(body, bytes, "the weights", err)) {
		return false;
	}
	struct error why = {0};
	if (!renderer_influences(rig, query->joint,
		    query->support ? INFLUENCE_SUPPORT : INFLUENCE_WEIGHT,
		    (float *)(void *)body->data, &why)) {
		return error_pass_at(err, "/joint", &why);
	}
	body->size = bytes;
	call_header(call, "Posed-Vertices", "%d", rig->vertex_count);
	call_header(call, "Posed-Layout", "weight:f32x1");
	return true;
}

bool api_get_influences(struct call *call, struct error *err) {
	struct influences_query *query = arena_alloc(call->arena, 1, sizeof *query);
	if (!call_choose_type(call, types, err) ||
		!query_read_influences(
			call->arena, call->parameters, call->parameter_count, query, err) ||
		!call_hold(call, call->rig, HOLD_RIG, err)) {
		return false;
	}
	call_continue(call, PLACE_CPU, answer, query);
	call_is_known(call, call->hold.summary.content);
	return true;
}
