/* Shared by the two halves of gltf_accessor: checking and reading. */
#pragma once

#include "import/gltf_accessor.h"

/* How an element lies in memory. Vectors are one column. */
struct gltf_layout {
	size_t columns, rows;
	size_t column_stride; // bytes
	size_t size;          // bytes of the element with padding
	size_t used;          // without the padding behind its last column
	bool padded;          // there are bytes between columns
};

struct gltf_layout gltf_accessor_layout(enum gltf_type type, enum gltf_component component);
