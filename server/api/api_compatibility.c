// GET /v1/rigs/{rig}/compatibility?with=OTHER: what of the other's clips a rig can use.
#include "api/api.h"
#include "describe/describe.h"
#include "query.h"
#include "renderer.h"

static const char *const json_types[] = {"application/json", NULL};

/* Pairs that are less sure than this may well be wrong. */
#define CONFIDENCE_WARNS 0.5

static void warn(struct request_context *context, const struct compatibility *found) {
	if (!found->is_enough) {
		context_header_text(context, "Posed-Warning",
			"next to nothing of the two rigs could be paired: retarget refuses them "
			"without a map");
	} else if (found->confidence < CONFIDENCE_WARNS) {
		context_header_text(context, "Posed-Warning",
			"the pairs are not sure: confidence says how much, and retarget takes a "
			"map that says which are right");
	}
}

static bool respond(struct request_context *context, struct error *err) {
	const struct compatibility_query *query = context->state;
	const struct rig *rig = context_load(context, err);
	if (!rig) {
		return false;
	}
	const struct rig *other = context->sources.items[0].rig;
	struct compatibility found;
	renderer_compatibility(rig, other, query->map == 1, context->arena, &found);
	warn(context, &found);
	struct compatibility_description description;
	describe_compatibility(rig, other, &found, context->arena, &description);
	description.rig = context->rig;
	description.with = query->with;
	reply_write_compatibility(&description, &context->response.body);
	return true;
}

bool api_get_compatibility(struct request_context *context, struct error *err) {
	struct compatibility_query *query = arena_alloc(context->arena, 1, sizeof *query);
	if (!context_choose_type(context, json_types, err) ||
		!query_read(context->arena, &compatibility_query_members, context->parameters,
			context->parameter_count, query, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err) ||
		!context_hold_named(context, &query->source, 1, err)) {
		return false;
	}
	context_continue(context, EXECUTOR_CPU, respond, query);
	context_is_known(context, context->hold.summary.content);
	return true;
}
