// Notes of a lenient import: what it may claim, and the lists of the document.
#include "import/gltf_facts.h"

#include <limits.h>
#include <string.h>

#include "import/gltf_facts_notes.h"
#include "import/limits.h"

struct gltf_facts *gltf_facts_create(struct arena *arena, size_t file_size) {
	struct gltf_facts *facts = arena_alloc(arena, 1, sizeof *facts);
	*facts = (struct gltf_facts){
		.arena = arena,
		.bytes_left = claim_allowed(file_size),
		.skins.size = sizeof(struct skin_facts),
		.lods.size = sizeof(struct lod_facts),
		.clips.size = sizeof(struct clip_facts),
		.channels.size = sizeof(struct channel_facts),
		.images.size = sizeof(struct image_facts),
		.not_covered.size = sizeof(int),
		.vertices.size = sizeof(int),
		.joints.size = sizeof(int),
		.texts.size = 1,
		.taken.size = sizeof(struct channel_facts),
		.others.size = sizeof(struct channel_facts),
		.parts.size = sizeof(struct channel_facts),
	};
	*(char *)gltf_facts_add(facts, &facts->texts) = '\0';
	return facts;
}

bool gltf_facts_claim(struct gltf *gltf, size_t bytes, struct error *err) {
	struct gltf_facts *facts = gltf->facts;
	if (bytes > facts->bytes_left) {
		return error_set(err, ERROR_TOO_LARGE,
			"the file lists more for checks than one of its size may");
	}
	facts->bytes_left -= bytes;
	return true;
}

void *gltf_facts_add(struct gltf_facts *facts, struct gltf_facts_list *list) {
	if (list->count == list->room) {
		list->room = 2 * list->room + 64;
		void *items = arena_alloc(facts->arena, list->room, list->size);
		if (list->count > 0) {
			memcpy(items, list->items, list->count * list->size);
		}
		list->items = items;
	}
	return (char *)list->items + list->count++ * list->size;
}

int gltf_facts_add_text(struct gltf_facts *facts, const char *text) {
	const size_t at = facts->texts.count;
	if (!text || text[0] == '\0' || at > INT_MAX / 2) {
		return 0;
	}
	for (const char *c = text; *c != '\0'; c++) {
		*(char *)gltf_facts_add(facts, &facts->texts) = *c;
	}
	*(char *)gltf_facts_add(facts, &facts->texts) = '\0';
	return (int)at;
}

void gltf_facts_add_extension(struct gltf *gltf, const char *name) {
	struct gltf_facts *facts = gltf->facts;
	*(int *)gltf_facts_add(facts, &facts->not_covered) = gltf_facts_add_text(facts, name);
}

static void add_joint(struct gltf *gltf, int node) {
	*(int *)gltf_facts_add(gltf->facts, &gltf->facts->joints) = gltf->nodes[node].joint;
}

static void add_skins(struct gltf *gltf) {
	struct gltf_facts *facts = gltf->facts;
	for (int i = 0; i < gltf->skin_count; i++) {
		const struct gltf_skin *skin = &gltf->skins[i];
		*(struct skin_facts *)gltf_facts_add(facts, &facts->skins) = (struct skin_facts){
			.first_joint = (int)facts->joints.count,
			.joint_count = skin->joint_count,
			.first_slot = skin->first_slot,
		};
		for (int k = 0; k < skin->joint_count; k++) {
			add_joint(gltf, skin->nodes[k]);
		}
	}
}

/* MSFT_lod at a node: ids that are none are left out. */
static void add_lod(struct gltf *gltf, const struct gltf_node *node) {
	const struct gltf_item extensions = gltf_member(&node->item, "extensions");
	const struct gltf_item lod = gltf_member(&extensions, "MSFT_lod");
	const struct gltf_item ids = gltf_member(&lod, "ids");
	if (!ids.json || ids.json->kind != JSON_KIND_LIST) {
		return;
	}
	const int first = (int)gltf->facts->joints.count;
	for (size_t i = 0; i < gltf_list_size(&ids); i++) {
		int id;
		if (gltf_element_index(&ids, i, gltf->node_count, &id, NULL)) {
			add_joint(gltf, id);
		}
	}
	*(struct lod_facts *)gltf_facts_add(gltf->facts, &gltf->facts->lods) = (struct lod_facts){
		.joint = node->joint,
		.first_joint = first,
		.joint_count = (int)gltf->facts->joints.count - first,
	};
}

/* The names of all nodes, by joint. */
static int *add_nodes(struct gltf *gltf) {
	int *names = arena_alloc(gltf->arena, (size_t)gltf->node_count, sizeof *names);
	for (int i = 0; i < gltf->node_count; i++) {
		const struct gltf_node *node = &gltf->nodes[i];
		const struct gltf_item name = gltf_member(&node->item, "name");
		names[node->joint] = gltf_facts_add_text(gltf->facts, json_tree_string(name.json));
		add_lod(gltf, node);
	}
	return names;
}

static void name_clips(struct gltf *gltf) {
	const struct gltf_item list = gltf_member(&gltf->root, "animations");
	struct clip_facts *clips = gltf->facts->clips.items;
	for (int i = 0; i < gltf->rig->clip_count; i++) {
		const struct gltf_item clip = gltf_element(&list, (size_t)i);
		const struct gltf_item name = gltf_member(&clip, "name");
		clips[i].name = gltf_facts_add_text(gltf->facts, json_tree_string(name.json));
	}
}

static int *count_targets(struct gltf *gltf) {
	int *counts = arena_alloc(gltf->arena, (size_t)gltf->mesh_count, sizeof *counts);
	for (int i = 0; i < gltf->mesh_count; i++) {
		counts[i] = gltf->meshes[i].target_count;
	}
	return counts;
}

/* False where a list is too long for the facts, and a count would leave int. */
static bool fits(const struct gltf_facts *facts, struct error *err) {
	const struct gltf_facts_list *lists[] = {&facts->skins, &facts->lods, &facts->clips,
		&facts->channels, &facts->images, &facts->not_covered, &facts->vertices,
		&facts->joints, &facts->texts};
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		if (lists[i]->count > INT_MAX) {
			return error_set(err, ERROR_TOO_LARGE, "facts of the file: too many");
		}
	}
	return true;
}

struct asset_facts *gltf_facts_finish(struct gltf *gltf, struct error *err) {
	struct gltf_facts *facts = gltf->facts;
	add_skins(gltf);
	int *names = add_nodes(gltf), *targets = count_targets(gltf);
	name_clips(gltf);
	if (!fits(facts, err)) {
		return NULL;
	}
	const struct asset_facts whole = {
		.file_bytes = gltf->source->file_size,
		.primitive_count = facts->primitive_count,
		.primitives = facts->primitives,
		.skin_count = (int)facts->skins.count,
		.skins = facts->skins.items,
		.joint_name_count = gltf->node_count,
		.joint_names = names,
		.clip_count = (int)facts->clips.count,
		.clips = facts->clips.items,
		.channel_count = (int)facts->channels.count,
		.channels = facts->channels.items,
		.mesh_count = gltf->mesh_count,
		.morph_targets = targets,
		.image_count = (int)facts->images.count,
		.images = facts->images.items,
		.lod_count = (int)facts->lods.count,
		.lods = facts->lods.items,
		.not_covered_count = (int)facts->not_covered.count,
		.not_covered = facts->not_covered.items,
		.nonfinite_count = facts->nonfinite ? (int)((facts->vertex_count + 31) / 32) : 0,
		.nonfinite = facts->nonfinite,
		.vertex_count = (int)facts->vertices.count,
		.vertices = facts->vertices.items,
		.joint_count = (int)facts->joints.count,
		.joints = facts->joints.items,
		.text_bytes = (int)facts->texts.count,
		.texts = facts->texts.items,
	};
	return asset_facts_copy(&whole, err);
}
