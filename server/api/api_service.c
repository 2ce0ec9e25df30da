// The calls about the service itself.
#include "api/api.h"
#include "describe/describe.h"
#include "store/store.h"
#include "work/jobs.h"

static const char *const json_types[] = {"application/json", NULL};

bool api_service(struct call *call, struct error *err) {
	if (!call_choose_type(call, json_types, err)) {
		return false;
	}
	const struct renderer_description renderer =
		describe_renderer(jobs_renderer(call->service->pools[PLACE_RENDER]));
	struct service_description service = {.renderer = &renderer};
	service.methods = describe_methods(call->arena, &service.method_count);
	service.operations = describe_operations(call->arena, &service.operation_count);
	reply_write_service(&service, &call->answer.body);
	return true;
}

bool api_alive(struct call *call, struct error *err) {
	(void)err;
	call->answer.content_type = json_types[0];
	call->cache_control = "no-store";
	reply_write_alive(store_is_read_only(call->service->store), &call->answer.body);
	return true;
}

bool api_ready(struct call *call, struct error *err) {
	if (call->service->stopping) {
		return error_set(
			err, ERROR_SHUTTING_DOWN, "the daemon is finishing its last requests");
	}
	if (!jobs_ready(call->service->pools[PLACE_RENDER], err)) {
		return false;
	}
	const struct renderer_description renderer =
		describe_renderer(jobs_renderer(call->service->pools[PLACE_RENDER]));
	call->answer.content_type = json_types[0];
	call->cache_control = "no-store";
	reply_write_ready(&renderer, &call->answer.body);
	return true;
}
