// POST /v1/vertices: skinned vertices of one or many poses. GET /v1/rigs/{rig}/mesh.glb: the rest
// pose as a file.
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/frame_response.h"
#include "api/results.h"
#include "base/clock.h"
#include "base/memory.h"
#include "describe/describe.h"
#include "packing.h"
#include "renderer.h"
#include "reply.h"
#include "request.h"
#include "work/thread_pool.h"

static const char json_type[] = "application/json", mesh_type[] = MESH_TYPE;
static const char *const types[] = {"application/octet-stream", json_type, mesh_type, NULL};

/* Bytes that a float32 may take as JSON, against its four. */
#define JSON_GROWTH 4

/* Bytes around a frame's numbers as JSON, and what is said about all frames. */
#define JSON_FRAME_BYTES 512

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

struct work {
	struct frames frames;
	struct vertices_request request;
	int vertices;          // of one frame
	size_t frame_bytes;    // of its numbers
	struct packer *packer; // NULL = float32 are wanted
	float *numbers;        // room for a frame before it is packed
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

static void set_headers(struct request_context *context, const struct skinning_report *report) {
	struct work *work = context->state;
	const struct vertices_request *request = &work->request;
	char layout[160];
	if (work->described) {
		return;
	}
	if (work->packer) {
		packing_layout(
			&request->packing, packer_stride(&request->packing), layout, sizeof layout);
	} else {
		reply_layout(request->attributes, request->attribute_count, layout, sizeof layout);
	}
	context_header(context, "Posed-Content", "%s", context->hold.summary.content);
	context_header(context, "Posed-Vertices", "%d", work->vertices);
	context_header(context, "Posed-Frames", "%zu", request->subject.count);
	context_header(context, "Posed-Layout", "%s", layout);
	result_headers_set_header(context, report);
	work->described = true;
}

/* The source of packed vertices. */
static const enum attribute_bits unpacked[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};

/* Skins one frame into out. */
static bool skin(struct request_context *context, size_t i, float *out, struct error *err) {
	struct work *work = context->state;
	const struct vertices_job job = {
		.subject = subject_posed(
			context, subject_pose(&work->request.subject, i), &work->request.skinning),
		.order = work->packer ? unpacked : work->request.attributes,
		.count = work->packer ? COUNT_OF(unpacked) : work->request.attribute_count,
		.vertices = work->vertices,
		.memory = &work->memory,
	};
	struct skinning_report report;
	if (!renderer_vertices(context->renderer, &job, out, &report, err)) {
		return false;
	}
	result_headers_add(context, &report);
	set_headers(context, &report);
	work->report = report;
	return true;
}

static bool add_binary(struct request_context *context, size_t i, struct error *err) {
	const struct work *work = context->state;
	struct buffer *body = &context->response.body;
	if (!buffer_try_reserve(body, work->frame_bytes, "the vertices", err) ||
		!skin(context, i, (float *)(body->data + body->size), err)) {
		return false;
	}
	body->size += work->frame_bytes;
	return true;
}

/* Appends the bytes since from, which begin with room for their number. */
static void set_length(struct buffer *body, size_t from) {
	const uint32_t bytes = (uint32_t)(body->size - from - sizeof bytes);
	memcpy(body->data + from, &bytes, sizeof bytes);
}

static void leave_room(struct buffer *body) {
	const uint32_t nothing = 0;
	buffer_append(body, &nothing, sizeof nothing);
}

static void begin_packed(struct request_context *context) {
	const struct work *work = context->state;
	struct buffer *body = &context->response.body;
	if (work->request.packing.reordered) {
		const size_t from = body->size;
		leave_room(body);
		packer_add_order(work->packer, body);
		set_length(body, from);
	}
}

static bool add_packed(struct request_context *context, size_t i, struct error *err) {
	struct work *work = context->state;
	struct buffer *body = &context->response.body;
	const size_t from = body->size;
	if (!buffer_try_reserve(body, work->frame_bytes, "the vertices", err) ||
		!skin(context, i, work->numbers, err)) {
		return false;
	}
	double mark = clock_now_s();
	if (work->request.packing.compressed) {
		leave_room(body);
	}
	packer_add_frame(
		work->packer, work->numbers, work->numbers + (size_t)work->vertices * 3, body);
	if (work->request.packing.compressed) {
		set_length(body, from);
	}
	context->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	return true;
}

static bool add_json(struct request_context *context, size_t i, struct error *err) {
	struct work *work = context->state;
	float *numbers = try_calloc(work->frame_bytes, 1, "the vertices", err);
	const bool skinned = numbers && skin(context, i, numbers, err);
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

static void begin_json(struct request_context *context) {
	struct work *work = context->state;
	reply_begin_vertices(&work->json, (size_t)work->vertices);
}

static void end_json(struct request_context *context) {
	struct work *work = context->state;
	const struct skinning_description skinning =
		describe_skinning(&work->report, context->arena);
	reply_end_vertices(&work->json, &skinning);
}

static bool check(struct request_context *context, size_t i, struct error *err) {
	const struct work *work = context->state;
	return frames_check_pose(
		context, context->hold.rig, subject_pose(&work->request.subject, i), err);
}

static void finish(struct request_context *context) {
	struct work *work = context->state;
	packer_destroy(work->packer);
	free(work->numbers);
}

/* Skins all frames for the box around them, which is said before the first. */
static bool set_box(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	struct bounds bounds = BOUNDS_NONE;
	const struct packing_settings *packing = &work->request.packing;
	for (size_t i = 0; packing->positions && i < work->request.subject.count; i++) {
		if (!stop_check(&context->stop, err) || !skin(context, i, work->numbers, err)) {
			return false;
		}
		packer_measure(work->numbers, (size_t)work->vertices, &bounds);
	}
	if (!packer_set_box(work->packer, &bounds, err)) {
		return false;
	}
	float box[6];
	packer_box(work->packer, box);
	if (packing->positions) {
		context_header(context, "Posed-Bounds", "%.9g %.9g %.9g %.9g %.9g %.9g",
			(double)box[0], (double)box[1], (double)box[2], (double)box[3],
			(double)box[4], (double)box[5]);
	}
	return true;
}

static bool prepare_packing(
	struct request_context *context, const struct rig *rig, struct error *err) {
	struct work *work = context->state;
	const struct packing_settings *packing = &work->request.packing;
	context->finish = finish;
	work->packer = renderer_packer(context->renderer, rig, &work->request.skinning, packing,
		&context->stop, &work->vertices, err);
	work->numbers = work->packer ? try_calloc((size_t)work->vertices * 6 + 1,
					       sizeof *work->numbers, "the vertices", err)
				     : NULL;
	return work->numbers && set_box(context, err);
}

static bool answer_packed(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	const struct rig *rig = context->hold.rig;
	const struct packing_settings *packing = &work->request.packing;
	const size_t count = work->request.subject.count;
	work->memory = (struct skin_memory){.arena = context->arena};
	if (!prepare_packing(context, rig, err)) {
		return false;
	}
	const size_t vertices = (size_t)work->vertices;
	const size_t order = packing->reordered ? packer_order_bytes(vertices) : 0;
	work->frame_bytes = packer_frame_bytes(packing, vertices) + sizeof(uint32_t);
	work->frames = (struct frames){
		.count = count,
		.frame_bytes = work->frame_bytes,
		.total_bytes = packing->compressed
			? (uint64_t)count * work->frame_bytes + order
			: (uint64_t)count * packer_frame_bytes(packing, vertices),
		.exact = !packing->compressed,
		.begin = begin_packed,
		.add = add_packed,
	};
	return frames_respond(context, err);
}

static bool answer_frames(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	const struct rig *rig = context->hold.rig;
	const bool as_json = context->response.content_type == json_type;
	if (!renderer_vertex_count(context->renderer, rig, &work->request.skinning, &context->stop,
		    &work->vertices, err)) {
		return false;
	}
	work->frame_bytes = renderer_vertices_bytes(work->vertices, attribute_bits(&work->request));
	work->json.out = &context->response.body;
	work->memory = (struct skin_memory){.arena = context->arena};
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
	return frames_respond(context, err);
}

static bool answer_mesh(struct request_context *context, struct error *err) {
	const struct work *work = context->state;
	struct mesh_job job = {
		.subject = subject_posed(
			context, subject_pose(&work->request.subject, 0), &work->request.skinning),
		.attributes = attribute_bits(&work->request),
	};
	return glb_respond(context, &job, err);
}

static bool respond(struct request_context *context, struct error *err) {
	const struct work *work = context->state;
	const bool as_mesh = context->response.content_type == mesh_type;
	return context_load(context, err) &&
		skinning_data_load_examples(context, &work->request.skinning, 1, err) &&
		((as_mesh                                         ? answer_mesh
				 : work->request.packing.bits > 0 ? answer_packed
								  : answer_frames)(context, err) ||
			subject_name(&work->request.subject, err));
}

static bool check_frames(const struct request_context *context,
	const struct vertices_request *request, struct error *err) {
	const size_t count = request->subject.count;
	return context->response.content_type != mesh_type || count == 1 ||
		error_at(err, ERROR_INVALID_VALUE, "/poses",
			"\"poses\" has %zu poses, a GLB holds one; ask once for each, or accept "
			"%s or %s",
			count, types[0], json_type);
}

static bool check_form(const struct request_context *context,
	const struct vertices_request *request, struct error *err) {
	return request->packing.bits == 0 || context->response.content_type == types[0] ||
		error_at(err, ERROR_INVALID_VALUE, "/attributes",
			"packed attributes have no form but %s; for %s ask for position, normal, "
			"tangent",
			types[0], context->response.content_type);
}

bool api_vertices(struct request_context *context, struct error *err) {
	struct work *work = arena_alloc(context->arena, 1, sizeof *work);
	const struct value *body =
		context_choose_type(context, types, err) ? context_json(context, err) : NULL;
	if (!body || !request_read_vertices(body, &work->request, err) ||
		!check_frames(context, &work->request, err) ||
		!check_form(context, &work->request, err) ||
		!subject_hold(context, &work->request.subject, err)) {
		return false;
	}
	const enum executor source = skinning_executor(context, &work->request.skinning, 1);
	skinning_data_continue(context, &work->request.skinning, 1, source, respond, work);
	context_is_known(context, context->hold.state);
	return true;
}

/* --- Mesh --- */

static bool make_mesh(struct request_context *context, struct error *err) {
	const struct rig *rig = context_load(context, err);
	if (!rig) {
		return false;
	}
	struct mesh_job job = {
		.subject = {.rig = rig},
		.attributes = ATTRIBUTE_NORMAL | (rig->tangents ? ATTRIBUTE_TANGENT : 0),
	};
	return glb_respond(context, &job, err);
}

bool api_get_mesh(struct request_context *context, struct error *err) {
	static const char *const mesh_types[] = {mesh_type, NULL};
	if (!context_choose_type(context, mesh_types, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	const struct skinning_settings settings = {0};
	context_continue(context, skinning_executor(context, &settings, 1), make_mesh, NULL);
	context_is_known(context, context->hold.summary.content);
	return true;
}
