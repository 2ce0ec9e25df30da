// The data that skinning methods make once for a rig: what is wanted, how far it is, and making it.
#include "interface/methods.h"
#include "skin/plan.h"

bool renderer_read_needs(
	const struct skinning_settings *settings, struct renderer_needs *out, struct error *err) {
	const struct skin_plan_params params = {
		.subject = {.skinning = *settings},
		.clip = -1,
	};
	struct skin_plan_progress progress;
	struct skin_plan plan;
	if (!skin_plan_look(NULL, &params, false, &plan, &progress, err)) {
		return false;
	}
	*out = (struct renderer_needs){
		progress.wanted > 0, progress.needs_examples, progress.needs_clip};
	return true;
}

static void add_data(const struct skin_data *data, struct data_report *out) {
	if (data) {
		out->flags |= data->flags;
		out->fallback_vertices += data->fallback_vertices;
	}
}

static void report(const struct skin_plan *plan, const struct skin_plan_progress *progress,
	struct data_report *out) {
	const struct skin_data *requested = plan->requested.data;
	*out = (struct data_report){
		.ready = progress->ready == progress->wanted,
		.share = progress->share,
		.batches = skin_plan_batches(plan),
		.fitted = requested && plan->requested.method->recipe->needs_examples,
	};
	add_data(plan->kmax.data, out);
	add_data(requested, out);
	if (plan->base.method != plan->requested.method) {
		add_data(plan->base.data, out);
	}
	if (out->fitted) {
		out->residual_max = requested->residual_max;
		out->residual_rms = requested->residual_rms;
	}
}

static struct skin_plan_params params_of(const struct data_job *job) {
	return (struct skin_plan_params){.subject = job->subject, .clip = -1};
}

bool renderer_look_at_data(
	const struct data_job *job, bool from_shelf, struct data_report *out, struct error *err) {
	const struct skin_plan_params params = params_of(job);
	struct skin_plan_progress progress;
	struct skin_plan plan;
	if (!skin_plan_look(job->library, &params, from_shelf, &plan, &progress, err)) {
		return false;
	}
	report(&plan, &progress, out);
	skin_plan_finish(&plan);
	return true;
}

bool renderer_make_data(const struct data_job *job, struct data_report *out, struct error *err) {
	const struct skin_plan_params params = params_of(job);
	const struct skin_plan_progress done = {.share = 1};
	struct skin_plan plan;
	if (!skin_plan_make(job->library, &params, &plan, err)) {
		return false;
	}
	report(&plan, &done, out);
	skin_plan_finish(&plan);
	return true;
}

bool renderer_read_options(const struct skinning_settings *settings, struct renderer_method *method,
	struct renderer_option options[static SKIN_OPTIONS_MAX + 1], struct error *err) {
	const struct skin_plan_params params = {
		.subject = {.skinning = *settings},
		.clip = -1,
	};
	struct skin_plan_progress progress;
	struct skin_plan plan;
	if (!skin_plan_look(NULL, &params, false, &plan, &progress, err)) {
		return false;
	}
	const struct skin_part *requested = &plan.requested;
	renderer_method(skin_method_index(requested->method), method);
	int count = 0;
	for (; requested->method->options && requested->method->options[count]; count++) {
		options[count] = (struct renderer_option){
			requested->method->options[count], requested->options.values[count]};
	}
	options[count] = (struct renderer_option){0};
	return true;
}
