// The calls that begin, list, show and cancel fits.
#include "api/api.h"
#include "api/data_first.h"
#include "limits.h"
#include "request_internal.h"
#include "url_text.h"
#include "work/fits.h"

static const char *const types[] = {"application/json", NULL};

/* How things stand is never the same for long. */
static void forbid_keeping(struct call *call) {
	call->cache_control = "no-store";
}

static bool begin(struct call *call, struct error *err) {
	struct fit_wish *wish = call->state;
	struct fit_description fit;
	if (!call_load(call, err) || !data_first_load_examples(call, &wish->settings, 1, err) ||
		!fits_begin(call->service->fits, wish, call->arena, &fit, err)) {
		return false;
	}
	call->answer.status = fit.state == FIT_DONE ? 200 : 202;
	call_header(call, "Location", "/v1/rigs/%s/fits/%s", url_encode(call->arena, call->rig),
		fit.id);
	forbid_keeping(call);
	fit_write(&fit, &call->answer.body);
	return true;
}

static bool check_needs(const struct fit_wish *wish, struct error *err) {
	const struct value *place = wish->settings.method;
	const char *const words = "there is nothing to make ahead for this method";
	return wish->needs.data ||
		(place ? value_error(place, err, ERROR_INVALID_VALUE, "%s", words)
		       : error_at(err, ERROR_INVALID_VALUE, "", "%s", words));
}

bool api_begin_fit(struct call *call, struct error *err) {
	struct fit_wish *wish = arena_alloc(call->arena, 1, sizeof *wish);
	const struct value *body = call_choose_type(call, types, err) ? call_json(call, err) : NULL;
	if (!body || !request_read_skinning(body, &wish->settings, err) ||
		!renderer_read_needs(&wish->settings, &wish->needs, err) ||
		!check_needs(wish, err) || !call_hold(call, call->rig, HOLD_RIG, err)) {
		return false;
	}
	wish->hold = &call->hold;
	wish->skinning = body;
	call_continue(call, PLACE_CPU, begin, wish);
	return true;
}

bool api_list_fits(struct call *call, struct error *err) {
	if (!call_choose_type(call, types, err) || !call_hold(call, call->rig, HOLD_RIG, err)) {
		return false;
	}
	size_t count;
	const struct fit_description *fits =
		fits_list(call->service->fits, &call->hold, call->arena, &count);
	forbid_keeping(call);
	fit_write_list(fits, count, &call->answer.body);
	return true;
}

bool api_show_fit(struct call *call, struct error *err) {
	struct fit_description fit;
	if (!call_choose_type(call, types, err) || !call_hold(call, call->rig, HOLD_RIG, err) ||
		!fits_find(call->service->fits, &call->hold, call->item, call->arena, &fit, err)) {
		return false;
	}
	forbid_keeping(call);
	fit_write(&fit, &call->answer.body);
	return true;
}

bool api_cancel_fit(struct call *call, struct error *err) {
	call->answer.status = 204;
	return call_hold(call, call->rig, HOLD_RIG, err) &&
		precondition_check_untagged(call, err) &&
		fits_cancel(call->service->fits, &call->hold, call->item, err);
}
