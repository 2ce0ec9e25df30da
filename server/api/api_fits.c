// The requests that begin, list, show and cancel fits.
#include "api/api.h"
#include "api/results.h"
#include "limits.h"
#include "request_internal.h"
#include "url_text.h"
#include "work/fits.h"

static const char *const types[] = {"application/json", NULL};

/* The state of a fit is never the same for long. */
static void forbid_keeping(struct request_context *context) {
	context->cache_control = "no-store";
}

static bool begin(struct request_context *context, struct error *err) {
	struct fit_params *params = context->state;
	struct fit_description fit;
	if (!context_load(context, err) ||
		!skinning_data_load_examples(context, &params->settings, 1, err) ||
		!fits_begin(context->service->fits, params, context->arena, &fit, err)) {
		return false;
	}
	context->response.status = fit.state == TASK_DONE ? 200 : 202;
	context_header(context, "Location", "/v1/rigs/%s/fits/%s",
		url_encode(context->arena, context->rig), fit.id);
	forbid_keeping(context);
	fit_write(&fit, &context->response.body);
	return true;
}

static bool check_needs(const struct fit_params *params, struct error *err) {
	const struct value *source = params->settings.method;
	const char *const words = "there is nothing to make ahead for this method";
	return params->needs.data ||
		(source ? value_error(source, err, ERROR_INVALID_VALUE, "%s", words)
			: error_at(err, ERROR_INVALID_VALUE, "", "%s", words));
}

bool api_begin_fit(struct request_context *context, struct error *err) {
	struct fit_params *params = arena_alloc(context->arena, 1, sizeof *params);
	const struct value *body =
		context_choose_type(context, types, err) ? context_json(context, err) : NULL;
	if (!body || !request_read_skinning(body, &params->settings, err) ||
		!renderer_read_needs(&params->settings, &params->needs, err) ||
		!check_needs(params, err) || !context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	params->hold = &context->hold;
	params->skinning = body;
	context_continue(context, EXECUTOR_CPU, begin, params);
	return true;
}

bool api_list_fits(struct request_context *context, struct error *err) {
	if (!context_choose_type(context, types, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	size_t count;
	const struct fit_description *fits =
		fits_list(context->service->fits, &context->hold, context->arena, &count);
	forbid_keeping(context);
	fit_write_list(fits, count, &context->response.body);
	return true;
}

bool api_show_fit(struct request_context *context, struct error *err) {
	struct fit_description fit;
	if (!context_choose_type(context, types, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err) ||
		!fits_find(context->service->fits, &context->hold, context->item, context->arena,
			&fit, err)) {
		return false;
	}
	forbid_keeping(context);
	fit_write(&fit, &context->response.body);
	return true;
}

bool api_cancel_fit(struct request_context *context, struct error *err) {
	context->response.status = 204;
	return context_hold(context, context->rig, HOLD_RIG, err) &&
		precondition_check_untagged(context, err) &&
		fits_cancel(context->service->fits, &context->hold, context->item, err);
}
