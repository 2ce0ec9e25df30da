// The requests about the service itself.
#include "api/api.h"
#include "describe/describe.h"
#include "store/store.h"
#include "work/thread_pool.h"

static const char *const json_types[] = {"application/json", NULL};

bool api_service(struct request_context *context, struct error *err) {
	if (!context_choose_type(context, json_types, err)) {
		return false;
	}
	const struct renderer_info *info =
		thread_pool_renderer(context->service->pools[EXECUTOR_RENDER]);
	const struct renderer_description renderer = describe_renderer(info);
	struct service_description service = {.renderer = &renderer};
	service.methods = describe_methods(info, context->arena, &service.method_count);
	service.operations = describe_operations(context->arena, &service.operation_count);
	service.formats = describe_formats(context->arena, &service.format_count);
	reply_write_service(&service, &context->response.body);
	return true;
}

bool api_alive(struct request_context *context, struct error *err) {
	(void)err;
	context->response.content_type = json_types[0];
	context->cache_control = "no-store";
	reply_write_alive(store_is_read_only(context->service->store), &context->response.body);
	return true;
}

bool api_ready(struct request_context *context, struct error *err) {
	if (context->service->stopping) {
		return error_set(
			err, ERROR_SHUTTING_DOWN, "the daemon is finishing its last requests");
	}
	if (!thread_pool_ready(context->service->pools[EXECUTOR_RENDER], err)) {
		return false;
	}
	const struct renderer_description renderer =
		describe_renderer(thread_pool_renderer(context->service->pools[EXECUTOR_RENDER]));
	context->response.content_type = json_types[0];
	context->cache_control = "no-store";
	reply_write_ready(&renderer, &context->response.body);
	return true;
}
