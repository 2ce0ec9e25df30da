// Answers that are vertices: where they are made, and meshes as GLB.
#include "api/mesh.h"

#include "api/report.h"
#include "limits.h"
#include "version.h"
#include "work/jobs.h"

enum place mesh_place(
	const struct call *call, const struct skinning_settings *settings, size_t count) {
	const struct renderer_info *info = jobs_renderer(call->service->pools[PLACE_RENDER]);
	bool on_gpu = false;
	for (size_t i = 0; i < count; i++) {
		on_gpu = on_gpu || renderer_uses_gpu(info, &settings[i]);
	}
	return on_gpu ? PLACE_RENDER : PLACE_CPU;
}

bool mesh_answer(struct call *call, struct mesh_job *job, struct error *err) {
	struct skinning_report report;
	job->generator = "posed " POSED_VERSION;
	job->most_bytes = LIMIT_REPLY_BYTES;
	job->stop = &call->stop;
	if (!renderer_mesh_glb(call->renderer, job, &call->answer.body, &report, err)) {
		return false;
	}
	call_header(call, "Posed-Content", "%s", call->hold.summary.content);
	call_header(call, "Posed-Vertices", "%d", report.vertices);
	call_header(call, "Posed-Frames", "1");
	report_add(call, &report);
	report_set_header(call, &report);
	return true;
}
