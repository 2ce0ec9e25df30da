/* POST /v1/transitions: its request into a plain struct, and what was found as JSON. Strings and
 * values are borrowed from the request's tree. */
#pragma once

#include "base/buffer.h"
#include "request.h"

struct transitions_request {
	struct subject subject;        // of one pose: the core that clips should keep to, if any
	const struct value *from, *to; // clips, as the request names them
	int count;                     // to find at most, 1 and more
	double rate;                   // moments a second; 0 = not said
	const struct value *rate_source;
};

/* The members that only it has. */
extern const struct member_table transitions_members;

/* Reads the body. Fails like request_read_pose. */
bool request_read_transitions(
	const struct value *body, struct transitions_request *out, struct error *err);

/* --- The answer --- */

struct transition_description {
	double from_s, to_s, distance, velocity;
};

struct core_end_description {
	double distance, speed;
};

struct transitions_description {
	const char *rig, *from, *to;                // names
	const struct transition_description *items; // [count]
	size_t count;
	bool has_core, core_passes;
	struct core_end_description from_end, to_start; // with a core only
};

/* All numbers are finite. */
void reply_write_transitions(const struct transitions_description *found, struct buffer *out);
