/* Accessors: typed elements in a buffer. All are checked once when they are read from the document;
 * after that they are read whole. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "import/gltf_json.h"

struct gltf;

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

/* What a reader of an accessor can take. */
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
