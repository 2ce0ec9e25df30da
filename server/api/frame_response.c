// Answers of frame after frame.
#include "api/frame_response.h"

#include "limits.h"
#include "renderer.h"

/* Adds frames until there are so many bytes or the last is made. */
static bool add_frames(struct request_context *context, size_t bytes, struct error *err) {
	struct frames *frames = context->state;
	const size_t count = frames->count;
	if (frames->next == 0 && frames->begin) {
		frames->begin(context);
	}
	// A buffer that grows is copied.
	const size_t left = count - frames->next;
	buffer_reserve(&context->response.body,
		left < LIMIT_PIECE_BYTES / frames->frame_bytes ? left * frames->frame_bytes
							       : LIMIT_PIECE_BYTES);
	while (frames->next < count && context->response.body.size < bytes) {
		if (!stop_check(&context->stop, err) || !frames->add(context, frames->next, err)) {
			return false;
		}
		frames->next++;
	}
	context->response.stream.done = frames->next == count;
	if (context->response.stream.done && frames->end) {
		frames->end(context);
	}
	return true;
}

static bool add_piece(struct request_context *context, struct error *err) {
	return add_frames(context, LIMIT_PIECE_BYTES, err);
}

bool frames_check_pose(struct request_context *context, const struct rig *rig,
	const struct value *pose, struct error *err) {
	struct arena *arena = arena_create();
	const struct posed_subject subject = {
		.rig = rig, .pose = pose, .sources = &context->sources, .stop = &context->stop};
	struct posed_joints ignored;
	const bool ok = renderer_pose(&subject, arena, &ignored, err);
	arena_destroy(arena);
	return ok;
}

static bool check_all(struct request_context *context, struct error *err) {
	const struct frames *frames = context->state;
	for (size_t i = 0; frames->check && i < frames->count; i++) {
		if (!stop_check(&context->stop, err) || !frames->check(context, i, err)) {
			return false;
		}
	}
	return true;
}

static bool begin_stream(struct request_context *context, struct error *err) {
	const struct frames *frames = context->state;
	if (!check_all(context, err)) {
		return false;
	}
	context->response.stream.fill = add_piece;
	context->response.stream.total_bytes =
		frames->exact ? frames->total_bytes : RESPONSE_UNKNOWN_BYTES;
	return add_piece(context, err);
}

bool frames_respond(struct request_context *context, struct error *err) {
	const struct frames *frames = context->state;
	if (frames->frame_bytes > LIMIT_REPLY_BYTES) {
		return error_set(err, ERROR_TOO_LARGE,
			"one frame may take %zu bytes in this form, at most %zu are made",
			frames->frame_bytes, LIMIT_REPLY_BYTES);
	}
	const bool whole = frames->total_bytes <= LIMIT_WHOLE_BYTES || frames->count == 1;
	return whole ? add_frames(context, SIZE_MAX, err) : begin_stream(context, err);
}
