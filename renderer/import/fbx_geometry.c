// The meshes of an FBX file.
#include "import/fbx_geometry.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "import/limits.h"

/* Ears are looked for in the square of the corners' number. */
#define EARS_CORNERS_MAX 1024

static bool broken(const struct fbx_object *object, struct error *err, const char *words) {
	return error_set(
		err, ERROR_BROKEN_ASSET, "Geometry %lld: %s", (long long)object->id, words);
}

static enum fbx_mapping read_mapping(const struct fbx_record *layer) {
	static const struct {
		const char *name;
		enum fbx_mapping mapping;
	} names[] = {
		{"ByPolygonVertex", FBX_MAP_CORNER},
		{"ByVertice", FBX_MAP_POINT},
		{"ByVertex", FBX_MAP_POINT},
		{"ByControlPoint", FBX_MAP_POINT},
		{"ByPolygon", FBX_MAP_POLYGON},
		{"AllSame", FBX_MAP_ALL},
	};
	const char *mapping = fbx_child_text(layer, "MappingInformationType", "");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(mapping, names[i].name) == 0) {
			return names[i].mapping;
		}
	}
	return FBX_MAP_NONE;
}

static bool read_attribute(struct fbx_attribute *out, struct fbx_tree *tree,
	const struct fbx_record *layer, const char *values, const char *indices, size_t width,
	struct error *err) {
	if (!layer) {
		return true;
	}
	size_t count;
	out->mapping = read_mapping(layer);
	out->width = width;
	out->values = fbx_reals(tree, layer, values, &count, err);
	if (!out->values) {
		return false;
	}
	out->value_count = count / width;
	if (strcmp(fbx_child_text(layer, "ReferenceInformationType", ""), "Direct") == 0) {
		return true;
	}
	out->indices = fbx_integers(tree, layer, indices, &out->index_count, err);
	if (out->indices && out->index_count == 0) {
		out->indices = NULL; // some writers leave out those that count up
		return true;
	}
	return out->indices;
}

/* Layers of a kind in the order of the file. */
static const struct fbx_record *layer(
	const struct fbx_object *object, const char *name, int index) {
	const struct fbx_record *found = fbx_child(object->record, name);
	while (found && index-- > 0) {
		found = fbx_find(found->next, name);
	}
	return found;
}

/* The materials' numbers are their own indices. */
static bool read_materials(struct fbx_geometry *out, struct fbx_tree *tree, struct error *err) {
	const struct fbx_record *found = layer(out->object, "LayerElementMaterial", 0);
	if (!found) {
		return true;
	}
	out->materials.mapping = read_mapping(found);
	out->materials.width = 1;
	out->materials.values =
		fbx_reals(tree, found, "Materials", &out->materials.value_count, err);
	return out->materials.values;
}

static bool read_attributes(struct fbx_geometry *out, struct fbx_tree *tree, struct error *err) {
	for (int set = 0; set < FBX_UV_SETS; set++) {
		if (!read_attribute(&out->uvs[set], tree, layer(out->object, "LayerElementUV", set),
			    "UV", "UVIndex", 2, err)) {
			return false;
		}
	}
	return read_attribute(&out->normals, tree, layer(out->object, "LayerElementNormal", 0),
		       "Normals", "NormalsIndex", 3, err) &&
		read_attribute(&out->colors, tree, layer(out->object, "LayerElementColor", 0),
			"Colors", "ColorIndex", 4, err) &&
		read_materials(out, tree, err);
}

/* The corner that ends a polygon has its point's complement. */
static bool read_polygons(struct fbx_geometry *out, struct fbx_tree *tree, struct error *err) {
	size_t count;
	const int64_t *indices =
		fbx_integers(tree, out->object->record, "PolygonVertexIndex", &count, err);
	if (!indices) {
		return false;
	}
	if (count > IMPORT_INDICES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "Geometry %lld: more than %zu corners",
			(long long)out->object->id, IMPORT_INDICES_MAX);
	}
	uint32_t *points = arena_alloc(tree->arena, count, sizeof *points);
	uint32_t *first = arena_alloc(tree->arena, count + 1, sizeof *first);
	for (size_t i = 0; i < count; i++) {
		const int64_t point = indices[i] < 0 ? -1 - indices[i] : indices[i];
		if ((uint64_t)point >= out->point_count) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"Geometry %lld: corner %zu is at point %lld, but there are %zu",
				(long long)out->object->id, i, (long long)point, out->point_count);
		}
		points[i] = (uint32_t)point;
		if (indices[i] < 0 || i + 1 == count) {
			first[++out->polygon_count] = (uint32_t)(i + 1);
		}
	}
	out->corner_count = count;
	out->corner_points = points;
	out->first_corners = first;
	return true;
}

bool fbx_geometry_read(struct fbx_geometry *out, struct fbx_tree *tree,
	const struct fbx_object *object, struct error *err) {
	size_t count;
	*out = (struct fbx_geometry){.object = object};
	out->points = fbx_reals(tree, object->record, "Vertices", &count, err);
	if (!out->points) {
		return false;
	}
	out->point_count = count / 3;
	if (out->point_count > IMPORT_VERTICES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "Geometry %lld: more than %zu points",
			(long long)object->id, IMPORT_VERTICES_MAX);
	}
	for (size_t i = 0; i < out->point_count * 3; i++) {
		if (!isfinite(out->points[i]) || fabs(out->points[i]) > 1e30) {
			return broken(object, err, "a point is not finite");
		}
	}
	return read_polygons(out, tree, err) && read_attributes(out, tree, err);
}

const double *fbx_attribute_at(const struct fbx_geometry *geometry,
	const struct fbx_attribute *attribute, size_t polygon, size_t corner) {
	size_t at = 0;
	switch (attribute->mapping) {
	case FBX_MAP_NONE:
		return NULL;
	case FBX_MAP_CORNER:
		at = corner;
		break;
	case FBX_MAP_POINT:
		at = geometry->corner_points[corner];
		break;
	case FBX_MAP_POLYGON:
		at = polygon;
		break;
	case FBX_MAP_ALL:
		break;
	}
	if (attribute->indices) {
		if (at >= attribute->index_count || attribute->indices[at] < 0) {
			return NULL;
		}
		at = (size_t)attribute->indices[at];
	}
	return at < attribute->value_count ? &attribute->values[at * attribute->width] : NULL;
}

/* --- Triangles --- */

/* A polygon seen along its normal. */
struct outline {
	size_t count;
	double (*corners)[2];
	uint32_t *left; // those that are not cut off yet
};

/* Newell's normal, of any length. */
static void find_normal(
	const struct fbx_geometry *geometry, size_t first, size_t count, double normal[static 3]) {
	normal[0] = normal[1] = normal[2] = 0;
	for (size_t i = 0; i < count; i++) {
		const double *a = &geometry->points[geometry->corner_points[first + i] * 3ul];
		const double *b =
			&geometry->points[geometry->corner_points[first + (i + 1) % count] * 3ul];
		for (int k = 0; k < 3; k++) {
			const int u = (k + 1) % 3, v = (k + 2) % 3;
			normal[k] += (a[u] - b[u]) * (a[v] + b[v]);
		}
	}
}

/* Drops the coordinate in which the normal is longest; the outline then runs counter-clockwise. */
static void project(const struct fbx_geometry *geometry, size_t first, struct outline *outline) {
	double normal[3];
	find_normal(geometry, first, outline->count, normal);
	int longest = 0;
	for (int k = 1; k < 3; k++) {
		longest = fabs(normal[k]) > fabs(normal[longest]) ? k : longest;
	}
	const int u = (longest + 1) % 3, v = (longest + 2) % 3;
	const double sign = normal[longest] < 0 ? -1 : 1;
	for (size_t i = 0; i < outline->count; i++) {
		const double *p = &geometry->points[geometry->corner_points[first + i] * 3ul];
		outline->corners[i][0] = p[u];
		outline->corners[i][1] = sign * p[v];
		outline->left[i] = (uint32_t)i;
	}
}

static double area(const double a[2], const double b[2], const double c[2]) {
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* True when the corner between two others sticks out, and none of the rest is inside of it. */
static bool is_ear(const struct outline *outline, size_t left, size_t at) {
	const uint32_t before = outline->left[(at + left - 1) % left];
	const uint32_t behind = outline->left[(at + 1) % left];
	const double *a = outline->corners[before], *b = outline->corners[outline->left[at]];
	const double *c = outline->corners[behind];
	if (!(area(a, b, c) > 0)) {
		return false;
	}
	for (size_t i = 0; i < left; i++) {
		const uint32_t other = outline->left[i];
		const double *p = outline->corners[other];
		if (other != before && other != outline->left[at] && other != behind &&
			area(a, b, p) >= 0 && area(b, c, p) >= 0 && area(c, a, p) >= 0) {
			return false;
		}
	}
	return true;
}

static size_t cut_ears(struct outline *outline, uint32_t (*out)[3]) {
	size_t left = outline->count, made = 0, at = 0;
	while (left > 3) {
		// From the corner before the last ear on: those before it were none, and few of
		// them have become one. Of a polygon that crosses itself any corner will do in the
		// end.
		const size_t first = at > 0 ? at - 1 : 0;
		size_t tried = 0;
		while (tried < left && !is_ear(outline, left, (first + tried) % left)) {
			tried++;
		}
		at = tried < left ? (first + tried) % left : 0;
		out[made][0] = outline->left[(at + left - 1) % left];
		out[made][1] = outline->left[at];
		out[made++][2] = outline->left[(at + 1) % left];
		memmove(&outline->left[at], &outline->left[at + 1],
			(left - at - 1) * sizeof *outline->left);
		left--;
	}
	memcpy(out[made], outline->left, sizeof out[made]);
	return made + 1;
}

size_t fbx_triangulate(const struct fbx_geometry *geometry, size_t polygon, struct arena *arena,
	uint32_t (*out)[3]) {
	const size_t first = geometry->first_corners[polygon];
	const size_t count = geometry->first_corners[polygon + 1] - first;
	if (count > 3 && count <= EARS_CORNERS_MAX) {
		double room[8][2];
		uint32_t left[8];
		struct outline outline = {count, room, left};
		if (count > 8) {
			outline.corners = arena_alloc(arena, count, sizeof *outline.corners);
			outline.left = arena_alloc(arena, count, sizeof *outline.left);
		}
		project(geometry, first, &outline);
		return cut_ears(&outline, out);
	}
	for (size_t i = 0; i + 2 < count; i++) {
		out[i][0] = 0;
		out[i][1] = (uint32_t)(i + 1);
		out[i][2] = (uint32_t)(i + 2);
	}
	return count > 2 ? count - 2 : 0;
}
