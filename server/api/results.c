// Results: their subject, and the headers of their responses.
#include "api/results.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "describe/describe.h"
#include "limits.h"
#include "metrics/metrics.h"
#include "model/rig.h"
#include "version.h"
#include "work/thread_pool.h"

bool subject_hold(
	struct request_context *context, const struct subject *subject, struct error *err) {
	struct error why = {0};
	if (!context_hold(context, subject->rig, HOLD_RIG, &why)) {
		return value_pass(subject->source, err, &why);
	}
	const struct other_rigs others = {.poses = subject->poses, .count = subject->count};
	return context_hold_others(context, &others, err);
}

struct posed_subject subject_posed(const struct request_context *context, const struct value *pose,
	const struct skinning_settings *skinning) {
	return (struct posed_subject){
		.rig = context->hold.rig,
		.pose = pose,
		.sources = &context->sources,
		.skinning = skinning ? *skinning : (struct skinning_settings){0},
		.examples = context->hold.examples,
		.stop = &context->stop,
	};
}

bool subject_name(const struct subject *subject, struct error *err) {
	return subject_name_rig(subject->rig, err);
}

bool subject_name_rig(const char *rig, struct error *err) {
	if (err->code != ERROR_UNKNOWN_CLIP && err->code != ERROR_UNKNOWN_JOINT &&
		err->code != ERROR_MISSING_DATA) {
		return false;
	}
	char name[LIMIT_NAME_BYTES + 8];
	utf8_quote(rig, name, sizeof name);
	error_prefix(err, "rig %s: ", name);
	return false;
}

/* --- Links --- */

#define CONTENT_PREFIX "sha256:"

bool result_pin(
	struct request_context *context, const char *digits, int64_t most_s, struct error *err) {
	const struct store_hold *hold = &context->hold;
	const char *content = hold->summary.content + strlen(CONTENT_PREFIX);
	if (strncmp(content, digits, strlen(digits)) != 0) {
		return error_set(err, ERROR_EXPIRED,
			"the link is for a rig of the content %s..., and the rig has another now",
			digits);
	}
	// What a token has opened is its owner's.
	const char *whose = context->grant.name ? "private" : "public";
	if (!hold->sets[ITEM_CLIPS] && !hold->sets[ITEM_EXAMPLES]) {
		context->cache_control =
			arena_printf(context->arena, "%s, max-age=%" PRId64 ", immutable", whose,
				most_s < RESULT_KEPT_S ? most_s : RESULT_KEPT_S);
	}
	return true;
}

/* --- Reports in headers --- */

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
	if (report->has_exposure) {
		context_header(context, "Posed-Exposure", "%.9g", report->exposure);
	}
}

/* --- Vertices --- */

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
	job->max_bytes = LIMIT_REPLY_BYTES;
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
