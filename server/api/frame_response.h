/* Answers of frame after frame: made as a whole where they are short, while they are sent where
 * they are long. */
#pragma once

#include "http/request_context.h"
#include "model/rig.h"

/* The first member of such a request's state. */
struct frames {
	size_t count;         // at least 1
	size_t frame_bytes;   // of the greatest, at most; greater than 0
	uint64_t total_bytes; // of all, at most
	bool exact;           // they have just so many, and there is nothing around them

	/* add appends the i-th to response.body; check evaluates its pose alone, and is NULL where
	 * all were evaluated before. begin and end, around all, may be NULL. */
	void (*begin)(struct request_context *context);
	bool (*add)(struct request_context *context, size_t i, struct error *err);
	bool (*check)(struct request_context *context, size_t i, struct error *err);
	void (*end)(struct request_context *context);

	size_t next; // frame to be made
};

/* Makes the response out of context->state, which begins with a struct frames; the rig is loaded.
 * Fails with what add() fails with, before anything is sent: all poses of a long response are
 * evaluated once ahead. What can go wrong with vertices only, going beyond float32, then ends the
 * connection in the middle. ERROR_TOO_LARGE when one frame is more than LIMIT_REPLY_BYTES. */
bool frames_respond(struct request_context *context, struct error *err);

/* Evaluates a pose of a rig and drops it: for check. */
bool frames_check_pose(struct request_context *context, const struct rig *rig,
	const struct value *pose, struct error *err);
