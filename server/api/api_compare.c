// POST /v1/compare: skinning methods compared in one pose.
#include <string.h>

#include "api/api.h"
#include "api/picture_formats.h"
#include "api/results.h"
#include "base/clock.h"
#include "compare.h"
#include "describe/describe.h"
#include "metrics/metrics.h"

static const char *const other_types[] = {"application/json", NULL};

static struct compare_job compare_job(
	const struct request_context *context, const struct compare_request *request) {
	return (struct compare_job){
		.subject = subject_posed(context, subject_pose(&request->subject, 0), NULL),
		.methods = request->methods,
		.count = request->method_count,
		.worst = (size_t)request->worst,
		.max_bytes = LIMIT_REPLY_BYTES,
	};
}

static const char *const *list_labels(
	struct request_context *context, const struct compare_request *request) {
	struct renderer_method standard;
	renderer_method(0, &standard);
	const char **labels = arena_alloc(context->arena, request->method_count, sizeof *labels);
	for (size_t i = 0; i < request->method_count; i++) {
		labels[i] = compare_label(context->arena, request->places[i], standard.id);
	}
	return labels;
}

static void add_reports(
	struct request_context *context, const struct skinning_report *reports, size_t count) {
	for (size_t i = 0; i < count; i++) {
		result_headers_add(context, &reports[i]);
	}
	result_headers_set_headers(context, reports, count);
}

static bool measure(
	struct request_context *context, const struct compare_request *request, struct error *err) {
	const struct compare_job job = compare_job(context, request);
	struct comparison comparison;
	if (!renderer_compare(context->renderer, &job, context->arena, &comparison, err)) {
		return false;
	}
	struct skinning_report *reports =
		arena_alloc(context->arena, comparison.count, sizeof *reports);
	for (size_t i = 0; i < comparison.count; i++) {
		reports[i] = comparison.methods[i].report;
	}
	add_reports(context, reports, comparison.count);
	double mark = clock_now_s();
	struct comparison_description description;
	describe_comparison(context->hold.rig, &comparison, list_labels(context, request),
		context->arena, &description);
	reply_write_comparison(&description, &context->response.body);
	context->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	return true;
}

static bool draw(
	struct request_context *context, const struct compare_request *request, struct error *err) {
	const size_t count = request->method_count;
	const struct compare_frame_job job = {
		.compare = compare_job(context, request),
		.labels = list_labels(context, request),
		.picture = request->picture,
		.view = request->view,
		.scale = request->scale,
	};
	struct skinning_report *reports = arena_alloc(context->arena, count, sizeof *reports);
	if (!renderer_compare_frame(
		    context->renderer, &job, &context->response.body, reports, err)) {
		return false;
	}
	metrics_count(context->service->metrics, METRICS_FRAMES_RENDERED, 1);
	add_reports(context, reports, count);
	return true;
}

static bool respond(struct request_context *context, struct error *err) {
	const struct compare_request *request = context->state;
	return (context_load(context, err) &&
		       skinning_data_load_examples(
			       context, request->methods, request->method_count, err) &&
		       (request->picture.format ? draw : measure)(context, request, err)) ||
		subject_name(&request->subject, err);
}

/* A render thread draws, and measures as soon as one method wants the GPU. */
static enum executor choose_source(
	const struct request_context *context, const struct compare_request *request) {
	return request->picture.format
		? EXECUTOR_RENDER
		: skinning_executor(context, request->methods, request->method_count);
}

bool api_compare(struct request_context *context, struct error *err) {
	struct compare_request *request = arena_alloc(context->arena, 1, sizeof *request);
	const struct formats_choice choice = {other_types, true};
	const struct picture_format *format;
	const struct value *body =
		formats_choose(context, &choice, &format, err) ? context_json(context, err) : NULL;
	if (!body || !request_read_compare(body, request, err) ||
		(format &&
			(!compare_check_view(request, err) ||
				!formats_use(context, format, &request->picture, err))) ||
		!subject_hold(context, &request->subject, err)) {
		return false;
	}
	skinning_data_continue(context, request->methods, request->method_count,
		choose_source(context, request), respond, request);
	context_is_known(context, context->hold.state);
	return true;
}
