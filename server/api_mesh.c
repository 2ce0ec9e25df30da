// GET /v1/rigs/{rig}/mesh.glb: the rest pose as a file.
#include "api.h"
#include "mesh.h"
#include "store.h"

static bool send_mesh(struct call *call, struct store_hold *hold, struct error *err) {
	if (call_is_known(call, hold->summary.content)) {
		return true;
	}
	const struct rig *rig = store_load(call->service->store, hold, err);
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
	struct store_hold hold;
	if (!call_choose_type(call, types, err) ||
		!store_hold(call->service->store, call->rig, HOLD_RIG, call->arena, &hold, err)) {
		return false;
	}
	const bool sent = send_mesh(call, &hold, err);
	store_release(&hold);
	return sent;
}
