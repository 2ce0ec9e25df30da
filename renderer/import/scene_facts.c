// The facts of an asset whose importer made a scene.
#include "import/scene_build.h"

#include <string.h>

#include "base/buffer.h"

/* The lists while they are gathered. */
struct gathering {
	const struct scene *scene;
	const struct rig *rig;
	struct buffer texts, joints;
	struct asset_facts facts;
};

static int add_text(struct gathering *gathering, const char *text) {
	const int at = (int)gathering->texts.size;
	if (!text || text[0] == '\0') {
		return 0;
	}
	buffer_append(&gathering->texts, text, strlen(text) + 1);
	return at;
}

static void add_names(struct gathering *gathering) {
	const struct scene *scene = gathering->scene;
	const size_t joints = (size_t)scene->joint_count, clips = (size_t)scene->clip_count;
	int *names = arena_alloc(scene->arena, joints, sizeof *names);
	struct clip_facts *facts = arena_alloc(scene->arena, clips, sizeof *facts);
	for (int i = 0; i < scene->joint_count; i++) {
		names[i] = add_text(gathering, scene->joints[i].name);
	}
	for (int i = 0; i < scene->clip_count; i++) {
		facts[i].name = add_text(gathering, scene->clips[i].name);
		facts[i].first_channel = gathering->facts.channel_count;
		facts[i].channel_count = scene->clips[i].channel_count;
		gathering->facts.channel_count += facts[i].channel_count;
	}
	gathering->facts.joint_name_count = scene->joint_count;
	gathering->facts.joint_names = names;
	gathering->facts.clip_count = scene->clip_count;
	gathering->facts.clips = facts;
}

static void add_channels(struct gathering *gathering) {
	const struct scene *scene = gathering->scene;
	struct channel_facts *facts =
		arena_alloc(scene->arena, (size_t)gathering->facts.channel_count, sizeof *facts);
	gathering->facts.channels = facts;
	for (int i = 0; i < scene->clip_count; i++) {
		for (int k = 0; k < scene->clips[i].channel_count; k++) {
			const struct channel *channel = &scene->clips[i].channels[k];
			*facts++ = (struct channel_facts){
				.channel = k,
				.joint = channel->joint,
				.path = channel->path,
				.interpolation = channel->interpolation,
				.fate = CHANNEL_TAKEN,
			};
		}
	}
}

/* The skin of the piece before, where it is the same. */
static bool shares_slots(const struct rig *rig, int primitive) {
	return primitive > 0 && rig->primitives[primitive - 1].skinned &&
		rig->primitives[primitive - 1].first_slot == rig->primitives[primitive].first_slot;
}

static void add_primitives(struct gathering *gathering) {
	const struct rig *rig = gathering->rig;
	const size_t count = (size_t)rig->primitive_count;
	struct asset_facts *facts = &gathering->facts;
	facts->primitives = arena_alloc(gathering->scene->arena, count, sizeof *facts->primitives);
	facts->skins = arena_alloc(gathering->scene->arena, count, sizeof *facts->skins);
	facts->primitive_count = rig->primitive_count;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		if (primitive->skinned && !shares_slots(rig, i)) {
			facts->skins[facts->skin_count++] = (struct skin_facts){
				.first_joint = (int)(gathering->joints.size / sizeof(int)),
				.joint_count = primitive->slot_count,
				.first_slot = primitive->first_slot,
			};
			for (int k = 0; k < primitive->slot_count; k++) {
				const int joint = rig->slots[primitive->first_slot + k].joint;
				buffer_append(&gathering->joints, &joint, sizeof joint);
			}
		}
		facts->primitives[i] = (struct primitive_facts){
			.skin = primitive->skinned ? facts->skin_count - 1 : -1,
			.indexed = true,
			.has_normals = gathering->scene->meshes[i].normals,
			.float_weights = primitive->skinned,
		};
	}
}

static void add_targets(struct gathering *gathering) {
	const struct scene *scene = gathering->scene;
	int count = 0;
	for (int i = 0; i < scene->mesh_count; i++) {
		count = scene->meshes[i].mesh >= count ? scene->meshes[i].mesh + 1 : count;
	}
	int *targets = arena_alloc(scene->arena, (size_t)count, sizeof *targets);
	for (int i = 0; i < scene->mesh_count; i++) {
		targets[scene->meshes[i].mesh] = scene->meshes[i].target_count;
	}
	gathering->facts.mesh_count = count;
	gathering->facts.morph_targets = targets;
}

/* RGBA8 with all its levels. */
static uint64_t gpu_bytes(const struct image *image) {
	uint64_t bytes = 0;
	int width = image->width, height = image->height;
	for (bool last = false; !last;) {
		last = width == 1 && height == 1;
		bytes += (uint64_t)width * (uint64_t)height * 4;
		width = width > 1 ? width / 2 : 1;
		height = height > 1 ? height / 2 : 1;
	}
	return bytes;
}

static void add_images(struct gathering *gathering) {
	const struct rig *rig = gathering->rig;
	struct image_facts *facts =
		arena_alloc(gathering->scene->arena, (size_t)rig->image_count, sizeof *facts);
	for (int i = 0; i < rig->image_count; i++) {
		const struct image *image = &rig->images[i];
		facts[i] = (struct image_facts){i, image->width, image->height, gpu_bytes(image)};
	}
	gathering->facts.image_count = rig->image_count;
	gathering->facts.images = facts;
}

struct asset_facts *scene_facts(
	const struct scene *scene, const struct rig *rig, size_t file_bytes, struct error *err) {
	struct gathering gathering = {
		.scene = scene, .rig = rig, .facts = {.file_bytes = file_bytes}};
	buffer_append(&gathering.texts, "", 1);
	add_names(&gathering);
	add_channels(&gathering);
	add_primitives(&gathering);
	add_targets(&gathering);
	add_images(&gathering);
	gathering.facts.text_bytes = (int)gathering.texts.size;
	gathering.facts.texts = (char *)gathering.texts.data;
	gathering.facts.joint_count = (int)(gathering.joints.size / sizeof(int));
	gathering.facts.joints = (int *)gathering.joints.data;
	struct asset_facts *facts = asset_facts_copy(&gathering.facts, err);
	buffer_finish(&gathering.texts);
	buffer_finish(&gathering.joints);
	return facts;
}
