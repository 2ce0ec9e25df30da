// The renderer's report about a result, in the headers of the response.
#include "api/result_headers.h"

#include <string.h>

#include "describe/describe.h"
#include "metrics/metrics.h"
#include "model/rig.h"

static void count_vertices(struct request_context *context, const struct skinning_report *report) {
	struct renderer_method method;
	for (size_t i = 0; renderer_method(i, &method); i++) {
		if (strcmp(method.id, report->method) == 0) {
			metrics_count_vertices(
				context->service->metrics, i, (uint64_t)report->vertices);
		}
	}
}

void result_headers_add(struct request_context *context, const struct skinning_report *report) {
	count_vertices(context, report);
	context->spans_s[SPAN_POSE] += report->times.pose_s;
	context->spans_s[SPAN_SKIN] += report->times.skin_s;
	context->spans_s[SPAN_DRAW] += report->times.draw_s;
	context->spans_s[SPAN_READ] += report->times.read_s;
	context->spans_s[SPAN_ENCODE] += report->times.encode_s;
}

/* Remarks on how a method suits the rig, as parameters; "" = none. */
static const char *remarks(const struct skinning_report *report, struct arena *arena) {
	const char *text = "";
	if (report->fallback_vertices > 0) {
		text = arena_printf(arena, "; fallback_vertices=%d", report->fallback_vertices);
	}
	if (report->batches.count > 0) {
		text = arena_printf(arena, "%s; batches=%d; gained_vertices=%d", text,
			report->batches.count, report->batches.gained);
	}
	const char *const *flags = describe_flags(report->flags, arena);
	for (size_t i = 0; flags[i]; i++) {
		// Commas stand between methods, too: lists are quoted.
		text = arena_printf(arena, "%s%s%s", text, i ? "," : "; flags=\"", flags[i]);
	}
	return *flags ? arena_printf(arena, "%s\"", text) : text;
}

void result_headers_set_headers(
	struct request_context *context, const struct skinning_report *reports, size_t count) {
	const char *text = "";
	for (size_t i = 0; i < count; i++) {
		text = arena_printf(context->arena, "%s%s%s; device=%s%s", text, i ? ", " : "",
			reports[i].method, reports[i].device, remarks(&reports[i], context->arena));
	}
	context_header(context, "Posed-Skinning", "%s", text);
}

void result_headers_warn(struct request_context *context, const struct rig *rig) {
	const char *warning = rig_empty_warning(rig);
	if (warning) {
		context_header_text(context, "Posed-Warning", warning);
	}
}

void result_headers_set_header(
	struct request_context *context, const struct skinning_report *report) {
	result_headers_set_headers(context, report, 1);
	if (report->has_depth) {
		context_header(
			context, "Posed-Depth", "%.9g %.9g", report->depth_near, report->depth_far);
	}
}
