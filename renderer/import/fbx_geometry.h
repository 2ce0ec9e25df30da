/* The meshes of an FBX file: control points, polygons, and the layers on them. */
#pragma once

#include "import/fbx_objects.h"

/* The corners of a polygon that share a value of a layer. */
enum fbx_mapping {
	FBX_MAP_NONE, // there is no such layer, or by edges
	FBX_MAP_CORNER,
	FBX_MAP_POINT,
	FBX_MAP_POLYGON,
	FBX_MAP_ALL,
};

/* Values on corners, points or polygons. */
struct fbx_attribute {
	enum fbx_mapping mapping;
	size_t width; // numbers of a value
	const double *values;
	size_t value_count;
	const int64_t *indices; // of the values, by what is mapped; NULL = its own position
	size_t index_count;
};

#define FBX_UV_SETS 2

struct fbx_geometry {
	const struct fbx_object *object;
	size_t point_count;
	const double *points; // [point_count][3]
	size_t corner_count;
	const uint32_t *corner_points; // [corner_count] points of the polygons' corners
	size_t polygon_count;
	const uint32_t *first_corners; // [polygon_count + 1]
	struct fbx_attribute normals, uvs[FBX_UV_SETS], colors, materials;
};

/* Reads a Geometry of kind Mesh. Fails with ERROR_BROKEN_ASSET or ERROR_TOO_LARGE. */
bool fbx_geometry_read(struct fbx_geometry *out, struct fbx_tree *tree,
	const struct fbx_object *object, struct error *err);

/* The value of an attribute at a corner of a polygon; NULL = it has none there. */
const double *fbx_attribute_at(const struct fbx_geometry *geometry,
	const struct fbx_attribute *attribute, size_t polygon, size_t corner);

/* Cuts a polygon into corners - 2 triangles, of numbers of its corners: by its ears where it has
 * more than three. Returns the number of triangles; out has room for them. */
size_t fbx_triangulate(const struct fbx_geometry *geometry, size_t polygon, struct arena *arena,
	uint32_t (*out)[3]);
