/* The functions of the daemon's own skinning shaders as texts for other programs, and what these
 * take of a rig in a pose. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "interface/poses.h"
#include "interface/vertices.h"

/* Languages that a text may be in. */
enum shader_version {
	SHADER_ES_300, // vertex shaders, whose numbers come from textures: WebGL 2
	SHADER_ES_310, // compute shaders, whose numbers come from storage buffers
	SHADER_VERSION_COUNT,
};

/* "300" or "310". */
const char *renderer_shader_version(enum shader_version version);

/* Stages of a method at most: displacement, kernel, passes. */
#define SHADER_STAGES_MAX 10

/* Bytes of a function's name. */
#define SHADER_NAME_BYTES 40

/* The texts of a method. */
struct renderer_shader {
	const char *method, *title;
	const char *base; // the method whose kernel is in the text, where it has none of its own
	bool versions[SHADER_VERSION_COUNT];
	char functions[SHADER_STAGES_MAX][SHADER_NAME_BYTES]; // [stage_count] in order
	size_t stage_count;
};

/* Fills *out with the i-th of the methods that have shaders; false past the end. */
bool renderer_shader(size_t i, struct renderer_shader *out);

/* Appends a method's text. Fails with ERROR_UNKNOWN_ROUTE where there is no such method or it
 * has no shader, and with ERROR_INVALID_VALUE where it has none in this version. */
bool renderer_shader_text(
	const char *method, enum shader_version version, struct buffer *out, struct error *err);

/* Numbers that a function reads. */
struct shader_numbers {
	const char *name;      // "palette"
	const float *floats;   // [count]; NULL = these are words
	const uint32_t *words; // [count]
	size_t count;
};

/* A uniform that is the same in all draws or dispatches of a stage. */
struct shader_uniform {
	const char *name;
	const float *floats;   // [count]; NULL = these are words
	const uint32_t *words; // [count]
	size_t count;          // 1 = no vector
};

#define SHADER_UNIFORMS 7
#define SHADER_STAGE_BUFFERS 3

/* One draw or dispatch, over all vertices or for each span. */
struct shader_stage {
	const char *method; // in whose text the function is
	char function[SHADER_NAME_BYTES];
	const char *constants; // the declarations of the text, as the options want them
	bool by_span;
	struct shader_uniform uniforms[SHADER_UNIFORMS];
	struct shader_numbers buffers[SHADER_STAGE_BUFFERS]; // palette, data, gradients
};

/* Vertices that share their slots and have the same number of influences: a primitive's. */
struct shader_span {
	uint32_t span[4], influence_start[2]; // uniforms
};

/* Inputs of the functions for a rig in a pose. */
struct shader_inputs {
	const char *method;
	int vertex_count;
	bool has_tangents;
	size_t scratch_floats; // of the buffer that passes share; 0 = none
	struct shader_numbers vertices, influences;
	const struct shader_span *spans; // [span_count]
	size_t span_count;
	const struct shader_stage *stages; // [stage_count], in order
	size_t stage_count;
};

/* Makes them and calls take(), within which alone they are there. Fails like renderer_vertices, and
 * with ERROR_INVALID_VALUE where the settings want what no text has. */
bool renderer_shader_inputs(struct renderer *renderer, const struct posed_subject *subject,
	bool (*take)(void *context, const struct shader_inputs *inputs, struct error *err),
	void *context, struct error *err);
