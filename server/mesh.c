// Answers that are meshes as GLB.
#include "mesh.h"

#include "limits.h"
#include "report.h"
#include "version.h"

bool mesh_answer(struct call *call, struct mesh_job *job, struct error *err) {
	struct skinning_report report;
	job->generator = "posed " POSED_VERSION;
	job->most_bytes = LIMIT_REPLY_BYTES;
	if (!renderer_mesh_glb(call->renderer, job, &call->answer.body, &report, err)) {
		return false;
	}
	call_header(call, "Posed-Vertices", "%d", job->rig->vertex_count);
	call_header(call, "Posed-Frames", "1");
	report_set_headers(call, &report);
	return true;
}
