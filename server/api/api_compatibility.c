// GET /v1/rigs/{rig}/compatibility?with=OTHER: what of the other's clips a rig can use.
#include "api/api.h"
#include "describe/describe.h"
#include "query.h"
#include "renderer.h"

static const char *const json_types[] = {"application/json", NULL};

/* Pairs that are less sure than this may well be wrong. */
#define CONFIDENCE_WARNS 0.5

static void warn(struct call *call, const struct compatibility *found) {
	if (!found->is_enough) {
		call_header_text(call, "Posed-Warning",
			"next to nothing of the two rigs could be paired: retarget refuses them "
			"without a map");
	} else if (found->confidence < CONFIDENCE_WARNS) {
		call_header_text(call, "Posed-Warning",
			"the pairs are not sure: confidence says how much, and retarget takes a "
			"map that says which are right");
	}
}

static bool answer(struct call *call, struct error *err) {
	const struct compatibility_query *query = call->state;
	const struct rig *rig = call_load(call, err);
	if (!rig) {
		return false;
	}
	const struct rig *other = call->sources.items[0].rig;
	struct compatibility found;
	renderer_compatibility(rig, other, query->by_name, call->arena, &found);
	warn(call, &found);
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
