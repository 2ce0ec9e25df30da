/* The container of a binary glTF. */
#pragma once

#include "base/buffer.h"
#include "base/json_span.h"

struct container {
	struct json_span json;
	const unsigned char *bin; // NULL = no such chunk
	size_t bin_size;
};

/* Appends a GLB, with chunks behind these two as they stand in another one. ERROR_TOO_LARGE. */
bool container_write(const struct container *container, const unsigned char *rest, size_t rest_size,
	struct buffer *out, struct error *err);
