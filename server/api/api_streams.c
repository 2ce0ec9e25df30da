// The request that begins a stream of vertices, and its frames.
#include <math.h>
#include <stdlib.h>

#include "api/api.h"
#include "api/results.h"
#include "api/streams.h"
#include "base/clock.h"
#include "base/memory.h"
#include "metrics/metrics.h"
#include "packing.h"
#include "problem.h"
#include "renderer.h"
#include "reply.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const char *const octets[] = {"application/octet-stream", NULL};

/* Share of its longest side by which the box of packed positions is larger than what was seen, on
 * each side: who leaves it costs a frame that needs all its bytes. */
#define BOX_MARGIN (1.0 / 16)

/* One of the ways in which each moment is skinned. */
struct way {
	struct packer *packer; // owned; NULL = float32 are wanted
	struct bounds seen, box;
};

struct work {
	struct stream_request request;
	struct live_stream *stream;
	struct stream_pose *pose; // owned; NULL = the one that it began with
	int vertices;
	size_t float_bytes;                      // of a frame
	float *numbers;                          // [vertices][6] before they are packed; owned
	struct way ways[LIMIT_STREAM_SKINNINGS]; // [request.skinning_count]
	struct skinning_report reports[LIMIT_STREAM_SKINNINGS]; // likewise
};

static bool is_packed(const struct work *work) {
	return work->request.vertices.packing.bits > 0;
}

static void finish(struct request_context *context) {
	struct work *work = context->state;
	streams_close(context->service->streams, work->stream);
	stream_pose_destroy(work->pose);
	for (size_t i = 0; i < work->request.skinning_count; i++) {
		packer_destroy(work->ways[i].packer);
	}
	free(work->numbers);
}

/* Skins the pose of a moment in the i-th way. */
static bool skin(
	struct request_context *context, double time_s, size_t i, float *out, struct error *err) {
	static const enum attribute_bits unpacked[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};
	struct work *work = context->state;
	const struct vertices_request *request = &work->request.vertices;
	const struct stream_pose *pose = work->pose;
	const struct vertices_job job = {
		.subject = {.rig = context->hold.rig,
			.pose = pose ? pose->expression : subject_pose(&request->subject, 0),
			.sources = pose ? &pose->keeper->sources : &context->sources,
			.clock_s = time_s,
			.skinning = work->request.skinnings[i],
			.examples = context->hold.examples,
			.stop = &context->stop},
		.order = is_packed(work) ? unpacked : request->attributes,
		.count = is_packed(work) ? COUNT_OF(unpacked) : request->attribute_count,
		.vertices = work->vertices,
	};
	if (!renderer_vertices(context->renderer, &job, out, &work->reports[i], err)) {
		return false;
	}
	result_headers_add(context, &work->reports[i]);
	return true;
}

static bool is_within(const struct bounds *inner, const struct bounds *outer) {
	bool within = true;
	for (size_t k = 0; k < 3; k++) {
		within = within && inner->min[k] >= outer->min[k] && inner->max[k] <= outer->max[k];
	}
	return within;
}

static void grow(struct bounds *bounds, const struct bounds *by) {
	for (size_t k = 0; k < 3; k++) {
		bounds->min[k] = fmin(bounds->min[k], by->min[k]);
		bounds->max[k] = fmax(bounds->max[k], by->max[k]);
	}
}

/* Sees to it that the positions are within the packer's box. */
static bool fit_box(const struct work *work, struct way *way, struct error *err) {
	struct bounds now = BOUNDS_NONE;
	packer_measure(work->numbers, (size_t)work->vertices, &now);
	if (is_within(&now, &way->box)) {
		return true;
	}
	grow(&way->seen, &now);
	double side = 0;
	for (size_t k = 0; k < 3; k++) {
		side = fmax(side, way->seen.max[k] - way->seen.min[k]);
	}
	way->box = way->seen;
	for (size_t k = 0; k < 3; k++) {
		way->box.min[k] -= side * BOX_MARGIN;
		way->box.max[k] += side * BOX_MARGIN;
	}
	return packer_set_box(way->packer, &way->box, err);
}

static bool add_floats(struct request_context *context, double time_s, size_t i,
	struct stream_header *header, struct error *err) {
	struct work *work = context->state;
	struct buffer *body = &context->response.body;
	if (!buffer_try_reserve(
		    body, STREAM_HEADER_BYTES + work->float_bytes, "the vertices", err)) {
		return false;
	}
	float *out = (float *)(body->data + body->size + STREAM_HEADER_BYTES);
	if (!skin(context, time_s, i, out, err)) {
		return false;
	}
	header->payload_bytes = (uint32_t)work->float_bytes;
	header->flags |= STREAM_KEY;
	stream_append_header(header, body);
	body->size += work->float_bytes;
	return true;
}

/* Appends a header, whose payload comes behind it; returns where it is. */
static size_t begin_payload(struct buffer *body, const struct stream_header *header) {
	const size_t at = body->size;
	stream_append_header(header, body);
	return at;
}

static void end_payload(struct buffer *body, size_t at, struct stream_header *header) {
	const size_t end = body->size;
	header->payload_bytes = (uint32_t)(end - at - STREAM_HEADER_BYTES);
	body->size = at;
	stream_append_header(header, body);
	body->size = end;
}

static bool add_packed(struct request_context *context, double time_s, size_t i,
	struct stream_header *header, struct error *err) {
	struct work *work = context->state;
	struct way *way = &work->ways[i];
	struct buffer *body = &context->response.body;
	if (!skin(context, time_s, i, work->numbers, err) ||
		(work->request.vertices.packing.positions && !fit_box(work, way, err)) ||
		!buffer_try_reserve(body,
			2 * STREAM_HEADER_BYTES +
				packer_frame_bytes(
					&work->request.vertices.packing, (size_t)work->vertices),
			"the vertices", err)) {
		return false;
	}
	double mark = clock_now_s();
	if (work->request.vertices.packing.positions) {
		packer_box(way->packer, header->box);
	}
	header->flags |= packer_is_key_next(way->packer) ? STREAM_KEY : 0;
	const size_t at = begin_payload(body, header);
	packer_add_frame(
		way->packer, work->numbers, work->numbers + (size_t)work->vertices * 3, body);
	end_payload(body, at, header);
	context->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	return true;
}

static void add_order(struct request_context *context, size_t i) {
	const struct work *work = context->state;
	struct stream_header header = {
		.flags = STREAM_ORDER | (uint32_t)i << STREAM_SKINNING_SHIFT};
	const size_t at = begin_payload(&context->response.body, &header);
	packer_add_order(work->ways[i].packer, &context->response.body);
	end_payload(&context->response.body, at, &header);
}

/* True while the rig, and those that the pose names, are what the stream was begun with. */
static bool is_current(const struct request_context *context) {
	const struct work *work = context->state;
	return store_is_current(&context->hold) &&
		context_others_are_current(work->pose ? work->pose->keeper : context);
}

/* The header of a tick, without a payload. */
static struct stream_header head_of(
	struct request_context *context, const struct stream_tick *tick) {
	return (struct stream_header){
		.number = tick->number,
		.flags = (tick->same ? STREAM_SAME : 0) | (tick->changed ? STREAM_CHANGED : 0) |
			(is_current(context) ? 0 : STREAM_OUTDATED),
		.time_s = tick->time_s,
		.since_s = tick->since_s,
	};
}

/* Appends the frame of a tick, in each of the ways. */
static bool add_frame(
	struct request_context *context, const struct stream_tick *tick, struct error *err) {
	struct work *work = context->state;
	const struct stream_header head = head_of(context, tick);
	metrics_count(context->service->metrics, METRICS_STREAM_FRAMES, 1);
	if (tick->same) {
		stream_append_header(&head, &context->response.body);
		return true;
	}
	bool added = true;
	for (size_t i = 0; added && i < work->request.skinning_count; i++) {
		struct stream_header header = head;
		header.flags |= (uint32_t)i << STREAM_SKINNING_SHIFT;
		added = (is_packed(work) ? add_packed : add_floats)(
			context, tick->shown_s, i, &header, err);
	}
	return added;
}

/* The last: with what went wrong, if anything did. */
static void add_end(struct request_context *context, const struct stream_tick *tick,
	const struct error *problem) {
	struct stream_header header = {
		.number = tick->number,
		.flags = STREAM_END,
		.time_s = tick->time_s,
		.since_s = tick->since_s,
	};
	const size_t at = begin_payload(&context->response.body, &header);
	if (problem) {
		const struct error told = context_tell(context, problem);
		problem_write(&told, false, &context->response.body);
	}
	end_payload(&context->response.body, at, &header);
	context->response.stream.done = true;
}

static void take_pose(struct work *work, struct stream_pose *pose) {
	if (pose) {
		stream_pose_destroy(work->pose);
		work->pose = pose;
	}
}

/* The next frame, when its time has come. */
static bool fill(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	struct stream_tick tick;
	stream_tick(context->service->streams, work->stream, &tick);
	metrics_count(context->service->metrics, METRICS_STREAM_DROPPED, tick.dropped);
	take_pose(work, tick.pose);
	context->response.stream.not_before_s = tick.next_s;
	if (tick.ended || context->service->stopping) {
		add_end(context, &tick, NULL);
		return true;
	}
	const size_t size = context->response.body.size;
	struct error why = {0};
	if (!tick.due || add_frame(context, &tick, &why)) {
		return true;
	}
	context->response.body.size = size;
	if (!context->response.stream.fill || why.code == ERROR_CONTEXT_LOST ||
		why.code == ERROR_CLIENT_LEFT || why.code == ERROR_INTERNAL) {
		*err = why;
		return false;
	}
	add_end(context, &tick, &why);
	return true;
}

static void set_headers(struct request_context *context) {
	const struct work *work = context->state;
	const struct vertices_request *request = &work->request.vertices;
	char layout[160];
	if (is_packed(work)) {
		packing_layout(
			&request->packing, packer_stride(&request->packing), layout, sizeof layout);
	} else {
		reply_layout(request->attributes, request->attribute_count, layout, sizeof layout);
	}
	context_header(context, "Posed-Stream", "%s", stream_id(work->stream));
	context_header(context, "Location", "/v1/streams/%s", stream_id(work->stream));
	context_header(context, "Posed-Content", "%s", context->hold.summary.content);
	context_header(context, "Posed-Vertices", "%d", work->vertices);
	context_header(context, "Posed-Layout", "%s", layout);
	result_headers_set_headers(context, work->reports, work->request.skinning_count);
	context->cache_control = "no-store";
}

/* Counts the vertices of the i-th way, and makes what packs them. */
static bool prepare_way(struct request_context *context, const struct rig *rig, size_t i,
	int *vertices, struct error *err) {
	struct work *work = context->state;
	struct way *way = &work->ways[i];
	const struct skinning_settings *skinning = &work->request.skinnings[i];
	if (!is_packed(work)) {
		return renderer_vertex_count(
			context->renderer, rig, skinning, &context->stop, vertices, err);
	}
	way->seen = BOUNDS_NONE;
	way->box = BOUNDS_NONE;
	way->packer = renderer_packer(context->renderer, rig, skinning,
		&work->request.vertices.packing, &context->stop, vertices, err);
	// Of normals alone there is no box to be set with the first frame.
	return way->packer && packer_set_box(way->packer, &BOUNDS_NONE, err);
}

static bool prepare_ways(
	struct request_context *context, const struct rig *rig, struct error *err) {
	struct work *work = context->state;
	for (size_t i = 0; i < work->request.skinning_count; i++) {
		int vertices;
		if (!prepare_way(context, rig, i, &vertices, err)) {
			return false;
		}
		work->vertices = i == 0 ? vertices : work->vertices;
		if (vertices != work->vertices) {
			return value_error(work->request.skinning_places[i], err,
				ERROR_INVALID_VALUE,
				"this method has %d vertices and the first one %d; those of one "
				"stream must have the same",
				vertices, work->vertices);
		}
	}
	return true;
}

static bool prepare_frames(
	struct request_context *context, const struct rig *rig, struct error *err) {
	struct work *work = context->state;
	const struct vertices_request *request = &work->request.vertices;
	if (!prepare_ways(context, rig, err)) {
		return false;
	}
	if (is_packed(work)) {
		work->numbers = try_calloc(
			(size_t)work->vertices * 6 + 1, sizeof *work->numbers, "the vertices", err);
		return work->numbers;
	}
	unsigned bits = 0;
	for (size_t i = 0; i < request->attribute_count; i++) {
		bits |= request->attributes[i];
	}
	work->float_bytes = renderer_vertices_bytes(work->vertices, bits);
	return true;
}

static bool open_stream(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	const struct stream_params params = {
		.request = &work->request,
		.rig_name = work->request.vertices.subject.rig,
		.rig = context->hold.rig,
		.owner = context->grant.name,
		.client = context->client,
		.examples = context->hold.examples,
		.vertices = work->vertices,
	};
	work->stream = streams_open(context->service->streams, &params, err);
	return work->stream;
}

static bool begin(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	const struct stream_request *request = &work->request;
	const struct subject *subject = &request->vertices.subject;
	context->finish = finish;
	const struct rig *rig = context_load(context, err);
	if (!rig ||
		!skinning_data_load_examples(
			context, request->skinnings, request->skinning_count, err) ||
		!prepare_frames(context, rig, err) || !open_stream(context, err)) {
		return false;
	}
	for (size_t i = 0; request->vertices.packing.reordered && i < request->skinning_count;
		i++) {
		add_order(context, i);
	}
	// An error in the first frame still sets the status.
	if (!fill(context, err)) {
		return subject_name(subject, err);
	}
	set_headers(context);
	context->response.stream.fill = fill;
	context->response.stream.control = stream_control_of(work->stream);
	context->response.stream.total_bytes = RESPONSE_UNKNOWN_BYTES;
	return true;
}

bool api_begin_stream(struct request_context *context, struct error *err) {
	struct work *work = arena_alloc(context->arena, 1, sizeof *work);
	const struct value *body =
		context_choose_type(context, octets, err) ? context_json(context, err) : NULL;
	if (!body || !stream_read(body, &work->request, err) ||
		!subject_hold(context, &work->request.vertices.subject, err)) {
		return false;
	}
	skinning_data_continue(context, work->request.skinnings, work->request.skinning_count,
		skinning_executor(context, work->request.skinnings, work->request.skinning_count),
		begin, work);
	return true;
}
