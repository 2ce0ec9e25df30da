// GET /v1/rigs/{rig}/mesh.glb: the rest pose as a file.
#include "api/api.h"
#include "api/mesh.h"

static bool make_mesh(struct call *call, struct error *err) {
	const struct rig *rig = call_load(call, err);
	if (!rig) {
		return false;
	}
	struct mesh_job job = {
		.rig = rig,
		.attributes = ATTRIBUTE_NORMAL | (rig->tangents ? ATTRIBUTE_TANGENT : 0),
	};
	return mesh_answer(call, &job, err);
}

bool api_get_mesh(struct call *call, struct error *err) {
	static const char *const types[] = {MESH_TYPE, NULL};
	if (!call_choose_type(call, types, err) || !call_hold(call, call->rig, HOLD_RIG, err)) {
		return false;
	}
	const struct skinning_settings settings = {0};
	call_continue(call, mesh_place(call, &settings, 1), make_mesh, NULL);
	call_is_known(call, call->hold.summary.content);
	return true;
}
