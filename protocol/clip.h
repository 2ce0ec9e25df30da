/* Clips of a rig beside those in its file: the requests that put them, and what is answered about
 * clips. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/asset_space.h"
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
	const struct value *tolerance_value; // NULL = the daemon's, and the members below are unset
	bool is_raw;                         // all keys are kept
	double tolerance;                    // metres, or a share of the rig's diagonal
	bool is_share;
};

/* Its members. */
extern const struct member_table clip_members;

/* Reads it. Fails with ERROR_INVALID_VALUE or ERROR_UNKNOWN_MEMBER, and the place. */
bool clip_read(const struct value *body, struct clip_request *out, struct error *err);

/* The query of a PUT of a file. */
struct clip_query {
	const char *clip; // the name of the one to be taken; "" = none is named
	const char *map_text, *scale_text;
	bool by_names;           // map=names
	const struct value *map; // pairs, {"Theirs": "Ours", ...}; NULL = not given
	const struct value *scale;
	double rate;              // frames per second; 0 = at the clip's keys
	const char *units;        // as in asset_query; NULL = as the file says
	int up;                   // as in asset_query
	struct asset_space space; // both, read
	const struct value *map_source, *scale_source, *rate_source; // NULL = not given
};

extern const struct member_table clip_query_members;

/* Reads it. Fails with ERROR_INVALID_VALUE or ERROR_UNKNOWN_MEMBER, and the parameter. */
bool clip_read_query(struct arena *arena, const struct query_parameter *parameters, size_t count,
	struct clip_query *out, struct error *err);

/* --- Answers --- */

/* A joint of the file and ours that follows it. */
struct clip_pair {
	const char *ours, *theirs, *how;
	double confidence; // [0, 1]
};

/* The way of a file's clip to the rig. */
struct clip_mapping {
	const char *animation; // its name in the file
	bool is_retargeted;    // else its keys are unchanged
	double confidence, scale;
	const struct clip_pair *pairs; // [pair_count]
	size_t pair_count;
	const char *const *resting; // [resting_count] joints of ours without a partner
	size_t resting_count;
	const char *const *warnings; // [warning_count]
	size_t warning_count;
};

/* A clip that was put. */
struct clip_summary {
	const char *name;
	const char *content; // "sha256:..."
	double duration_s;
	int channels;
	size_t bytes;                               // of its keys
	const struct clip_compression *compression; // NULL = none
	const char *why_raw; // why it is not compressed, though it should be; NULL = it should not
	const char *const *dropped; // [dropped_count] joints of the file that drive none of ours
	size_t dropped_count;
	const struct clip_mapping *mapping; // of a file's; NULL = it was baked of a pose
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
