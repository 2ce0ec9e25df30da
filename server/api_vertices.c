// POST /v1/vertices: skinned vertices of one or many poses.
#include <stdlib.h>

#include "api.h"
#include "base/memory.h"
#include "limits.h"
#include "mesh.h"
#include "renderer.h"
#include "reply.h"
#include "report.h"
#include "request.h"
#include "store.h"
#include "subject.h"

static const char json_type[] = "application/json", mesh_type[] = MESH_TYPE;
static const char *const types[] = {"application/octet-stream", json_type, mesh_type, NULL};

/* Bytes that a float32 may take as JSON, against its four. */
#define JSON_GROWTH 4

static unsigned attribute_bits(const struct vertices_request *request) {
	unsigned bits = 0;
	for (size_t i = 0; i < request->attribute_count; i++) {
		bits |= request->attributes[i];
	}
	return bits;
}

/* Bytes of all frames; 0 with ERROR_TOO_LARGE. */
static size_t total_bytes(const struct rig *rig, const struct vertices_request *request,
	bool as_json, struct error *err) {
	const size_t frame = renderer_vertices_bytes(rig, attribute_bits(request));
	const size_t frames = request->subject.count;
	const size_t most = LIMIT_REPLY_BYTES / (as_json ? JSON_GROWTH : 1);
	if (frame > 0 && frames > most / frame) {
		error_set(err, ERROR_TOO_LARGE,
			"%zu frames of %zu bytes are more than the %zu bytes of an answer; ask for "
			"fewer poses at a time",
			frames, frame, most);
		return 0;
	}
	return frames * frame;
}

static bool skin_frames(struct call *call, const struct rig *rig,
	const struct vertices_request *request, float *out, size_t frame_numbers,
	struct skinning_report *report, struct error *err) {
	struct vertices_job job = {
		.rig = rig,
		.skinning = request->skinning,
		.order = request->attributes,
		.count = request->attribute_count,
	};
	*report = (struct skinning_report){0};
	for (size_t i = 0; i < request->subject.count; i++) {
		struct skinning_report frame;
		job.pose = subject_pose(&request->subject, i);
		if (!renderer_vertices(
			    call->renderer, &job, out + i * frame_numbers, &frame, err)) {
			return false;
		}
		report_add(report, &frame);
	}
	return true;
}

static void set_headers(struct call *call, const struct rig *rig,
	const struct vertices_request *request, const struct skinning_report *report) {
	char layout[128];
	reply_layout(request->attributes, request->attribute_count, layout, sizeof layout);
	call_header(call, "Posed-Vertices", "%d", rig->vertex_count);
	call_header(call, "Posed-Frames", "%zu", request->subject.count);
	call_header(call, "Posed-Layout", "%s", layout);
	report_set_headers(call, report);
}

/* Lays the block out as the answer's body; takes the block over. */
static void set_body(struct call *call, const struct rig *rig,
	const struct vertices_request *request, float *take_numbers, size_t bytes) {
	if (call->answer.content_type != json_type) {
		call->answer.body = (struct buffer){
			.data = (unsigned char *)take_numbers, .size = bytes, .capacity = bytes};
		return;
	}
	const struct vertices_block block = {
		.numbers = take_numbers,
		.frames = request->subject.count,
		.vertices = (size_t)rig->vertex_count,
		.attributes = request->attributes,
		.attribute_count = request->attribute_count,
	};
	reply_write_vertices(&block, &call->answer.body);
	free(take_numbers);
}

static bool skin(struct call *call, const struct rig *rig, const struct vertices_request *request,
	struct error *err) {
	const bool as_json = call->answer.content_type == json_type;
	const size_t bytes = total_bytes(rig, request, as_json, err);
	float *numbers = err->code ? NULL : try_calloc(bytes, 1, "the vertices", err);
	if (!numbers) {
		return false;
	}
	const size_t frame_numbers = bytes / request->subject.count / sizeof *numbers;
	struct skinning_report report;
	if (!skin_frames(call, rig, request, numbers, frame_numbers, &report, err)) {
		free(numbers);
		return false;
	}
	set_headers(call, rig, request, &report);
	set_body(call, rig, request, numbers, bytes);
	return true;
}

static bool export(struct call *call, const struct rig *rig, const struct vertices_request *request,
	struct error *err) {
	struct mesh_job job = {
		.rig = rig,
		.pose = subject_pose(&request->subject, 0),
		.skinning = request->skinning,
		.attributes = attribute_bits(request),
	};
	return mesh_answer(call, &job, err);
}

static bool answer(struct call *call, const struct vertices_request *request,
	struct store_hold *hold, struct error *err) {
	if (call_is_known(call, hold->summary.content)) {
		return true;
	}
	const struct rig *rig = store_load(call->service->store, hold, err);
	const bool as_mesh = call->answer.content_type == mesh_type;
	return rig && (as_mesh ? export : skin)(call, rig, request, err);
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
	struct vertices_request request;
	struct store_hold hold;
	const struct value *body = call_choose_type(call, types, err) ? call_json(call, err) : NULL;
	if (!body || !request_read_vertices(body, &request, err) ||
		!check_frames(call, &request, err) ||
		!subject_hold(call, &request.subject, &hold, err)) {
		return false;
	}
	const bool answered =
		answer(call, &request, &hold, err) || subject_name(&request.subject, err);
	store_release(&hold);
	return answered;
}
