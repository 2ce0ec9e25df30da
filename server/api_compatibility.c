// GET /v1/rigs/{rig}/compatibility?with=OTHER: what of the other's clips a rig can use.
#include "api.h"
#include "describe/describe.h"
#include "query.h"
#include "renderer.h"

static const char *const json_types[] = {"application/json", NULL};

static bool answer(struct call *call, struct error *err) {
	const struct compatibility_query *query = call->state;
	const struct rig *rig = call_load(call, err);
	if (!rig) {
		return false;
	}
	const struct rig *other = call->sources.items[0].rig;
	struct compatibility found;
	renderer_compatibility(rig, other, query->by_name, call->arena, &found);
	struct compatibility_description description;
	describe_compatibility(rig, other, &found, call->arena, &description);
	description.rig = call->rig;
	description.with = query->with->string;
	reply_write_compatibility(&description, &call->answer.body);
	return true;
}

bool api_get_compatibility(struct call *call, struct error *err) {
	struct compatibility_query *query = arena_alloc(call->arena, 1, sizeof *query);
	if (!call_choose_type(call, json_types, err) ||
		!query_read_compatibility(
			call->arena, call->parameters, call->parameter_count, query, err) ||
		!call_hold(call, call->rig, HOLD_RIG, err) ||
		!call_hold_named(call, &query->with, 1, err)) {
		return false;
	}
	call_continue(call, PLACE_CPU, answer, query);
	call_is_known(call, call->hold.summary.content);
	return true;
}
