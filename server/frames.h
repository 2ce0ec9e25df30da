/* Answers of frame after frame: made as a whole where they are short, while they are sent where
 * they are long. */
#pragma once

#include "call.h"
#include "request.h"

/* The first member of such a call's state. */
struct frames {
	const struct subject *subject; // its poses, a frame each
	size_t frame_bytes;            // of one, at most; greater than 0
	bool exact;                    // each has just so many, and there is nothing around them

	/* Append to answer.body. begin and end may be NULL. */
	void (*begin)(struct call *call);
	bool (*add)(struct call *call, const struct value *pose, struct error *err);
	void (*end)(struct call *call);

	size_t next; // frame to be made
};

/* Makes the answer out of call->state, which begins with a struct frames; the rig is loaded. Fails
 * with what add() fails with, before anything is sent: all poses of a long answer are evaluated
 * once ahead. What can go wrong with vertices only, going beyond float32, then ends the connection
 * in the middle. ERROR_TOO_LARGE when one frame is more than LIMIT_REPLY_BYTES. */
bool frames_answer(struct call *call, struct error *err);
