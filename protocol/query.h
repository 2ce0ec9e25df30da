/* Query parameters -> the tree of values that the same request would be as JSON, so that one
 * reader serves both. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/value.h"
#include "compression.h"

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

/* The same for POST /v1/bake, of a motion format by its name. */
const struct value *query_read_motion(struct arena *arena, const char *rig, const char *format,
	const struct query_parameter *parameters, size_t count, struct error *err);

/* Names of all parameters that query_read_frame() knows, in order; NULL behind the last. */
const char *query_frame_name(size_t i);

/* Reads the query of a request that a table has all parameters of, into the table's struct, after
 * setting what absent ones stand for. Fails like query_read_frame, also where a required one is
 * missing. The strings and values read live as long as the parameters and the arena. */
bool query_read(struct arena *arena, const struct member_table *table,
	const struct query_parameter *parameters, size_t count, void *out, struct error *err);

/* GET /v1/rigs/{rig}. */
struct description_query {
	int bounds; // 0 = "clips", the box around each clip; < 0 = none
};

extern const struct member_table description_query_members;

/* GET /v1/rigs/{rig}/clips/{name}. */
enum clip_form { CLIP_FORM_JSON, CLIP_FORM_GLB, CLIP_FORM_COMPRESSED };

struct clip_file_query {
	bool prune;                     // without the joints that are needless
	const struct value *source;     // of prune; NULL = not given
	int as;                         // an enum clip_form; < 0 = by Accept
	double tolerance_m;             // of a compressed file; > 0
	int segment_samples;            // likewise: decoded together
	enum compression_metric metric; // likewise
	const char *skinning;           // likewise: a method's id
	const struct value *tolerance_source, *segment_source; // NULL = not given
	const struct value *metric_source, *skinning_source;   // likewise
};

extern const struct member_table clip_file_query_members;

/* GET /v1/rigs/{rig}/influences. */
enum influences_of { INFLUENCES_WEIGHTS, INFLUENCES_SUPPORT, INFLUENCES_COLORS, INFLUENCES_COUNT };

struct influences_query {
	const char *joint; // a name, or an index in decimal; NULL = not given
	enum influences_of of;
};

extern const struct member_table influences_query_members;

/* GET /v1/shaders/{method}. */
extern const char *const shader_version_names[3]; // ended by NULL

struct shader_query {
	int version; // of shader_version_names; < 0 = any
};

extern const struct member_table shader_query_members;

/* GET /v1/bake. */
struct bake_link_query {
	const char *request; // what POST /v1/bake takes, as JSON
	const char *content; // digits that the rig's hash begins with; NULL = any
};

extern const struct member_table bake_link_query_members;

/* GET /v1/rigs/{rig}/compatibility. */
struct compatibility_query {
	const char *with;           // the other rig's name
	int map;                    // 1 = "name"
	const struct value *source; // of with
};

extern const struct member_table compatibility_query_members;

/* Writes the name of the parameter that a pointer into such a tree stands for, cut at size. False
 * where there is none: for the rig, which is named in the path, and for what several of them make.
 */
bool query_parameter_name(const char *pointer, char *name, size_t size);
