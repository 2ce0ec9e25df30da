/* Clips of a rig beside those in its file: the requests that put them, and what is answered about
 * clips. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/value.h"
#include "query.h"
#include "reply.h"

/* --- Requests --- */

/* The JSON body of a PUT. */
struct clip_request {
	const struct value *pose;   // the expression
	double duration_s;          // < 0: not said
	double rate;                // frames per second
	const struct value *source; // the member that sets its length: the duration, or all of it
};

/* Its members. */
extern const struct member_table clip_members;

/* Reads it. Fails with ERROR_INVALID_VALUE or ERROR_UNKNOWN_MEMBER, and the place. */
bool clip_read(const struct value *body, struct clip_request *out, struct error *err);

/* The ways to bring a file's keys to the rig's joints. */
enum clip_map { CLIP_MAP_NAMES, CLIP_MAP_AUTO };

extern const char *const clip_map_names[3]; // ended by NULL

/* The query of a PUT of a file. */
struct clip_query {
	const char *clip;                // the name of the one to be taken; "" = none is named
	int map;                         // of enum clip_map
	double rate;                     // frames per second, for CLIP_MAP_AUTO
	const struct value *rate_source; // NULL = not given
};

extern const struct member_table clip_query_members;

/* Reads it. Fails with ERROR_INVALID_VALUE or ERROR_UNKNOWN_MEMBER, and the parameter. */
bool clip_read_query(struct arena *arena, const struct query_parameter *parameters, size_t count,
	struct clip_query *out, struct error *err);

/* --- Answers --- */

/* A clip that was put. */
struct clip_summary {
	const char *name;
	const char *content; // "sha256:..."
	double duration_s;
	int channels;
	size_t bytes;               // of its keys
	const char *const *dropped; // [dropped_count] joints of the file that the rig does not have
	size_t dropped_count;
};

void clip_write_summary(const struct clip_summary *clip, struct buffer *out);

/* The targets of a clip. */
struct clip_channel {
	const char *joint;
	int index; // the joint's
	const char *path, *interpolation;
	const float *times; // [key_count]
	size_t key_count;
	const float *values; // [value_count][width]
	size_t value_count;  // of splines three for each key: in-tangent, value, out-tangent
	size_t width;
};

/* A clip with its channels, [description->channels]. */
void clip_write(const struct clip_description *description, const struct clip_channel *channels,
	struct buffer *out);
