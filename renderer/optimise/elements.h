/* Accessors' elements as they stand in a GLB, and the meshes that name accessors. */
#pragma once

#include "optimise/parts.h"

enum component {
	COMPONENT_BYTE = 5120,
	COMPONENT_UNSIGNED_BYTE = 5121,
	COMPONENT_SHORT = 5122,
	COMPONENT_UNSIGNED_SHORT = 5123,
	COMPONENT_UNSIGNED_INT = 5125,
	COMPONENT_FLOAT = 5126,
};

struct elements {
	size_t at, stride, count; // bytes in the chunk, and between elements
	size_t size;              // bytes of an element
	int component, width;     // enum component; numbers of an element
	bool normalized;
};

/* Bytes of an accessor's element; 0 for matrices whose columns are filled up, and for nonsense. */
size_t elements_bytes(struct json_span accessor);

/* False for elements that are sparse, packed, elsewhere or beyond the end. */
bool elements_find(const struct parts *parts, int accessor, struct elements *out);

/* A number of floats. */
float elements_float(const struct parts *parts, const struct elements *elements, size_t i, int k);

/* An accessor that a mesh names: "POSITION" of an attribute or of a morph target. */
struct mesh_name {
	enum { MESH_ATTRIBUTE, MESH_TARGET, MESH_INDICES } use;
	struct json_span name, accessor;
};

typedef void mesh_visit(void *context, const struct mesh_name *named);

/* Visits all that a mesh, or one primitive, names. */
void mesh_walk(struct json_span mesh, mesh_visit *visit, void *context);
void primitive_walk(struct json_span primitive, mesh_visit *visit, void *context);

/* The mesh's name as it stands in the file, or "mesh 3". */
void mesh_name(struct json_span mesh, int index, char *out, size_t size);
