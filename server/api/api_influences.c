// GET /v1/rigs/{rig}/influences: how much each vertex follows a joint, or all of them.
#include "api/api.h"
#include "query.h"
#include "renderer.h"

static const char *const types[] = {"application/octet-stream", NULL};

/* The layout and size of the answers: without a joint they are of all. */
static const struct {
	const char *layout;
	size_t floats;
	bool of_joint;
} kinds[] = {
	[INFLUENCES_WEIGHTS] = {"weight:f32x1", 1, true},
	[INFLUENCES_SUPPORT] = {"weight:f32x1", 1, true},
	[INFLUENCES_COLORS] = {"color:f32x3", 3, false},
	[INFLUENCES_COUNT] = {"count:f32x1", 1, false},
};

static bool fill(
	const struct rig *rig, const struct influences_query *query, void *out, struct error *err) {
	switch (query->of) {
	case INFLUENCES_COLORS:
		renderer_joint_colors(rig, out);
		return true;
	case INFLUENCES_COUNT:
		renderer_influence_counts(rig, out);
		return true;
	case INFLUENCES_WEIGHTS:
	case INFLUENCES_SUPPORT:
		break;
	}
	struct error why = {0};
	return renderer_influences(rig, query->joint,
		       query->of == INFLUENCES_SUPPORT ? INFLUENCE_SUPPORT : INFLUENCE_WEIGHT, out,
		       &why) ||
		error_pass_at(err, "/joint", &why);
}

static bool respond(struct request_context *context, struct error *err) {
	const struct influences_query *query = context->state;
	const struct rig *rig = context_load(context, err);
	if (!rig) {
		return false;
	}
	const size_t bytes = (size_t)rig->vertex_count * kinds[query->of].floats * sizeof(float);
	struct buffer *body = &context->response.body;
	if (!buffer_try_reserve(body, bytes, "the weights", err) ||
		!fill(rig, query, body->data, err)) {
		return false;
	}
	body->size = bytes;
	context_header(context, "Posed-Vertices", "%d", rig->vertex_count);
	context_header_text(context, "Posed-Layout", kinds[query->of].layout);
	return true;
}

static bool check_joint(const struct influences_query *query, struct error *err) {
	if (kinds[query->of].of_joint == (query->joint != NULL)) {
		return true;
	}
	return query->joint
		? error_at(err, ERROR_INVALID_VALUE, "/joint",
			  "\"joint\" is of weights and support alone")
		: error_set(err, ERROR_INVALID_VALUE, "the parameter \"joint\" is missing");
}

bool api_get_influences(struct request_context *context, struct error *err) {
	struct influences_query *query = arena_alloc(context->arena, 1, sizeof *query);
	if (!context_choose_type(context, types, err) ||
		!query_read(context->arena, &influences_query_members, context->parameters,
			context->parameter_count, query, err) ||
		!check_joint(query, err) || !context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	context_continue(context, EXECUTOR_CPU, respond, query);
	context_is_known(context, context->hold.summary.content);
	return true;
}
