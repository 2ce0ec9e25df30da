// The meshes of the scene, in the order that numbers their vertices, and their morph weights at
// rest.
#include "import/gltf_document.h"
#include "import/limits.h"

/* --- What nodes hold --- */

static bool read_holding(struct gltf *gltf, struct gltf_node *node, struct error *err) {
	return gltf_index(&node->item, "mesh", gltf->mesh_count, &node->mesh, err) &&
		gltf_index(&node->item, "skin", gltf->skin_count, &node->skin, err);
}

/* --- The scene --- */

/* Collects the nodes with meshes depth-first below a root, with a stack of its own: chains may be
 * deep. A node met before is left out: the
 * numbering of vertices must not depend on a list that names it twice. */
static void collect(struct gltf *gltf, int *stack, int root) {
	int depth = 0;
	if (!gltf->nodes[root].in_scene) {
		stack[depth++] = root;
	}
	while (depth > 0) {
		const int index = stack[--depth];
		struct gltf_node *node = &gltf->nodes[index];
		node->in_scene = true;
		if (node->mesh >= 0) {
			gltf->drawn[gltf->drawn_count++] = index;
		}
		for (int i = node->child_count - 1; i >= 0; i--) {
			if (!gltf->nodes[node->children[i]].in_scene) {
				stack[depth++] = node->children[i];
			}
		}
	}
}

/* Collects below the roots of a scene, or only checks them where stack is NULL. */
static bool read_scene_nodes(
	struct gltf *gltf, const struct gltf_item *scene, int *stack, struct error *err) {
	struct gltf_item roots;
	if (!gltf_list(scene, "nodes", &roots, err)) {
		return false;
	}
	for (size_t i = 0; i < gltf_list_size(&roots); i++) {
		int root = -1;
		if (!gltf_element_index(&roots, i, gltf->node_count, &root, err)) {
			return false;
		}
		if (stack) {
			collect(gltf, stack, root);
		}
	}
	return true;
}

static bool find_drawn(struct gltf *gltf, struct error *err) {
	struct gltf_item scenes, scene;
	int count, chosen = 0;
	const size_t nodes = (size_t)gltf->node_count;
	int *stack = arena_alloc(gltf->arena, nodes, sizeof *stack);
	gltf->drawn = arena_alloc(gltf->arena, nodes, sizeof *gltf->drawn);
	if (!gltf_document_list(gltf, "scenes", &scenes, &count, err) ||
		!gltf_index(&gltf->root, "scene", count, &chosen, err)) {
		return false;
	}
	for (int i = 0; i < count; i++) {
		if (!gltf_element_object(&scenes, (size_t)i, &scene, err) ||
			!read_scene_nodes(gltf, &scene, i == chosen ? stack : NULL, err)) {
			return false;
		}
	}
	for (int i = 0; count == 0 && i < gltf->node_count; i++) {
		if (gltf->nodes[i].parent < 0) {
			collect(gltf, stack, i);
		}
	}
	return true;
}

static bool read_instances(struct gltf *gltf, struct error *err) {
	size_t left = IMPORT_INSTANCES_MAX;
	for (int i = 0; i < gltf->drawn_count; i++) {
		if (!gltf_read_instances(gltf, &gltf->nodes[gltf->drawn[i]], &left, err)) {
			return false;
		}
	}
	return true;
}

bool gltf_read_scene(struct gltf *gltf, struct error *err) {
	for (int i = 0; i < gltf->node_count; i++) {
		if (!read_holding(gltf, &gltf->nodes[i], err)) {
			return false;
		}
	}
	return find_drawn(gltf, err) && read_instances(gltf, err);
}

/* --- Morph weights at rest --- */

/* Lays out the weights joint by joint. */
static bool count_weights(struct gltf *gltf, struct error *err) {
	struct rig *rig = gltf->rig;
	size_t total = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		struct joint *joint = &rig->joints[i];
		const int mesh = gltf->nodes[joint->index].mesh;
		joint->first_weight = (int)total;
		joint->weight_count = mesh < 0 ? 0 : gltf->meshes[mesh].target_count;
		total += (size_t)joint->weight_count;
		if (total > IMPORT_MORPHS_MAX) {
			return error_set(err, ERROR_TOO_LARGE,
				"nodes: more than %zu morph weights in all", IMPORT_MORPHS_MAX);
		}
	}
	rig->weight_count = (int)total;
	return true;
}

/* A node's own weights go before its mesh's. */
static bool fill_weights(struct gltf *gltf, struct error *err) {
	struct rig *rig = gltf->rig;
	for (int i = 0; i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		const struct gltf_node *node = &gltf->nodes[joint->index];
		float *weights = &rig->rest_weights[joint->first_weight];
		if (node->mesh < 0) {
			continue;
		}
		for (int k = 0; k < joint->weight_count; k++) {
			weights[k] = gltf->meshes[node->mesh].weights[k];
		}
		if (!gltf_numbers(
			    &node->item, "weights", (size_t)joint->weight_count, weights, err)) {
			return false;
		}
	}
	return true;
}

bool gltf_read_rest_weights(struct gltf *gltf, struct error *err) {
	struct rig *rig = gltf->rig;
	if (!count_weights(gltf, err)) {
		return false;
	}
	rig->rest_weights = gltf_storage(
		gltf, (size_t)rig->weight_count, sizeof *rig->rest_weights, "morph weights", err);
	return rig->rest_weights && fill_weights(gltf, err);
}
