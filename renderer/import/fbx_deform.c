// Skins and blend shapes of FBX.
#include "import/fbx_deform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"

/* Per cent at which a shape has all its effect, unless it says another. */
#define FULL_WEIGHT 100.0

/* --- Skins --- */

/* A matrix of sixteen numbers, in columns; false where it is absent, zero or not finite. */
static bool read_matrix(struct fbx_tree *tree, const struct fbx_record *record, const char *name,
	double out[static 12]) {
	size_t count;
	struct error why = {0};
	const double *numbers = fbx_reals(tree, record, name, &count, &why);
	bool zero = true;
	if (!numbers || count != 16) {
		return false;
	}
	for (int i = 0; i < 12; i++) {
		out[i] = numbers[i % 4 * 4 + i / 4];
		zero = zero && out[i] == 0;
		if (!isfinite(out[i])) {
			return false;
		}
	}
	return !zero;
}

/* Without any matrix they were bound as they rest. */
static bool read_bind(struct fbx_tree *tree, const struct fbx_record *record,
	const double bone_world[static 12], const double mesh_world[static 12],
	double out[static 12]) {
	double link[12];
	if (read_matrix(tree, record, "Transform", out)) {
		return true;
	}
	if (!read_matrix(tree, record, "TransformLink", link)) {
		memcpy(link, bone_world, sizeof link);
	}
	if (!mat_invert(link, link)) {
		return false;
	}
	mat_multiply(link, mesh_world, out);
	return true;
}

static bool read_points(struct fbx_tree *tree, const struct fbx_object *object,
	const struct fbx_record *record, size_t point_count, const int64_t **points, size_t *count,
	struct error *err) {
	*points = fbx_integers(tree, record, "Indexes", count, err);
	for (size_t i = 0; *points && i < *count; i++) {
		if ((uint64_t)(*points)[i] >= point_count) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"%s %lld: names point %lld, but the mesh has %zu", object->type,
				(long long)object->id, (long long)(*points)[i], point_count);
		}
	}
	return *points;
}

/* *taken is false for a cluster that moves nothing, or whose node is not there. */
static bool read_cluster(struct fbx_cluster *out, struct fbx_tree *tree,
	const struct fbx_objects *objects, const struct fbx_nodes *nodes,
	const struct fbx_geometry *geometry, const struct fbx_object *object, int mesh_node,
	const double (*worlds)[12], bool *taken, struct error *err) {
	const struct fbx_object *bone = fbx_first_child(objects, object, "Model", NULL, NULL);
	size_t weight_count;
	*taken = false;
	out->node = bone ? nodes->of_object[bone - objects->objects] : -1;
	if (out->node < 0 ||
		!read_bind(tree, object->record, worlds[out->node], worlds[mesh_node], out->bind)) {
		return true;
	}
	if (!read_points(tree, object, object->record, geometry->point_count, &out->points,
		    &out->count, err)) {
		return false;
	}
	out->weights = fbx_reals(tree, object->record, "Weights", &weight_count, err);
	if (!out->weights) {
		return false;
	}
	if (weight_count != out->count) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"Deformer %lld: %zu weights for %zu points", (long long)object->id,
			weight_count, out->count);
	}
	*taken = true;
	return true;
}

static bool read_skinning(struct fbx_skin *out, struct fbx_tree *tree,
	const struct fbx_object *object, struct error *err) {
	const char *type = fbx_child_text(object->record, "SkinningType", "Linear");
	out->skinning = strcmp(type, "DualQuaternion") == 0 ? FBX_SKINNING_DUAL_QUATERNION
		: strcmp(type, "Blend") == 0                ? FBX_SKINNING_BLEND
							    : FBX_SKINNING_LINEAR;
	if (out->skinning == FBX_SKINNING_BLEND) {
		out->blend =
			fbx_reals(tree, object->record, "BlendWeights", &out->blend_count, err);
		return out->blend;
	}
	return true;
}

bool fbx_skin_read(struct fbx_skin *out, struct fbx_tree *tree, const struct fbx_objects *objects,
	const struct fbx_nodes *nodes, const struct fbx_geometry *geometry, int mesh_node,
	const double (*worlds)[12], struct error *err) {
	int at = 0;
	*out = (struct fbx_skin){0};
	const struct fbx_object *skin =
		fbx_next_child(objects, geometry->object, &at, "Deformer", "Skin", NULL);
	if (!skin) {
		return true;
	}
	while (fbx_next_child(objects, geometry->object, &at, "Deformer", "Skin", NULL)) {
		out->more++;
	}
	struct fbx_cluster *clusters =
		arena_alloc(tree->arena, (size_t)skin->child_count, sizeof *clusters);
	const struct fbx_object *cluster;
	for (at = 0; (cluster = fbx_next_child(objects, skin, &at, "Deformer", "Cluster", NULL));) {
		bool taken;
		if (!read_cluster(&clusters[out->cluster_count], tree, objects, nodes, geometry,
			    cluster, mesh_node, worlds, &taken, err)) {
			return false;
		}
		out->cluster_count += taken;
	}
	out->clusters = clusters;
	return read_skinning(out, tree, skin, err);
}

/* --- Blend shapes --- */

/* The offsets of a shape in a record of an object. */
static bool read_shape(struct fbx_shape *out, struct fbx_tree *tree,
	const struct fbx_geometry *geometry, const struct fbx_object *object,
	const struct fbx_record *record, struct error *err) {
	size_t offsets, normals;
	if (!read_points(
		    tree, object, record, geometry->point_count, &out->points, &out->count, err)) {
		return false;
	}
	out->offsets = fbx_reals(tree, record, "Vertices", &offsets, err);
	out->normals = fbx_reals(tree, record, "Normals", &normals, err);
	if (!out->offsets || !out->normals) {
		return false;
	}
	if (offsets != out->count * 3) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"%s %lld: %zu numbers for the offsets of %zu points", object->type,
			(long long)object->id, offsets, out->count);
	}
	out->normals = normals == offsets ? out->normals : NULL;
	out->full_weight = FULL_WEIGHT;
	return true;
}

static int compare_shapes(const void *first, const void *second) {
	const struct fbx_shape *a = first, *b = second;
	return (a->full_weight > b->full_weight) - (a->full_weight < b->full_weight);
}

/* Blender writes one full weight for each point, by which the point's offset is multiplied. */
static void weight_points(struct fbx_tree *tree, struct fbx_shape *shape, const double *weights) {
	double *offsets = arena_alloc(tree->arena, shape->count, 3 * sizeof *offsets);
	for (size_t i = 0; i < shape->count * 3; i++) {
		offsets[i] = shape->offsets[i] * weights[i / 3] / FULL_WEIGHT;
	}
	shape->offsets = offsets;
}

static bool read_full_weights(struct fbx_tree *tree, const struct fbx_object *object,
	struct fbx_shape *shapes, int count, struct error *err) {
	size_t weight_count;
	const double *weights = fbx_reals(tree, object->record, "FullWeights", &weight_count, err);
	if (!weights) {
		return false;
	}
	const char *creator =
		fbx_child_text(fbx_find(tree->first, "FBXHeaderExtension"), "Creator", "");
	for (int i = 0; i < count; i++) {
		if (strstr(creator, "Blender")) {
			if (weight_count == shapes[i].count) {
				weight_points(tree, &shapes[i], weights);
			}
		} else if ((size_t)i < weight_count && isfinite(weights[i]) && weights[i] != 0) {
			shapes[i].full_weight = weights[i];
		}
	}
	return true;
}

static bool read_channel(struct fbx_channel *out, struct fbx_tree *tree,
	const struct fbx_objects *objects, const struct fbx_geometry *geometry,
	const struct fbx_object *object, struct error *err) {
	const struct fbx_object *shape;
	struct fbx_shape *shapes =
		arena_alloc(tree->arena, (size_t)object->child_count, sizeof *shapes);
	const double field = fbx_real_at(fbx_child(object->record, "DeformPercent"), 0, 0);
	*out = (struct fbx_channel){
		.object = (int)(object - objects->objects),
		.property = "DeformPercent",
		.rest_percent = fbx_property_real(object, "DeformPercent", field),
	};
	for (int at = 0;
		(shape = fbx_next_child(objects, object, &at, "Geometry", "Shape", NULL));) {
		if (!read_shape(
			    &shapes[out->shape_count], tree, geometry, shape, shape->record, err)) {
			return false;
		}
		out->shape_count++;
	}
	if (!read_full_weights(tree, object, shapes, out->shape_count, err)) {
		return false;
	}
	if (out->shape_count > 0) {
		qsort(shapes, (size_t)out->shape_count, sizeof *shapes, compare_shapes);
	}
	out->shapes = shapes;
	return true;
}

/* The shapes of files before 7.2 lie in the mesh's own record; a property of their name drives
 * them.
 */
static bool read_own_shapes(struct fbx_blend *out, struct fbx_tree *tree,
	const struct fbx_objects *objects, const struct fbx_geometry *geometry,
	struct fbx_channel *channels, struct error *err) {
	const struct fbx_object *mesh = geometry->object;
	const struct fbx_record *record = fbx_child(mesh->record, "Shape");
	for (; record; record = fbx_find(record->next, "Shape")) {
		struct fbx_shape *shape = arena_alloc(tree->arena, 1, sizeof *shape);
		const char *name = fbx_text_at(record, 0, "");
		if (!read_shape(shape, tree, geometry, mesh, record, err)) {
			return false;
		}
		channels[out->channel_count++] = (struct fbx_channel){
			.object = (int)(mesh - objects->objects),
			.property = name,
			.rest_percent = fbx_property_real(mesh, name, 0),
			.shape_count = 1,
			.shapes = shape,
		};
		out->shape_count++;
	}
	return true;
}

static bool read_channels(struct fbx_blend *out, struct fbx_tree *tree,
	const struct fbx_objects *objects, const struct fbx_geometry *geometry,
	const struct fbx_object *blend, struct fbx_channel *channels, struct error *err) {
	const struct fbx_object *channel;
	for (int at = 0; (channel = fbx_next_child(
				  objects, blend, &at, "Deformer", "BlendShapeChannel", NULL));) {
		struct fbx_channel *read = &channels[out->channel_count++];
		if (!read_channel(read, tree, objects, geometry, channel, err)) {
			return false;
		}
		out->shape_count += read->shape_count;
	}
	return true;
}

bool fbx_blend_read(struct fbx_blend *out, struct fbx_tree *tree, const struct fbx_objects *objects,
	const struct fbx_geometry *geometry, struct error *err) {
	const struct fbx_object *blend;
	const struct fbx_record *shape = fbx_child(geometry->object->record, "Shape");
	size_t room = 0;
	*out = (struct fbx_blend){0};
	for (; shape; shape = fbx_find(shape->next, "Shape")) {
		room++;
	}
	for (int at = 0; (blend = fbx_next_child(objects, geometry->object, &at, "Deformer",
				  "BlendShape", NULL));) {
		room += (size_t)blend->child_count;
	}
	struct fbx_channel *channels = arena_alloc(tree->arena, room, sizeof *channels);
	out->channels = channels;
	for (int at = 0; (blend = fbx_next_child(objects, geometry->object, &at, "Deformer",
				  "BlendShape", NULL));) {
		if (!read_channels(out, tree, objects, geometry, blend, channels, err)) {
			return false;
		}
	}
	return read_own_shapes(out, tree, objects, geometry, channels, err);
}

void fbx_channel_weights(const struct fbx_channel *channel, double percent, double *weights) {
	const struct fbx_shape *shapes = channel->shapes;
	const int count = channel->shape_count;
	int split = 0; // of those with weights below 0, which stand on the other side of no effect
	while (split < count && shapes[split].full_weight < 0) {
		split++;
	}
	for (int i = 0; i < count; i++) {
		weights[i] = 0;
	}
	// From the one farther away from none, on either side, to the one before it.
	const int step = percent > 0 ? 1 : -1, last = percent > 0 ? count - 1 : 0;
	int next = percent > 0 ? split : split - 1, before = -1;
	if (next < 0 || next >= count) {
		// Without one on this side, the first one on the other has the opposite effect.
		next = percent > 0 ? split - 1 : split;
		if (count > 0) {
			weights[next] = percent / shapes[next].full_weight;
		}
		return;
	}
	while (next != last && (shapes[next].full_weight - percent) * step <= 0) {
		before = next;
		next += step;
	}
	const double low = before >= 0 ? shapes[before].full_weight : 0;
	const double span = shapes[next].full_weight - low;
	const double share = span != 0 ? (percent - low) / span : 0;
	weights[next] = share;
	if (before >= 0 && span != 0) {
		weights[before] = 1 - share;
	}
}
