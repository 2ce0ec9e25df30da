// EXT_mesh_gpu_instancing: the places of a node's mesh, each a transform within the node.
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "import/gltf_accessor.h"
#include "import/gltf_document.h"
#include "import/limits.h"

/* The accessors of a node's instances; -1 = none. */
struct attributes {
	int translation, rotation, scale;
	size_t count; // of instances; 0 = the node says nothing of any
};

static bool read_attribute(const struct gltf *gltf, const struct gltf_item *object,
	const char *name, enum gltf_type type, unsigned integers, struct attributes *attributes,
	int *index, struct error *err) {
	const struct gltf_want want = {.types = GLTF_BIT(type),
		.components = GLTF_BIT(GLTF_FLOAT) | integers,
		.count = attributes->count};
	*index = -1;
	if (!gltf_accessor_member(gltf, object, name, &want, index, err)) {
		return false;
	}
	if (*index >= 0) {
		attributes->count = gltf->accessors[*index].count;
	}
	return true;
}

/* All have as many elements as the first one. */
static bool read_attributes(const struct gltf *gltf, const struct gltf_item *object,
	struct attributes *out, struct error *err) {
	const unsigned signed_numbers = GLTF_BIT(GLTF_BYTE) | GLTF_BIT(GLTF_SHORT);
	*out = (struct attributes){0};
	return read_attribute(
		       gltf, object, "TRANSLATION", GLTF_VEC3, 0, out, &out->translation, err) &&
		read_attribute(gltf, object, "ROTATION", GLTF_VEC4, signed_numbers, out,
			&out->rotation, err) &&
		read_attribute(gltf, object, "SCALE", GLTF_VEC3, 0, out, &out->scale, err);
}

/* An attribute's numbers; NULL with *err, and without where there is no such attribute. */
static bool read_numbers(
	struct gltf *gltf, int accessor, size_t count, float **numbers, struct error *err) {
	*numbers = NULL;
	if (accessor < 0) {
		return true;
	}
	*numbers = arena_alloc(gltf->arena, count * gltf_accessor_width(&gltf->accessors[accessor]),
		sizeof **numbers);
	return gltf_accessor_finite(gltf, accessor, *numbers, err);
}

static void make_matrix(const float *translation, const float *rotation, const float *scale,
	double matrix[static 12]) {
	struct transform place = TRANSFORM_IDENTITY;
	if (translation) {
		memcpy(place.translation, translation, sizeof place.translation);
	}
	if (rotation) {
		double q[4] = {(double)rotation[0], (double)rotation[1], (double)rotation[2],
			(double)rotation[3]};
		quat_normalize(q);
		for (int i = 0; i < 4; i++) {
			place.rotation[i] = (float)q[i];
		}
	}
	if (scale) {
		memcpy(place.scale, scale, sizeof place.scale);
	}
	mat_from_transform(place.translation, place.rotation, place.scale, matrix);
}

static bool read_places(struct gltf *gltf, struct gltf_node *node,
	const struct attributes *attributes, struct error *err) {
	float *translations, *rotations, *scales;
	const size_t count = attributes->count;
	if (!read_numbers(gltf, attributes->translation, count, &translations, err) ||
		!read_numbers(gltf, attributes->rotation, count, &rotations, err) ||
		!read_numbers(gltf, attributes->scale, count, &scales, err)) {
		return false;
	}
	double(*places)[12] = arena_alloc(gltf->arena, count, sizeof *places);
	for (size_t i = 0; i < count; i++) {
		make_matrix(translations ? translations + 3 * i : NULL,
			rotations ? rotations + 4 * i : NULL, scales ? scales + 3 * i : NULL,
			places[i]);
	}
	node->instance_count = (int)count;
	node->instances = (const double(*)[12])places;
	return true;
}

bool gltf_read_instances(
	struct gltf *gltf, struct gltf_node *node, size_t *left, struct error *err) {
	struct gltf_item extensions, extension, object;
	struct attributes attributes;
	if (!gltf_object(&node->item, "extensions", &extensions, err) ||
		!gltf_object(&extensions, "EXT_mesh_gpu_instancing", &extension, err) ||
		!gltf_object(&extension, "attributes", &object, err) ||
		!read_attributes(gltf, &object, &attributes, err)) {
		return false;
	}
	if (attributes.count == 0) {
		return true;
	}
	if (node->skin >= 0) {
		gltf_warn(gltf->rig, &extension,
			"is for meshes without a skin; the mesh is drawn once");
		return true;
	}
	if (attributes.count > *left) {
		return error_set(err, ERROR_TOO_LARGE,
			"the scene has more than %zu instances of meshes", IMPORT_INSTANCES_MAX);
	}
	*left -= attributes.count;
	return read_places(gltf, node, &attributes, err);
}
