// POST /v1/bake: a pose that runs by the clock, as files that run without posed.
#include "api/api.h"
#include "api/data_first.h"
#include "api/mesh.h"
#include "api/report.h"
#include "api/subject.h"
#include "bake.h"
#include "limits.h"
#include "renderer.h"
#include "version.h"

static bool answer(struct call *call, struct error *err) {
	const struct bake_request *request = call->state;
	const struct rig *rig = call_load(call, err);
	if (!rig || !data_first_load_examples(call, &request->skinning, 1, err)) {
		return false;
	}
	const struct portable_job job = {
		.rig = rig,
		.pose = subject_pose(&request->subject, 0),
		.sources = &call->sources,
		.skinning = request->skinning,
		.examples = call->hold.examples,
		.baked = request->baked,
		.most_frames = LIMIT_CLIP_FRAMES,
		.generator = "posed " POSED_VERSION,
		.most_bytes = LIMIT_REPLY_BYTES,
		.stop = &call->stop,
		.describe = bake_write_description,
	};
	struct skinning_report report;
	struct baked_facts facts;
	if (!renderer_portable(call->renderer, &job, &call->answer.body, &facts, &report, err)) {
		return subject_name(&request->subject, err);
	}
	call_header(call, "Posed-Vertices", "%zu", facts.vertices);
	call_header(call, "Posed-Frames", "%zu", facts.frames);
	report_add(call, &report);
	report_set_header(call, &report);
	return true;
}

bool api_bake(struct call *call, struct error *err) {
	struct bake_request *request = arena_alloc(call->arena, 1, sizeof *request);
	const struct value *body = call_json(call, err);
	if (!body || !bake_read(body, request, err)) {
		return false;
	}
	const char *const types[] = {renderer_portable_type(request->baked.form), NULL};
	if (!call_choose_type(call, types, err) || !subject_hold(call, &request->subject, err)) {
		return false;
	}
	const enum place place = mesh_place(call, &request->skinning, 1);
	data_first_continue(call, &request->skinning, 1, place, answer, request);
	call_is_known(call, call->hold.state);
	return true;
}
