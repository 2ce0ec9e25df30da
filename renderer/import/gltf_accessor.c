// Reading accessors from the document, and checking them against their views and readers.
#include "import/gltf_accessor.h"

#include <stdio.h>
#include <string.h>

#include "import/gltf_accessor_internal.h"
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
