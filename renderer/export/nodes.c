// A rig's joints -> the nodes of a glTF document.
#include "export/nodes.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* Who is whose child; -1 = nobody. */
struct tree {
	int *first; // [joint_count] child of each joint; owned with next
	int *next;  // [joint_count] child of the same parent
};

static struct tree make_tree(const struct rig *rig) {
	const size_t count = (size_t)rig->joint_count;
	int *memory = xcalloc(2 * count + 1, sizeof *memory);
	const struct tree tree = {memory, memory + count};
	for (size_t i = 0; i < 2 * count; i++) {
		memory[i] = -1;
	}
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		if (parent >= 0) {
			tree.next[i] = tree.first[parent];
			tree.first[parent] = i;
		}
	}
	return tree;
}

static void write_children(const struct tree *tree, int joint, struct json_writer *json) {
	int child = tree->first[joint];
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

static void write_mesh(const struct nodes_job *job, int i, struct json_writer *json) {
	const struct joint *joint = &job->rig->joints[i];
	json_write_member_integer(json, "mesh", job->meshes[i]);
	if (job->skins && job->skins[i] >= 0) {
		json_write_member_integer(json, "skin", job->skins[i]);
	}
	if (joint->weight_count > 0) {
		json_write_member_floats(json, "weights",
			job->rig->rest_weights + joint->first_weight, (size_t)joint->weight_count);
	}
}

static void add_node(struct glb *glb, const struct nodes_job *job, const struct tree *tree, int i) {
	const struct joint *joint = &job->rig->joints[i];
	struct json_writer *json = glb_begin(glb, GLB_NODES);
	json_write_member_string(json, "name", joint->name);
	write_children(tree, i, json);
	json_write_member_floats(json, "translation", joint->rest.translation, 3);
	json_write_member_floats(json, "rotation", joint->rest.rotation, 4);
	json_write_member_floats(json, "scale", joint->rest.scale, 3);
	if (job->meshes[i] >= 0) {
		write_mesh(job, i, json);
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

void nodes_add(struct glb *glb, const struct nodes_job *job) {
	assert(glb->lists[GLB_NODES].count == 0);
	const struct tree tree = make_tree(job->rig);
	for (int i = 0; i < job->rig->joint_count; i++) {
		add_node(glb, job, &tree, i);
	}
	add_roots(glb, job->rig);
	free(tree.first);
}
