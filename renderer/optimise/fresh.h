/* Accessors that take the place of those that a file's animations had: each is there once, in one
 * buffer view, or with meshoptimizer's codec in one for each size of element. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "base/json_write.h"
#include "optimise/parts.h"

#define FRESH_STRIDES 4 // elements of 4, 8, 12 and 16 bytes

struct fresh_accessor {
	bool is_short, is_time; // is_short: normalised int16; else float32
	int width, count;       // numbers of an element; elements
	int stride;             // position of its element's bytes among the streams
	size_t at, size;        // bytes in its stream
	int clip;               // for which it was made
	uint64_t hash;
};

struct fresh {
	const struct parts *parts;
	bool meshopt;
	int count, room;
	struct fresh_accessor *accessors;     // [count] owned
	struct buffer streams[FRESH_STRIDES]; // without the codec all is in the first
	int *slots; // [free_count] positions of accessors that are free, ascending; arena
	int free_count;
	int views[FRESH_STRIDES]; // positions of the views; -1 = none
	int view_count;           // of the file from then on
};

void fresh_init(struct fresh *fresh, const struct parts *parts, bool meshopt, struct arena *arena);
void fresh_finish(struct fresh *fresh);

/* Adds an accessor of count elements of width numbers: floats, or int16 for shorts; returns its
 * position in the file. One with the same content is taken again. */
int fresh_add(struct fresh *fresh, int clip, bool is_time, int width, int count,
	const float *floats, const int16_t *shorts);

/* Chooses the views' positions once all accessors are there. */
void fresh_place_views(struct fresh *fresh);

/* The position of the accessors' list from which on there are none. */
int fresh_accessor_end(const struct fresh *fresh);

/* Writes one as JSON. */
void fresh_write(const struct fresh *fresh, int i, struct json_writer *json);

/* The one at a position of the file; -1 = none. */
int fresh_at(const struct fresh *fresh, int slot);
