// Joints that are taken out of skins.
#include <string.h>

#include "optimise/elements.h"
#include "optimise/prune_nodes.h"

#define MATRIX_BYTES 64
#define INFLUENCES 4
#define SEVERAL (-2)

/* False for what cannot be changed in place. */
static bool find_elements(
	const struct pruning *pruning, int index, const char *type, struct elements *out) {
	return elements_find(&pruning->parts, index, out) && out->count > 0 &&
		json_span_is(json_span_member(pruning->parts.accessors[index].text, "type"), type);
}

static bool can_renumber(const struct pruning *pruning, int accessor) {
	struct elements elements;
	return find_elements(pruning, accessor, "\"VEC4\"", &elements) &&
		(elements.component == COMPONENT_UNSIGNED_BYTE ||
			elements.component == COMPONENT_UNSIGNED_SHORT);
}

static bool can_shorten(const struct pruning *pruning, int skin) {
	struct elements elements;
	const struct pruned_skin *own = &pruning->skins[skin];
	for (int i = 0; i < pruning->skin_count; i++) {
		if (i != skin && own->inverse >= 0 && pruning->skins[i].inverse == own->inverse) {
			return false;
		}
	}
	return own->inverse < 0 ||
		(find_elements(pruning, own->inverse, "\"MAT4\"", &elements) &&
			elements.component == COMPONENT_FLOAT &&
			elements.count == (size_t)own->count && elements.stride == MATRIX_BYTES);
}

static void read_skin(struct pruning *pruning, struct json_span text, struct pruned_skin *out) {
	struct json_span name, value;
	*out = (struct pruned_skin){
		.text = text,
		.joints = json_span_member(text, "joints"),
		.inverse = prune_member(text, "inverseBindMatrices", pruning->parts.accessor_count),
	};
	struct json_items items = json_items_of(out->joints);
	out->count = (int)json_span_count(out->joints);
	out->nodes = arena_alloc(pruning->arena, (size_t)out->count + 1, sizeof *out->nodes);
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		uint64_t node;
		const bool good =
			json_span_whole(value, &node) && node < (uint64_t)pruning->node_count;
		out->nodes[i] = good ? (int)node : -1;
		out->stays |= !good;
	}
}

static bool is_joints(struct json_span name) {
	return name.size > 7 && memcmp(name.text, "JOINTS_", 7) == 0;
}

/* Notes that a primitive is moved by a skin; -1 = by none. */
static void note_primitive(struct pruning *pruning, struct json_span primitive, int skin) {
	struct json_items items = json_items_of(json_span_member(primitive, "attributes"));
	struct json_span name, value;
	while (json_items_next(&items, &name, &value)) {
		uint64_t at;
		if (!is_joints(name) || !json_span_whole(value, &at) ||
			at >= (uint64_t)pruning->parts.accessor_count || skin < 0) {
			continue;
		}
		int *owner = &pruning->skin_of_accessor[at];
		const bool other = *owner >= 0 && *owner != skin;
		const bool packed = json_span_member(primitive, "extensions").text != NULL;
		if (*owner == SEVERAL || other || packed || !can_renumber(pruning, (int)at)) {
			pruning->skins[skin].stays = true;
		}
		if (other) {
			pruning->skins[*owner].stays = true;
		}
		*owner = other ? SEVERAL : *owner == SEVERAL ? SEVERAL : skin;
	}
}

static void note_meshes(struct pruning *pruning) {
	const struct json_span meshes = json_span_member(pruning->parts.json, "meshes");
	const int mesh_count = (int)json_span_count(meshes);
	for (int i = 0; i < pruning->node_count; i++) {
		const int mesh = prune_member(pruning->nodes[i], "mesh", mesh_count);
		const int skin = prune_member(pruning->nodes[i], "skin", pruning->skin_count);
		if (mesh < 0 || skin < 0) {
			continue;
		}
		pruning->skins[skin].stays |= pruning->joints[i] < 0;
		struct json_items items = json_items_of(meshes);
		struct json_span name, value = {0};
		for (int k = 0; k <= mesh; k++) {
			json_items_next(&items, &name, &value);
		}
		items = json_items_of(json_span_member(value, "primitives"));
		while (json_items_next(&items, &name, &value)) {
			note_primitive(pruning, value, skin);
		}
	}
}

/* True when bytes belong to elements of both. */
static bool overlap(const struct elements *a, const struct elements *b) {
	const struct elements *first = a->at <= b->at ? a : b, *last = a->at <= b->at ? b : a;
	const size_t between = last->at - first->at, size = first->size;
	if (between >= (first->count - 1) * first->stride + size) {
		return false;
	}
	const size_t within = first->stride > 0 ? between % first->stride : between;
	return first->stride != last->stride || within < size ||
		within + last->size > first->stride;
}

static bool is_same(const struct elements *a, const struct elements *b) {
	return a->at == b->at && a->stride == b->stride && a->count == b->count &&
		a->component == b->component;
}

/* Skins stay whose accessors have bytes together in another way than being the same. */
static void note_overlaps(struct pruning *pruning) {
	const int *owners = pruning->skin_of_accessor;
	for (int i = 0; i < pruning->parts.accessor_count; i++) {
		struct elements a, b;
		if (owners[i] < 0 || !find_elements(pruning, i, "\"VEC4\"", &a)) {
			continue;
		}
		for (int k = 0; k < i; k++) {
			if (owners[k] >= 0 && find_elements(pruning, k, "\"VEC4\"", &b) &&
				overlap(&a, &b) && !(is_same(&a, &b) && owners[i] == owners[k])) {
				pruning->skins[owners[i]].stays = true;
				pruning->skins[owners[k]].stays = true;
			}
		}
	}
}

void prune_skins_find(struct pruning *pruning) {
	const struct json_span skins = json_span_member(pruning->parts.json, "skins");
	const size_t accessors = (size_t)pruning->parts.accessor_count;
	struct json_items items = json_items_of(skins);
	struct json_span name, value;
	pruning->skin_count = (int)json_span_count(skins);
	pruning->skins = arena_alloc(
		pruning->arena, (size_t)pruning->skin_count + 1, sizeof *pruning->skins);
	pruning->skin_of_accessor = arena_alloc(pruning->arena, accessors + 1, sizeof(int));
	for (size_t i = 0; i < accessors; i++) {
		pruning->skin_of_accessor[i] = -1;
	}
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		read_skin(pruning, value, &pruning->skins[i]);
	}
	note_meshes(pruning);
	note_overlaps(pruning);
	for (int i = 0; i < pruning->skin_count; i++) {
		pruning->skins[i].stays |= !can_shorten(pruning, i);
	}
}

/* Moves the matrices that stay together. */
static void shorten_matrices(
	struct pruning *pruning, const struct pruned_skin *skin, const int *places, int count) {
	struct elements elements;
	if (skin->inverse < 0 || !find_elements(pruning, skin->inverse, "\"MAT4\"", &elements)) {
		return;
	}
	unsigned char *matrices = pruning->bin + elements.at;
	for (int i = 0; i < skin->count; i++) {
		if (places[i] >= 0) {
			memmove(matrices + (size_t)places[i] * MATRIX_BYTES,
				matrices + (size_t)i * MATRIX_BYTES, MATRIX_BYTES);
		}
	}
	const struct json_span text = pruning->parts.accessors[skin->inverse].text;
	edits_replace_whole(&pruning->edits, json_span_member(text, "count"), (uint64_t)count);
}

/* Gives joints of vertices their new places in the skin; those that go have no weight. */
static void renumber(
	struct pruning *pruning, int accessor, const struct pruned_skin *skin, const int *places) {
	struct elements elements;
	if (!find_elements(pruning, accessor, "\"VEC4\"", &elements)) {
		return;
	}
	for (size_t i = 0; i < elements.count; i++) {
		unsigned char *at = pruning->bin + elements.at + i * elements.stride;
		for (int k = 0; k < INFLUENCES; k++) {
			const bool is_short = elements.component == COMPONENT_UNSIGNED_SHORT;
			unsigned char *number = at + (is_short ? 2 * k : k);
			const int joint = is_short ? number[0] | number[1] << 8 : number[0];
			const int place =
				joint < skin->count && places[joint] >= 0 ? places[joint] : 0;
			number[0] = (unsigned char)(place & 255);
			if (is_short) {
				number[1] = (unsigned char)(place >> 8);
			}
		}
	}
}

/* False for an accessor of the same bytes as one before. */
static bool is_first(const struct pruning *pruning, int accessor) {
	struct elements a, b;
	if (!find_elements(pruning, accessor, "\"VEC4\"", &a)) {
		return false;
	}
	for (int i = 0; i < accessor; i++) {
		if (pruning->skin_of_accessor[i] == pruning->skin_of_accessor[accessor] &&
			find_elements(pruning, i, "\"VEC4\"", &b) && is_same(&a, &b)) {
			return false;
		}
	}
	return true;
}

static void write_skin(struct pruning *pruning, int index) {
	const struct pruned_skin *skin = &pruning->skins[index];
	int *places = arena_alloc(pruning->arena, (size_t)skin->count + 1, sizeof *places);
	bool *goes = arena_alloc(pruning->arena, (size_t)skin->count + 1, sizeof *goes);
	struct json_items items = json_items_of(skin->joints);
	struct json_span name, value;
	int count = 0;
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		const int node = skin->nodes[i];
		goes[i] = node >= 0 && pruning->position[node] < 0;
		places[i] = goes[i] ? -1 : count++;
		if (!goes[i] && node >= 0) {
			edits_replace_whole(
				&pruning->edits, value, (uint64_t)pruning->position[node]);
		}
	}
	if (count == skin->count) {
		return;
	}
	edits_remove(&pruning->edits, skin->joints, goes);
	shorten_matrices(pruning, skin, places, count);
	for (int i = 0; i < pruning->parts.accessor_count; i++) {
		if (pruning->skin_of_accessor[i] == index && is_first(pruning, i)) {
			renumber(pruning, i, skin, places);
		}
	}
}

static void write_skeleton(struct pruning *pruning, const struct pruned_skin *skin) {
	int node = prune_member(skin->text, "skeleton", pruning->node_count);
	if (node < 0) {
		return;
	}
	while (pruning->instead[node] >= 0) {
		node = pruning->instead[node];
	}
	if (pruning->position[node] < 0) {
		edits_remove_member(&pruning->edits, skin->text, "skeleton");
	} else {
		edits_replace_whole(&pruning->edits, json_span_member(skin->text, "skeleton"),
			(uint64_t)pruning->position[node]);
	}
}

void prune_skins_write(struct pruning *pruning) {
	for (int i = 0; i < pruning->skin_count; i++) {
		write_skin(pruning, i);
		write_skeleton(pruning, &pruning->skins[i]);
	}
}
