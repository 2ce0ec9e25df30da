// Answers that are vertices: where they are made, and meshes as GLB.
#include "api/glb_response.h"

#include "api/result_headers.h"
#include "limits.h"
#include "version.h"
#include "work/thread_pool.h"

enum executor skinning_executor(const struct request_context *context,
	const struct skinning_settings *settings, size_t count) {
	const struct renderer_info *info =
		thread_pool_renderer(context->service->pools[EXECUTOR_RENDER]);
	bool on_gpu = false;
	for (size_t i = 0; i < count; i++) {
		on_gpu = on_gpu || renderer_uses_gpu(info, &settings[i]);
	}
	return on_gpu ? EXECUTOR_RENDER : EXECUTOR_CPU;
}

bool glb_respond(struct request_context *context, struct mesh_job *job, struct error *err) {
	struct skinning_report report;
	job->generator = "posed " POSED_VERSION;
	job->most_bytes = LIMIT_REPLY_BYTES;
	job->subject.stop = &context->stop;
	if (!renderer_mesh_glb(context->renderer, job, &context->response.body, &report, err)) {
		return false;
	}
	context_header(context, "Posed-Content", "%s", context->hold.summary.content);
	context_header(context, "Posed-Vertices", "%d", report.vertices);
	context_header(context, "Posed-Frames", "1");
	result_headers_add(context, &report);
	result_headers_set_header(context, &report);
	return true;
}
