/* Accessors that take the place of those that a file's animations had: each is there once, in one
 * buffer view, or with meshoptimizer's codec in one for each size of element. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "base/json_write.h"
#include "optimise/parts.h"

/* Elements of one size and one filter of the codec. Without it all are in the first. */
enum fresh_stream {
	FRESH_TIMES,     // floats
	FRESH_WEIGHTS,   // floats through the filter
	FRESH_SHORTS,    // rotations of four int16
	FRESH_VECTORS,   // three floats
	FRESH_ROTATIONS, // four floats
	FRESH_STREAMS
};

struct fresh_accessor {
	bool is_short, is_time; // is_short: normalised int16; else float32
	int width, count;       // numbers of an element; elements
	enum fresh_stream stream;
	size_t at, size; // bytes in its stream
	int clip;        // for which it was made
	uint64_t hash;
};

struct fresh {
	const struct parts *parts;
	bool meshopt;
	int count, room;
	struct fresh_accessor *accessors;     // [count] owned
	struct buffer streams[FRESH_STREAMS]; // as they go to the codec
	int *slots; // [free_count] positions of accessors that are free, ascending; arena
	int free_count;
	int views[FRESH_STREAMS]; // positions of the views; -1 = none
	int view_count;           // of the file from then on
};

void fresh_init(struct fresh *fresh, const struct parts *parts, bool meshopt, struct arena *arena);
void fresh_finish(struct fresh *fresh);

/* Adds an accessor with the values of add's is_short, is_time, width, count and clip; returns its
 * position in the file. One with the same content is taken again.
 *
 * bytes  floats, or int16 of what is_short; with the codec as its filters take them, but for times:
 *        int32 in the place of floats */
int fresh_add(struct fresh *fresh, struct fresh_accessor add, const void *bytes);

/* Bytes of an element of a stream, and the name of its filter; NULL = none. */
size_t fresh_stride(enum fresh_stream stream);
const char *fresh_filter(enum fresh_stream stream);

/* Chooses the views' positions once all accessors are there. */
void fresh_place_views(struct fresh *fresh);

/* The position of the accessors' list from which on there are none. */
int fresh_accessor_end(const struct fresh *fresh);

/* Writes one as JSON. */
void fresh_write(const struct fresh *fresh, int i, struct json_writer *json);

/* The one at a position of the file; -1 = none. */
int fresh_at(const struct fresh *fresh, int slot);
