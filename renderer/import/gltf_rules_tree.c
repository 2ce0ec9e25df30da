// Rules about nodes, scenes and skins. Source: glTF 2.0, 3.5 and 3.7.3.
#include <math.h>

#include "import/gltf_rule_steps.h"

/* The most that a rotation's length may differ from 1: the rounding of bytes, as Khronos' validator
 * allows it. */
#define ROTATION_TOLERANCE 0.00769

/* Steps over nodes of scenes and joints of skins, besides one for each byte of the file: a few
 * bytes may name the same ones again and again. */
#define STEPS_FREE ((size_t)1 << 22)

static void check_matrix(struct gltf *gltf, const struct gltf_item *item) {
	static const char *const parts[] = {"translation", "rotation", "scale"};
	const struct gltf_item matrix = gltf_member(item, "matrix");
	if (!matrix.json) {
		return;
	}
	for (size_t i = 0; i < 3; i++) {
		const struct gltf_item part = gltf_member(item, parts[i]);
		if (part.json) {
			gltf_breach(gltf, GLTF_NODE_MATRIX_TRS, &part,
				"stands beside a matrix; left out");
			break;
		}
	}
	for (size_t i = 3; i < gltf_list_size(&matrix); i += 4) {
		if (matrix.json->of.elements[i].of.number != (i == 15)) {
			gltf_breach(gltf, GLTF_NODE_MATRIX_NON_TRS, &matrix,
				"has a last row other than 0 0 0 1; taken as that");
			break;
		}
	}
}

static void check_rotation(struct gltf *gltf, const struct gltf_item *item) {
	const struct gltf_item rotation = gltf_member(item, "rotation");
	double square = 0;
	if (!rotation.json || gltf_list_size(&rotation) != 4) {
		return;
	}
	for (int i = 0; i < 4; i++) {
		const double number = rotation.json->of.elements[i].of.number;
		square += number * number;
	}
	const double length = sqrt(square);
	if (!(fabs(length - 1) <= ROTATION_TOLERANCE)) {
		gltf_breach(gltf, GLTF_ROTATION_NON_UNIT, &rotation, "has length %.6g; %s", length,
			length > 0 ? "made 1" : "taken as none");
	}
}

static bool has_joints(const struct gltf_mesh *mesh, bool *all) {
	bool any = false;
	*all = true;
	for (int i = 0; i < mesh->primitive_count; i++) {
		const bool skinned = mesh->primitives[i].set_count > 0;
		any |= skinned;
		*all = *all && skinned;
	}
	return any;
}

static void check_skinned(struct gltf *gltf, const struct gltf_node *node) {
	bool all = true;
	if (node->mesh < 0) {
		return;
	}
	const bool any = has_joints(&gltf->meshes[node->mesh], &all);
	if (node->skin >= 0 && !all) {
		const struct gltf_item skin = gltf_member(&node->item, "skin");
		gltf_breach(gltf, GLTF_NODE_SKIN_WITH_NON_SKINNED_MESH, &skin,
			"meshes[%d] has primitives without JOINTS_0; moved by their node alone",
			node->mesh);
	} else if (node->skin < 0 && any) {
		gltf_breach(gltf, GLTF_NODE_SKINNED_MESH_WITHOUT_SKIN, &node->item,
			"has meshes[%d], of which primitives have joints, and no skin", node->mesh);
	}
}

/* The places of nodes in their trees; positions in rig->joints are numbers depth-first. */
struct tree {
	struct gltf *gltf;
	const int *end;  // [node_count] by position: behind its last descendant
	const int *root; // [node_count] by position: the position of its topmost ancestor
	size_t steps_left;
};

static struct tree plant(struct gltf *gltf) {
	const struct rig *rig = gltf->rig;
	const size_t count = (size_t)rig->joint_count;
	int *end = arena_alloc(gltf->arena, count, sizeof *end);
	int *root = arena_alloc(gltf->arena, count, sizeof *root);
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		end[i] = end[i] > 0 ? end[i] : i + 1;
		if (parent >= 0 && end[parent] < end[i]) {
			end[parent] = end[i];
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		root[i] = parent < 0 ? i : root[parent];
	}
	return (struct tree){gltf, end, root, STEPS_FREE + gltf->source->file_size};
}

static bool step(struct tree *tree) {
	tree->steps_left -= tree->steps_left > 0;
	return tree->steps_left > 0;
}

static void check_skin(struct tree *tree, const struct gltf_item *object, int index) {
	struct gltf *gltf = tree->gltf;
	const struct gltf_skin *skin = &gltf->skins[index];
	int skeleton = -1;
	gltf_index(object, "skeleton", gltf->node_count, &skeleton, NULL);
	const int at = skeleton < 0 ? -1 : gltf->nodes[skeleton].joint;
	const int first = gltf->nodes[skin->nodes[0]].joint;
	bool common = true, below = true;
	for (int i = 0; i < skin->joint_count && step(tree); i++) {
		const int joint = gltf->nodes[skin->nodes[i]].joint;
		common = common && tree->root[joint] == tree->root[first];
		below = below && (at < 0 || (joint >= at && joint < tree->end[at]));
	}
	if (!common) {
		gltf_breach(
			gltf, GLTF_SKIN_NO_COMMON_ROOT, object, "has joints without a common root");
	} else if (!below) {
		gltf_breach(gltf, GLTF_SKIN_SKELETON_INVALID, object,
			"has a skeleton that is no common root of its joints; left out");
	}
}

static void check_skins(struct tree *tree) {
	const struct gltf_item list = gltf_member(&tree->gltf->root, "skins");
	for (int i = 0; i < tree->gltf->skin_count; i++) {
		const struct gltf_item object = gltf_element(&list, (size_t)i);
		check_skin(tree, &object, i);
	}
}

/* A node below a root of a scene, whose skin's joints must be in that scene. in_scene is true of
 * the positions of its roots. */
static void check_bound(struct tree *tree, const struct gltf_item *scene, const bool *in_scene,
	const struct gltf_node *node) {
	if (node->skin < 0) {
		return;
	}
	const struct gltf_skin *skin = &tree->gltf->skins[node->skin];
	for (int i = 0; i < skin->joint_count && step(tree); i++) {
		const int joint = tree->gltf->nodes[skin->nodes[i]].joint;
		if (!in_scene[tree->root[joint]]) {
			gltf_breach(tree->gltf, GLTF_NODE_SKIN_NO_SCENE, &node->item,
				"is moved by nodes[%d], which scenes[%zu] does not have",
				skin->nodes[i], scene->index);
			return;
		}
	}
}

static int root_at(const struct tree *tree, const struct gltf_item *roots, size_t i) {
	int node = -1;
	gltf_element_index(roots, i, tree->gltf->node_count, &node, NULL);
	return node;
}

/* in_scene is false of all, and is left so. */
static void check_scene(struct tree *tree, const struct gltf_item *scene, bool *in_scene) {
	struct gltf *gltf = tree->gltf;
	const struct gltf_item roots = gltf_member(scene, "nodes");
	const size_t count = gltf_list_size(&roots);
	for (size_t i = 0; i < count; i++) {
		const int node = root_at(tree, &roots, i);
		const struct gltf_item item = gltf_element(&roots, i);
		in_scene[tree->root[gltf->nodes[node].joint]] = true;
		if (gltf->nodes[node].parent >= 0) {
			gltf_breach(gltf, GLTF_SCENE_NON_ROOT_NODE, &item,
				"is nodes[%d], which is a child of nodes[%d]", node,
				gltf->nodes[node].parent);
		}
	}
	for (size_t i = 0; i < count; i++) {
		const int root = gltf->nodes[root_at(tree, &roots, i)].joint;
		for (int joint = root; joint < tree->end[root] && step(tree); joint++) {
			const int node = gltf->rig->joints[joint].index;
			check_bound(tree, scene, in_scene, &gltf->nodes[node]);
		}
	}
	for (size_t i = 0; i < count; i++) {
		in_scene[tree->root[gltf->nodes[root_at(tree, &roots, i)].joint]] = false;
	}
}

void gltf_check_tree(struct gltf *gltf) {
	const struct gltf_item scenes = gltf_member(&gltf->root, "scenes");
	struct tree tree = plant(gltf);
	bool *in_scene = arena_alloc(gltf->arena, (size_t)gltf->node_count, sizeof *in_scene);
	for (int i = 0; i < gltf->node_count; i++) {
		const struct gltf_node *node = &gltf->nodes[i];
		check_matrix(gltf, &node->item);
		check_rotation(gltf, &node->item);
		check_skinned(gltf, node);
	}
	check_skins(&tree);
	for (size_t i = 0; i < gltf_list_size(&scenes); i++) {
		const struct gltf_item scene = gltf_element(&scenes, i);
		check_scene(&tree, &scene, in_scene);
	}
}
