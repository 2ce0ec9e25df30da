/* Streams of vertices: the requests that begin and change them, what is told of them, and the
 * header of a frame. */
#pragma once

#include <stdint.h>

#include "base/buffer.h"
#include "base/loop.h"
#include "limits.h"
#include "request.h"

/* The range in which the pose goes round: the stream's clock runs on, and the pose is that of the
 * time which it stands for. Both 0 = nowhere, the clock's own times are shown. */
struct stream_range {
	double from_s, to_s;
	enum loop loop;
};

struct stream_request {
	struct vertices_request vertices; // of one pose; its skinning is the first one below
	size_t skinning_count;            // ways to skin each moment, at least 1
	struct skinning_settings skinnings[LIMIT_STREAM_SKINNINGS];
	const struct value *skinning_places[LIMIT_STREAM_SKINNINGS]; // NULL = not there
	double fps, speed; // speed: below 0 the pose's clock runs backwards
	double time_s;     // of the pose's clock at the beginning
	double duration_s; // that the stream takes; 0 = without end
	struct stream_range range;
	bool paused;
};

/* Members that are not there are left as they are. */
struct stream_patch {
	const struct value *pose;
	const struct value *fps_source, *speed_source, *time_source,
		*paused_source; // NULL = not there
	const struct value *range_source;
	double fps, speed, time_s;
	struct stream_range range;
	bool paused;
};

/* The members that only it has. */
extern const struct member_table stream_members;

/* Read the bodies of POST /v1/stream and PATCH /v1/streams/{id}. They fail like
 * request_read_vertices(). */
bool stream_read(const struct value *body, struct stream_request *out, struct error *err);
bool stream_read_patch(const struct value *body, struct stream_patch *out, struct error *err);

/* The state of a stream. */
struct stream_state {
	const char *id, *rig;
	double fps, speed, time_s; // time_s: of the last frame's clock
	struct stream_range range;
	bool paused;
	uint64_t frames, dropped; // that were made, and left out
	int vertices;
};

void stream_write(const struct stream_state *state, struct buffer *out);

/* The flags of a frame. */
enum stream_flag {
	STREAM_KEY = 1,       // needs no frame before it; others are deltas
	STREAM_ORDER = 2,     // no frame: the table of the order
	STREAM_SAME = 4,      // no payload: the frame before still holds
	STREAM_END = 8,       // the last; its payload is empty, or a problem document
	STREAM_CHANGED = 16,  // the first of another pose
	STREAM_OUTDATED = 32, // the rig, or one that the pose names, is not any more what it was
};

/* From this bit of the flags on: which of the skinnings. */
#define STREAM_SKINNING_SHIFT 8

/* Bytes of a frame's header. */
#define STREAM_HEADER_BYTES 56

struct stream_header {
	uint32_t payload_bytes; // behind the header
	uint32_t number, flags;
	double time_s;  // of the pose's clock, before any range
	double since_s; // the stream began, when this was made
	float box[6];   // of packed positions: min, max; else 0
};

/* Appends it, little-endian: "PSTR", then the fields in their order. */
void stream_append_header(const struct stream_header *header, struct buffer *out);
