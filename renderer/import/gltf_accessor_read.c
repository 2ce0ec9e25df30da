// Reading the elements of accessors, whatever their layout, into plain arrays.
#include "import/gltf_accessor.h"

#include <math.h>
#include <string.h>

#include "import/gltf_document.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "buffers are read as little-endian");

/* Converts count components, tightly packed and perhaps not aligned, to 4-byte numbers. */
typedef void (*convert_fn)(const unsigned char *from, size_t count, bool normalized, void *to);

static void float_from_i8(const unsigned char *from, size_t count, bool normalized, void *to) {
	float *out = to;
	for (size_t i = 0; i < count; i++) {
		const float value = (float)(int8_t)from[i];
		out[i] = normalized ? fmaxf(value / 127.0f, -1) : value;
	}
}

static void float_from_u8(const unsigned char *from, size_t count, bool normalized, void *to) {
	float *out = to;
	for (size_t i = 0; i < count; i++) {
		out[i] = normalized ? (float)from[i] / 255.0f : (float)from[i];
	}
}

static void float_from_i16(const unsigned char *from, size_t count, bool normalized, void *to) {
	float *out = to;
	for (size_t i = 0; i < count; i++) {
		int16_t value;
		memcpy(&value, from + i * sizeof value, sizeof value);
		out[i] = normalized ? fmaxf((float)value / 32767.0f, -1) : (float)value;
	}
}

static void float_from_u16(const unsigned char *from, size_t count, bool normalized, void *to) {
	float *out = to;
	for (size_t i = 0; i < count; i++) {
		uint16_t value;
		memcpy(&value, from + i * sizeof value, sizeof value);
		out[i] = normalized ? (float)value / 65535.0f : (float)value;
	}
}

static void float_from_u32(const unsigned char *from, size_t count, bool normalized, void *to) {
	float *out = to;
	for (size_t i = 0; i < count; i++) {
		uint32_t value;
		memcpy(&value, from + i * sizeof value, sizeof value);
		out[i] = (float)(normalized ? value / 4294967295.0 : value);
	}
}

static void copy_words(const unsigned char *from, size_t count, bool normalized, void *to) {
	(void)normalized;
	memcpy(to, from, count * 4);
}

static void integer_from_u8(const unsigned char *from, size_t count, bool normalized, void *to) {
	(void)normalized;
	uint32_t *out = to;
	for (size_t i = 0; i < count; i++) {
		out[i] = from[i];
	}
}

static void integer_from_u16(const unsigned char *from, size_t count, bool normalized, void *to) {
	(void)normalized;
	uint32_t *out = to;
	for (size_t i = 0; i < count; i++) {
		uint16_t value;
		memcpy(&value, from + i * sizeof value, sizeof value);
		out[i] = value;
	}
}

static const convert_fn to_floats[] = {
	[GLTF_BYTE] = float_from_i8,
	[GLTF_UNSIGNED_BYTE] = float_from_u8,
	[GLTF_SHORT] = float_from_i16,
	[GLTF_UNSIGNED_SHORT] = float_from_u16,
	[GLTF_UNSIGNED_INT] = float_from_u32,
	[GLTF_FLOAT] = copy_words,
};

/* NULL: readers of integers never want these. */
static const convert_fn to_integers[GLTF_COMPONENT_COUNT] = {
	[GLTF_UNSIGNED_BYTE] = integer_from_u8,
	[GLTF_UNSIGNED_SHORT] = integer_from_u16,
	[GLTF_UNSIGNED_INT] = copy_words,
};

/* Elements of one layout in memory. */
struct run {
	const unsigned char *data;
	size_t count, stride;
	struct gltf_layout layout;
	convert_fn convert;
	bool normalized;
};

/* out has 4 bytes for each number. */
static void read_run(const struct run *run, unsigned char *out) {
	const struct gltf_layout *layout = &run->layout;
	const size_t width = layout->columns * layout->rows;
	if (run->stride == layout->size && !layout->padded) {
		run->convert(run->data, run->count * width, run->normalized, out);
		return;
	}
	for (size_t i = 0; i < run->count; i++) {
		for (size_t column = 0; column < layout->columns; column++) {
			run->convert(run->data + i * run->stride + column * layout->column_stride,
				layout->rows, run->normalized, out);
			out += layout->rows * 4;
		}
	}
}

static bool read_sparse(
	const struct gltf *gltf, int index, struct run run, unsigned char *out, struct error *err) {
	const struct gltf_accessor *accessor = &gltf->accessors[index];
	const struct gltf_layout *layout = &run.layout;
	const enum gltf_component component = accessor->sparse_component;
	const size_t index_size = gltf_accessor_layout(GLTF_SCALAR, component).size;
	run.count = 1;
	for (size_t i = 0; i < accessor->sparse_count; i++) {
		uint32_t element;
		to_integers[component](
			accessor->sparse_indices + i * index_size, 1, false, &element);
		if (element >= accessor->count) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"accessors[%d].sparse.indices: element %zu is %u, but there are "
				"only %zu",
				index, i, element, accessor->count);
		}
		run.data = accessor->sparse_values + i * layout->size;
		read_run(&run, out + element * layout->columns * layout->rows * 4);
	}
	return true;
}

static bool read_all(
	const struct gltf *gltf, int index, const convert_fn *table, void *out, struct error *err) {
	const struct gltf_accessor *accessor = &gltf->accessors[index];
	const struct run run = {
		.data = accessor->data,
		.count = accessor->count,
		.stride = accessor->stride,
		.layout = gltf_accessor_layout(accessor->type, accessor->component),
		.convert = table[accessor->component],
		.normalized = accessor->normalized,
	};
	if (accessor->data) {
		read_run(&run, out);
	} else {
		memset(out, 0, accessor->count * gltf_accessor_width(accessor) * 4);
	}
	return accessor->sparse_count == 0 || read_sparse(gltf, index, run, out, err);
}

bool gltf_accessor_floats(const struct gltf *gltf, int index, float *out, struct error *err) {
	return read_all(gltf, index, to_floats, out, err);
}

bool gltf_accessor_integers(const struct gltf *gltf, int index, uint32_t *out, struct error *err) {
	return read_all(gltf, index, to_integers, out, err);
}

bool gltf_accessor_finite(const struct gltf *gltf, int index, float *out, struct error *err) {
	if (!gltf_accessor_floats(gltf, index, out, err)) {
		return false;
	}
	const size_t width = gltf_accessor_width(&gltf->accessors[index]);
	const size_t count = gltf->accessors[index].count * width;
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(out[i])) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"accessors[%d]: element %zu is not finite (%g)", index, i / width,
				(double)out[i]);
		}
	}
	return true;
}

const float *gltf_accessor_store(struct gltf *gltf, int index, struct error *err) {
	struct gltf_accessor *accessor = &gltf->accessors[index];
	if (!accessor->stored) {
		float *floats = gltf_storage(gltf, accessor->count,
			gltf_accessor_width(accessor) * sizeof *floats, "accessor", err);
		if (!floats || !gltf_accessor_finite(gltf, index, floats, err)) {
			return NULL;
		}
		accessor->stored = floats;
	}
	return accessor->stored;
}
