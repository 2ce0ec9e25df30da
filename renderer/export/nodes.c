// The nodes of a glTF document.
#include "export/nodes.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* The children of each; -1 = none. */
struct tree {
	int *first; // [count] child of each node; owned with next
	int *next;  // [count] child of the same parent
};

void nodes_init(const struct rig *rig, struct export_node *nodes) {
	for (int i = 0; i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		nodes[i] = (struct export_node){.name = joint->name,
			.parent = joint->parent,
			.mesh = -1,
			.skin = -1,
			.next = -1};
	}
}

static struct tree make_tree(const struct export_node *nodes, int count) {
	int *memory = xcalloc(2 * (size_t)count + 1, sizeof *memory);
	const struct tree tree = {memory, memory + count};
	for (int i = 0; i < 2 * count; i++) {
		memory[i] = -1;
	}
	for (int i = count - 1; i >= 0; i--) {
		const int parent = nodes[i].parent;
		if (parent >= 0) {
			tree.next[i] = tree.first[parent];
			tree.first[parent] = i;
		}
	}
	return tree;
}

static void write_children(const struct tree *tree, int node, struct json_writer *json) {
	int child = tree->first[node];
	if (child < 0) {
		return;
	}
	json_write_key(json, "children");
	json_write_begin_list(json);
	for (; child >= 0; child = tree->next[child]) {
		json_write_integer(json, child);
	}
	json_write_end_list(json);
}

static void write_place(const struct joint *joint, struct json_writer *json) {
	json_write_member_floats(json, "translation", joint->rest.translation, 3);
	json_write_member_floats(json, "rotation", joint->rest.rotation, 4);
	json_write_member_floats(json, "scale", joint->rest.scale, 3);
}

static void write_matrix(const double *rows, struct json_writer *json) {
	float columns[16] = {[15] = 1};
	for (size_t k = 0; k < 12; k++) {
		columns[k % 4 * 4 + k / 4] = (float)rows[k];
	}
	json_write_member_floats(json, "matrix", columns, 16);
}

/* The joint whose weights a node has: its own, or that above it. */
static const struct joint *joint_of(const struct rig *rig, const struct export_node *nodes, int i) {
	return &rig->joints[i < rig->joint_count ? i : nodes[i].parent];
}

static void write_mesh(
	const struct rig *rig, const struct export_node *nodes, int i, struct json_writer *json) {
	json_write_member_integer(json, "mesh", nodes[i].mesh);
	if (nodes[i].skin >= 0) {
		json_write_member_integer(json, "skin", nodes[i].skin);
	}
	if (nodes[i].morphs) {
		const struct joint *joint = joint_of(rig, nodes, i);
		json_write_member_floats(json, "weights", rig->rest_weights + joint->first_weight,
			(size_t)joint->weight_count);
	}
}

static void add_node(struct glb *glb, const struct rig *rig, const struct export_node *nodes,
	const struct tree *tree, int i) {
	struct json_writer *json = glb_begin(glb, GLB_NODES);
	json_write_member_string(json, "name", nodes[i].name);
	write_children(tree, i, json);
	if (i < rig->joint_count) {
		write_place(&rig->joints[i], json);
	} else if (nodes[i].place) {
		write_matrix(nodes[i].place, json);
	}
	if (nodes[i].mesh >= 0) {
		write_mesh(rig, nodes, i, json);
	}
	json_write_end_object(json);
}

static void add_root(struct glb *glb, int root, bool *added) {
	if (!added[root]) {
		added[root] = true;
		glb_add_root(glb, root);
	}
}

/* Readers number vertices as they meet the meshes from the scene's roots on: those come first below
 * which the rig's vertices begin. */
static void add_roots(struct glb *glb, const struct rig *rig) {
	const size_t count = (size_t)rig->joint_count;
	int *roots = xcalloc(count + 1, sizeof *roots); // above each joint
	bool *added = xcalloc(count + 1, sizeof *added);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		roots[i] = parent < 0 ? i : roots[parent];
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		add_root(glb, roots[rig->primitives[i].joint], added);
	}
	for (int i = 0; i < rig->joint_count; i++) {
		add_root(glb, roots[i], added);
	}
	free(added);
	free(roots);
}

void nodes_add(struct glb *glb, const struct rig *rig, const struct export_node *nodes, int count) {
	assert(glb->lists[GLB_NODES].count == 0);
	const struct tree tree = make_tree(nodes, count);
	for (int i = 0; i < count; i++) {
		add_node(glb, rig, nodes, &tree, i);
	}
	if (count > 0 && nodes[count - 1].parent < 0 && count > rig->joint_count) {
		glb_add_root(glb, count - 1);
	} else {
		add_roots(glb, rig);
	}
	free(tree.first);
}
