/* The request of POST /v1/shaders into a plain struct. Strings and values are borrowed from the
 * request's tree. */
#pragma once

#include "request.h"

/* Buffers that an answer may have: bits. */
enum shader_buffer_bits {
	SHADER_BUFFER_VERTICES = 1,
	SHADER_BUFFER_INFLUENCES = 2,
	SHADER_BUFFER_PALETTE = 4,
	SHADER_BUFFER_DATA = 8,
	SHADER_BUFFER_GRADIENTS = 16,
};

#define SHADER_BUFFER_COUNT 5

/* The i-th buffer's name, in the order of their bits. */
const char *shader_buffer_name(size_t i);

struct shaders_request {
	struct subject subject; // of one pose
	struct skinning_settings skinning;
	unsigned buffers; // bits of those that are wanted
};

/* Reads the body. Fails like request_read_pose. */
bool request_read_shaders(const struct value *body, struct shaders_request *out, struct error *err);
