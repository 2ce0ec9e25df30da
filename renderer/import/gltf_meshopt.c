// Decoding the buffer views of EXT_meshopt_compression.
#include "import/gltf_meshopt.h"

#include <meshoptimizer.h>
#include <string.h>

#define EXTENSION "EXT_meshopt_compression"

/* Bytes that one compressed byte can stand for at most: attributes spend a quarter of a byte on 16
 * equal ones, triangles and indices at least one on each. */
#define GROWTH_MOST 64

enum mode { MODE_ATTRIBUTES, MODE_TRIANGLES, MODE_INDICES, MODE_COUNT };

static const struct {
	const char *name;
	int (*decode)(
		void *out, size_t count, size_t stride, const unsigned char *bytes, size_t size);
} modes[] = {
	[MODE_ATTRIBUTES] = {"ATTRIBUTES", meshopt_decodeVertexBuffer},
	[MODE_TRIANGLES] = {"TRIANGLES", meshopt_decodeIndexBuffer},
	[MODE_INDICES] = {"INDICES", meshopt_decodeIndexSequence},
};

enum filter {
	FILTER_NONE,
	FILTER_OCTAHEDRAL,
	FILTER_QUATERNION,
	FILTER_EXPONENTIAL,
	FILTER_COUNT,
};

static const struct {
	const char *name;
	void (*apply)(void *elements, size_t count, size_t stride); // NULL = leaves them
	size_t strides[2];                                          // 0 = any
} filters[] = {
	[FILTER_NONE] = {"NONE", NULL, {0}},
	[FILTER_OCTAHEDRAL] = {"OCTAHEDRAL", meshopt_decodeFilterOct, {4, 8}},
	[FILTER_QUATERNION] = {"QUATERNION", meshopt_decodeFilterQuat, {8, 8}},
	[FILTER_EXPONENTIAL] = {"EXPONENTIAL", meshopt_decodeFilterExp, {0}},
};

/* What the extension says about one view. */
struct stream {
	const unsigned char *bytes;
	size_t size;          // bytes, compressed
	size_t count, stride; // elements and bytes of each, decoded
	enum mode mode;
	enum filter filter;
};

bool gltf_meshopt_fallback(const struct gltf_item *buffer, bool *fallback, struct error *err) {
	struct gltf_item extensions, extension;
	return gltf_object(buffer, "extensions", &extensions, err) &&
		gltf_object(&extensions, EXTENSION, &extension, err) &&
		gltf_boolean(&extension, "fallback", fallback, err);
}

static bool read_mode(const struct gltf_item *extension, enum mode *mode, struct error *err) {
	const char *names[MODE_COUNT + 1] = {NULL};
	for (int i = 0; i < MODE_COUNT; i++) {
		names[i] = modes[i].name;
	}
	int choice = -1;
	if (!gltf_choice(extension, "mode", names, &choice, err)) {
		return false;
	}
	*mode = (enum mode)choice;
	return choice >= 0 || gltf_broken(extension, err, "has no mode");
}

static bool read_filter(const struct gltf_item *extension, enum filter *filter, struct error *err) {
	const char *names[FILTER_COUNT + 1] = {NULL};
	for (int i = 0; i < FILTER_COUNT; i++) {
		names[i] = filters[i].name;
	}
	int choice = FILTER_NONE;
	const bool read = gltf_choice(extension, "filter", names, &choice, err);
	*filter = (enum filter)choice;
	return read;
}

/* The compressed bytes. */
static bool read_source(const struct gltf *gltf, const struct gltf_item *extension,
	struct stream *stream, struct error *err) {
	int index = -1;
	size_t offset = 0;
	if (!gltf_index(extension, "buffer", gltf->buffer_count, &index, err) ||
		!gltf_size(extension, "byteOffset", &offset, err) ||
		!gltf_size(extension, "byteLength", &stream->size, err)) {
		return false;
	}
	if (index < 0 || stream->size == 0) {
		return gltf_broken(extension, err, "needs a buffer and a byteLength of at least 1");
	}
	const struct gltf_bytes *buffer = &gltf->buffers[index];
	if (!buffer->data) {
		return gltf_broken(extension, err, "buffers[%d] has no bytes to decode", index);
	}
	if (offset > buffer->size || stream->size > buffer->size - offset) {
		return gltf_broken(extension, err, "bytes %zu to %zu, but buffers[%d] has only %zu",
			offset, offset + stream->size, index, buffer->size);
	}
	stream->bytes = buffer->data + offset;
	return true;
}

/* Strides that a mode and a filter can have. */
static bool check_stride(
	const struct gltf_item *extension, const struct stream *stream, struct error *err) {
	const size_t stride = stream->stride, *wanted = filters[stream->filter].strides;
	if (stream->mode != MODE_ATTRIBUTES) {
		return stride == 2 || stride == 4 ||
			gltf_broken(extension, err, "byteStride is %zu, must be 2 or 4 for %s",
				stride, modes[stream->mode].name);
	}
	if (stride < 4 || stride > 256 || stride % 4 != 0) {
		return gltf_broken(extension, err,
			"byteStride is %zu, must be a multiple of 4 from 4 to 256", stride);
	}
	return wanted[0] == 0 || stride == wanted[0] || stride == wanted[1] ||
		gltf_broken(extension, err, "byteStride is %zu, must be %zu or %zu for %s", stride,
			wanted[0], wanted[1], filters[stream->filter].name);
}

/* Counts, and whether the result can be what the view says and what the bytes can hold. */
static bool check_size(const struct gltf_item *extension, const struct stream *stream,
	const struct gltf_bytes *view, struct error *err) {
	size_t size;
	if (stream->count < 1 || (stream->mode == MODE_TRIANGLES && stream->count % 3 != 0)) {
		return gltf_broken(extension, err, "count is %zu, must be at least 1%s",
			stream->count,
			stream->mode == MODE_TRIANGLES ? " and a multiple of 3" : "");
	}
	if (__builtin_mul_overflow(stream->count, stream->stride, &size) || size != view->size) {
		return gltf_broken(extension, err,
			"%zu elements of %zu bytes, but the view has a byteLength of %zu",
			stream->count, stream->stride, view->size);
	}
	if (view->stride != 0 && view->stride != stream->stride) {
		return gltf_broken(extension, err,
			"byteStride is %zu, but the view has a byteStride of %zu", stream->stride,
			view->stride);
	}
	return size / GROWTH_MOST <= stream->size ||
		gltf_broken(extension, err, "%zu bytes cannot come out of %zu", size, stream->size);
}

static bool read_stream(const struct gltf *gltf, const struct gltf_item *extension,
	const struct gltf_bytes *view, struct stream *stream, struct error *err) {
	if (!read_mode(extension, &stream->mode, err) ||
		!read_filter(extension, &stream->filter, err) ||
		!gltf_size(extension, "count", &stream->count, err) ||
		!gltf_size(extension, "byteStride", &stream->stride, err)) {
		return false;
	}
	if (stream->filter != FILTER_NONE && stream->mode != MODE_ATTRIBUTES) {
		return gltf_broken(
			extension, err, "filter must be NONE for %s", modes[stream->mode].name);
	}
	return read_source(gltf, extension, stream, err) && check_stride(extension, stream, err) &&
		check_size(extension, stream, view, err);
}

static bool decode(struct gltf *gltf, const struct gltf_item *extension,
	const struct stream *stream, struct gltf_bytes *view, struct error *err) {
	char place[GLTF_PLACE_BYTES];
	gltf_place(extension, place);
	if (!gltf_claim(gltf, view->size, place, err)) {
		return false;
	}
	unsigned char *out = arena_alloc(gltf->arena, stream->count, stream->stride);
	const int result = modes[stream->mode].decode(
		out, stream->count, stream->stride, stream->bytes, stream->size);
	if (result != 0) {
		return gltf_broken(extension, err,
			"its %zu bytes are not %zu elements of %s (meshoptimizer says %d)",
			stream->size, stream->count, modes[stream->mode].name, result);
	}
	if (filters[stream->filter].apply) {
		filters[stream->filter].apply(out, stream->count, stream->stride);
	}
	view->data = out;
	return true;
}

bool gltf_meshopt_read(struct gltf *gltf, const struct gltf_item *view, struct gltf_bytes *bytes,
	struct error *err) {
	struct gltf_item extensions, extension;
	struct stream stream = {0};
	if (!gltf_object(view, "extensions", &extensions, err) ||
		!gltf_object(&extensions, EXTENSION, &extension, err)) {
		return false;
	}
	bytes->decoded = extension.json;
	return !extension.json ||
		(read_stream(gltf, &extension, bytes, &stream, err) &&
			decode(gltf, &extension, &stream, bytes, err));
}
