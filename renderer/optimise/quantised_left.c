// Meshes whose vertices stay as they are, and the cubes of the others.
#include <float.h>
#include <math.h>

#include "optimise/quantised.h"
#include "optimise/references.h"

#define SCALE_MIN 1e-12
#define SCALE_MAX 1e12

static void note_node(void *context, struct json_span number) {
	struct quantising *quantising = context;
	uint64_t node;
	if (json_span_whole(number, &node) && node < (uint64_t)quantising->node_count) {
		quantising->nodes[node].is_named = true;
	}
}

bool quantised_node_splits(const struct quantised_node *node) {
	return !node->is_weighted && !node->is_named;
}

/* True where nothing but the node's own mesh depends on its transform. */
static bool is_free(const struct quantised_node *node) {
	static const char *const holds[] = {"children", "camera", "extensions"};
	for (size_t i = 0; i < sizeof holds / sizeof *holds; i++) {
		if (json_span_member(node->text, holds[i]).text) {
			return false;
		}
	}
	return !node->is_moved && !node->is_joint;
}

static bool has_joints(struct json_span mesh) {
	struct json_items items = json_items_of(json_span_member(mesh, "primitives"));
	struct json_span name, primitive;
	while (json_items_next(&items, &name, &primitive)) {
		const struct json_span attributes = json_span_member(primitive, "attributes");
		if (!json_span_member(attributes, "JOINTS_0").text ||
			!json_span_member(attributes, "WEIGHTS_0").text) {
			return false;
		}
	}
	return true;
}

static const char *why_of_node(
	const struct quantising *quantising, const struct quantised_node *node, bool are_known) {
	const struct json_span extensions = json_span_member(node->text, "extensions");
	if (json_span_member(extensions, "EXT_mesh_gpu_instancing").text) {
		return "its node has instances";
	}
	if (node->skin >= 0) {
		return has_joints(quantising->meshes[node->mesh].text)
			? NULL
			: "a part of it has a skin but no joints";
	}
	return !are_known ? "an extension may name its node"
		: quantised_node_splits(node) || is_free(node)
		? NULL
		: "its node has morph weights, or an extension names it";
}

static void look_at_nodes(struct quantising *quantising) {
	struct error err = {0};
	const bool are_known =
		references_of_extensions(quantising->parts.json, note_node, quantising, &err);
	for (int i = 0; i < quantising->node_count; i++) {
		const struct quantised_node *node = &quantising->nodes[i];
		if (node->mesh < 0) {
			continue;
		}
		struct quantised_mesh *mesh = &quantising->meshes[node->mesh];
		const char *why = why_of_node(quantising, node, are_known);
		mesh->is_used = true;
		if (why) {
			quantised_leave(quantising, mesh->group, why);
		}
		if (node->skin >= 0) {
			quantising->skins[node->skin].is_used = true;
		}
	}
}

static bool is_known(struct json_span extension) {
	return json_span_is(extension, "KHR_materials_variants") ||
		json_span_is(extension, "EXT_mesh_features");
}

static bool has_unknown(struct json_span object) {
	struct json_items items = json_items_of(json_span_member(object, "extensions"));
	struct json_span name, value;
	while (json_items_next(&items, &name, &value)) {
		if (!is_known(name)) {
			return true;
		}
	}
	return false;
}

static bool has_unknown_part(struct json_span mesh) {
	struct json_items items = json_items_of(json_span_member(mesh, "primitives"));
	struct json_span name, primitive;
	bool found = has_unknown(mesh);
	while (json_items_next(&items, &name, &primitive)) {
		found |= has_unknown(primitive);
	}
	return found;
}

static void look_at_skins(struct quantising *quantising) {
	for (int i = 0; i < quantising->skin_count; i++) {
		const struct quantised_skin *skin = &quantising->skins[i];
		const struct quantised_accessor *matrices =
			skin->matrices < 0 ? NULL : &quantising->accessors[skin->matrices];
		if (matrices) {
			quantising->accessors[skin->matrices].group = skin->group;
		}
		if (skin->is_used && matrices &&
			(!matrices->is_plain || matrices->roles != ROLE_MATRICES ||
				matrices->from.component != COMPONENT_FLOAT ||
				matrices->from.width != 16)) {
			quantised_leave(quantising, skin->group,
				"its skin's matrices are packed, sparse or used otherwise");
		}
	}
}

/* A mesh whose positions are looked at. */
struct look {
	struct quantising *quantising;
	struct quantised_group *group;
	int group_index;
};

/* False where one is not finite. */
static bool add_numbers(
	const struct parts *parts, const struct elements *from, struct bounds *box) {
	bool are_finite = true;
	for (size_t i = 0; i < from->count; i++) {
		for (int k = 0; k < 3; k++) {
			const double x = (double)elements_float(parts, from, i, k);
			are_finite &= isfinite(x);
			box->min[k] = fmin(box->min[k], x);
			box->max[k] = fmax(box->max[k], x);
		}
	}
	return are_finite;
}

static void look_at_named(void *context, const struct mesh_name *named) {
	const struct look *look = context;
	const unsigned role = quantised_role(named);
	uint64_t at;
	if (!(role & (ROLE_POSITION | ROLE_DELTA)) || !json_span_whole(named->accessor, &at) ||
		at >= (uint64_t)look->quantising->parts.accessor_count) {
		return;
	}
	struct quantised_accessor *accessor = &look->quantising->accessors[at];
	if (!accessor->is_plain || accessor->from.component != COMPONENT_FLOAT ||
		accessor->from.width != 3) {
		quantised_leave(look->quantising, look->group_index,
			"its positions are packed, sparse or no floats");
	} else if (accessor->roles != role) {
		quantised_leave(look->quantising, look->group_index,
			"its positions are used otherwise, too");
	} else if (accessor->group < 0) { // not twice
		accessor->group = look->group_index;
		struct bounds box = BOUNDS_NONE;
		struct bounds *out = role == ROLE_POSITION ? &look->group->box : &box;
		if (!add_numbers(&look->quantising->parts, &accessor->from, out)) {
			look->group->reach = INFINITY;
		}
		for (int k = 0; k < 3 && out == &box && accessor->from.count > 0; k++) {
			look->group->reach =
				fmax(look->group->reach, fmax(fabs(box.min[k]), fabs(box.max[k])));
		}
	}
}

static void look_at_meshes(struct quantising *quantising, const struct quantise_choice *choices) {
	for (int i = 0; i < quantising->mesh_count; i++) {
		const struct quantised_mesh *mesh = &quantising->meshes[i];
		const struct look look = {
			quantising, &quantising->groups[mesh->group], mesh->group};
		if (choices[i].left) {
			quantised_leave(quantising, mesh->group, choices[i].left);
		} else if (!mesh->is_used) {
			quantised_leave(quantising, mesh->group, "no node has it");
		}
		mesh_walk(mesh->text, look_at_named, (void *)&look);
	}
}

/* The cube about a group's box, whose numbers are float32 as readers take them. */
static void make_cube(struct quantised_group *group) {
	double scale = group->reach;
	for (int k = 0; k < 3; k++) {
		group->centre[k] = (float)(0.5 * (group->box.min[k] + group->box.max[k]));
		const double below = (double)group->centre[k] - group->box.min[k];
		const double above = group->box.max[k] - (double)group->centre[k];
		scale = fmax(scale, fmax(below, above));
	}
	group->scale = scale > 0 ? nextafterf((float)scale, FLT_MAX) : 1;
	if (!(scale <= SCALE_MAX) || !((double)group->scale >= SCALE_MIN)) {
		group->left = "its numbers are too large, too small or not finite";
	}
}

static void mark_left(void *context, const struct mesh_name *named) {
	struct quantising *quantising = context;
	uint64_t at;
	if (json_span_whole(named->accessor, &at) &&
		at < (uint64_t)quantising->parts.accessor_count) {
		quantising->accessors[at].is_left = true;
	}
}

void quantised_leave_some(struct quantising *quantising, const struct quantise_choice *choices) {
	for (int i = 0; i < quantising->mesh_count; i++) {
		if (has_unknown_part(quantising->meshes[i].text)) {
			quantised_leave(quantising, quantising->meshes[i].group,
				"an extension has its vertices");
		}
	}
	look_at_nodes(quantising);
	look_at_skins(quantising);
	look_at_meshes(quantising, choices);
	for (int i = 0; i < quantising->group_count; i++) {
		struct quantised_group *group = &quantising->groups[i];
		if (!group->left && group->box.min[0] > group->box.max[0]) {
			group->left = "it has no positions";
		} else if (!group->left) {
			make_cube(group);
		}
	}
	for (int i = 0; i < quantising->mesh_count; i++) {
		if (quantising->groups[quantising->meshes[i].group].left) {
			mesh_walk(quantising->meshes[i].text, mark_left, quantising);
		}
	}
}
