// glTF's meshes: which accessors make up each primitive, checked against one another.
#include <stdio.h>

#include "import/gltf_accessor.h"
#include "import/gltf_document.h"
#include "import/limits.h"

#define BYTES (GLTF_BIT(GLTF_BYTE) | GLTF_BIT(GLTF_UNSIGNED_BYTE))
#define SHORTS (GLTF_BIT(GLTF_SHORT) | GLTF_BIT(GLTF_UNSIGNED_SHORT))
#define UNSIGNED_SMALL (GLTF_BIT(GLTF_UNSIGNED_BYTE) | GLTF_BIT(GLTF_UNSIGNED_SHORT))

/* The allowed types of an attribute: floats, and integers with KHR_mesh_quantization. */
static struct gltf_want attribute_want(
	const struct gltf *gltf, enum gltf_type type, unsigned quantized, size_t count) {
	return (struct gltf_want){
		.types = GLTF_BIT(type),
		.components = GLTF_BIT(GLTF_FLOAT) | (gltf->quantized ? quantized : 0),
		.whole_numbers = true,
		.count = count,
	};
}

static bool read_position(const struct gltf *gltf, const struct gltf_item *attributes,
	struct gltf_primitive *primitive, struct error *err) {
	const struct gltf_want want = attribute_want(gltf, GLTF_VEC3, BYTES | SHORTS, 0);
	if (!gltf_accessor_member(gltf, attributes, "POSITION", &want, &primitive->position, err)) {
		return false;
	}
	if (primitive->position >= 0) {
		primitive->vertex_count = gltf->accessors[primitive->position].count;
	}
	return true;
}

/* Normals and tangents; a tangent means nothing without a normal from the file. */
static bool read_frame(const struct gltf *gltf, const struct gltf_item *attributes,
	struct gltf_primitive *primitive, struct error *err) {
	const size_t count = primitive->vertex_count;
	const struct gltf_want normal = attribute_want(gltf, GLTF_VEC3, BYTES | SHORTS, count);
	const struct gltf_want tangent = attribute_want(gltf, GLTF_VEC4, BYTES | SHORTS, count);
	if (!gltf_accessor_member(gltf, attributes, "NORMAL", &normal, &primitive->normal, err) ||
		!gltf_accessor_member(
			gltf, attributes, "TANGENT", &tangent, &primitive->tangent, err)) {
		return false;
	}
	if (primitive->normal < 0) {
		primitive->tangent = -1;
	}
	return true;
}

/* The sets that the material's textures use. */
static bool read_texcoords(const struct gltf *gltf, const struct gltf_item *attributes,
	struct gltf_primitive *primitive, struct error *err) {
	const struct gltf_texcoords *texcoords = gltf_texcoords_of(gltf, primitive->material);
	// Bytes and shorts are part of glTF 2.0 here, if normalized.
	struct gltf_want want =
		attribute_want(gltf, GLTF_VEC2, BYTES | SHORTS, primitive->vertex_count);
	want.components |= UNSIGNED_SMALL;
	want.whole_numbers = gltf->quantized;
	for (int i = 0; i < texcoords->count; i++) {
		char name[40];
		snprintf(name, sizeof name, "TEXCOORD_%zu", texcoords->sets[i]);
		if (!gltf_accessor_member(
			    gltf, attributes, name, &want, &primitive->texcoords[i], err)) {
			return false;
		}
	}
	return true;
}

static bool read_color(const struct gltf *gltf, const struct gltf_item *attributes,
	struct gltf_primitive *primitive, struct error *err) {
	const struct gltf_want want = {.types = GLTF_BIT(GLTF_VEC3) | GLTF_BIT(GLTF_VEC4),
		.components = UNSIGNED_SMALL | GLTF_BIT(GLTF_FLOAT),
		.count = primitive->vertex_count};
	return gltf_accessor_member(gltf, attributes, "COLOR_0", &want, &primitive->color, err);
}

/* Our own: how much of dual quaternions a vertex takes where lbs_dqs_mix is asked for as painted.
 */
static bool read_dqs_mix(const struct gltf *gltf, const struct gltf_item *attributes,
	struct gltf_primitive *primitive, struct error *err) {
	const struct gltf_want want = {.types = GLTF_BIT(GLTF_SCALAR),
		.components = UNSIGNED_SMALL | GLTF_BIT(GLTF_FLOAT),
		.count = primitive->vertex_count};
	return gltf_accessor_member(gltf, attributes, "_DQS_MIX", &want, &primitive->dqs_mix, err);
}

/* One set of four influences. */
struct influence_set {
	size_t count;        // elements that both accessors must have
	int joints, weights; // accessors; -1 = none
};

/* JOINTS_n and WEIGHTS_n of one n; set->count is given. */
static bool read_influence_set(const struct gltf *gltf, const struct gltf_item *attributes, int n,
	struct influence_set *set, struct error *err) {
	const struct gltf_want joints = {.types = GLTF_BIT(GLTF_VEC4),
		.components = UNSIGNED_SMALL,
		.whole_numbers = true,
		.count = set->count};
	const struct gltf_want weights = {.types = GLTF_BIT(GLTF_VEC4),
		.components = UNSIGNED_SMALL | GLTF_BIT(GLTF_FLOAT),
		.count = set->count};
	char joints_name[32], weights_name[32];
	snprintf(joints_name, sizeof joints_name, "JOINTS_%d", n);
	snprintf(weights_name, sizeof weights_name, "WEIGHTS_%d", n);
	if (!gltf_accessor_member(gltf, attributes, joints_name, &joints, &set->joints, err) ||
		!gltf_accessor_member(
			gltf, attributes, weights_name, &weights, &set->weights, err)) {
		return false;
	}
	return (set->joints < 0) == (set->weights < 0) ||
		gltf_broken(
			attributes, err, "%s and %s must come together", joints_name, weights_name);
}

/* All sets from 0 on without a gap; returns how many, -1 with *err. */
static int find_influence_sets(const struct gltf *gltf, const struct gltf_item *attributes,
	size_t vertex_count, struct influence_set *sets, struct error *err) {
	for (int n = 0; n <= IMPORT_INFLUENCE_SETS_MAX; n++) {
		struct influence_set set = {.count = vertex_count};
		if (!read_influence_set(gltf, attributes, n, &set, err)) {
			return -1;
		}
		if (set.joints < 0) {
			return n;
		}
		if (n < IMPORT_INFLUENCE_SETS_MAX) {
			sets[n] = set;
		}
	}
	char place[GLTF_PLACE_BYTES];
	gltf_place(attributes, place);
	error_set(err, ERROR_TOO_LARGE, "%s: more than %d sets of joints and weights", place,
		IMPORT_INFLUENCE_SETS_MAX);
	return -1;
}

static bool read_influences(struct gltf *gltf, const struct gltf_item *attributes,
	struct gltf_primitive *primitive, struct error *err) {
	struct influence_set sets[IMPORT_INFLUENCE_SETS_MAX];
	const int count = find_influence_sets(gltf, attributes, primitive->vertex_count, sets, err);
	if (count < 0) {
		return false;
	}
	int *accessors = arena_alloc(gltf->arena, (size_t)count * 2, sizeof *accessors);
	for (int i = 0; i < count; i++) {
		accessors[i] = sets[i].joints;
		accessors[count + i] = sets[i].weights;
	}
	primitive->set_count = count;
	primitive->joints = accessors;
	primitive->weights = accessors + count;
	return true;
}

static bool read_target(const struct gltf *gltf, const struct gltf_item *object, size_t count,
	struct gltf_target *target, struct error *err) {
	const struct gltf_want want = attribute_want(gltf, GLTF_VEC3, BYTES | SHORTS, count);
	return gltf_accessor_member(gltf, object, "POSITION", &want, &target->position, err) &&
		gltf_accessor_member(gltf, object, "NORMAL", &want, &target->normal, err) &&
		gltf_accessor_member(gltf, object, "TANGENT", &want, &target->tangent, err);
}

static bool read_targets(struct gltf *gltf, const struct gltf_item *object,
	struct gltf_primitive *primitive, struct error *err) {
	struct gltf_item list, item;
	if (!gltf_list(object, "targets", &list, err)) {
		return false;
	}
	const size_t count = gltf_list_size(&list);
	if (count > IMPORT_MORPHS_MAX) {
		return gltf_broken(&list, err, "has %zu morph targets, too many", count);
	}
	struct gltf_target *targets = arena_alloc(gltf->arena, count, sizeof *targets);
	for (size_t i = 0; i < count; i++) {
		if (!gltf_element_object(&list, i, &item, err) ||
			!read_target(gltf, &item, primitive->vertex_count, &targets[i], err)) {
			return false;
		}
	}
	primitive->target_count = (int)count;
	primitive->targets = targets;
	return true;
}

static bool read_topology(const struct gltf *gltf, const struct gltf_item *object,
	struct gltf_primitive *primitive, struct error *err) {
	const struct gltf_want want = {.types = GLTF_BIT(GLTF_SCALAR),
		.components = UNSIGNED_SMALL | GLTF_BIT(GLTF_UNSIGNED_INT),
		.whole_numbers = true};
	size_t mode = GLTF_TRIANGLES;
	if (!gltf_size(object, "mode", &mode, err) ||
		!gltf_accessor_member(gltf, object, "indices", &want, &primitive->indices, err)) {
		return false;
	}
	if (mode >= GLTF_MODE_COUNT) {
		return gltf_broken(object, err, "mode is %zu, must be from 0 to %d", mode,
			GLTF_MODE_COUNT - 1);
	}
	primitive->mode = primitive->is_list ? GLTF_TRIANGLES : (enum gltf_mode)mode;
	primitive->source_count = primitive->indices < 0
		? primitive->vertex_count
		: gltf->accessors[primitive->indices].count;
	return true;
}

static bool read_primitive(struct gltf *gltf, const struct gltf_item *object,
	struct gltf_primitive *primitive, struct error *err) {
	struct gltf_item attributes;
	*primitive = (struct gltf_primitive){.position = -1,
		.normal = -1,
		.tangent = -1,
		.texcoords = {-1, -1},
		.color = -1,
		.dqs_mix = -1,
		.indices = -1,
		.material = -1};
	if (!gltf_object(object, "attributes", &attributes, err) ||
		!gltf_index(object, "material", gltf->material_count, &primitive->material, err) ||
		!gltf_draco_read(gltf, object, primitive, err) ||
		!read_position(gltf, &attributes, primitive, err)) {
		return false;
	}
	if (primitive->position < 0) {
		gltf_breach(
			gltf, GLTF_MESH_PRIMITIVE_NO_POSITION, object, "has no POSITION; left out");
		// Its targets still count as the mesh's.
		return read_targets(gltf, object, primitive, err);
	}
	return read_frame(gltf, &attributes, primitive, err) &&
		read_texcoords(gltf, &attributes, primitive, err) &&
		read_color(gltf, &attributes, primitive, err) &&
		read_dqs_mix(gltf, &attributes, primitive, err) &&
		read_influences(gltf, &attributes, primitive, err) &&
		read_topology(gltf, object, primitive, err) &&
		gltf_read_mappings(gltf, object, primitive, err) &&
		read_targets(gltf, object, primitive, err);
}

static bool read_primitives(struct gltf *gltf, const struct gltf_item *object,
	struct gltf_mesh *mesh, struct error *err) {
	struct gltf_item list, item;
	if (!gltf_list(object, "primitives", &list, err)) {
		return false;
	}
	const size_t count = gltf_list_size(&list);
	if (count < 1 || count > IMPORT_PRIMITIVES_MAX) {
		return gltf_broken(object, err, "has %zu primitives, must have from 1 to %zu",
			count, IMPORT_PRIMITIVES_MAX);
	}
	struct gltf_primitive *primitives = arena_alloc(gltf->arena, count, sizeof *primitives);
	for (size_t i = 0; i < count; i++) {
		if (!gltf_element_object(&list, i, &item, err) ||
			!read_primitive(gltf, &item, &primitives[i], err)) {
			return false;
		}
		if (primitives[i].target_count != primitives[0].target_count) {
			return gltf_broken(&item, err,
				"has %d morph targets, the mesh's first primitive %d",
				primitives[i].target_count, primitives[0].target_count);
		}
	}
	mesh->primitive_count = (int)count;
	mesh->primitives = primitives;
	mesh->target_count = primitives[0].target_count;
	return true;
}

static bool read_mesh(struct gltf *gltf, const struct gltf_item *object, struct gltf_mesh *mesh,
	struct error *err) {
	if (!read_primitives(gltf, object, mesh, err)) {
		return false;
	}
	const size_t targets = (size_t)mesh->target_count;
	float *weights = arena_alloc(gltf->arena, targets, sizeof *weights);
	mesh->weights = weights;
	return gltf_numbers(object, "weights", targets, weights, err);
}

bool gltf_read_meshes(struct gltf *gltf, struct error *err) {
	struct gltf_item list, object;
	if (!gltf_document_list(gltf, "meshes", &list, &gltf->mesh_count, err)) {
		return false;
	}
	gltf->meshes = arena_alloc(gltf->arena, (size_t)gltf->mesh_count, sizeof *gltf->meshes);
	for (int i = 0; i < gltf->mesh_count; i++) {
		if (!gltf_element_object(&list, (size_t)i, &object, err) ||
			!read_mesh(gltf, &object, &gltf->meshes[i], err)) {
			return false;
		}
	}
	return true;
}
