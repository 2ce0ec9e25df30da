// The container of a binary glTF.
#include "optimise/container.h"

#include <string.h>

#define ALIGNMENT 4u
#define HEAD_BYTES 12u
#define CHUNK_BYTES 8u

static uint32_t read_u32(const unsigned char *from) {
	return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
		(uint32_t)from[3] << 24;
}

bool container_read(const void *file, size_t size, struct container *out) {
	const unsigned char *bytes = file;
	*out = (struct container){.bin = NULL};
	if (size < HEAD_BYTES + CHUNK_BYTES || memcmp(bytes, "glTF", 4) != 0 ||
		read_u32(bytes + 4) != 2 || memcmp(bytes + 16, "JSON", 4) != 0) {
		return false;
	}
	const size_t end = read_u32(bytes + 8) < size ? read_u32(bytes + 8) : size;
	size_t at = HEAD_BYTES + CHUNK_BYTES, length = read_u32(bytes + HEAD_BYTES);
	if (end < at || length > end - at) {
		return false;
	}
	out->json = json_span_of((const char *)bytes + at, length);
	at += length;
	if (end - at >= CHUNK_BYTES && memcmp(bytes + at + 4, "BIN", 4) == 0) {
		length = read_u32(bytes + at);
		at += CHUNK_BYTES;
		if (length > end - at) {
			return false;
		}
		out->bin = bytes + at;
		out->bin_size = length;
		at += length;
	}
	out->rest = bytes + at;
	out->rest_size = end - at;
	return true;
}

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

bool container_write(const struct container *container, struct buffer *out, struct error *err) {
	const size_t json = container->json.size, bin = container->bin_size;
	const size_t size = HEAD_BYTES + CHUNK_BYTES + json + padding(json) +
		(container->bin ? CHUNK_BYTES + bin + padding(bin) : 0) + container->rest_size;
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
	buffer_append(out, container->rest, container->rest_size);
	return true;
}
