// glTF's nodes -> the rig's joints: every node once, parents before children.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quat.h"
#include "import/decompose.h"
#include "import/foreign.h"
#include "import/gltf_document.h"

/* Of a last row from 0 0 0 1, since exporters print few digits. */
#define MATRIX_TOLERANCE 1e-4

/* --- Local transforms --- */

static bool read_matrix(struct gltf *gltf, const struct gltf_item *node, struct transform *rest,
	struct error *err) {
	const struct gltf_item item = gltf_member(node, "matrix");
	float columns[16];
	double m[12];
	if (!gltf_numbers(node, "matrix", 16, columns, err)) {
		return false;
	}
	for (int i = 0; i < 4; i++) {
		if (fabs((double)columns[i * 4 + 3] - (i == 3)) > MATRIX_TOLERANCE) {
			return gltf_broken(&item, err, "its last row must be 0 0 0 1");
		}
	}
	for (int i = 0; i < 12; i++) {
		m[i] = (double)columns[i % 4 * 4 + i / 4];
	}
	if (decompose(m, rest) > DECOMPOSE_SHEAR_TOLERANCE) {
		gltf_breach(gltf, GLTF_NODE_MATRIX_NON_TRS, &item,
			"has shear, which a node cannot have; left out");
	}
	return true;
}

static bool read_parts(const struct gltf_item *node, struct transform *rest, struct error *err) {
	return gltf_numbers(node, "translation", 3, rest->translation, err) &&
		gltf_numbers(node, "rotation", 4, rest->rotation, err) &&
		gltf_numbers(node, "scale", 3, rest->scale, err);
}

static void normalize_rotation(float rotation[static 4]) {
	double q[4];
	for (int i = 0; i < 4; i++) {
		q[i] = (double)rotation[i];
	}
	quat_normalize(q);
	for (int i = 0; i < 4; i++) {
		rotation[i] = (float)q[i];
	}
}

/* A matrix goes before the parts that it makes meaningless. */
static bool read_transform(struct gltf *gltf, struct gltf_node *node, struct error *err) {
	const bool has_matrix = gltf_member(&node->item, "matrix").json;
	node->rest = (struct transform)TRANSFORM_IDENTITY;
	if (has_matrix ? !read_matrix(gltf, &node->item, &node->rest, err)
		       : !read_parts(&node->item, &node->rest, err)) {
		return false;
	}
	normalize_rotation(node->rest.rotation);
	return true;
}

/* --- The tree --- */

static bool adopt(struct gltf *gltf, int parent, const struct gltf_item *list, size_t i, int *child,
	struct error *err) {
	if (!gltf_element_index(list, i, gltf->node_count, child, err)) {
		return false;
	}
	const struct gltf_item item = gltf_element(list, i);
	if (gltf->nodes[*child].parent >= 0) {
		return gltf_broken(&item, err, "nodes[%d] is a child of nodes[%d] already", *child,
			gltf->nodes[*child].parent);
	}
	if (*child == parent) {
		return gltf_broken(&item, err, "a node cannot be its own child");
	}
	gltf->nodes[*child].parent = parent;
	return true;
}

static bool read_children(struct gltf *gltf, int index, struct error *err) {
	struct gltf_node *node = &gltf->nodes[index];
	struct gltf_item list;
	if (!gltf_list(&node->item, "children", &list, err)) {
		return false;
	}
	const size_t count = gltf_list_size(&list);
	int *children = arena_alloc(gltf->arena, count, sizeof *children);
	for (size_t i = 0; i < count; i++) {
		if (!adopt(gltf, index, &list, i, &children[i], err)) {
			return false;
		}
	}
	node->children = children;
	node->child_count = (int)count;
	return true;
}

/* Depth-first from the roots in file order, with a stack of our own: chains may be deep. Nodes that
 * are never reached have a cycle above them. */
static bool order_joints(struct gltf *gltf, struct error *err) {
	int *stack = arena_alloc(gltf->arena, (size_t)gltf->node_count, sizeof *stack);
	int joint_count = 0;
	for (int root = 0; root < gltf->node_count; root++) {
		int depth = 0;
		if (gltf->nodes[root].parent < 0) {
			stack[depth++] = root;
		}
		while (depth > 0) {
			struct gltf_node *node = &gltf->nodes[stack[--depth]];
			node->joint = joint_count++;
			for (int i = node->child_count - 1; i >= 0; i--) {
				stack[depth++] = node->children[i];
			}
		}
	}
	for (int i = 0; i < gltf->node_count; i++) {
		if (gltf->nodes[i].joint < 0) {
			return gltf_broken(&gltf->nodes[i].item, err,
				"is its own ancestor, or has one that is");
		}
	}
	return true;
}

/* The rig's joints without their names. */
static bool make_joints(struct gltf *gltf, struct error *err) {
	struct rig *rig = gltf->rig;
	const size_t count = (size_t)gltf->node_count;
	rig->joints = gltf_storage(gltf, count, sizeof *rig->joints, "joints", err);
	if (!rig->joints) {
		return false;
	}
	rig->joint_count = gltf->node_count;
	for (int i = 0; i < gltf->node_count; i++) {
		const struct gltf_node *node = &gltf->nodes[i];
		rig->joints[node->joint] = (struct joint){
			.index = i,
			.parent = node->parent < 0 ? -1 : gltf->nodes[node->parent].joint,
			.rest = node->rest,
		};
	}
	return true;
}

static bool name_joints(struct gltf *gltf, struct error *err) {
	const size_t count = (size_t)gltf->node_count;
	const char **own = arena_alloc(gltf->arena, count, sizeof *own);
	char **unique = arena_alloc(gltf->arena, count, sizeof *unique);
	for (size_t i = 0; i < count; i++) {
		if (!gltf_string(&gltf->nodes[i].item, "name", &own[i], err)) {
			return false;
		}
	}
	names_make_unique(own, count, "node", unique);
	for (size_t i = 0; i < count; i++) {
		gltf->rig->joints[gltf->nodes[i].joint].name = unique[i];
	}
	return true;
}

bool gltf_read_nodes(struct gltf *gltf, struct error *err) {
	if (!gltf_document_list(gltf, "nodes", &gltf->node_list, &gltf->node_count, err)) {
		return false;
	}
	const size_t count = (size_t)gltf->node_count;
	gltf->nodes = arena_alloc(gltf->arena, count, sizeof *gltf->nodes);
	for (size_t i = 0; i < count; i++) {
		gltf->nodes[i] =
			(struct gltf_node){.parent = -1, .mesh = -1, .skin = -1, .joint = -1};
		if (!gltf_element_object(&gltf->node_list, i, &gltf->nodes[i].item, err)) {
			return false;
		}
	}
	for (int i = 0; i < gltf->node_count; i++) {
		if (!read_children(gltf, i, err) || !read_transform(gltf, &gltf->nodes[i], err)) {
			return false;
		}
	}
	return order_joints(gltf, err) && make_joints(gltf, err) && name_joints(gltf, err);
}
