/* POST /v1/crowd: its request into a plain struct, and its vertices as JSON. Strings and values are
 * borrowed from the request's tree. */
#pragma once

#include "base/arena.h"
#include "limits.h"
#include "reply.h"
#include "request.h"

/* One of many figures. */
struct crowd_figure {
	const struct value *source; // of it all
	const struct value *rig;    // a string: the rig's name
	const struct value *pose;   // NULL = the rest pose
	double placement[12];       // rows: from the rig's world to that of all, or the joint's
	const struct value *joint;  // of another figure that it is attached to; NULL = of none
	size_t to;                  // position of that figure; SIZE_MAX without a joint
	size_t which;               // position of its rig in crowd_request.rigs
};

struct crowd_request {
	const struct value *list;           // of the figures, as it was sent
	const struct crowd_figure *figures; // [count] in the arena
	size_t count;                       // at least 1
	const size_t *order; // [count] positions, each behind that of the one it is attached to
	const struct value *rigs[LIMIT_CROWD_RIGS]; // [rig_count] names, each once, in order
	size_t rig_count;
	struct skinning_settings skinning;
	enum attribute_bits attributes[ATTRIBUTE_COUNT]; // as asked, each at most once
	size_t attribute_count;                          // 0 = an empty list was asked for
	struct picture_settings picture;                 // fits the pose or the rest pose
};

/* The members that only it has. */
extern const struct member_table crowd_members;

/* Reads the body. Fails like request_read_frame. */
bool request_read_crowd(const struct value *body, struct arena *arena, struct crowd_request *out,
	struct error *err);

/* --- The answer --- */

/* Figure after figure: begin, then each one with its numbers, then reply_end_vertices(). vertices
 * are those of all. */
void reply_begin_crowd(struct json_writer *json, uint64_t vertices);
void reply_figure(struct json_writer *json, const char *rig, uint64_t first_vertex,
	const struct vertices_frame *frame);
