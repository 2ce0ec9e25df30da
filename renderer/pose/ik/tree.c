// Chains of joints for inverse kinematics.
#include "pose/ik/tree.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/utf8.h"
#include "base/vec.h"

static void local_matrix(const struct ik_node *node, double out[static 12]) {
	for (int column = 0; column < 3; column++) {
		double axis[3] = {0};
		axis[column] = node->scale[column];
		quat_rotate(node->rotation, axis, axis);
		for (int row = 0; row < 3; row++) {
			out[row * 4 + column] = axis[row];
			out[row * 4 + 3] = node->translation[row];
		}
	}
}

const double *ik_parent_world(const struct ik_tree *tree, int node) {
	const struct ik_node *at = &tree->nodes[node];
	return at->parent < 0 ? at->base : tree->nodes[at->parent].world;
}

void ik_node_update(struct ik_tree *tree, int node) {
	double local[12];
	local_matrix(&tree->nodes[node], local);
	mat_multiply(ik_parent_world(tree, node), local, tree->nodes[node].world);
}

void ik_tree_update(struct ik_tree *tree, int first) {
	for (int i = first; i < tree->count; i++) {
		ik_node_update(tree, i);
	}
}

void ik_joint_world(
	const struct rig *rig, const struct pose *pose, int joint, double out[static 12]) {
	memcpy(out, (const double[12])MAT_IDENTITY, 12 * sizeof *out);
	for (int i = joint; i >= 0; i = rig->joints[i].parent) {
		const struct transform *local = &pose->local[i];
		double matrix[12];
		mat_from_transform(local->translation, local->rotation, local->scale, matrix);
		mat_multiply(matrix, out, out);
	}
}

/* Marks the joints from every end up to the highest root above it. */
static void mark(const struct rig *rig, const struct ik_chain *chains, int count,
	bool *const marked, bool *const is_root) {
	for (int i = 0; i < count; i++) {
		is_root[chains[i].root] = true;
	}
	for (int i = 0; i < count; i++) {
		int highest = chains[i].root;
		for (int k = highest; k >= 0; k = rig->joints[k].parent) {
			highest = is_root[k] ? k : highest;
		}
		for (int k = chains[i].end; k >= 0; k = rig->joints[k].parent) {
			marked[k] = true;
			if (k == highest) {
				break;
			}
		}
	}
}

static void fill_node(const struct rig *rig, const struct pose *pose,
	const struct joint_limits *limits, int joint, int parent, struct ik_node *node) {
	const struct transform *local = &pose->local[joint];
	*node = (struct ik_node){
		.joint = joint, .parent = parent, .first_child = -1, .sibling = -1};
	for (int k = 0; k < 3; k++) {
		node->translation[k] = local->translation[k];
		node->scale[k] = local->scale[k];
	}
	for (int k = 0; k < 4; k++) {
		node->rotation[k] = local->rotation[k];
	}
	quat_normalize(node->rotation);
	memcpy(node->start, node->rotation, sizeof node->start);
	node->limit = limits_find(limits, joint);
	if (parent < 0) {
		ik_joint_world(rig, pose, rig->joints[joint].parent, node->base);
	}
}

static bool check(const struct rig *rig, const struct ik_tree *tree, const struct value *source,
	struct error *err) {
	for (int i = 0; i < tree->count; i++) {
		for (int k = 0; k < 12; k++) {
			if (!isfinite((float)tree->nodes[i].world[k])) {
				char name[160];
				utf8_quote(
					rig->joints[tree->nodes[i].joint].name, name, sizeof name);
				return value_error(source, err, ERROR_INVALID_VALUE,
					"the pose takes joint %s farther than float32 reaches",
					name);
			}
		}
	}
	return true;
}

bool ik_tree_make(struct ik_tree *tree, const struct rig *rig, const struct pose *pose,
	const struct joint_limits *limits, const struct ik_chain *chains, int count,
	const struct value *source, struct arena *arena, struct error *err) {
	const size_t joints = (size_t)rig->joint_count;
	bool *const marked = arena_alloc(arena, 2 * joints, sizeof *marked);
	int *const position = arena_alloc(arena, joints, sizeof *position);
	mark(rig, chains, count, marked, marked + joints);
	tree->count = 0;
	for (size_t i = 0; i < joints; i++) {
		position[i] = marked[i] ? tree->count++ : -1;
	}
	tree->nodes = arena_alloc(arena, (size_t)tree->count, sizeof *tree->nodes);
	for (int i = 0; i < rig->joint_count; i++) {
		if (marked[i]) {
			const int parent = rig->joints[i].parent;
			fill_node(rig, pose, limits, i, parent < 0 ? -1 : position[parent],
				&tree->nodes[position[i]]);
		}
	}
	for (int i = tree->count - 1; i >= 0; i--) {
		struct ik_node *node = &tree->nodes[i];
		if (node->parent >= 0) {
			node->sibling = tree->nodes[node->parent].first_child;
			tree->nodes[node->parent].first_child = i;
		}
	}
	ik_tree_update(tree, 0);
	return check(rig, tree, source, err);
}

int ik_tree_find(const struct ik_tree *tree, int joint) {
	for (int i = 0; i < tree->count; i++) {
		if (tree->nodes[i].joint == joint) {
			return i;
		}
	}
	return -1;
}

void ik_position(const struct ik_tree *tree, int node, double out[static 3]) {
	for (int i = 0; i < 3; i++) {
		out[i] = tree->nodes[node].world[i * 4 + 3];
	}
}

void ik_turn(struct ik_node *node, const double turn[static 4]) {
	quat_multiply(turn, node->rotation, node->rotation);
	quat_normalize(node->rotation);
	if (node->limit) {
		limit_apply(node->limit, node->rotation);
	}
}

void ik_world_rotation(const struct ik_tree *tree, int node, double rotation[static 4]) {
	double stretch[9];
	mat_polar(tree->nodes[node].world, rotation, stretch);
}

void ik_set_world_rotation(struct ik_tree *tree, int node, const double rotation[static 4]) {
	double parent[4], stretch[9];
	mat_polar(ik_parent_world(tree, node), parent, stretch);
	quat_conjugate(parent, parent);
	struct ik_node *at = &tree->nodes[node];
	quat_multiply(parent, rotation, at->rotation);
	ik_turn(at, (const double[4]){0, 0, 0, 1});
}

void ik_turn_by(struct ik_node *node, const double vector[static 3], double max_rad,
	double turned[static 4]) {
	const double angle = vec3_length(vector), share = angle > max_rad ? max_rad / angle : 1;
	const double less[3] = {share * vector[0], share * vector[1], share * vector[2]};
	double before[4], turn[4];
	quat_conjugate(node->rotation, before);
	quat_from_vector(less, turn);
	ik_turn(node, turn);
	quat_multiply(node->rotation, before, turned);
}

bool ik_aim_vector(const struct ik_tree *tree, int node, const double from[static 3],
	const double to[static 3], double vector[static 3]) {
	double inverse[12], a[3], b[3], turn[4];
	if (!mat_invert(ik_parent_world(tree, node), inverse)) {
		return false;
	}
	mat_map_point(inverse, from, a);
	mat_map_point(inverse, to, b);
	vec3_sub(a, tree->nodes[node].translation, a);
	vec3_sub(b, tree->nodes[node].translation, b);
	if (!vec3_normalize(a) || !vec3_normalize(b)) {
		return false;
	}
	quat_between(a, b, turn);
	quat_to_vector(turn, vector);
	return true;
}

bool ik_aim(
	struct ik_tree *tree, int node, const double from[static 3], const double to[static 3]) {
	double vector[3], turned[4];
	if (!ik_aim_vector(tree, node, from, to, vector)) {
		return false;
	}
	ik_turn_by(&tree->nodes[node], vector, 4, turned);
	return true;
}

void ik_tree_write(const struct ik_tree *tree, double share, struct pose *pose) {
	for (int i = 0; share > 0 && i < tree->count; i++) {
		const struct ik_node *node = &tree->nodes[i];
		if (!node->turns) {
			continue;
		}
		pose->driven[node->joint] |= 1 << CHANNEL_ROTATION;
		double q[4];
		memcpy(q, node->rotation, sizeof q);
		if (share < 1) {
			quat_slerp(node->start, q, share, q);
		}
		if (node->limit) {
			limit_apply(node->limit, q);
		}
		if (memcmp(q, node->start, sizeof q) != 0) {
			for (int k = 0; k < 4; k++) {
				pose->local[node->joint].rotation[k] = (float)q[k];
			}
		}
	}
}
