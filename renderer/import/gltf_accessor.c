// Reading accessors from the document, and checking them against their views and readers.
#include "import/gltf_accessor.h"

#include <meshoptimizer.h>
#include <stdio.h>
#include <string.h>

#include "import/gltf_document.h"

static const struct {
	size_t code;
	const char *name;
	size_t size;
} components[] = {
	[GLTF_BYTE] = {5120, "BYTE", 1},
	[GLTF_UNSIGNED_BYTE] = {5121, "UNSIGNED_BYTE", 1},
	[GLTF_SHORT] = {5122, "SHORT", 2},
	[GLTF_UNSIGNED_SHORT] = {5123, "UNSIGNED_SHORT", 2},
	[GLTF_UNSIGNED_INT] = {5125, "UNSIGNED_INT", 4},
	[GLTF_FLOAT] = {5126, "FLOAT", 4},
};

static const struct {
	const char *name;
	size_t columns, rows;
} types[] = {
	[GLTF_SCALAR] = {"SCALAR", 1, 1},
	[GLTF_VEC2] = {"VEC2", 1, 2},
	[GLTF_VEC3] = {"VEC3", 1, 3},
	[GLTF_VEC4] = {"VEC4", 1, 4},
	[GLTF_MAT2] = {"MAT2", 2, 2},
	[GLTF_MAT3] = {"MAT3", 3, 3},
	[GLTF_MAT4] = {"MAT4", 4, 4},
};

struct gltf_layout gltf_accessor_layout(enum gltf_type type, enum gltf_component component) {
	const size_t column = types[type].rows * components[component].size;
	// Columns of matrices start at multiples of four bytes.
	const size_t stride = types[type].columns > 1 ? (column + 3) / 4 * 4 : column;
	return (struct gltf_layout){
		.columns = types[type].columns,
		.rows = types[type].rows,
		.column_stride = stride,
		.size = stride * types[type].columns,
		.used = stride * (types[type].columns - 1) + column,
		.padded = stride != column,
	};
}

int gltf_accessor_code(enum gltf_component component) {
	return (int)components[component].code;
}

size_t gltf_accessor_width(const struct gltf_accessor *accessor) {
	return types[accessor->type].columns * types[accessor->type].rows;
}

static bool read_component(
	const struct gltf_item *object, enum gltf_component *component, struct error *err) {
	size_t code = 0;
	if (!gltf_size(object, "componentType", &code, err)) {
		return false;
	}
	for (int i = 0; i < GLTF_COMPONENT_COUNT; i++) {
		if (components[i].code == code) {
			*component = (enum gltf_component)i;
			return true;
		}
	}
	return gltf_broken(
		object, err, "componentType is %zu, must be 5120 to 5123, 5125 or 5126", code);
}

static bool read_type(const struct gltf_item *object, enum gltf_type *type, struct error *err) {
	const char *name = "";
	if (!gltf_string(object, "type", &name, err)) {
		return false;
	}
	for (int i = 0; i < GLTF_TYPE_COUNT; i++) {
		if (strcmp(types[i].name, name) == 0) {
			*type = (enum gltf_type)i;
			return true;
		}
	}
	return gltf_broken(object, err, "type must be SCALAR, VEC2 to VEC4 or MAT2 to MAT4");
}

/* Elements that must lie in the buffer view that an object names. */
struct extent {
	size_t count;
	size_t size;   // bytes of an element
	size_t last;   // bytes of the last one: what would pad it may be left out
	size_t stride; // bytes from one to the next; 0 = the view's, or tightly packed
	int view;      // to be filled in, -1 = none
	size_t offset; // in it
};

/* Finds the first element; *data stays NULL where the object names no view. */
static bool locate(const struct gltf *gltf, const struct gltf_item *object, struct extent *extent,
	const unsigned char **data, struct error *err) {
	size_t end;
	extent->view = -1;
	if (!gltf_index(object, "bufferView", gltf->view_count, &extent->view, err) ||
		!gltf_size(object, "byteOffset", &extent->offset, err)) {
		return false;
	}
	const int view = extent->view;
	const size_t offset = extent->offset;
	if (view < 0) {
		return true;
	}
	const struct gltf_bytes *bytes = &gltf->views[view];
	if (extent->stride == 0) {
		extent->stride = bytes->stride ? bytes->stride : extent->size;
	}
	if (extent->stride < extent->size) {
		return gltf_broken(object, err,
			"elements of %zu bytes, but bufferViews[%d] has a byteStride "
			"of %zu",
			extent->size, view, extent->stride);
	}
	if (__builtin_mul_overflow(extent->count - 1, extent->stride, &end) ||
		__builtin_add_overflow(end, extent->last, &end) ||
		__builtin_add_overflow(end, offset, &end)) {
		return gltf_broken(object, err,
			"%zu elements from byte %zu on are more than any file holds", extent->count,
			offset);
	}
	if (end > bytes->size) {
		return gltf_broken(object, err, "ends %zu bytes past bufferViews[%d]",
			end - bytes->size, view);
	}
	*data = bytes->data + offset;
	return true;
}

static bool read_sparse_indices(const struct gltf *gltf, const struct gltf_item *sparse,
	struct gltf_accessor *accessor, struct error *err) {
	struct gltf_item indices;
	if (!gltf_object(sparse, "indices", &indices, err) ||
		!read_component(&indices, &accessor->sparse_component, err)) {
		return false;
	}
	const enum gltf_component component = accessor->sparse_component;
	if (component != GLTF_UNSIGNED_BYTE && component != GLTF_UNSIGNED_SHORT &&
		component != GLTF_UNSIGNED_INT) {
		return gltf_broken(&indices, err, "are %s, must be unsigned integers",
			components[component].name);
	}
	const size_t size = components[component].size;
	struct extent extent = {accessor->sparse_count, size, size, size, 0, 0};
	return locate(gltf, &indices, &extent, &accessor->sparse_indices, err) &&
		(accessor->sparse_indices || gltf_broken(&indices, err, "has no bufferView"));
}

static bool read_sparse(const struct gltf *gltf, const struct gltf_item *object,
	struct gltf_accessor *accessor, struct error *err) {
	struct gltf_item sparse, values;
	if (!gltf_object(object, "sparse", &sparse, err) || !sparse.json) {
		return !sparse.json;
	}
	if (!gltf_size(&sparse, "count", &accessor->sparse_count, err)) {
		return false;
	}
	if (accessor->sparse_count < 1 || accessor->sparse_count > accessor->count) {
		return gltf_broken(&sparse, err,
			"count is %zu, must be from 1 to the accessor's %zu",
			accessor->sparse_count, accessor->count);
	}
	const struct gltf_layout layout = gltf_accessor_layout(accessor->type, accessor->component);
	struct extent extent = {
		accessor->sparse_count, layout.size, layout.used, layout.size, 0, 0};
	return read_sparse_indices(gltf, &sparse, accessor, err) &&
		gltf_object(&sparse, "values", &values, err) &&
		locate(gltf, &values, &extent, &accessor->sparse_values, err) &&
		(accessor->sparse_values || gltf_broken(&values, err, "has no bufferView"));
}

static bool read_accessor(const struct gltf *gltf, const struct gltf_item *object,
	struct gltf_accessor *accessor, struct error *err) {
	if (!read_component(object, &accessor->component, err) ||
		!read_type(object, &accessor->type, err) ||
		!gltf_boolean(object, "normalized", &accessor->normalized, err) ||
		!gltf_size(object, "count", &accessor->count, err)) {
		return false;
	}
	if (accessor->count < 1) {
		return gltf_broken(object, err, "count must be at least 1");
	}
	const struct gltf_layout layout = gltf_accessor_layout(accessor->type, accessor->component);
	struct extent extent = {accessor->count, layout.size, layout.used, 0, 0, 0};
	if (!locate(gltf, object, &extent, &accessor->data, err)) {
		return false;
	}
	accessor->stride = extent.stride;
	accessor->view = extent.view;
	accessor->offset = extent.offset;
	accessor->is_decoded = extent.view >= 0 && gltf->views[extent.view].decoded;
	return read_sparse(gltf, object, accessor, err);
}

bool gltf_read_accessors(struct gltf *gltf, struct error *err) {
	struct gltf_item list, object;
	if (!gltf_document_list(gltf, "accessors", &list, &gltf->accessor_count, err)) {
		return false;
	}
	const size_t count = (size_t)gltf->accessor_count;
	gltf->accessors = arena_alloc(gltf->arena, count, sizeof *gltf->accessors);
	for (size_t i = 0; i < count; i++) {
		if (!gltf_element_object(&list, i, &object, err) ||
			!read_accessor(gltf, &object, &gltf->accessors[i], err)) {
			return false;
		}
	}
	return true;
}

/* "VEC3 or VEC4 of FLOAT or SHORT", for messages. */
static void describe(const struct gltf_want *want, char *text, size_t size) {
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; i < GLTF_TYPE_COUNT; i++) {
		if (want->types & GLTF_BIT(i) && used < size) {
			used += (size_t)snprintf(text + used, size - used, "%s%s",
				used ? " or " : "", types[i].name);
		}
	}
	const char *joint = " of ";
	for (int i = 0; i < GLTF_COMPONENT_COUNT; i++) {
		if (want->components & GLTF_BIT(i) && used < size) {
			const bool mapped = i != GLTF_FLOAT && !want->whole_numbers;
			used += (size_t)snprintf(text + used, size - used, "%s%s%s", joint,
				mapped ? "normalized " : "", components[i].name);
			joint = " or ";
		}
	}
}

bool gltf_accessor_expect(const struct gltf *gltf, const struct gltf_item *from, int index,
	const struct gltf_want *want, struct error *err) {
	const struct gltf_accessor *accessor = &gltf->accessors[index];
	const bool mapped =
		accessor->component == GLTF_FLOAT || accessor->normalized || want->whole_numbers;
	if (!(want->types & GLTF_BIT(accessor->type)) ||
		!(want->components & GLTF_BIT(accessor->component)) || !mapped) {
		char wanted[256];
		describe(want, wanted, sizeof wanted);
		return gltf_broken(from, err, "accessors[%d] is %s of %s%s, must be %s", index,
			types[accessor->type].name, accessor->normalized ? "normalized " : "",
			components[accessor->component].name, wanted);
	}
	if (want->count != 0 && accessor->count != want->count) {
		return gltf_broken(from, err, "accessors[%d] has %zu elements, must have %zu",
			index, accessor->count, want->count);
	}
	return true;
}

bool gltf_accessor_member(const struct gltf *gltf, const struct gltf_item *object, const char *name,
	const struct gltf_want *want, int *index, struct error *err) {
	*index = -1;
	if (!gltf_index(object, name, gltf->accessor_count, index, err)) {
		return false;
	}
	const struct gltf_item member = gltf_member(object, name);
	return *index < 0 || gltf_accessor_expect(gltf, &member, *index, want, err);
}

#define EXTENSION "EXT_meshopt_compression"

/* Bytes that one compressed byte can stand for at most: attributes spend a quarter of a byte on 16
 * equal ones, triangles and indices at least one on each. */
#define GROWTH_MAX 64

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

/* The extension's members of one view. */
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
	return size / GROWTH_MAX <= stream->size ||
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
