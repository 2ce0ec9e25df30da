/* Accessors: typed elements in a buffer. All are checked once when they are read from the document;
 * after that they are read whole. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "import/gltf_json.h"

struct gltf;
struct gltf_bytes;
struct gltf_primitive;

enum gltf_component {
	GLTF_BYTE,
	GLTF_UNSIGNED_BYTE,
	GLTF_SHORT,
	GLTF_UNSIGNED_SHORT,
	GLTF_UNSIGNED_INT,
	GLTF_FLOAT,
	GLTF_COMPONENT_COUNT,
};

enum gltf_type {
	GLTF_SCALAR,
	GLTF_VEC2,
	GLTF_VEC3,
	GLTF_VEC4,
	GLTF_MAT2,
	GLTF_MAT3,
	GLTF_MAT4,
	GLTF_TYPE_COUNT,
};

struct gltf_accessor {
	enum gltf_type type;
	enum gltf_component component;
	int view;                  // -1 = none
	size_t offset;             // of the first element in the view
	bool normalized;           // integers stand for [0, 1] or [-1, 1]
	size_t count;              // elements, >= 1
	const unsigned char *data; // first element, borrowed; NULL = all zero
	size_t stride;             // bytes from one element to the next
	size_t sparse_count;       // elements replaced; 0 = not sparse
	enum gltf_component sparse_component;
	const unsigned char *sparse_indices, *sparse_values; // tightly packed, borrowed
	const void *decoded_from; // compressed bytes behind data; NULL = data is the file's own
	bool is_decoded;          // the same of a buffer view that was compressed
	const float *stored;      // what gltf_accessor_store made of it; NULL = nothing yet
};

#define GLTF_BIT(component_or_type) (1u << (component_or_type))

/* The requirements of an accessor's reader. */
struct gltf_want {
	unsigned types;      // GLTF_BIT of each enum gltf_type
	unsigned components; // GLTF_BIT of each enum gltf_component
	bool whole_numbers;  // integers may stand for themselves; else they must be normalized
	size_t count;        // exactly so many elements; 0 = any number
};

/* Holds an accessor against what its reader can take. from is the member that names it. */
bool gltf_accessor_expect(const struct gltf *gltf, const struct gltf_item *from, int index,
	const struct gltf_want *want, struct error *err);

/* Reads the optional member of an object that names an accessor: an index, and as wanted. */
bool gltf_accessor_member(const struct gltf *gltf, const struct gltf_item *object, const char *name,
	const struct gltf_want *want, int *index, struct error *err);

/* glTF's number for a component type: 5120 to 5126. */
int gltf_accessor_code(enum gltf_component component);

/* Numbers per element. */
size_t gltf_accessor_width(const struct gltf_accessor *accessor);

/* Reads all elements as floats (normalized integers mapped to their range, matrices column by
 * column) or as integers (of an unsigned component type) into out [count][width]. Fails where a
 * sparse index is out of range. */
bool gltf_accessor_floats(const struct gltf *gltf, int index, float *out, struct error *err);
bool gltf_accessor_integers(const struct gltf *gltf, int index, uint32_t *out, struct error *err);

/* gltf_accessor_floats that also refuses what is not finite. */
bool gltf_accessor_finite(const struct gltf *gltf, int index, float *out, struct error *err);

/* gltf_accessor_finite into the rig's storage, once however often it is asked for. */
const float *gltf_accessor_store(struct gltf *gltf, int index, struct error *err);

/* The memory layout of an element. Vectors are one column. */
struct gltf_layout {
	size_t columns, rows;
	size_t column_stride; // bytes
	size_t size;          // bytes of the element with padding
	size_t used;          // without the padding behind its last column
	bool padded;          // there are bytes between columns
};

struct gltf_layout gltf_accessor_layout(enum gltf_type type, enum gltf_component component);

/* Decodes a primitive that is compressed, and gives its accessors their data, before they are read;
 * leaves other primitives alone. primitive->material must be set. Afterwards the indices are a
 * plain list of triangles, and primitive->is_list is true. */
bool gltf_draco_read(struct gltf *gltf, const struct gltf_item *object,
	struct gltf_primitive *primitive, struct error *err);

/* True when a buffer is only there for readers that do not know the extension. Such a buffer is
 * never fetched: every view into it is compressed. */
bool gltf_meshopt_fallback(const struct gltf_item *buffer, bool *fallback, struct error *err);

/* Decodes a view that is compressed into the arena, and puts the result in place of bytes->data;
 * leaves other views alone. bytes holds what the view itself says: its size and its stride. */
bool gltf_meshopt_read(struct gltf *gltf, const struct gltf_item *view, struct gltf_bytes *bytes,
	struct error *err);
