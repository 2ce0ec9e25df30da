/* The animation stacks of an FBX file, which become clips: layers of curves that drive properties
 * of objects. */
#pragma once

#include "import/fbx_curve.h"
#include "import/fbx_nodes.h"

/* A property that a layer drives: by up to three curves, and constants where there is none. */
struct fbx_driven {
	int object; // position among the objects
	const char *property;
	const struct fbx_curve *curves[3]; // NULL = none
	double constants[3];
};

enum fbx_blend_mode { FBX_BLEND_ADDITIVE, FBX_BLEND_OVERRIDE, FBX_BLEND_PASSTHROUGH };

struct fbx_layer {
	enum fbx_blend_mode mode;
	double weight;                         // in [0, 1], where it has no curve
	const struct fbx_driven *weight_curve; // in per cent; NULL = none
	bool composes_rotation;                // quaternions are multiplied, and not angles added
	bool multiplies_scale;
	int driven_count;
	const struct fbx_driven *driven; // [driven_count] by object
};

struct fbx_stack {
	const char *name;
	double start_s, end_s; // start_s <= end_s
	int layer_count;
	const struct fbx_layer *layers; // the lowest first
};

struct fbx_animation {
	int stack_count;
	const struct fbx_stack *stacks;
};

/* Reads all stacks; all is in the tree's arena. Fails as fbx_curve_read() does. */
bool fbx_animation_read(struct fbx_animation *out, struct fbx_tree *tree,
	const struct fbx_objects *objects, struct error *err);

/* The driven property of a layer; NULL = the layer does not drive it. */
const struct fbx_driven *fbx_layer_find(
	const struct fbx_layer *layer, int object, const char *property);

/* A property of an object with what drives it, in all layers of a stack. */
struct fbx_binding {
	int count; // 0 = nothing does
	const struct fbx_bound {
		const struct fbx_layer *layer;
		const struct fbx_driven *driven;
		bool lowest; // it replaces the value at rest
	} * bound;
};

/* In the arena. */
struct fbx_binding fbx_bind(
	const struct fbx_stack *stack, int object, const char *property, struct arena *arena);

/* The properties of a node's transform. */
struct fbx_node_binding {
	struct fbx_binding translation, rotation, scaling;
};

/* [nodes->count] in the arena. */
const struct fbx_node_binding *fbx_bind_nodes(const struct fbx_stack *stack,
	const struct fbx_objects *objects, const struct fbx_nodes *nodes, struct arena *arena);

/* The value at a time. value is [3], with the value at rest on entry; a property of one number uses
 * the first. */
void fbx_numbers_at(const struct fbx_binding *binding, double time_s, double value[static 3]);
void fbx_scaling_at(const struct fbx_binding *binding, double time_s, double value[static 3]);

/* All of a node. */
void fbx_local_at(const struct fbx_node_binding *binding, const struct fbx_node *node,
	double time_s, struct fbx_local *out);
