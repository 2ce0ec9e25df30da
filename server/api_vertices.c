// POST /v1/vertices: skinned vertices of one or many poses.
#include <stdlib.h>

#include "api.h"
#include "base/memory.h"
#include "data_first.h"
#include "describe.h"
#include "frames.h"
#include "jobs.h"
#include "mesh.h"
#include "renderer.h"
#include "reply.h"
#include "report.h"
#include "request.h"
#include "subject.h"

static const char json_type[] = "application/json", mesh_type[] = MESH_TYPE;
static const char *const types[] = {"application/octet-stream", json_type, mesh_type, NULL};

/* Bytes that a float32 may take as JSON, against its four. */
#define JSON_GROWTH 4

/* Bytes around a frame's numbers as JSON, and what is said about all frames. */
#define JSON_FRAME_BYTES 512

struct work {
	struct frames frames;
	struct vertices_request request;
	int vertices;       // of one frame
	size_t frame_bytes; // of its numbers
	struct json_writer json;
	struct skin_memory memory;     // of the frames that were made
	struct skinning_report report; // of the last of them
	bool described;                // the headers are there
};

static unsigned attribute_bits(const struct vertices_request *request) {
	unsigned bits = 0;
	for (size_t i = 0; i < request->attribute_count; i++) {
		bits |= request->attributes[i];
	}
	return bits;
}

static void set_headers(struct call *call, const struct skinning_report *report) {
	struct work *work = call->state;
	const struct vertices_request *request = &work->request;
	char layout[128];
	if (work->described) {
		return;
	}
	reply_layout(request->attributes, request->attribute_count, layout, sizeof layout);
	call_header(call, "Posed-Vertices", "%d", work->vertices);
	call_header(call, "Posed-Frames", "%zu", request->subject.count);
	call_header(call, "Posed-Layout", "%s", layout);
	report_set_header(call, report);
	work->described = true;
}

/* Skins one frame into out. */
static bool skin(struct call *call, size_t i, float *out, struct error *err) {
	struct work *work = call->state;
	const struct vertices_job job = {
		.rig = call->hold.rig,
		.pose = subject_pose(&work->request.subject, i),
		.sources = &call->sources,
		.skinning = work->request.skinning,
		.examples = call->hold.examples,
		.order = work->request.attributes,
		.count = work->request.attribute_count,
		.vertices = work->vertices,
		.stop = &call->stop,
		.memory = &work->memory,
	};
	struct skinning_report report;
	if (!renderer_vertices(call->renderer, &job, out, &report, err)) {
		return false;
	}
	report_add(call, &report);
	set_headers(call, &report);
	work->report = report;
	return true;
}

static bool add_binary(struct call *call, size_t i, struct error *err) {
	const struct work *work = call->state;
	struct buffer *body = &call->answer.body;
	if (!buffer_try_reserve(body, work->frame_bytes, "the vertices", err) ||
		!skin(call, i, (float *)(body->data + body->size), err)) {
		return false;
	}
	body->size += work->frame_bytes;
	return true;
}

static bool add_json(struct call *call, size_t i, struct error *err) {
	struct work *work = call->state;
	float *numbers = try_calloc(work->frame_bytes, 1, "the vertices", err);
	const bool skinned = numbers && skin(call, i, numbers, err);
	if (skinned) {
		const struct vertices_frame frame = {
			.numbers = numbers,
			.vertices = (size_t)work->vertices,
			.attributes = work->request.attributes,
			.attribute_count = work->request.attribute_count,
		};
		reply_vertices(&work->json, &frame);
	}
	free(numbers);
	return skinned;
}

static void begin_json(struct call *call) {
	struct work *work = call->state;
	reply_begin_vertices(&work->json, (size_t)work->vertices);
}

static void end_json(struct call *call) {
	struct work *work = call->state;
	const struct skinning_description skinning = describe_skinning(&work->report, call->arena);
	reply_end_vertices(&work->json, &skinning);
}

static bool check(struct call *call, size_t i, struct error *err) {
	const struct work *work = call->state;
	return frames_check_pose(
		call, call->hold.rig, subject_pose(&work->request.subject, i), err);
}

static bool answer_frames(struct call *call, const struct rig *rig, struct error *err) {
	struct work *work = call->state;
	const bool as_json = call->answer.content_type == json_type;
	if (!renderer_vertex_count(call->renderer, rig, &work->request.skinning, &call->stop,
		    &work->vertices, err)) {
		return false;
	}
	work->frame_bytes = renderer_vertices_bytes(work->vertices, attribute_bits(&work->request));
	work->json.out = &call->answer.body;
	work->memory = (struct skin_memory){.arena = call->arena};
	const size_t frame_bytes = as_json ? JSON_FRAME_BYTES + work->frame_bytes * JSON_GROWTH
		: work->frame_bytes > 0    ? work->frame_bytes
					   : 1;
	work->frames = (struct frames){
		.count = work->request.subject.count,
		.frame_bytes = frame_bytes,
		.total_bytes = (uint64_t)work->request.subject.count * frame_bytes,
		.exact = !as_json,
		.begin = as_json ? begin_json : NULL,
		.add = as_json ? add_json : add_binary,
		.check = check,
		.end = as_json ? end_json : NULL,
	};
	return frames_answer(call, err);
}

static bool answer_mesh(struct call *call, const struct rig *rig, struct error *err) {
	const struct work *work = call->state;
	struct mesh_job job = {
		.rig = rig,
		.pose = subject_pose(&work->request.subject, 0),
		.sources = &call->sources,
		.skinning = work->request.skinning,
		.examples = call->hold.examples,
		.attributes = attribute_bits(&work->request),
	};
	return mesh_answer(call, &job, err);
}

static bool answer(struct call *call, struct error *err) {
	const struct work *work = call->state;
	const struct rig *rig = call_load(call, err);
	const bool as_mesh = call->answer.content_type == mesh_type;
	return rig && data_first_load_examples(call, &work->request.skinning, 1, err) &&
		((as_mesh ? answer_mesh : answer_frames)(call, rig, err) ||
			subject_name(&work->request.subject, err));
}

static bool check_frames(
	const struct call *call, const struct vertices_request *request, struct error *err) {
	const size_t count = request->subject.count;
	return call->answer.content_type != mesh_type || count == 1 ||
		error_at(err, ERROR_INVALID_VALUE, "/poses",
			"\"poses\" has %zu poses, a GLB holds one; ask once for each, or accept "
			"%s or %s",
			count, types[0], json_type);
}

bool api_vertices(struct call *call, struct error *err) {
	struct work *work = arena_alloc(call->arena, 1, sizeof *work);
	const struct value *body = call_choose_type(call, types, err) ? call_json(call, err) : NULL;
	if (!body || !request_read_vertices(body, &work->request, err) ||
		!check_frames(call, &work->request, err) ||
		!subject_hold(call, &work->request.subject, err)) {
		return false;
	}
	const enum place place = mesh_place(call, &work->request.skinning);
	data_first_continue(call, &work->request.skinning, 1, place, answer, work);
	call_is_known(call, call->hold.state);
	return true;
}
