/* POST /v1/frames: its request into a plain struct. Strings and values are borrowed from the
 * request's tree. */
#pragma once

#include "base/arena.h"
#include "request.h"

struct frames_request {
	struct subject subject; // of one pose, or of many that are a frame each
	struct skinning_settings skinning;
	struct picture_settings picture;
	struct frames_settings frames; // without moments where there are many poses
	const struct value *format;    // a string: what the answer is to be; NULL = see Accept
};

/* The members that only it has, and those of its "times" and "turntable". */
extern const struct member_table frames_members, times_members, turntable_members;

/* Reads the body. Lists are in the arena. Fails like request_read_frame. */
bool request_read_frames(const struct value *body, struct arena *arena, struct frames_request *out,
	struct error *err);
