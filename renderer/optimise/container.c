// The container of a binary glTF.
#include "optimise/container.h"

#include <string.h>

#define ALIGNMENT 4u
#define HEAD_BYTES 12
#define CHUNK_BYTES 8

static void append_u32(struct buffer *out, size_t number) {
	const unsigned char bytes[4] = {
		number & 255, number >> 8 & 255, number >> 16 & 255, number >> 24 & 255};
	buffer_append(out, bytes, sizeof bytes);
}

static size_t padding(size_t size) {
	return (ALIGNMENT - size % ALIGNMENT) % ALIGNMENT;
}

static void append_chunk(
	struct buffer *out, const char *kind, const char *fill, const void *bytes, size_t size) {
	append_u32(out, size + padding(size));
	buffer_append(out, kind, 4);
	buffer_append(out, bytes, size);
	buffer_append(out, fill, padding(size));
}

bool container_write(const struct container *container, const unsigned char *rest, size_t rest_size,
	struct buffer *out, struct error *err) {
	const size_t json = container->json.size, bin = container->bin_size;
	const size_t size = HEAD_BYTES + CHUNK_BYTES + json + padding(json) +
		(container->bin ? CHUNK_BYTES + bin + padding(bin) : 0) + rest_size;
	if (size > UINT32_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "the GLB would have more than 4 GiB");
	}
	buffer_append(out, "glTF", 4);
	append_u32(out, 2);
	append_u32(out, size);
	append_chunk(out, "JSON", "   ", container->json.text, json);
	if (container->bin) {
		append_chunk(out, "BIN", "\0\0\0", container->bin, bin);
	}
	buffer_append(out, rest, rest_size);
	return true;
}
