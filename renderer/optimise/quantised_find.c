// Meshes whose vertices can become integers, and those that share a cube.
#include <string.h>

#include "optimise/quantised.h"

#define DEPTH_MAX 200

static int position(struct json_span object, const char *name, int count) {
	uint64_t value;
	const struct json_span span = json_span_member(object, name);
	return json_span_whole(span, &value) && value < (uint64_t)count ? (int)value : -1;
}

/* The items of a list. */
static struct json_span *list(
	const struct quantising *quantising, const char *member_name, int *count) {
	const struct json_span text = json_span_member(quantising->parts.json, member_name);
	struct json_items items = json_items_of(text);
	struct json_span name;
	*count = (int)json_span_count(text);
	struct json_span *out = arena_alloc(quantising->arena, (size_t)*count + 1, sizeof *out);
	for (int i = 0; i < *count && json_items_next(&items, &name, &out[i]); i++) {
	}
	return out;
}

static void list_all(struct quantising *quantising) {
	struct arena *arena = quantising->arena;
	struct json_span *meshes = list(quantising, "meshes", &quantising->mesh_count);
	struct json_span *skins = list(quantising, "skins", &quantising->skin_count);
	struct json_span *nodes = list(quantising, "nodes", &quantising->node_count);
	quantising->meshes =
		arena_alloc(arena, (size_t)quantising->mesh_count + 1, sizeof *quantising->meshes);
	quantising->skins =
		arena_alloc(arena, (size_t)quantising->skin_count + 1, sizeof *quantising->skins);
	quantising->nodes =
		arena_alloc(arena, (size_t)quantising->node_count + 1, sizeof *quantising->nodes);
	for (int i = 0; i < quantising->mesh_count; i++) {
		quantising->meshes[i].text = meshes[i];
	}
	for (int i = 0; i < quantising->skin_count; i++) {
		quantising->skins[i].text = skins[i];
		quantising->skins[i].joint_count =
			(int)json_span_count(json_span_member(skins[i], "joints"));
		quantising->skins[i].matrices =
			position(skins[i], "inverseBindMatrices", quantising->parts.accessor_count);
	}
	for (int i = 0; i < quantising->node_count; i++) {
		struct quantised_node *node = &quantising->nodes[i];
		*node = (struct quantised_node){.text = nodes[i],
			.mesh = position(nodes[i], "mesh", quantising->mesh_count),
			.skin = position(nodes[i], "skin", quantising->skin_count),
			.is_weighted = json_span_member(nodes[i], "weights").text};
	}
}

/* --- What names accessors and nodes --- */

static void add_role(struct quantising *quantising, struct json_span number, unsigned role) {
	uint64_t at;
	if (json_span_whole(number, &at) && at < (uint64_t)quantising->parts.accessor_count) {
		quantising->accessors[at].roles |= role;
	}
}

static bool begins(struct json_span name, const char *with) {
	return name.size >= strlen(with) && memcmp(name.text, with, strlen(with)) == 0;
}

unsigned quantised_role(const struct mesh_name *named) {
	const bool is_target = named->use == MESH_TARGET;
	return named->use == MESH_INDICES               ? ROLE_INDICES
		: json_span_is(named->name, "POSITION") ? (is_target ? ROLE_DELTA : ROLE_POSITION)
		: json_span_is(named->name, "NORMAL") ? (is_target ? ROLE_FRAME_DELTA : ROLE_NORMAL)
		: json_span_is(named->name, "TANGENT")
		? (is_target ? ROLE_FRAME_DELTA : ROLE_TANGENT)
		: is_target                        ? ROLE_ATTRIBUTE
		: begins(named->name, "TEXCOORD_") ? ROLE_TEXCOORD
		: begins(named->name, "JOINTS_")   ? ROLE_JOINTS
		: begins(named->name, "WEIGHTS_")  ? ROLE_WEIGHTS
						   : ROLE_ATTRIBUTE;
}

static void note_named(void *context, const struct mesh_name *named) {
	add_role(context, named->accessor, quantised_role(named));
}

static bool is_accessor_name(struct json_span name) {
	return json_span_is(name, "attributes") || json_span_is(name, "indices") ||
		json_span_is(name, "targets") || json_span_is(name, "accessor") ||
		json_span_is(name, "inverseBindMatrices");
}

void quantised_leave(struct quantising *quantising, int group, const char *why) {
	struct quantised_group *found = &quantising->groups[group];
	found->left = found->left ? found->left : why;
}

/* Accessors and meshes that an extension names. VRM 0.x names meshes for their morph targets. */
static void note_extension(
	struct quantising *quantising, struct json_span span, bool are_accessors, int depth) {
	struct json_items items = json_items_of(span);
	struct json_span name, value;
	if (are_accessors) {
		add_role(quantising, span, ROLE_OTHER);
	}
	while (depth < DEPTH_MAX && json_items_next(&items, &name, &value)) {
		uint64_t mesh;
		if (json_span_is(name, "mesh") && json_span_whole(value, &mesh) &&
			mesh < (uint64_t)quantising->mesh_count) {
			quantised_leave(quantising, quantising->meshes[mesh].group,
				"an extension names it");
		}
		note_extension(
			quantising, value, are_accessors || is_accessor_name(name), depth + 1);
	}
}

static void note_extensions(struct quantising *quantising, struct json_span span, int depth) {
	struct json_items items = json_items_of(span);
	struct json_span name, value;
	while (depth < DEPTH_MAX && json_items_next(&items, &name, &value)) {
		struct json_items extensions = json_items_of(value);
		struct json_span own;
		if (!json_span_is(name, "extensions")) {
			note_extensions(quantising, value, depth + 1);
			continue;
		}
		while (json_items_next(&extensions, &own, &value)) {
			if (!json_span_is(own, "VRM")) {
				note_extension(quantising, value, false, depth + 1);
			}
		}
	}
}

static void note_animations(struct quantising *quantising) {
	for (int i = 0; i < quantising->parts.animation_count; i++) {
		const struct animation_part *animation = &quantising->parts.animations[i];
		for (int k = 0; k < animation->sampler_count; k++) {
			const struct json_span sampler = animation->sampler_texts[k];
			add_role(quantising, json_span_member(sampler, "input"), ROLE_OTHER);
			add_role(quantising, json_span_member(sampler, "output"), ROLE_OTHER);
		}
		for (int k = 0; k < animation->channel_count; k++) {
			const struct channel_part *channel = &animation->channels[k];
			if (channel->node >= 0 && channel->node < quantising->node_count) {
				const bool weights = channel->path == 3;
				quantising->nodes[channel->node].is_weighted |= weights;
				quantising->nodes[channel->node].is_moved |= !weights;
			}
		}
	}
}

static void note_skins(struct quantising *quantising) {
	for (int i = 0; i < quantising->skin_count; i++) {
		const struct quantised_skin *skin = &quantising->skins[i];
		struct json_items items = json_items_of(json_span_member(skin->text, "joints"));
		struct json_span name, value;
		const int root = position(skin->text, "skeleton", quantising->node_count);
		if (root >= 0) {
			quantising->nodes[root].is_joint = true;
		}
		while (json_items_next(&items, &name, &value)) {
			uint64_t node;
			if (json_span_whole(value, &node) &&
				node < (uint64_t)quantising->node_count) {
				quantising->nodes[node].is_joint = true;
			}
		}
		if (skin->matrices >= 0) {
			quantising->accessors[skin->matrices].roles |= ROLE_MATRICES;
		}
	}
}

/* --- Groups --- */

/* Sets of meshes, and of skins behind them. */
static int root_of(int *above, int i) {
	while (above[i] != i) {
		above[i] = above[above[i]];
		i = above[i];
	}
	return i;
}

static void join(int *above, int a, int b) {
	above[root_of(above, a)] = root_of(above, b);
}

/* Meshes that share positions. */
struct sharing {
	struct quantising *quantising;
	int *above, *owner; // owner: [accessor_count] a mesh or a skin; -1 = none yet
	int mesh;
};

static void join_owner(struct sharing *sharing, int accessor, int owner) {
	if (sharing->owner[accessor] >= 0) {
		join(sharing->above, sharing->owner[accessor], owner);
	}
	sharing->owner[accessor] = owner;
}

static void join_named(void *context, const struct mesh_name *named) {
	struct sharing *sharing = context;
	uint64_t at;
	if ((quantised_role(named) & (ROLE_POSITION | ROLE_DELTA)) &&
		json_span_whole(named->accessor, &at) &&
		at < (uint64_t)sharing->quantising->parts.accessor_count) {
		join_owner(sharing, (int)at, sharing->mesh);
	}
}

static void join_all(struct quantising *quantising, int *above) {
	const int accessors = quantising->parts.accessor_count;
	struct sharing sharing = {.quantising = quantising,
		.above = above,
		.owner = arena_alloc(quantising->arena, (size_t)accessors + 1, sizeof(int))};
	for (int i = 0; i < accessors; i++) {
		sharing.owner[i] = -1;
	}
	for (int i = 0; i < quantising->mesh_count; i++) {
		sharing.mesh = i;
		mesh_walk(quantising->meshes[i].text, join_named, &sharing);
	}
	for (int i = 0; i < quantising->skin_count; i++) {
		if (quantising->skins[i].matrices >= 0) {
			join_owner(&sharing, quantising->skins[i].matrices,
				quantising->mesh_count + i);
		}
	}
	for (int i = 0; i < quantising->node_count; i++) {
		const struct quantised_node *node = &quantising->nodes[i];
		if (node->mesh >= 0 && node->skin >= 0) {
			join(above, node->mesh, quantising->mesh_count + node->skin);
		}
	}
}

static void make_groups(struct quantising *quantising) {
	const int count = quantising->mesh_count + quantising->skin_count;
	int *above = arena_alloc(quantising->arena, (size_t)count + 1, sizeof *above);
	for (int i = 0; i < count; i++) {
		above[i] = i;
	}
	join_all(quantising, above);
	quantising->group_count = count;
	quantising->groups =
		arena_alloc(quantising->arena, (size_t)count + 1, sizeof *quantising->groups);
	for (int i = 0; i < count; i++) {
		quantising->groups[i].box = (struct bounds)BOUNDS_NONE;
		const int group = root_of(above, i);
		if (i < quantising->mesh_count) {
			quantising->meshes[i].group = group;
		} else {
			quantising->skins[i - quantising->mesh_count].group = group;
		}
	}
}

void quantised_find(struct quantising *quantising, const struct quantise_choice *choices) {
	const struct parts *parts = &quantising->parts;
	list_all(quantising);
	quantising->accessors = arena_alloc(quantising->arena, (size_t)parts->accessor_count + 1,
		sizeof *quantising->accessors);
	for (int i = 0; i < parts->accessor_count; i++) {
		struct quantised_accessor *accessor = &quantising->accessors[i];
		accessor->is_plain = elements_find(parts, i, &accessor->from);
		accessor->group = -1;
	}
	for (int i = 0; i < quantising->mesh_count; i++) {
		mesh_walk(quantising->meshes[i].text, note_named, quantising);
	}
	note_skins(quantising);
	note_animations(quantising);
	make_groups(quantising);
	note_extensions(quantising, parts->json, 0);
	quantised_leave_some(quantising, choices);
}
