/* Query parameters -> the tree of values that the same request would be as JSON, so that one
 * reader serves both. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/value.h"

/* One `name=value`, percent-encoding undone. */
struct query_parameter {
	const char *name;
	const char *value; // "" when there was none
};

/* The body of POST /v1/frame that asks for the same picture. rig is the name from the path. NULL
 * with ERROR_UNKNOWN_MEMBER (with the list of those known) or ERROR_INVALID_VALUE, and a JSON
 * pointer for which query_parameter_name() knows the parameter. */
const struct value *query_read_frame(struct arena *arena, const char *rig,
	const struct query_parameter *parameters, size_t count, struct error *err);

/* The same for POST /v1/frames. */
const struct value *query_read_frames(struct arena *arena, const char *rig,
	const struct query_parameter *parameters, size_t count, struct error *err);

/* Names of all parameters that query_read_frame() knows, in order; NULL behind the last. */
const char *query_frame_name(size_t i);

/* The query of GET /v1/rigs/{rig}. */
struct description_query {
	bool clip_bounds; // bounds=clips: the box around each clip
};

/* Fails like query_read_frame. */
bool query_read_description(struct arena *arena, const struct query_parameter *parameters,
	size_t count, struct description_query *out, struct error *err);

/* The query of GET /v1/rigs/{rig}/clips/{name}. */
struct clip_file_query {
	bool prune;                 // without the joints that are needless
	const struct value *source; // of prune; NULL = not given
};

/* Fails like query_read_frame. */
bool query_read_clip(struct arena *arena, const struct query_parameter *parameters, size_t count,
	struct clip_file_query *out, struct error *err);

/* The query of GET /v1/rigs/{rig}/influences. */
struct influences_query {
	const char *joint; // a name, or an index in decimal
	bool support;      // of=support: the joint's support, not its weights
};

/* Fails like query_read_frame, also where the joint is missing. */
bool query_read_influences(struct arena *arena, const struct query_parameter *parameters,
	size_t count, struct influences_query *out, struct error *err);

/* The query of GET /v1/shaders/{method}. */
struct shader_query {
	const char *version; // "300" or "310"; NULL = any
};

/* Fails like query_read_frame. */
bool query_read_shader(struct arena *arena, const struct query_parameter *parameters, size_t count,
	struct shader_query *out, struct error *err);

/* The query of GET /v1/rigs/{rig}/compatibility. */
struct compatibility_query {
	const struct value *with; // the other rig's name, a string
	bool by_name;             // map=name
};

/* Fails like query_read_frame, also where the other rig is missing. */
bool query_read_compatibility(struct arena *arena, const struct query_parameter *parameters,
	size_t count, struct compatibility_query *out, struct error *err);

/* Reads a finite number in decimal notation; false for anything else. */
bool query_read_number(const char *text, double *out);

/* Writes the name of the parameter that a pointer into such a tree stands for, cut at size. False
 * where there is none: for the rig, which is named in the path, and for what several of them make.
 */
bool query_parameter_name(const char *pointer, char *name, size_t size);
