/* The JSON request that a command line stands for. */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"
#include "base/json_write.h"
#include "options.h"

/* Writes the body for /v1/pose, /v1/vertices or /v1/frame. Says on standard error what cannot be
 * (a number that is none, text that is no JSON, --pose beside --clip) and returns false. */
bool request_text(const struct arguments *arguments, const char *rig, struct buffer *out);

/* Writes the pose alone. Without one it says so and returns false. */
bool request_text_pose(const struct arguments *arguments, struct buffer *out);

/* Writes the body that bakes a clip. Without a pose it says so and returns false. */
bool request_text_clip(const struct arguments *arguments, struct buffer *out);

/* The body for /v1/transitions from clip to clip. */
bool request_text_transitions(const struct arguments *arguments, const char *rig, const char *from,
	const char *to, struct buffer *out);

/* The body for /v1/compress with the clips [count], or all. */
bool request_text_compression(const struct arguments *arguments, const char *rig,
	const char *const *clips, size_t count, struct buffer *out);

/* The unit of --count for a sequence. */
enum sequence_of { SEQUENCE_OF_TIMES, SEQUENCE_OF_ANGLES };

/* The body for /v1/frames; format is a name that it knows. */
bool request_text_frames(const struct arguments *arguments, const char *rig, const char *format,
	enum sequence_of of, struct buffer *out);

/* The body for /v1/compare; methods are [count] ids, or objects in JSON. */
bool request_text_compare(const struct arguments *arguments, const char *rig,
	const char *const *methods, size_t count, struct buffer *out);

/* Writes the text as the next value. False when it is not one value of JSON, which standard error
 * is told with its place in the text; name says what the text is: "--pose". */
bool json_argument_write(struct json_writer *json, const char *name, const char *text);
