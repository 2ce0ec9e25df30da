// glTF's animations -> the rig's clips.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "import/foreign.h"
#include "import/gltf_document.h"
#include "import/gltf_facts.h"
#include "import/gltf_keys.h"
#include "import/gltf_pointer.h"
#include "model/clip_pack.h"

#define CHANNEL_PATHS 4

/* Channels whose pointers lead to nothing that a rig has. */
struct left_out {
	int count;
	const char *first; // pointer
};

/* The destination of one clip's channels. */
struct build {
	struct gltf_keys *keys;
	struct clip *clip;
	int room; // for the clip's channels
	struct gltf_item samplers;
	int sampler_count;
	/* By joint * CHANNEL_PATHS + path: the clip that drove it last plus 1, and with which of
	 * its channels. */
	int *driven_by, *channel;
	struct weight_channel *parts; // of this clip, in the arena
	int part_count, part_room;
	struct left_out left_out[GLTF_POINTER_GROUP_COUNT]; // of this clip, by what they lead into
	/* The nodes whose morph weights a mesh's are: the first one plus 1, and after each the
	 * next; 0 = no more. */
	int *first_of_mesh, *next_of_node;
};

/* The target of a channel. */
struct target {
	int joint; // -1 = nothing that a rig has, unless it is a mesh's weights
	int mesh;  // whose morph weights, at every node that has none of its own; -1 = no mesh's
	enum channel_path path;
	int weight; // the one that is driven of the morph weights; -1 = all
};

static bool read_interpolation(
	const struct gltf_item *sampler, enum interpolation *interpolation, struct error *err) {
	static const char *const names[] = {
		[INTERPOLATION_STEP] = "STEP",
		[INTERPOLATION_LINEAR] = "LINEAR",
		[INTERPOLATION_CUBIC_SPLINE] = "CUBICSPLINE",
		NULL,
	};
	int choice = INTERPOLATION_LINEAR;
	const bool read = gltf_choice(sampler, "interpolation", names, &choice, err);
	*interpolation = (enum interpolation)choice;
	return read;
}

/* True when a rig's joints have this property. */
static bool find_path(const char *name, enum channel_path *path) {
	static const char *const names[CHANNEL_PATHS] = {
		[CHANNEL_TRANSLATION] = "translation",
		[CHANNEL_ROTATION] = "rotation",
		[CHANNEL_SCALE] = "scale",
		[CHANNEL_WEIGHTS] = "weights",
	};
	for (int i = 0; i < CHANNEL_PATHS; i++) {
		if (strcmp(names[i], name) == 0) {
			*path = (enum channel_path)i;
			return true;
		}
	}
	return false;
}

/* A target by pointer: nodes and morph weights are driven, all else is counted. */
static bool follow_pointer(struct gltf *gltf, struct build *build, const struct gltf_item *object,
	struct target *target, struct error *err) {
	struct gltf_pointer pointer;
	if (!gltf_pointer_read(gltf, object, &pointer, err)) {
		return false;
	}
	const bool known = pointer.group <= GLTF_POINTER_MESHES;
	if (known && gltf_pointer_to_weights(&pointer, &target->weight)) {
		const bool of_node = pointer.group == GLTF_POINTER_NODES;
		const int mesh = of_node ? gltf->nodes[pointer.index].mesh : pointer.index;
		const int count = mesh >= 0 ? gltf->meshes[mesh].target_count : 0;
		if (target->weight >= count) {
			return gltf_broken(object, err,
				"leads to morph weight %d, of %d that there are", target->weight,
				count);
		}
		target->path = CHANNEL_WEIGHTS;
		*(of_node ? &target->joint : &target->mesh) =
			of_node ? gltf->nodes[pointer.index].joint : mesh;
	} else if (pointer.group == GLTF_POINTER_NODES &&
		find_path(pointer.property, &target->path)) {
		target->joint = gltf->nodes[pointer.index].joint;
	} else if (build->left_out[pointer.group].count++ == 0) {
		build->left_out[pointer.group].first = pointer.text;
	}
	return true;
}

static bool read_target(struct gltf *gltf, struct build *build, const struct gltf_item *object,
	struct target *out, struct error *err) {
	struct gltf_item target;
	const char *name = NULL;
	int node = -1;
	*out = (struct target){.joint = -1, .mesh = -1, .weight = -1};
	if (!gltf_object(object, "target", &target, err)) {
		return false;
	}
	if (!target.json) {
		return gltf_broken(object, err, "has no target");
	}
	if (!gltf_index(&target, "node", gltf->node_count, &node, err) ||
		!gltf_string(&target, "path", &name, err)) {
		return false;
	}
	if (!name) {
		return gltf_broken(&target, err, "has no path");
	}
	if (strcmp(name, "pointer") == 0) {
		return follow_pointer(gltf, build, &target, out, err);
	}
	if (!find_path(name, &out->path)) {
		gltf_breach(gltf, GLTF_VALUE_NOT_IN_LIST, &target,
			"path is not one of glTF 2.0; left out");
	} else if (node >= 0) {
		out->joint = gltf->nodes[node].joint;
	}
	return true;
}

static int path_width(const struct gltf *gltf, int joint, enum channel_path path) {
	switch (path) {
	case CHANNEL_TRANSLATION:
	case CHANNEL_SCALE:
		return 3;
	case CHANNEL_ROTATION:
		return 4;
	case CHANNEL_WEIGHTS:
		return gltf->rig->joints[joint].weight_count;
	}
	return 0;
}

/* The place for a channel in the clip: the last one for a joint's path wins. */
static struct channel *slot_for(struct gltf *gltf, struct build *build,
	const struct gltf_item *object, int joint, enum channel_path path) {
	struct clip *clip = build->clip;
	const size_t driven = (size_t)joint * CHANNEL_PATHS + path;
	if (build->driven_by[driven] == clip->index + 1) {
		gltf_breach(gltf, GLTF_ANIMATION_DUPLICATE_TARGETS, object,
			"drives what an earlier channel drives; the earlier one is left out");
		return &clip->channels[build->channel[driven]];
	}
	if (clip->channel_count == build->room) {
		build->room = 2 * build->room + 1;
		clip->channels =
			xrealloc(clip->channels, (size_t)build->room, sizeof *clip->channels);
	}
	build->driven_by[driven] = clip->index + 1;
	build->channel[driven] = clip->channel_count;
	return &clip->channels[clip->channel_count++];
}

static void add_part(struct gltf *gltf, struct build *build, int weight,
	const struct channel *channel, const struct channel_facts *facts) {
	if (gltf->facts) {
		gltf_facts_add_part(gltf, build->part_count, facts);
	}
	if (build->part_count == build->part_room) {
		build->part_room = 2 * build->part_room + 16;
		struct weight_channel *parts =
			arena_alloc(gltf->arena, (size_t)build->part_room, sizeof *parts);
		if (build->part_count > 0) {
			memcpy(parts, build->parts, (size_t)build->part_count * sizeof *parts);
		}
		build->parts = parts;
	}
	build->parts[build->part_count] =
		(struct weight_channel){weight, build->part_count, *channel};
	build->part_count++;
}

/* Puts a channel into the clip. */
static void put_channel(struct gltf *gltf, struct build *build, const struct gltf_item *object,
	const struct channel *channel, const struct channel_facts *facts) {
	struct channel *slot = slot_for(gltf, build, object, channel->joint, channel->path);
	*slot = *channel;
	if (gltf->facts) {
		gltf_facts_take_channel(gltf, (int)(slot - build->clip->channels), facts);
	}
}

/* Notes a channel of the file that becomes none of the clip's. */
static void leave_channel(struct gltf *gltf, const struct gltf_item *object,
	const struct target *target, enum interpolation interpolation) {
	if (gltf->facts) {
		const struct channel_facts facts = {
			.channel = (int)object->index,
			.joint = target->joint,
			.path = target->path,
			.interpolation = interpolation,
		};
		gltf_facts_leave_channel(gltf, &facts, CHANNEL_UNTAKEN);
	}
}

/* Adds a channel for one joint, of which interpolation is filled in. */
static bool add_channel(struct gltf *gltf, struct build *build, const struct gltf_item *object,
	const struct gltf_item *sampler, const struct target *target, struct channel channel,
	struct error *err) {
	channel.joint = target->joint;
	channel.path = target->path;
	channel.width = target->weight < 0 ? path_width(gltf, target->joint, target->path) : 1;
	if (channel.width == 0) {
		gltf_breach(gltf, GLTF_ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS, object,
			"drives weights of a node without morph targets; left out");
		leave_channel(gltf, object, target, channel.interpolation);
		return true;
	}
	struct channel_facts facts = {
		.channel = (int)object->index,
		.joint = target->joint,
		.path = target->path,
		.interpolation = channel.interpolation,
	};
	if (!gltf_keys_read(
		    build->keys, sampler, &channel, gltf->facts ? facts.flaws : NULL, err)) {
		return false;
	}
	if (channel.key_count == 0) {
		gltf_facts_leave_channel(gltf, &facts, CHANNEL_WITHOUT_KEYS);
	} else if (target->weight < 0) {
		put_channel(gltf, build, object, &channel, &facts);
	} else {
		add_part(gltf, build, target->weight, &channel, &facts);
	}
	return true;
}

/* One for each node whose weights are the mesh's. A file may name many meshes' nodes with few
 * bytes: they count against what it may claim. */
static bool add_mesh_channels(struct gltf *gltf, struct build *build,
	const struct gltf_item *object, const struct gltf_item *sampler,
	const struct target *target, const struct channel *channel, struct error *err) {
	int node = build->first_of_mesh[target->mesh] - 1;
	if (node < 0) {
		leave_channel(gltf, object, target, channel->interpolation);
	}
	for (; node >= 0; node = build->next_of_node[node] - 1) {
		struct target own = *target;
		own.joint = gltf->nodes[node].joint;
		if (!gltf_claim(gltf, sizeof *channel, "channels", err) ||
			!add_channel(gltf, build, object, sampler, &own, *channel, err)) {
			return false;
		}
	}
	return true;
}

static bool read_channel(
	struct gltf *gltf, struct build *build, const struct gltf_item *object, struct error *err) {
	struct gltf_item sampler;
	struct channel channel = {0};
	struct target target;
	int index = -1;
	if (!gltf_index(object, "sampler", build->sampler_count, &index, err) ||
		!read_target(gltf, build, object, &target, err)) {
		return false;
	}
	if (index < 0) {
		return gltf_broken(object, err, "has no sampler");
	}
	if (!gltf_element_object(&build->samplers, (size_t)index, &sampler, err) ||
		!read_interpolation(&sampler, &channel.interpolation, err)) {
		return false;
	}
	if (target.mesh >= 0) {
		return add_mesh_channels(gltf, build, object, &sampler, &target, &channel, err);
	}
	if (target.joint < 0) {
		leave_channel(gltf, object, &target, channel.interpolation);
		return true;
	}
	return add_channel(gltf, build, object, &sampler, &target, channel, err);
}

/* By joint, weight and order in the file. */
static int compare_parts(const void *first, const void *second) {
	const struct weight_channel *a = first, *b = second;
	const int joints = a->channel.joint - b->channel.joint, weights = a->weight - b->weight;
	return joints != 0 ? joints : weights != 0 ? weights : a->order - b->order;
}

/* Joins the channels that drive single weights of one joint, [count] in order. */
static bool join_parts(struct gltf *gltf, struct build *build, const struct gltf_item *object,
	struct weight_channel *parts, int count, struct error *err) {
	const int joint = parts[0].channel.joint;
	const struct channel_facts facts =
		gltf->facts ? gltf_facts_join_parts(gltf, parts, count) : (struct channel_facts){0};
	int used = 0;
	for (int i = 0; i < count; i++) {
		used -= used > 0 && parts[used - 1].weight == parts[i].weight;
		parts[used++] = parts[i];
	}
	if (used < count) {
		gltf_breach(gltf, GLTF_ANIMATION_DUPLICATE_TARGETS, object,
			"%d channels drive a morph weight that later ones drive; left out",
			count - used);
	}
	struct channel channel;
	if (!gltf_join_weights(gltf, joint, parts, used, &channel, err)) {
		return false;
	}
	put_channel(gltf, build, object, &channel, &facts);
	return true;
}

static bool join_all_parts(
	struct gltf *gltf, struct build *build, const struct gltf_item *object, struct error *err) {
	struct weight_channel *parts = build->parts;
	if (build->part_count > 0) {
		qsort(parts, (size_t)build->part_count, sizeof *parts, compare_parts);
	}
	for (int first = 0, end; first < build->part_count; first = end) {
		const int joint = parts[first].channel.joint;
		for (end = first; end < build->part_count && parts[end].channel.joint == joint;) {
			end++;
		}
		if (!join_parts(gltf, build, object, parts + first, end - first, err)) {
			return false;
		}
	}
	return true;
}

/* One warning for all channels of a clip that drive what no rig has. */
static void warn_left_out(
	struct gltf *gltf, const struct build *build, const struct gltf_item *object) {
	char list[GLTF_POINTER_GROUP_COUNT * (UTF8_QUOTED_BYTES + 40)] = "";
	for (int i = 0; i < GLTF_POINTER_GROUP_COUNT; i++) {
		const struct left_out *left_out = &build->left_out[i];
		char quoted[UTF8_QUOTED_BYTES], more[40] = "";
		if (left_out->count == 0) {
			continue;
		}
		utf8_quote(left_out->first, quoted, sizeof quoted);
		if (left_out->count > 1) {
			snprintf(more, sizeof more, " and %d more of %s", left_out->count - 1,
				gltf_pointer_group_name((enum gltf_pointer_group)i));
		}
		const size_t used = strlen(list);
		snprintf(list + used, sizeof list - used, "%s%s%s", used ? ", " : "", quoted, more);
	}
	if (list[0] != '\0') {
		gltf_warn(gltf->rig, object,
			"KHR_animation_pointer: not animated, and as at rest in every picture: %s",
			list);
	}
}

static bool read_clip(
	struct gltf *gltf, struct build *build, const struct gltf_item *object, struct error *err) {
	struct gltf_item channels, item;
	if (!gltf_list(object, "channels", &channels, err) ||
		!gltf_list(object, "samplers", &build->samplers, err)) {
		return false;
	}
	const size_t count = gltf_list_size(&channels);
	build->sampler_count = (int)gltf_list_size(&build->samplers);
	build->clip->channels = xcalloc(count, sizeof *build->clip->channels);
	build->room = (int)count;
	build->part_count = 0;
	memset(build->left_out, 0, sizeof build->left_out);
	if (gltf->facts) {
		gltf_facts_begin_clip(gltf);
	}
	for (size_t i = 0; i < count; i++) {
		if (!gltf_element_object(&channels, i, &item, err) ||
			!read_channel(gltf, build, &item, err)) {
			return false;
		}
	}
	if (!join_all_parts(gltf, build, object, err)) {
		return false;
	}
	warn_left_out(gltf, build, object);
	clip_sum_up(build->clip);
	return !gltf->facts || gltf_facts_end_clip(gltf, err);
}

static bool read_clips(
	struct gltf *gltf, struct build *build, const struct gltf_item *list, struct error *err) {
	struct gltf_item object;
	for (int i = 0; i < gltf->rig->clip_count; i++) {
		build->clip = &gltf->rig->clips[i];
		build->clip->index = i;
		if (!gltf_element_object(list, (size_t)i, &object, err) ||
			!read_clip(gltf, build, &object, err)) {
			return false;
		}
	}
	return true;
}

static bool name_clips(struct gltf *gltf, const struct gltf_item *list, struct error *err) {
	struct rig *rig = gltf->rig;
	const size_t count = (size_t)rig->clip_count;
	const char **own = arena_alloc(gltf->arena, count, sizeof *own);
	char **unique = arena_alloc(gltf->arena, count, sizeof *unique);
	for (size_t i = 0; i < count; i++) {
		const struct gltf_item object = gltf_element(list, i);
		if (!gltf_string(&object, "name", &own[i], err)) {
			return false;
		}
	}
	names_make_unique(own, count, "clip", unique);
	for (size_t i = 0; i < count; i++) {
		rig->clips[i].name = unique[i];
	}
	return true;
}

static void list_nodes_of_meshes(struct gltf *gltf, struct build *build) {
	build->first_of_mesh =
		arena_alloc(gltf->arena, (size_t)gltf->mesh_count, sizeof *build->first_of_mesh);
	build->next_of_node =
		arena_alloc(gltf->arena, (size_t)gltf->node_count, sizeof *build->next_of_node);
	for (int i = gltf->node_count - 1; i >= 0; i--) {
		const struct gltf_node *node = &gltf->nodes[i];
		if (node->mesh >= 0 && node->joint >= 0 &&
			!gltf_member(&node->item, "weights").json) {
			build->next_of_node[i] = build->first_of_mesh[node->mesh];
			build->first_of_mesh[node->mesh] = i + 1;
		}
	}
}

bool gltf_read_animations(struct gltf *gltf, struct error *err) {
	struct gltf_item list;
	struct rig *rig = gltf->rig;
	int count;
	if (!gltf_document_list(gltf, "animations", &list, &count, err)) {
		return false;
	}
	rig->clips = gltf_storage(gltf, (size_t)count, sizeof *rig->clips, "clips", err);
	if (!rig->clips) {
		return false;
	}
	rig->clip_count = count;
	const size_t paths = (size_t)rig->joint_count * CHANNEL_PATHS;
	struct build build = {
		.keys = gltf_keys_create(gltf),
		.driven_by = arena_alloc(gltf->arena, paths, sizeof *build.driven_by),
		.channel = arena_alloc(gltf->arena, paths, sizeof *build.channel),
	};
	list_nodes_of_meshes(gltf, &build);
	return read_clips(gltf, &build, &list, err) && name_clips(gltf, &list, err);
}
