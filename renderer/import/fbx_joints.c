// The nodes of FBX -> joints. A joint's children get all of its transform. Where a node's children
// take its scale in another way, it becomes two joints: one without the scale, which these hang on,
// and one below it with the scale, for its meshes and for bones.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "import/fbx_import.h"

static int object_of(const struct fbx_import *import, int node) {
	return (int)(import->nodes.nodes[node].object - import->objects.objects);
}

/* Times the scale of a node, and of all that it inherits from. */
static void scale_by(const struct fbx_import *import, int node,
	const struct fbx_node_binding *bindings, double time_s, double scale[static 3]) {
	for (int i = 0; i < 3 && node >= 0 && !bindings; i++) {
		scale[i] *= import->rest_scales[node][i];
	}
	for (; node >= 0 && bindings; node = import->nodes.nodes[node].scale_from) {
		double own[3];
		memcpy(own, import->nodes.nodes[node].rest.scaling, sizeof own);
		fbx_scaling_at(&bindings[node].scaling, time_s, own);
		for (int i = 0; i < 3; i++) {
			scale[i] *= own[i];
		}
	}
}

/* Once for all nodes: the chains of long limbs are long, too. */
static void find_rest_scales(struct fbx_import *import) {
	const size_t count = (size_t)import->nodes.count;
	import->rest_scales = arena_alloc(import->tree.arena, count, sizeof *import->rest_scales);
	for (size_t n = 0; n < count; n++) {
		const struct fbx_node *node = &import->nodes.nodes[n];
		for (int i = 0; i < 3; i++) {
			const double above = node->scale_from >= 0
				? import->rest_scales[node->scale_from][i]
				: 1;
			import->rest_scales[n][i] = above * node->rest.scaling[i];
		}
	}
}

void fbx_joint_at(const struct fbx_import *import, int node,
	const struct fbx_node_binding *bindings, double time_s, struct fbx_transform *out) {
	const struct fbx_nodes *nodes = &import->nodes;
	const struct fbx_node *n = &nodes->nodes[node];
	struct fbx_local local = n->rest;
	if (bindings) {
		fbx_local_at(&bindings[node], n, time_s, &local);
	}
	fbx_node_transform(n, &local, out);
	if (n->inherit != FBX_INHERIT_ALL) {
		scale_by(import, n->parent, bindings, time_s, out->translation);
		scale_by(import, n->scale_from, bindings, time_s, out->scale);
	}
	if (n->parent < 0 && import->root < 0) {
		quat_rotate(nodes->turn, out->translation, out->translation);
		quat_multiply(nodes->turn, out->rotation, out->rotation);
	}
	for (int i = 0; i < 3; i++) {
		out->translation[i] *= nodes->unit;
	}
}

/* --- Which nodes become two joints --- */

static bool is_scaled(const struct fbx_import *import, int node) {
	const double *scale = import->nodes.nodes[node].rest.scaling;
	bool scaled = scale[0] != 1 || scale[1] != 1 || scale[2] != 1;
	for (int i = 0; !scaled && i < import->animation.stack_count; i++) {
		const struct fbx_binding binding = fbx_bind(&import->animation.stacks[i],
			object_of(import, node), "Lcl Scaling", import->tree.arena);
		scaled = binding.count > 0;
	}
	return scaled;
}

/* Marks the nodes with a scale, of their own or inherited, that a child takes otherwise than as
 * matrices multiply. */
static void find_split(const struct fbx_import *import, bool *split) {
	const struct fbx_nodes *nodes = &import->nodes;
	bool *scaled = arena_alloc(import->tree.arena, (size_t)nodes->count, sizeof *scaled);
	for (int i = 0; i < nodes->count; i++) {
		const struct fbx_node *node = &nodes->nodes[i];
		const int from = node->scale_from;
		scaled[i] = is_scaled(import, i) || (from >= 0 && scaled[from]);
		if (node->inherit != FBX_INHERIT_ALL && node->parent >= 0 && scaled[node->parent]) {
			split[node->parent] = true;
		}
	}
}

/* --- Joints --- */

static struct transform to_transform(const struct fbx_transform *from) {
	struct transform to;
	for (int i = 0; i < 3; i++) {
		to.translation[i] = (float)from->translation[i];
		to.scale[i] = (float)from->scale[i];
	}
	for (int i = 0; i < 4; i++) {
		to.rotation[i] = (float)from->rotation[i];
	}
	return to;
}

static int add_joint(
	struct fbx_import *import, const char *name, int parent, const struct fbx_transform *rest) {
	struct scene_joint *joint =
		&((struct scene_joint *)import->scene.joints)[import->scene.joint_count];
	*joint = (struct scene_joint){name, parent, to_transform(rest)};
	return import->scene.joint_count++;
}

/* Rows of a matrix of a transform in doubles. */
static void to_matrix(const struct fbx_transform *from, double out[static 12]) {
	for (int i = 0; i < 3; i++) {
		double axis[3] = {i == 0, i == 1, i == 2};
		quat_rotate(from->rotation, axis, axis);
		for (int k = 0; k < 3; k++) {
			out[k * 4 + i] = axis[k] * from->scale[i];
		}
		out[i * 4 + 3] = from->translation[i];
	}
}

/* The worlds of a node at rest, without its scale and with it. */
static void place(struct fbx_import *import, int node, const struct fbx_transform *rest,
	double (*frames)[12]) {
	const struct fbx_node *n = &import->nodes.nodes[node];
	struct fbx_transform unscaled = *rest;
	double local[12];
	for (int i = 0; i < 3; i++) {
		unscaled.scale[i] = 1;
	}
	const double(*above)[12] = n->inherit == FBX_INHERIT_ALL
		? (const double(*)[12])import->world
		: (const double(*)[12])frames;
	to_matrix(&unscaled, frames[node]);
	to_matrix(rest, local);
	memcpy(import->world[node], local, sizeof local);
	if (n->parent >= 0) {
		mat_multiply(above[n->parent], frames[node], frames[node]);
		mat_multiply(above[n->parent], local, import->world[node]);
	}
}

static void make_joint(struct fbx_import *import, int node, bool split, double (*frames)[12]) {
	const struct fbx_node *n = &import->nodes.nodes[node];
	struct fbx_transform rest, scale = {{0}, {0, 0, 0, 1}, {1, 1, 1}};
	fbx_joint_at(import, node, NULL, 0, &rest);
	place(import, node, &rest, frames);
	const int *above = n->inherit == FBX_INHERIT_ALL ? import->joints : import->frames;
	const int parent = n->parent < 0 ? import->root : above[n->parent];
	if (split) {
		memcpy(scale.scale, rest.scale, sizeof scale.scale);
		for (int i = 0; i < 3; i++) {
			rest.scale[i] = 1;
		}
	}
	import->frames[node] = add_joint(import, n->object->name, parent, &rest);
	import->joints[node] = split
		? add_joint(import, arena_printf(import->tree.arena, "%s_scale", n->object->name),
			  import->frames[node], &scale)
		: import->frames[node];
}

void fbx_make_joints(struct fbx_import *import) {
	struct arena *arena = import->tree.arena;
	const struct fbx_nodes *nodes = &import->nodes;
	const size_t count = (size_t)nodes->count;
	bool *split = arena_alloc(arena, count, sizeof *split);
	double(*frames)[12] = arena_alloc(arena, count, sizeof *frames);
	import->frames = arena_alloc(arena, count, sizeof *import->frames);
	import->joints = arena_alloc(arena, count, sizeof *import->joints);
	import->world = arena_alloc(arena, count, sizeof *import->world);
	import->scene.joints = arena_alloc(arena, 2 * count + 1, sizeof *import->scene.joints);
	import->root = -1;
	find_rest_scales(import);
	if (nodes->mirror[2] < 0) {
		struct fbx_transform mirror = {{0}, {0, 0, 0, 1}, {1, 1, nodes->mirror[2]}};
		memcpy(mirror.rotation, nodes->turn, sizeof mirror.rotation);
		import->root = add_joint(import, "axes", -1, &mirror);
	}
	find_split(import, split);
	for (int i = 0; i < nodes->count; i++) {
		make_joint(import, i, split[i], frames);
	}
}
