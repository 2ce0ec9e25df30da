/* The container of a binary glTF. */
#pragma once

#include "base/buffer.h"
#include "base/json_span.h"

struct container {
	struct json_span json;
	const unsigned char *bin; // NULL = no such chunk
	size_t bin_size;
	const unsigned char *rest; // chunks behind these two, as they stand
	size_t rest_size;
};

/* Takes a GLB apart, borrowing its bytes; false for what is none. */
bool container_read(const void *bytes, size_t size, struct container *out);

/* Appends a GLB. ERROR_TOO_LARGE. */
bool container_write(const struct container *container, struct buffer *out, struct error *err);
