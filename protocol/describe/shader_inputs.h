/* Skinning shaders and what they take, as JSON. */
#pragma once

#include "base/buffer.h"
#include "renderer.h"

/* GET /v1/shaders. */
void describe_shaders(struct buffer *out);

/* POST /v1/shaders, with these buffers (bits of enum shader_buffer_bits). Numbers are finite. */
void describe_shader_inputs(
	const struct shader_inputs *inputs, unsigned buffers, struct buffer *out);

/* Bytes that it takes at most. */
uint64_t describe_shader_inputs_bytes(const struct shader_inputs *inputs, unsigned buffers);
