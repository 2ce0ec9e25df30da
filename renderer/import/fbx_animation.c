// Stacks and layers of FBX. Source: Autodesk, FBX SDK documentation, FbxAnimLayer.
#include "import/fbx_animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quat.h"

/* Units of time in a second, and those of files that say so. */
#define TICKS_PER_S 46186158000.0
#define TICKS_PER_S_NEW 141120000.0
#define OLD_TIME_DEFINITION 127

struct reading {
	struct fbx_tree *tree;
	const struct fbx_objects *objects;
	double ticks_per_s;
	const struct fbx_curve **curves; // [objects->count] those that have been read
};

static double ticks_of(const struct fbx_tree *tree) {
	const struct fbx_record *header = fbx_find(tree->first, "FBXHeaderExtension");
	const int64_t definition = fbx_child_integer(
		fbx_child(header, "OtherFlags"), "TCDefinition", OLD_TIME_DEFINITION);
	const bool is_new = fbx_child_integer(header, "FBXHeaderVersion", 0) >= 1004 &&
		definition != OLD_TIME_DEFINITION;
	return is_new || tree->version >= 8000 ? TICKS_PER_S_NEW : TICKS_PER_S;
}

static const struct fbx_curve *read_curve(
	struct reading *reading, const struct fbx_object *object, struct error *err) {
	const struct fbx_curve **known = &reading->curves[object - reading->objects->objects];
	if (!*known) {
		struct fbx_curve *curve = arena_alloc(reading->tree->arena, 1, sizeof *curve);
		if (!fbx_curve_read(curve, reading->tree, object, reading->ticks_per_s, err)) {
			return NULL;
		}
		*known = curve;
	}
	return *known;
}

/* Which number of a vector a curve is connected to: "d|Y". */
static int component(const char *property) {
	const size_t length = strlen(property);
	const char last = length == 3 ? property[2] : 'X';
	return last == 'Y' ? 1 : last == 'Z' ? 2 : 0;
}

/* The curves and constants of a curve node. */
static bool read_driven(struct reading *reading, const struct fbx_object *node,
	struct fbx_driven *driven, struct error *err) {
	static const char *const constants[] = {"d|X", "d|Y", "d|Z"};
	for (int i = 0; i < 3; i++) {
		driven->constants[i] = fbx_property_real(node, constants[i], 0);
	}
	driven->constants[0] = fbx_property_real(
		node, "d|DeformPercent", fbx_property_real(node, "d|Weight", driven->constants[0]));
	for (int i = 0; i < node->child_count; i++) {
		const struct fbx_link *link = &reading->objects->children[node->first_child + i];
		const struct fbx_object *child = &reading->objects->objects[link->object];
		if (!link->property || strcmp(child->type, "AnimationCurve") != 0) {
			continue;
		}
		const struct fbx_curve *curve = read_curve(reading, child, err);
		if (!curve) {
			return false;
		}
		driven->curves[component(link->property)] = curve;
	}
	return true;
}

static int compare_driven(const void *first, const void *second) {
	const struct fbx_driven *a = first, *b = second;
	return a->object != b->object ? (a->object < b->object ? -1 : 1)
				      : strcmp(a->property, b->property);
}

/* A node drives each property that it is connected to. */
static int count_driven(const struct fbx_objects *objects, const struct fbx_object *layer) {
	const struct fbx_object *node;
	int count = 0;
	for (int at = 0;
		(node = fbx_next_child(objects, layer, &at, "AnimationCurveNode", NULL, NULL));) {
		count += node->parent_count;
	}
	return count;
}

static bool read_layer(struct reading *reading, const struct fbx_object *object,
	struct fbx_layer *layer, struct error *err) {
	const struct fbx_objects *objects = reading->objects;
	const int64_t mode = fbx_property_integer(object, "BlendMode", FBX_BLEND_ADDITIVE);
	*layer = (struct fbx_layer){
		.mode = mode == FBX_BLEND_OVERRIDE || mode == FBX_BLEND_PASSTHROUGH
			? (enum fbx_blend_mode)mode
			: FBX_BLEND_ADDITIVE,
		.weight = fbx_property_real(object, "Weight", 100) / 100,
		.composes_rotation =
			fbx_property_integer(object, "RotationAccumulationMode", 0) == 0,
		.multiplies_scale = fbx_property_integer(object, "ScaleAccumulationMode", 0) == 0,
	};
	struct fbx_driven *driven = arena_alloc(
		reading->tree->arena, (size_t)count_driven(objects, object), sizeof *driven);
	const struct fbx_object *node;
	for (int at = 0;
		(node = fbx_next_child(objects, object, &at, "AnimationCurveNode", NULL, NULL));) {
		struct fbx_driven read = {0};
		if (!read_driven(reading, node, &read, err)) {
			return false;
		}
		for (int i = 0; i < node->parent_count; i++) {
			const struct fbx_link *link = &objects->parents[node->first_parent + i];
			if (link->property) {
				read.object = link->object;
				read.property = link->property;
				driven[layer->driven_count++] = read;
			}
		}
	}
	if (layer->driven_count > 0) {
		qsort(driven, (size_t)layer->driven_count, sizeof *driven, compare_driven);
	}
	layer->driven = driven;
	layer->weight_curve = fbx_layer_find(layer, (int)(object - objects->objects), "Weight");
	return true;
}

/* The times of the first and the last key of any of a stack's curves. */
static void find_extent(const struct fbx_stack *stack, double *start_s, double *end_s) {
	for (int i = 0; i < stack->layer_count; i++) {
		for (int k = 0; k < stack->layers[i].driven_count * 3; k++) {
			const struct fbx_curve *curve =
				stack->layers[i].driven[k / 3].curves[k % 3];
			if (curve && curve->key_count > 0) {
				*start_s = fmin(*start_s, curve->keys[0].time_s);
				*end_s = fmax(*end_s, curve->keys[curve->key_count - 1].time_s);
			}
		}
	}
}

/* From LocalStart to LocalStop, or where the keys are. */
static void read_extent(
	const struct reading *reading, const struct fbx_object *object, struct fbx_stack *stack) {
	const bool says =
		fbx_has_property(object, "LocalStart") || fbx_has_property(object, "LocalStop");
	const char *const names[2][2] = {
		{"ReferenceStart", "ReferenceStop"}, {"LocalStart", "LocalStop"}};
	stack->start_s =
		(double)fbx_property_integer(object, names[says][0], 0) / reading->ticks_per_s;
	stack->end_s =
		(double)fbx_property_integer(object, names[says][1], 0) / reading->ticks_per_s;
	if (!(stack->end_s > stack->start_s)) {
		double start_s = INFINITY, end_s = -INFINITY;
		find_extent(stack, &start_s, &end_s);
		if (end_s >= start_s) {
			stack->start_s = start_s;
			stack->end_s = end_s;
		}
	}
	stack->end_s = fmax(stack->start_s, stack->end_s);
}

static bool read_stack(struct reading *reading, const struct fbx_object *object,
	struct fbx_stack *stack, struct error *err) {
	*stack = (struct fbx_stack){.name = object->name};
	struct fbx_layer *layers =
		arena_alloc(reading->tree->arena, (size_t)object->child_count, sizeof *layers);
	const struct fbx_object *layer;
	for (int at = 0; (layer = fbx_next_child(
				  reading->objects, object, &at, "AnimationLayer", NULL, NULL));) {
		if (!read_layer(reading, layer, &layers[stack->layer_count], err)) {
			return false;
		}
		stack->layer_count++;
	}
	stack->layers = layers;
	read_extent(reading, object, stack);
	return true;
}

bool fbx_animation_read(struct fbx_animation *out, struct fbx_tree *tree,
	const struct fbx_objects *objects, struct error *err) {
	struct reading reading = {tree, objects, ticks_of(tree),
		arena_alloc(tree->arena, (size_t)objects->count, sizeof *reading.curves)};
	struct fbx_stack *stacks = arena_alloc(tree->arena, (size_t)objects->count, sizeof *stacks);
	*out = (struct fbx_animation){.stacks = stacks};
	for (int i = 0; i < objects->count; i++) {
		const struct fbx_object *object = &objects->objects[i];
		if (strcmp(object->type, "AnimationStack") == 0 &&
			!read_stack(&reading, object, &stacks[out->stack_count++], err)) {
			return false;
		}
	}
	return true;
}

/* --- Evaluation --- */

const struct fbx_driven *fbx_layer_find(
	const struct fbx_layer *layer, int object, const char *property) {
	const struct fbx_driven wanted = {.object = object, .property = property};
	return layer->driven_count > 0
		? bsearch(&wanted, layer->driven, (size_t)layer->driven_count,
			  sizeof *layer->driven, compare_driven)
		: NULL;
}

struct fbx_binding fbx_bind(
	const struct fbx_stack *stack, int object, const char *property, struct arena *arena) {
	struct fbx_binding binding = {0};
	struct fbx_bound *bound = NULL;
	for (int i = 0; i < stack->layer_count; i++) {
		const struct fbx_driven *driven =
			fbx_layer_find(&stack->layers[i], object, property);
		if (driven) {
			bound = bound
				? bound
				: arena_alloc(arena, (size_t)stack->layer_count, sizeof *bound);
			bound[binding.count++] =
				(struct fbx_bound){&stack->layers[i], driven, i == 0};
		}
	}
	binding.bound = bound;
	return binding;
}

const struct fbx_node_binding *fbx_bind_nodes(const struct fbx_stack *stack,
	const struct fbx_objects *objects, const struct fbx_nodes *nodes, struct arena *arena) {
	struct fbx_node_binding *bindings =
		arena_alloc(arena, (size_t)nodes->count, sizeof *bindings);
	for (int i = 0; i < nodes->count; i++) {
		const int object = (int)(nodes->nodes[i].object - objects->objects);
		bindings[i] = (struct fbx_node_binding){
			.translation = fbx_bind(stack, object, "Lcl Translation", arena),
			.rotation = fbx_bind(stack, object, "Lcl Rotation", arena),
			.scaling = fbx_bind(stack, object, "Lcl Scaling", arena),
		};
	}
	return bindings;
}

static void driven_at(const struct fbx_driven *driven, double time_s, double out[static 3]) {
	for (int i = 0; i < 3; i++) {
		out[i] = driven->curves[i]
			? fbx_curve_at(driven->curves[i], time_s, driven->constants[i])
			: driven->constants[i];
	}
}

static double weight_at(const struct fbx_layer *layer, double time_s) {
	double percent[3] = {layer->weight * 100, 0, 0};
	if (layer->weight_curve && layer->mode != FBX_BLEND_OVERRIDE) {
		driven_at(layer->weight_curve, time_s, percent);
	}
	const double weight = percent[0] / 100;
	return weight > 0 ? fmin(weight, 1) : 0;
}

/* value * by^weight with the sign of by, which is not raised. */
static double raised(double value, double weight) {
	return weight <= 0 ? 1 : weight >= 1 ? value : copysign(pow(fabs(value), weight), value);
}

static void blend_numbers(const struct fbx_layer *layer, double weight, const double own[static 3],
	double value[static 3]) {
	const double below = layer->mode == FBX_BLEND_ADDITIVE ? 1 : 1 - weight;
	for (int i = 0; i < 3; i++) {
		value[i] = value[i] * below + own[i] * weight;
	}
}

static void blend_scales(const struct fbx_layer *layer, double weight, const double own[static 3],
	double value[static 3]) {
	const double below = layer->mode == FBX_BLEND_ADDITIVE ? 1 : 1 - weight;
	if (!layer->multiplies_scale) {
		blend_numbers(layer, weight, own, value);
		return;
	}
	for (int i = 0; i < 3; i++) {
		value[i] = raised(value[i], below) * raised(own[i], weight);
	}
}

static void blend_rotations(const struct fbx_layer *layer, double weight, int order,
	const double own[static 3], double degrees[static 3]) {
	static const double identity[4] = {0, 0, 0, 1};
	double below[4], above[4];
	fbx_euler(order, degrees, below);
	fbx_euler(order, own, above);
	if (layer->mode == FBX_BLEND_ADDITIVE) {
		quat_slerp(identity, above, weight, above);
		quat_multiply(below, above, below);
	} else {
		quat_slerp(below, above, weight, below);
	}
	fbx_euler_of(order, below, degrees);
}

/* Evaluates a layer: its own value, and the weight that it is added with. False where it replaces
 * the layers below it; then it is in *value already. */
static bool look_at_layer(const struct fbx_bound *bound, double time_s, double own[static 3],
	double *weight, double value[static 3]) {
	driven_at(bound->driven, time_s, own);
	if (bound->lowest || bound->layer->mode == FBX_BLEND_OVERRIDE) {
		memcpy(value, own, 3 * sizeof *own);
		return false;
	}
	*weight = weight_at(bound->layer, time_s);
	return true;
}

void fbx_numbers_at(const struct fbx_binding *binding, double time_s, double value[static 3]) {
	double own[3], weight;
	for (int i = 0; i < binding->count; i++) {
		if (look_at_layer(&binding->bound[i], time_s, own, &weight, value)) {
			blend_numbers(binding->bound[i].layer, weight, own, value);
		}
	}
}

void fbx_scaling_at(const struct fbx_binding *binding, double time_s, double value[static 3]) {
	double own[3], weight;
	for (int i = 0; i < binding->count; i++) {
		if (look_at_layer(&binding->bound[i], time_s, own, &weight, value)) {
			blend_scales(binding->bound[i].layer, weight, own, value);
		}
	}
}

static void angles_at(
	const struct fbx_binding *binding, int order, double time_s, double degrees[static 3]) {
	double own[3], weight;
	for (int i = 0; i < binding->count; i++) {
		const struct fbx_layer *layer = binding->bound[i].layer;
		if (!look_at_layer(&binding->bound[i], time_s, own, &weight, degrees)) {
			continue;
		}
		if (layer->composes_rotation) {
			blend_rotations(layer, weight, order, own, degrees);
		} else {
			blend_numbers(layer, weight, own, degrees);
		}
	}
}

void fbx_local_at(const struct fbx_node_binding *binding, const struct fbx_node *node,
	double time_s, struct fbx_local *out) {
	double degrees[3];
	*out = node->rest;
	fbx_numbers_at(&binding->translation, time_s, out->translation);
	fbx_scaling_at(&binding->scaling, time_s, out->scaling);
	if (binding->rotation.count > 0) {
		memcpy(degrees, node->rest_euler, sizeof degrees);
		angles_at(&binding->rotation, node->rotation_order, time_s, degrees);
		fbx_euler(node->rotation_order, degrees, out->rotation);
	}
}
