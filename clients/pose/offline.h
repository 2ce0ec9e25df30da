/* Pictures and comparisons without a daemon: the renderer in this process, with
 * assets that reader.h reads. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"
#include "files.h"
#include "renderer.h"

struct offline_job {
	const struct buffer *asset;
	const struct buffer *request;           // the API's body; its "rig" is not looked at
	const struct picture_format *format;    // of a picture; NULL = the numbers
	const struct sequence_format *sequence; // of a sequence
	bool map_alone;                         // of its sheet the map is wanted
	unsigned uses;                          // that the licence of an avatar has to allow
	struct output *output; // receives a sequence while it is made; NULL = appended to out
};

/* Append to out what the daemon would answer to POST /v1/frame, /v1/frames and /v1/compare. Fail as
 * it would, and where the output does, which has said why. */
bool offline_frame(const struct offline_job *job, struct buffer *out, struct error *err);
bool offline_frames(const struct offline_job *job, struct buffer *out, struct error *err);
bool offline_compare(const struct offline_job *job, struct buffer *out, struct error *err);
