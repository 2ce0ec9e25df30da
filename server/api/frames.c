// Answers of frame after frame.
#include "api/frames.h"

#include "limits.h"
#include "renderer.h"

/* Adds frames until there are so many bytes or the last is made. */
static bool add_frames(struct call *call, size_t bytes, struct error *err) {
	struct frames *frames = call->state;
	const size_t count = frames->count;
	if (frames->next == 0 && frames->begin) {
		frames->begin(call);
	}
	// What buffers grow by costs copies.
	const size_t left = count - frames->next;
	buffer_reserve(&call->answer.body,
		left < LIMIT_PIECE_BYTES / frames->frame_bytes ? left * frames->frame_bytes
							       : LIMIT_PIECE_BYTES);
	while (frames->next < count && call->answer.body.size < bytes) {
		if (!stop_check(&call->stop, err) || !frames->add(call, frames->next, err)) {
			return false;
		}
		frames->next++;
	}
	call->answer.stream.done = frames->next == count;
	if (call->answer.stream.done && frames->end) {
		frames->end(call);
	}
	return true;
}

static bool add_piece(struct call *call, struct error *err) {
	return add_frames(call, LIMIT_PIECE_BYTES, err);
}

bool frames_check_pose(
	struct call *call, const struct rig *rig, const struct value *pose, struct error *err) {
	struct arena *arena = arena_create();
	const struct pose_job job = {
		.rig = rig, .pose = pose, .sources = &call->sources, .stop = &call->stop};
	struct posed_joints ignored;
	const bool fine = renderer_pose(&job, arena, &ignored, err);
	arena_destroy(arena);
	return fine;
}

static bool check_all(struct call *call, struct error *err) {
	const struct frames *frames = call->state;
	for (size_t i = 0; frames->check && i < frames->count; i++) {
		if (!stop_check(&call->stop, err) || !frames->check(call, i, err)) {
			return false;
		}
	}
	return true;
}

static bool begin_stream(struct call *call, struct error *err) {
	const struct frames *frames = call->state;
	if (!check_all(call, err)) {
		return false;
	}
	call->answer.stream.fill = add_piece;
	call->answer.stream.total_bytes =
		frames->exact ? frames->total_bytes : ANSWER_UNKNOWN_BYTES;
	return add_piece(call, err);
}

bool frames_answer(struct call *call, struct error *err) {
	const struct frames *frames = call->state;
	if (frames->frame_bytes > LIMIT_REPLY_BYTES) {
		return error_set(err, ERROR_TOO_LARGE,
			"one frame may take %zu bytes in this form, at most %zu are made",
			frames->frame_bytes, LIMIT_REPLY_BYTES);
	}
	const bool whole = frames->total_bytes <= LIMIT_WHOLE_BYTES || frames->count == 1;
	return whole ? add_frames(call, SIZE_MAX, err) : begin_stream(call, err);
}
