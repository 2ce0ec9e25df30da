// The calls that show, change and end streams of vertices that are open.
#include <stdlib.h>

#include "api/api.h"
#include "api/mesh.h"
#include "base/memory.h"
#include "json_read.h"
#include "renderer.h"
#include "work/streams.h"

static const char *const json[] = {"application/json", NULL};

static struct live_stream *find(struct call *call, struct error *err) {
	return streams_find(call->service->streams, call->item, call->grant.name, err);
}

static void answer_state(struct call *call, struct live_stream *stream) {
	struct stream_state state;
	stream_read_state(call->service->streams, stream, &state);
	call->cache_control = "no-store";
	stream_write(&state, &call->answer.body);
}

bool api_show_stream(struct call *call, struct error *err) {
	struct live_stream *stream = call_choose_type(call, json, err) ? find(call, err) : NULL;
	if (stream) {
		answer_state(call, stream);
		streams_give_back(call->service->streams, stream);
	}
	return stream;
}

bool api_end_stream(struct call *call, struct error *err) {
	struct live_stream *stream = find(call, err);
	const bool ends = stream && precondition_check_untagged(call, err);
	if (ends) {
		stream_stop(call->service->streams, stream);
		call->answer.status = 204;
	}
	if (stream) {
		streams_give_back(call->service->streams, stream);
	}
	return ends;
}

/* A change on its way to a stream. */
struct change {
	struct live_stream *stream; // a use
	struct stream_patch patch;
	struct stream_pose *pose; // NULL = none
};

static void finish_change(struct call *call) {
	struct change *change = call->state;
	stream_pose_destroy(change->pose);
	streams_give_back(call->service->streams, change->stream);
}

static void apply(struct call *call, struct change *change) {
	stream_change(call->service->streams, change->stream, &change->patch, change->pose);
	change->pose = NULL;
	answer_state(call, change->stream);
}

/* Skins the new pose at the stream's time, in the i-th of its ways. */
static bool skin(struct call *call, size_t i, float *out, struct error *err) {
	static const enum attribute_bits positions = ATTRIBUTE_POSITION;
	const struct change *change = call->state;
	const struct stream_subject *subject = stream_subject(change->stream);
	const struct vertices_job job = {
		.rig = subject->rig,
		.pose = change->pose->expression,
		.sources = &change->pose->keeper->sources,
		.clock_s =
			stream_shown_after(call->service->streams, change->stream, &change->patch),
		.skinning = subject->skinnings[i],
		.examples = subject->examples,
		.order = &positions,
		.count = 1,
		.vertices = subject->vertices,
		.stop = &call->stop,
	};
	struct skinning_report ignored;
	return renderer_vertices(call->renderer, &job, out, &ignored, err);
}

/* Makes a frame of the new pose and drops it: what is wrong is refused here and not by the stream.
 */
static bool check_pose(struct call *call, struct error *err) {
	struct change *change = call->state;
	const struct stream_subject *subject = stream_subject(change->stream);
	const size_t bytes = renderer_vertices_bytes(subject->vertices, ATTRIBUTE_POSITION);
	float *ignored = try_calloc(1, bytes + 1, "the vertices", err);
	bool fine = ignored && call_load_others(change->pose->keeper, err);
	for (size_t i = 0; fine && i < subject->skinning_count; i++) {
		fine = skin(call, i, ignored, err);
	}
	free(ignored);
	if (fine) {
		apply(call, change);
	}
	return fine;
}

/* Makes a pose that outlives the call, of its body once more. */
static struct stream_pose *keep_pose(struct call *call, struct error *err) {
	struct stream_pose *pose = xcalloc(1, sizeof *pose);
	pose->arena = arena_create();
	pose->keeper = arena_alloc(pose->arena, 1, sizeof *pose->keeper);
	*pose->keeper = (struct call){
		.service = call->service, .arena = pose->arena, .hold.source = -1, .body_file = -1};
	const struct value *body = json_read(pose->arena, call->body, call->body_bytes, err);
	pose->expression = body ? value_member(body, "pose") : NULL;
	const struct other_rigs others = {.poses = pose->expression, .count = 1};
	if (!body || !call_hold_others(pose->keeper, &others, err)) {
		stream_pose_destroy(pose);
		return NULL;
	}
	return pose;
}

bool api_change_stream(struct call *call, struct error *err) {
	struct change *change = arena_alloc(call->arena, 1, sizeof *change);
	const struct value *body = call_choose_type(call, json, err) ? call_json(call, err) : NULL;
	if (!body || !stream_read_patch(body, &change->patch, err) ||
		!(change->stream = find(call, err))) {
		return false;
	}
	call->state = change;
	call->finish = finish_change;
	if (!precondition_check_untagged(call, err)) {
		return false;
	}
	if (!change->patch.pose) {
		apply(call, change);
		return true;
	}
	change->pose = keep_pose(call, err);
	if (!change->pose) {
		return false;
	}
	const struct stream_subject *subject = stream_subject(change->stream);
	call_continue(call, mesh_place(call, subject->skinnings, subject->skinning_count),
		check_pose, change);
	return true;
}
