// GET /v1/rigs/{rig}/mesh.glb: the rest pose as a file.
#include "api/api.h"
#include "api/glb_response.h"

static bool make_mesh(struct request_context *context, struct error *err) {
	const struct rig *rig = context_load(context, err);
	if (!rig) {
		return false;
	}
	struct mesh_job job = {
		.subject = {.rig = rig},
		.attributes = ATTRIBUTE_NORMAL | (rig->tangents ? ATTRIBUTE_TANGENT : 0),
	};
	return glb_respond(context, &job, err);
}

bool api_get_mesh(struct request_context *context, struct error *err) {
	static const char *const types[] = {MESH_TYPE, NULL};
	if (!context_choose_type(context, types, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	const struct skinning_settings settings = {0};
	context_continue(context, skinning_executor(context, &settings, 1), make_mesh, NULL);
	context_is_known(context, context->hold.summary.content);
	return true;
}
