// The requests that show, change and end streams of vertices that are open.
#include <stdlib.h>

#include "api/api.h"
#include "api/results.h"
#include "api/streams.h"
#include "base/memory.h"
#include "json_text.h"
#include "renderer.h"

static const char *const json[] = {"application/json", NULL};

static struct live_stream *find(struct request_context *context, struct error *err) {
	return streams_find(context->service->streams, context->item, context->grant.name, err);
}

static void answer_state(struct request_context *context, struct live_stream *stream) {
	struct stream_state state;
	stream_read_state(context->service->streams, stream, &state);
	context->cache_control = "no-store";
	stream_write(&state, &context->response.body);
}

bool api_show_stream(struct request_context *context, struct error *err) {
	struct live_stream *stream =
		context_choose_type(context, json, err) ? find(context, err) : NULL;
	if (stream) {
		answer_state(context, stream);
		streams_give_back(context->service->streams, stream);
	}
	return stream;
}

bool api_end_stream(struct request_context *context, struct error *err) {
	struct live_stream *stream = find(context, err);
	const bool ends = stream && precondition_check_untagged(context, err);
	if (ends) {
		stream_stop(context->service->streams, stream);
		context->response.status = 204;
	}
	if (stream) {
		streams_give_back(context->service->streams, stream);
	}
	return ends;
}

/* A change on its way to a stream. */
struct change {
	struct live_stream *stream; // a use
	struct stream_patch patch;
	struct stream_pose *pose; // NULL = none
};

static void finish_change(struct request_context *context) {
	struct change *change = context->state;
	stream_pose_destroy(change->pose);
	streams_give_back(context->service->streams, change->stream);
}

static void apply(struct request_context *context, struct change *change) {
	stream_change(context->service->streams, change->stream, &change->patch, change->pose);
	change->pose = NULL;
	answer_state(context, change->stream);
}

/* Skins the new pose at the stream's time, in the i-th of its ways. */
static bool skin(struct request_context *context, size_t i, float *out, struct error *err) {
	static const enum attribute_bits positions = ATTRIBUTE_POSITION;
	const struct change *change = context->state;
	const struct stream_subject *subject = stream_subject(change->stream);
	const struct vertices_job job = {
		.subject = {.rig = subject->rig,
			.pose = change->pose->expression,
			.sources = &change->pose->keeper->sources,
			.clock_s = stream_shown_after(
				context->service->streams, change->stream, &change->patch),
			.skinning = subject->skinnings[i],
			.examples = subject->examples,
			.stop = &context->stop},
		.order = &positions,
		.count = 1,
		.vertices = subject->vertices,
	};
	struct skinning_report ignored;
	return renderer_vertices(context->renderer, &job, out, &ignored, err);
}

/* Makes a frame of the new pose and drops it: what is wrong is refused here and not by the stream.
 */
static bool check_pose(struct request_context *context, struct error *err) {
	struct change *change = context->state;
	const struct stream_subject *subject = stream_subject(change->stream);
	const size_t bytes = renderer_vertices_bytes(subject->vertices, ATTRIBUTE_POSITION);
	float *ignored = try_calloc(1, bytes + 1, "the vertices", err);
	bool ok = ignored && context_load_others(change->pose->keeper, err);
	for (size_t i = 0; ok && i < subject->skinning_count; i++) {
		ok = skin(context, i, ignored, err);
	}
	free(ignored);
	if (ok) {
		apply(context, change);
	}
	return ok;
}

/* Makes a pose that outlives the request, of its body once more. */
static struct stream_pose *keep_pose(struct request_context *context, struct error *err) {
	struct stream_pose *pose = xcalloc(1, sizeof *pose);
	pose->arena = arena_create();
	pose->keeper = arena_alloc(pose->arena, 1, sizeof *pose->keeper);
	*pose->keeper = (struct request_context){.service = context->service,
		.arena = pose->arena,
		.hold.source = -1,
		.body_file = -1};
	const struct value *body = json_read(pose->arena, context->body, context->body_bytes, err);
	pose->expression = body ? value_member(body, "pose") : NULL;
	const struct other_rigs others = {.poses = pose->expression, .count = 1};
	if (!body || !context_hold_others(pose->keeper, &others, err)) {
		stream_pose_destroy(pose);
		return NULL;
	}
	return pose;
}

bool api_change_stream(struct request_context *context, struct error *err) {
	struct change *change = arena_alloc(context->arena, 1, sizeof *change);
	const struct value *body =
		context_choose_type(context, json, err) ? context_json(context, err) : NULL;
	if (!body || !stream_read_patch(body, &change->patch, err) ||
		!(change->stream = find(context, err))) {
		return false;
	}
	context->state = change;
	context->finish = finish_change;
	if (!precondition_check_untagged(context, err)) {
		return false;
	}
	if (!change->patch.pose) {
		apply(context, change);
		return true;
	}
	change->pose = keep_pose(context, err);
	if (!change->pose) {
		return false;
	}
	const struct stream_subject *subject = stream_subject(change->stream);
	context_continue(context,
		skinning_executor(context, subject->skinnings, subject->skinning_count), check_pose,
		change);
	return true;
}
