// glTF's animations -> the rig's clips.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "import/gltf_document.h"
#include "import/gltf_keys.h"
#include "import/gltf_pointer.h"
#include "import/names.h"
#include "model/clip_pack.h"

/* Where the channels of one clip go. */
struct build {
	struct gltf_keys *keys;
	struct clip *clip;
	struct gltf_item samplers;
	int sampler_count;
	/* By joint * CHANNEL_PATHS + path: the clip that drove it last plus 1, and with which of
	 * its channels. */
	int *driven_by, *channel;
	/* Channels of this clip whose pointer leads to nothing that a rig has, by what it leads
	 * into. */
	int left_out[GLTF_POINTER_GROUP_COUNT];
};

#define CHANNEL_PATHS 4

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

/* Whether a rig's joints have this property. */
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

/* A target by pointer: nodes are driven, all else is counted. */
static bool follow_pointer(struct gltf *gltf, struct build *build, const struct gltf_item *target,
	int *joint, enum channel_path *path, struct error *err) {
	struct gltf_pointer pointer;
	if (!gltf_pointer_read(target, gltf->node_count, &pointer, err)) {
		return false;
	}
	if (pointer.group == GLTF_POINTER_NODES && find_path(pointer.property, path)) {
		*joint = gltf->nodes[pointer.node].joint;
	} else {
		build->left_out[pointer.group]++;
	}
	return true;
}

/* What a channel drives; *joint stays -1 where that is nothing that a rig has. */
static bool read_target(struct gltf *gltf, struct build *build, const struct gltf_item *object,
	int *joint, enum channel_path *path, struct error *err) {
	struct gltf_item target;
	const char *name = NULL;
	int node = -1;
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
		return follow_pointer(gltf, build, &target, joint, path, err);
	}
	if (!find_path(name, path)) {
		gltf_warn(gltf->rig, &target, "path is not one of glTF 2.0; left out");
	} else if (node >= 0) {
		*joint = gltf->nodes[node].joint;
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
		gltf_warn(gltf->rig, object,
			"drives what an earlier channel drives; the earlier one is left out");
		return &clip->channels[build->channel[driven]];
	}
	build->driven_by[driven] = clip->index + 1;
	build->channel[driven] = clip->channel_count;
	return &clip->channels[clip->channel_count++];
}

static bool read_channel(
	struct gltf *gltf, struct build *build, const struct gltf_item *object, struct error *err) {
	struct gltf_item sampler;
	struct channel channel = {.joint = -1};
	int index = -1;
	if (!gltf_index(object, "sampler", build->sampler_count, &index, err) ||
		!read_target(gltf, build, object, &channel.joint, &channel.path, err)) {
		return false;
	}
	if (index < 0) {
		return gltf_broken(object, err, "has no sampler");
	}
	if (!gltf_element_object(&build->samplers, (size_t)index, &sampler, err) ||
		!read_interpolation(&sampler, &channel.interpolation, err)) {
		return false;
	}
	if (channel.joint < 0) {
		return true;
	}
	channel.width = path_width(gltf, channel.joint, channel.path);
	if (channel.width == 0) {
		gltf_warn(gltf->rig, object,
			"drives weights of a node without morph targets; left out");
		return true;
	}
	if (!gltf_keys_read(build->keys, &sampler, &channel, err)) {
		return false;
	}
	*slot_for(gltf, build, object, channel.joint, channel.path) = channel;
	return true;
}

/* One warning for all channels of a clip that drive what no rig has. */
static void warn_left_out(
	struct gltf *gltf, const struct build *build, const struct gltf_item *object) {
	char list[160] = "";
	for (int i = 0; i < GLTF_POINTER_GROUP_COUNT; i++) {
		const size_t used = strlen(list);
		if (build->left_out[i] > 0) {
			snprintf(list + used, sizeof list - used, "%s%s (%d)", used ? ", " : "",
				gltf_pointer_group_name((enum gltf_pointer_group)i),
				build->left_out[i]);
		}
	}
	if (list[0] != '\0') {
		gltf_warn(gltf->rig, object,
			"KHR_animation_pointer: channels that drive nothing of a joint are left "
			"out: %s",
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
	memset(build->left_out, 0, sizeof build->left_out);
	for (size_t i = 0; i < count; i++) {
		if (!gltf_element_object(&channels, i, &item, err) ||
			!read_channel(gltf, build, &item, err)) {
			return false;
		}
	}
	warn_left_out(gltf, build, object);
	clip_sum_up(build->clip);
	return true;
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
	return read_clips(gltf, &build, &list, err) && name_clips(gltf, &list, err);
}
