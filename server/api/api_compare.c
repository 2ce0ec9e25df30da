// POST /v1/compare: skinning methods held against one another in one pose.
#include <string.h>

#include "api/api.h"
#include "api/data_first.h"
#include "api/formats.h"
#include "api/mesh.h"
#include "api/report.h"
#include "api/subject.h"
#include "base/clock.h"
#include "compare.h"
#include "describe/describe.h"
#include "metrics/metrics.h"

static const char *const other_types[] = {"application/json", NULL};

static struct compare_job compare_job(
	struct call *call, const struct compare_request *request, const struct rig *rig) {
	return (struct compare_job){
		.rig = rig,
		.pose = subject_pose(&request->subject, 0),
		.sources = &call->sources,
		.methods = request->methods,
		.count = request->method_count,
		.examples = call->hold.examples,
		.worst = (size_t)request->worst,
		.most_bytes = LIMIT_REPLY_BYTES,
		.stop = &call->stop,
	};
}

static const char *const *list_labels(struct call *call, const struct compare_request *request) {
	struct renderer_method standard;
	renderer_method(0, &standard);
	const char **labels = arena_alloc(call->arena, request->method_count, sizeof *labels);
	for (size_t i = 0; i < request->method_count; i++) {
		labels[i] = compare_label(call->arena, request->places[i], standard.id);
	}
	return labels;
}

static void add_reports(struct call *call, const struct skinning_report *reports, size_t count) {
	for (size_t i = 0; i < count; i++) {
		report_add(call, &reports[i]);
	}
	report_set_headers(call, reports, count);
}

static bool measure(struct call *call, const struct compare_request *request, const struct rig *rig,
	struct error *err) {
	const struct compare_job job = compare_job(call, request, rig);
	struct comparison comparison;
	if (!renderer_compare(call->renderer, &job, call->arena, &comparison, err)) {
		return false;
	}
	struct skinning_report *reports =
		arena_alloc(call->arena, comparison.count, sizeof *reports);
	for (size_t i = 0; i < comparison.count; i++) {
		reports[i] = comparison.methods[i].report;
	}
	add_reports(call, reports, comparison.count);
	double mark = clock_now_s();
	struct comparison_description description;
	describe_comparison(
		rig, &comparison, list_labels(call, request), call->arena, &description);
	reply_write_comparison(&description, &call->answer.body);
	call->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	return true;
}

static bool draw(struct call *call, const struct compare_request *request, const struct rig *rig,
	struct error *err) {
	const size_t count = request->method_count;
	const struct compare_frame_job job = {
		.compare = compare_job(call, request, rig),
		.labels = list_labels(call, request),
		.picture = request->picture,
		.view = request->view,
		.scale = request->scale,
	};
	struct skinning_report *reports = arena_alloc(call->arena, count, sizeof *reports);
	if (!renderer_compare_frame(call->renderer, &job, &call->answer.body, reports, err)) {
		return false;
	}
	metrics_count(call->service->metrics, METRICS_FRAMES_RENDERED, 1);
	add_reports(call, reports, count);
	return true;
}

static bool answer(struct call *call, struct error *err) {
	const struct compare_request *request = call->state;
	const struct rig *rig = call_load(call, err);
	return (rig &&
		       data_first_load_examples(
			       call, request->methods, request->method_count, err) &&
		       (request->picture.format ? draw : measure)(call, request, rig, err)) ||
		subject_name(&request->subject, err);
}

/* A render thread draws, and measures as soon as one method wants the GPU. */
static enum place choose_place(const struct call *call, const struct compare_request *request) {
	return request->picture.format ? PLACE_RENDER
				       : mesh_place(call, request->methods, request->method_count);
}

bool api_compare(struct call *call, struct error *err) {
	struct compare_request *request = arena_alloc(call->arena, 1, sizeof *request);
	const struct formats_choice choice = {other_types, true};
	const struct picture_format *format;
	const struct value *body =
		formats_choose(call, &choice, &format, err) ? call_json(call, err) : NULL;
	if (!body || !request_read_compare(body, request, err) ||
		(format &&
			(!compare_check_view(request, err) ||
				!formats_use(call, format, &request->picture, err))) ||
		!subject_hold(call, &request->subject, err)) {
		return false;
	}
	data_first_continue(call, request->methods, request->method_count,
		choose_place(call, request), answer, request);
	call_is_known(call, call->hold.state);
	return true;
}
