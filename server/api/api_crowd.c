// POST /v1/crowd: many figures in one picture, or their vertices one after another.
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/frame_response.h"
#include "api/picture_formats.h"
#include "api/results.h"
#include "base/memory.h"
#include "crowd.h"
#include "describe/describe.h"
#include "metrics/metrics.h"
#include "renderer.h"

static const char vertices_type[] = "application/octet-stream", json_type[] = "application/json";
static const char *const other_types[] = {vertices_type, json_type, NULL};

/* Bytes that a float32 may take as JSON, against its four, and those around a figure's. */
#define JSON_GROWTH 4
#define JSON_FIGURE_BYTES 512

/* A rig of the crowd. */
struct kind {
	int vertices; // with the requested skinning
	size_t bytes; // of the requested attributes of all of them
};

struct work {
	struct frames frames;
	struct crowd_request request;
	struct kind kinds[LIMIT_CROWD_RIGS]; // [request.rig_count]
	struct crowd_instance *instances;    // [request.count] each where it stands
	uint64_t vertices;                   // of all figures
	uint64_t next_vertex;                // the first of the next figure
	struct json_writer json;
	struct skinning_report report; // of the last figure that was made
};

static const struct crowd_figure *figure_at(const struct work *work, size_t i) {
	return &work->request.figures[i];
}

static const struct store_hold *hold_of(struct request_context *context, size_t i) {
	const struct work *work = context->state;
	return context_skinned(context, figure_at(work, i)->which);
}

/* Says in an error about one figure which it is, and which rig. Always returns false. */
static bool name_figure(const struct crowd_figure *figure, struct error *err) {
	if (!err->has_pointer && err->code != ERROR_MISSING_DATA &&
		(err->code == ERROR_INVALID_VALUE || err->code == ERROR_TOO_LARGE)) {
		const struct error plain = *err;
		*err = (struct error){0};
		value_error(figure->source, err, plain.code, "%s", plain.text);
	}
	return subject_name_rig(figure->rig->string, err);
}

/* Makes the instances, and brings those that are attached to others there. */
static bool place_figures(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	const struct crowd_request *request = &work->request;
	struct crowd_instance *instances =
		arena_alloc(context->arena, request->count, sizeof *instances);
	for (size_t i = 0; i < request->count; i++) {
		const struct crowd_figure *figure = figure_at(work, i);
		const struct store_hold *hold = hold_of(context, i);
		instances[i].subject = (struct posed_subject){
			.rig = hold->rig,
			.pose = figure->pose,
			.sources = &context->sources,
			.skinning = request->skinning,
			.examples = hold->examples,
			.stop = &context->stop,
		};
		instances[i].joint = figure->joint;
		instances[i].to = figure->to;
		memcpy(instances[i].placement, figure->placement, sizeof figure->placement);
	}
	work->instances = instances;
	const struct attach_job job = {
		.instances = instances,
		.order = request->order,
		.count = request->count,
	};
	size_t culprit = 0;
	return renderer_attach(&job, &culprit, err) || name_figure(figure_at(work, culprit), err);
}

static bool draw(struct request_context *context, struct error *err) {
	const struct work *work = context->state;
	const struct crowd_request *request = &work->request;
	const struct crowd_job job = {
		.instances = work->instances,
		.count = request->count,
		.picture = request->picture,
		.max_vertices = LIMIT_CROWD_VERTICES,
		.stop = &context->stop,
	};
	struct skinning_report report;
	size_t culprit;
	if (!renderer_crowd(
		    context->renderer, &job, &context->response.body, &report, &culprit, err)) {
		return culprit < request->count && name_figure(figure_at(work, culprit), err);
	}
	result_headers_add(context, &report);
	metrics_count(context->service->metrics, METRICS_FRAMES_RENDERED, 1);
	context_header(context, "Posed-Instances", "%zu", request->count);
	context_header(context, "Posed-Vertices", "%d", report.vertices);
	result_headers_set_header(context, &report);
	return true;
}

static void set_headers(struct request_context *context, const struct skinning_report *report) {
	const struct work *work = context->state;
	const struct crowd_request *request = &work->request;
	char layout[128];
	reply_layout(request->attributes, request->attribute_count, layout, sizeof layout);
	context_header(context, "Posed-Instances", "%zu", request->count);
	context_header(context, "Posed-Vertices", "%llu", (unsigned long long)work->vertices);
	context_header(context, "Posed-Layout", "%s", layout);
	result_headers_set_header(context, report);
}

/* Skins one figure into out. */
static bool skin(struct request_context *context, size_t i, float *out, struct error *err) {
	struct work *work = context->state;
	const struct crowd_figure *figure = figure_at(work, i);
	const struct vertices_job job = {
		.subject = work->instances[i].subject,
		.placement = work->instances[i].placement,
		.order = work->request.attributes,
		.count = work->request.attribute_count,
		.vertices = work->kinds[figure->which].vertices,
	};
	struct skinning_report report;
	if (!renderer_vertices(context->renderer, &job, out, &report, err)) {
		return name_figure(figure, err);
	}
	result_headers_add(context, &report);
	if (i == 0) {
		set_headers(context, &report);
	}
	work->report = report;
	return true;
}

static bool add_binary(struct request_context *context, size_t i, struct error *err) {
	const struct work *work = context->state;
	const size_t bytes = work->kinds[figure_at(work, i)->which].bytes;
	struct buffer *body = &context->response.body;
	if (!buffer_try_reserve(body, bytes, "the vertices", err) ||
		!skin(context, i, (float *)(body->data + body->size), err)) {
		return false;
	}
	body->size += bytes;
	return true;
}

static bool add_json(struct request_context *context, size_t i, struct error *err) {
	struct work *work = context->state;
	const struct crowd_figure *figure = figure_at(work, i);
	const struct kind *kind = &work->kinds[figure->which];
	float *numbers = try_calloc(kind->bytes + 1, 1, "the vertices", err);
	const bool skinned = numbers && skin(context, i, numbers, err);
	if (skinned) {
		const struct vertices_frame frame = {
			.numbers = numbers,
			.vertices = (size_t)kind->vertices,
			.attributes = work->request.attributes,
			.attribute_count = work->request.attribute_count,
		};
		reply_figure(&work->json, figure->rig->string, work->next_vertex, &frame);
		work->next_vertex += (uint64_t)kind->vertices;
	}
	free(numbers);
	return skinned;
}

static bool check(struct request_context *context, size_t i, struct error *err) {
	const struct work *work = context->state;
	const struct crowd_figure *figure = figure_at(work, i);
	return frames_check_pose(context, hold_of(context, i)->rig, figure->pose, err) ||
		name_figure(figure, err);
}

static void begin_json(struct request_context *context) {
	struct work *work = context->state;
	reply_begin_crowd(&work->json, work->vertices);
}

static void end_json(struct request_context *context) {
	struct work *work = context->state;
	const struct skinning_description skinning =
		describe_skinning(&work->report, context->arena);
	reply_end_vertices(&work->json, &skinning);
}

static bool measure(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	const struct crowd_request *request = &work->request;
	unsigned attributes = 0;
	for (size_t i = 0; i < request->attribute_count; i++) {
		attributes |= request->attributes[i];
	}
	for (size_t i = 0; i < request->rig_count; i++) {
		struct kind *kind = &work->kinds[i];
		if (!renderer_vertex_count(context->renderer, context_skinned(context, i)->rig,
			    &request->skinning, &context->stop, &kind->vertices, err)) {
			return false;
		}
		kind->bytes = renderer_vertices_bytes(kind->vertices, attributes);
	}
	return true;
}

/* Fills in how many bytes the figures take. */
static void count_bytes(struct work *work, bool as_json) {
	work->frames.frame_bytes = 1;
	for (size_t i = 0; i < work->request.count; i++) {
		const struct kind *kind = &work->kinds[figure_at(work, i)->which];
		const size_t bytes =
			as_json ? JSON_FIGURE_BYTES + kind->bytes * JSON_GROWTH : kind->bytes;
		work->vertices += (uint64_t)kind->vertices;
		work->frames.total_bytes += bytes;
		if (bytes > work->frames.frame_bytes) {
			work->frames.frame_bytes = bytes;
		}
	}
}

static bool answer_vertices(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	const bool as_json = context->response.content_type == json_type;
	if (!measure(context, err)) {
		return false;
	}
	work->json.out = &context->response.body;
	work->frames = (struct frames){
		.count = work->request.count,
		.exact = !as_json,
		.begin = as_json ? begin_json : NULL,
		.add = as_json ? add_json : add_binary,
		.check = check,
		.end = as_json ? end_json : NULL,
	};
	count_bytes(work, as_json);
	return frames_respond(context, err);
}

static bool respond(struct request_context *context, struct error *err) {
	const struct work *work = context->state;
	return context_load(context, err) &&
		skinning_data_load_examples(context, &work->request.skinning, 1, err) &&
		place_figures(context, err) &&
		(work->request.picture.format ? draw : answer_vertices)(context, err);
}

/* An empty list asks where each figure's vertices would be, which only JSON can tell. */
static bool check_attributes(const struct request_context *context,
	const struct crowd_request *request, struct error *err) {
	return request->attribute_count > 0 || context->response.content_type != vertices_type ||
		error_at(err, ERROR_INVALID_VALUE, "/attributes",
			"\"attributes\" is empty, which only %s can answer; ask for at least one",
			json_type);
}

static bool hold(
	struct request_context *context, const struct crowd_request *request, struct error *err) {
	const struct other_rigs others = {
		.skinned = request->rigs + 1,
		.skinned_count = request->rig_count - 1,
		.poses = request->list,
		.count = 1,
	};
	struct error why = {0};
	if (!context_hold(context, request->rigs[0]->string, HOLD_RIG, &why)) {
		return value_pass(request->rigs[0], err, &why);
	}
	return context_hold_others(context, &others, err);
}

bool api_crowd(struct request_context *context, struct error *err) {
	struct work *work = arena_alloc(context->arena, 1, sizeof *work);
	const struct crowd_request *request = &work->request;
	const struct formats_choice choice = {other_types, false};
	const struct picture_format *format;
	const struct value *body =
		formats_choose(context, &choice, &format, err) ? context_json(context, err) : NULL;
	if (!body || !request_read_crowd(body, context->arena, &work->request, err) ||
		(format && !formats_use(context, format, &work->request.picture, err)) ||
		!check_attributes(context, request, err) || !hold(context, request, err)) {
		return false;
	}
	if (!format) {
		context->part = LICENCE_FILES;
	}
	const enum executor source =
		format ? EXECUTOR_RENDER : skinning_executor(context, &request->skinning, 1);
	skinning_data_continue(context, &request->skinning, 1, source, respond, work);
	context_is_known(context, context->hold.state);
	return true;
}
