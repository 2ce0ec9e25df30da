// Influences, skins and nodes.
#include "export/rigging.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "export/clip.h"

#define SET 4 // influences

static size_t sets_of(const struct primitive *primitive) {
	return ((size_t)primitive->influence_count + SET - 1) / SET;
}

/* True when influences count the rig's slots, and not those of a skin. */
static bool is_flat(const struct rigging *rigging) {
	return rigging->job->rigging->matrices;
}

/* glTF wants joint 0 where there is no weight. */
static void fill_influences(struct rigging *rigging, const struct primitive *primitive) {
	const struct rig *rig = rigging->job->rig;
	const size_t width = (size_t)primitive->influence_count;
	const size_t stride = (size_t)rig->vertex_count * SET;
	const int base = is_flat(rigging) ? primitive->first_slot : 0;
	for (size_t v = 0; v < (size_t)primitive->vertex_count; v++) {
		const size_t from = primitive->first_influence + v * width;
		const size_t to = ((size_t)primitive->first_vertex + v) * SET;
		for (size_t i = 0; i < width; i++) {
			const size_t at = i / SET * stride + to + i % SET;
			const float weight = rig->influence_weights[from + i];
			rigging->weights[at] = weight;
			rigging->joints[at] =
				weight > 0 ? (uint16_t)(base + rig->influence_slots[from + i]) : 0;
		}
	}
}

static bool make_influences(struct rigging *rigging, struct glb *glb, struct error *err) {
	const struct rig *rig = rigging->job->rig;
	for (int i = 0; i < rig->primitive_count; i++) {
		const size_t sets = sets_of(&rig->primitives[i]);
		rigging->sets = sets > rigging->sets ? sets : rigging->sets;
	}
	const size_t count = rigging->sets * (size_t)rig->vertex_count * SET;
	rigging->joints = try_calloc(count, sizeof *rigging->joints, "influences", err);
	rigging->weights = rigging->joints
		? try_calloc(count, sizeof *rigging->weights, "influences", err)
		: NULL;
	if (!rigging->weights) {
		return false;
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		fill_influences(rigging, &rig->primitives[i]);
	}
	rigging->joint_view = glb_add_view(glb, rigging->joints, count * sizeof *rigging->joints,
		SET * sizeof *rigging->joints, GLB_VERTICES);
	rigging->weight_view = glb_add_view(glb, rigging->weights, count * sizeof *rigging->weights,
		SET * sizeof *rigging->weights, GLB_VERTICES);
	return true;
}

/* Without joints the skin's are where they are, and their bind matrices take the mesh to its first
 * moment. */
static bool make_bind(struct rigging *rigging, struct glb *glb, struct error *err) {
	const struct rig *rig = rigging->job->rig;
	const size_t count = (size_t)rig->slot_count;
	rigging->bind = try_calloc(count, 16 * sizeof *rigging->bind, "bind matrices", err);
	for (size_t i = 0; rigging->bind && i < count; i++) {
		const double *rows = is_flat(rigging) ? rigging->job->rigging->matrices[i]
						      : rig->slots[i].inverse_bind;
		for (size_t k = 0; k < 12; k++) {
			const float number = (float)rows[k];
			if (!isfinite(number)) {
				return error_set(err, ERROR_INVALID_VALUE,
					"a bind matrix is larger than float32");
			}
			rigging->bind[i * 16 + k % 4 * 4 + k / 4] = number;
		}
		rigging->bind[i * 16 + 15] = 1;
	}
	rigging->bind_view = glb_add_view(
		glb, rigging->bind, count * 16 * sizeof *rigging->bind, 0, GLB_NO_TARGET);
	return rigging->bind;
}

/* The root above each joint. */
static int *find_roots(const struct rig *rig) {
	int *roots = xcalloc((size_t)rig->joint_count + 1, sizeof *roots);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		roots[i] = parent < 0 ? i : roots[parent];
	}
	return roots;
}

static int *make_list(int count) {
	int *list = xcalloc((size_t)count + 1, sizeof *list);
	for (int i = 0; i < count; i++) {
		list[i] = -1;
	}
	return list;
}

/* Room for all nodes: those of joints, of further meshes at the same ones, of slots that share one,
 * and a root above all. */
static bool make_nodes(struct rigging *rigging, struct error *err) {
	const struct rig *rig = rigging->job->rig;
	const size_t joints = (size_t)rig->joint_count;
	rigging->nodes =
		try_calloc(joints + (size_t)rig->primitive_count + (size_t)rig->slot_count + 1,
			sizeof *rigging->nodes, "nodes", err);
	if (rigging->nodes) {
		nodes_init(rig, rigging->nodes);
		rigging->node_count = rig->joint_count;
	}
	return rigging->nodes;
}

bool rigging_open(
	struct rigging *rigging, const struct export_job *job, struct glb *glb, struct error *err) {
	*rigging = (struct rigging){.job = job};
	if (!job->rigging) {
		return true;
	}
	rigging->skin_of_slot = make_list(job->rig->slot_count);
	rigging->last_skin = make_list(job->rig->joint_count);
	rigging->roots = find_roots(job->rig);
	rigging->keys = xcalloc((size_t)job->rigging->clip_count + 1, sizeof *rigging->keys);
	return make_nodes(rigging, err) &&
		(job->rig->vertex_count == 0 ||
			(make_influences(rigging, glb, err) && make_bind(rigging, glb, err)));
}

void rigging_finish(struct rigging *rigging) {
	for (int i = 0; rigging->keys && i < rigging->job->rigging->clip_count; i++) {
		free(rigging->keys[i]);
	}
	free(rigging->keys);
	free(rigging->joints);
	free(rigging->weights);
	free(rigging->bind);
	free(rigging->nodes);
	free(rigging->skin_of_slot);
	free(rigging->last_skin);
	free(rigging->roots);
}

void rigging_write_influences(const struct rigging *rigging, const struct primitive *primitive,
	struct glb *glb, struct json_writer *json) {
	const size_t vertices = (size_t)rigging->job->rig->vertex_count;
	const size_t sets = primitive->skinned || is_flat(rigging) ? sets_of(primitive) : 0;
	for (size_t i = 0; i < sets; i++) {
		const size_t first = (i * vertices + (size_t)primitive->first_vertex) * SET;
		char name[32];
		struct glb_accessor accessor = {
			.view = rigging->joint_view,
			.offset = first * sizeof *rigging->joints,
			.component = GLB_U16,
			.type = "VEC4",
			.count = (size_t)primitive->vertex_count,
		};
		snprintf(name, sizeof name, "JOINTS_%zu", i);
		json_write_member_integer(json, name, glb_add_accessor(glb, &accessor));
		accessor.view = rigging->weight_view;
		accessor.offset = first * sizeof *rigging->weights;
		accessor.component = GLB_F32;
		snprintf(name, sizeof name, "WEIGHTS_%zu", i);
		json_write_member_integer(json, name, glb_add_accessor(glb, &accessor));
	}
}

/* --- Skins --- */

/* A node beside the joints', below one of them; -1 = a root. */
static int add_node(struct rigging *rigging, const char *name, int parent) {
	rigging->nodes[rigging->node_count] = (struct export_node){
		.name = name, .parent = parent, .mesh = -1, .skin = -1, .next = -1};
	return rigging->node_count++;
}

/* The node of a slot: its joint's, or where the skin has that one already, another there. */
static int node_of_slot(struct rigging *rigging, int skin, int slot) {
	const struct rig *rig = rigging->job->rig;
	const int joint = rig->slots[slot].joint;
	if (rigging->last_skin[joint] == skin) {
		return add_node(rigging, rig->joints[joint].name, joint);
	}
	rigging->last_skin[joint] = skin;
	return joint;
}

static void begin_skin(const struct rigging *rigging, int first_slot, int count, struct glb *glb) {
	const struct glb_accessor accessor = {
		.view = rigging->bind_view,
		.offset = (size_t)first_slot * 16 * sizeof *rigging->bind,
		.component = GLB_F32,
		.type = "MAT4",
		.count = (size_t)count,
	};
	struct json_writer *json = glb_begin(glb, GLB_SKINS);
	json_write_member_integer(json, "inverseBindMatrices", glb_add_accessor(glb, &accessor));
	json_write_key(json, "joints");
	json_write_begin_list(json);
}

/* Returns its index. */
static int end_skin(struct glb *glb) {
	struct json_writer *json = &glb->lists[GLB_SKINS].json;
	json_write_end_list(json);
	json_write_end_object(json);
	return glb->lists[GLB_SKINS].count - 1;
}

/* The skin of a primitive, as a skin of nodes. Its joints have to have a root in common. */
static int add_skin(struct rigging *rigging, const struct primitive *primitive, struct glb *glb) {
	const struct palette_slot *slots = &rigging->job->rig->slots[primitive->first_slot];
	const int skin = glb->lists[GLB_SKINS].count;
	begin_skin(rigging, primitive->first_slot, primitive->slot_count, glb);
	for (int i = 0; i < primitive->slot_count; i++) {
		rigging->wants_root |=
			rigging->roots[slots[i].joint] != rigging->roots[slots[0].joint];
		json_write_integer(&glb->lists[GLB_SKINS].json,
			node_of_slot(rigging, skin, primitive->first_slot + i));
	}
	return end_skin(glb);
}

void rigging_set_mesh(
	struct rigging *rigging, const struct primitive *primitive, bool morphs, struct glb *glb) {
	const struct rig *rig = rigging->job->rig;
	struct export_node *node = &rigging->nodes[primitive->joint];
	const double *place = rig_place_within_joint(rig, primitive);
	if (node->mesh >= 0 || place) {
		const int other =
			add_node(rigging, rig->joints[primitive->joint].name, primitive->joint);
		rigging->nodes[other].place = place;
		rigging->nodes[other].next = node->next;
		node->next = other;
		node = &rigging->nodes[other];
	}
	node->mesh = glb->lists[GLB_MESHES].count - 1;
	node->morphs = morphs;
	if (!primitive->skinned) {
		return;
	}
	int *skin = &rigging->skin_of_slot[primitive->first_slot];
	if (*skin < 0) {
		*skin = add_skin(rigging, primitive, glb);
	}
	node->skin = *skin;
}

/* --- Nodes --- */

static void add_slot_node(const struct rig *rig, int slot, struct glb *glb) {
	struct json_writer *json = glb_begin(glb, GLB_NODES);
	json_write_member_string(json, "name", rig->joints[rig->slots[slot].joint].name);
	json_write_end_object(json);
}

/* A node for each slot, below one that makes them a skeleton. */
static void add_slots(const struct rigging *rigging, struct glb *glb) {
	const struct rig *rig = rigging->job->rig;
	const int first = glb->lists[GLB_NODES].count;
	for (int i = 0; i < rig->slot_count; i++) {
		add_slot_node(rig, i, glb);
	}
	struct json_writer *json = glb_begin(glb, GLB_NODES);
	json_write_member_string(json, "name", "slots");
	json_write_key(json, "children");
	json_write_begin_list(json);
	for (int i = 0; i < rig->slot_count; i++) {
		json_write_integer(json, first + i);
	}
	json_write_end_list(json);
	json_write_end_object(json);
	glb_add_root(glb, first + rig->slot_count);
	begin_skin(rigging, 0, rig->slot_count, glb);
	for (int i = 0; i < rig->slot_count; i++) {
		json_write_integer(&glb->lists[GLB_SKINS].json, first + i);
	}
	end_skin(glb);
}

/* One root above all, for skins whose joints hang on several. */
static void add_common_root(struct rigging *rigging) {
	const int root = add_node(rigging, "root", -1);
	for (int i = 0; i < rigging->job->rig->joint_count; i++) {
		struct export_node *node = &rigging->nodes[i];
		node->parent = node->parent < 0 ? root : node->parent;
	}
}

/* --- Clips --- */

/* Gives a channel to the nodes that have what it drives; returns how many. out NULL = counts. */
static int spread(
	const struct rigging *rigging, const struct channel *channel, struct channel *out) {
	if (channel->path != CHANNEL_WEIGHTS) {
		if (out) {
			*out = *channel;
		}
		return 1;
	}
	int count = 0;
	for (int i = channel->joint; i >= 0; i = rigging->nodes[i].next) {
		if (rigging->nodes[i].morphs && out) {
			out[count] = *channel;
			out[count].joint = i;
		}
		count += rigging->nodes[i].morphs;
	}
	return count;
}

/* Adds a clip for the nodes that there are. */
static bool add_clip(const struct rigging *rigging, int i, struct glb *glb, struct error *err) {
	struct clip clip = rigging->job->rigging->clips[i];
	size_t count = 0;
	for (int k = 0; k < clip.channel_count; k++) {
		count += (size_t)spread(rigging, &clip.channels[k], NULL);
	}
	struct channel *channels = try_calloc(count + 1, sizeof *channels, "channels", err);
	if (!channels) {
		return false;
	}
	int used = 0;
	for (int k = 0; k < clip.channel_count; k++) {
		used += spread(rigging, &clip.channels[k], &channels[used]);
	}
	clip.channels = channels;
	clip.channel_count = used;
	const bool added = keys_add(glb, &clip, &rigging->keys[i], err);
	free(channels);
	return added;
}

bool rigging_add_nodes(struct rigging *rigging, struct glb *glb, struct error *err) {
	const struct export_job *job = rigging->job;
	if (!job->rigging) {
		return true;
	}
	if (is_flat(rigging)) {
		if (job->rig->vertex_count > 0) {
			add_slots(rigging, glb);
		}
		return true;
	}
	if (rigging->wants_root) {
		add_common_root(rigging);
	}
	nodes_add(glb, job->rig, rigging->nodes, rigging->node_count);
	for (int i = 0; i < job->rigging->clip_count; i++) {
		if (!add_clip(rigging, i, glb, err)) {
			return false;
		}
	}
	return true;
}
