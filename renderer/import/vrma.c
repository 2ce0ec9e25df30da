// VRM animations (VRMA): which nodes stand for which parts of an avatar.
#include "import/vrma.h"

#include <string.h>

#include "base/mat.h"
#include "model/clip_pack.h"

#define EXTENSION "VRMC_vrm_animation"

/* Hips nearer to the ground are of no T-pose. */
#define HIPS_MIN 1e-3

/* More expressions than any avatar has. */
#define EXPRESSIONS_MAX 1000

struct vrma {
	struct gltf *gltf;
	struct gltf_item root; // the extension
	struct avatar *avatar;
	size_t room; // of its expressions
};

/* The joint of an object's node; -1 with a warning where it has none. */
static int read_node(struct vrma *vrma, const struct gltf_item *object) {
	struct error why = {0};
	int node = -1;
	if (!gltf_index(object, "node", vrma->gltf->node_count, &node, &why)) {
		rig_warn(vrma->gltf->rig, "%s; it is left out", why.text);
		return -1;
	}
	if (node < 0) {
		gltf_warn(vrma->gltf->rig, object, "has no node; it is left out");
	}
	return node < 0 ? -1 : vrma->gltf->nodes[node].joint;
}

static int find_name(const char *const *names, int count, const char *name) {
	int i = count - 1;
	while (i >= 0 && strcmp(names[i], name) != 0) {
		i--;
	}
	return i;
}

/* --- Bones --- */

static bool is_used(const struct avatar *avatar, int joint) {
	bool used = false;
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		used = used || avatar->bones[i] == joint;
	}
	return used;
}

static void read_bone(struct vrma *vrma, const struct gltf_item *object) {
	struct rig *rig = vrma->gltf->rig;
	const int bone = find_name(avatar_bone_names, AVATAR_BONE_COUNT, object->name);
	if (bone < 0) {
		gltf_warn(rig, object, "is no bone of VRM; it is left out");
		return;
	}
	const int joint = read_node(vrma, object);
	if (joint >= 0 && is_used(vrma->avatar, joint)) {
		gltf_warn(rig, object, "is the node of another bone already; it is left out");
	} else if (bone == AVATAR_BONE_leftEye || bone == AVATAR_BONE_rightEye) {
		gltf_warn(rig, object, "is an eye, which lookAt turns; it is left out");
	} else {
		vrma->avatar->bones[bone] = joint;
	}
}

/* An animation without "humanoid" is of the face alone. False with a warning where there are bones
 * and no hips, by which a body could be moved. */
static bool read_bones(struct vrma *vrma) {
	struct rig *rig = vrma->gltf->rig;
	const struct gltf_item humanoid = gltf_member(&vrma->root, "humanoid");
	const struct gltf_item bones = gltf_member(&humanoid, "humanBones");
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		vrma->avatar->bones[i] = -1;
	}
	for (size_t i = 0; i < gltf_member_count(&bones); i++) {
		const struct gltf_item bone = gltf_member_at(&bones, i);
		read_bone(vrma, &bone);
	}
	if (humanoid.json && vrma->avatar->bones[AVATAR_BONE_hips] < 0) {
		gltf_warn(rig, &vrma->root, "has no hips; the file is read as plain glTF");
		return false;
	}
	return true;
}

/* The height of a joint at rest. */
static double rest_height(const struct rig *rig, int joint) {
	double point[3] = {0};
	for (int i = joint; i >= 0; i = rig->joints[i].parent) {
		const struct transform *rest = &rig->joints[i].rest;
		double local[12];
		mat_from_transform(rest->translation, rest->rotation, rest->scale, local);
		mat_map_point(local, point, point);
	}
	return point[1];
}

/* The hips, whose keys tell how far to move an avatar's by the ratio of their heights; -1 with a
 * warning where theirs is none. */
static int moving_hips(struct vrma *vrma) {
	const int hips = vrma->avatar->bones[AVATAR_BONE_hips];
	const double height = hips >= 0 ? rest_height(vrma->gltf->rig, hips) : 0;
	if (hips < 0 || height >= HIPS_MIN) {
		return hips;
	}
	gltf_warn(vrma->gltf->rig, &vrma->root,
		"its hips rest at a height of %.3g m, which is no T-pose: how far they move is "
		"left "
		"out",
		height);
	return -1;
}

/* --- Expressions and gaze --- */

static bool has_expression(const struct avatar *avatar, const char *name) {
	bool has = false;
	for (int i = 0; i < avatar->expression_count; i++) {
		has = has || strcmp(avatar->expressions[i].name, name) == 0;
	}
	return has;
}

static char *copy_name(struct vrma *vrma, const char *name, struct error *err) {
	const size_t size = strlen(name) + 1;
	char *copy = gltf_storage(vrma->gltf, size, 1, "a name", err);
	if (copy) {
		memcpy(copy, name, size);
	}
	return copy;
}

static bool add_expression(
	struct vrma *vrma, const struct gltf_item *object, int preset, struct error *err) {
	struct avatar *avatar = vrma->avatar;
	const int joint = read_node(vrma, object);
	if (joint < 0 || has_expression(avatar, object->name) ||
		(size_t)avatar->expression_count == vrma->room) {
		return true;
	}
	const char *name = copy_name(vrma, object->name, err);
	if (name) {
		avatar->expressions[avatar->expression_count++] =
			(struct avatar_expression){.name = name, .preset = preset, .joint = joint};
	}
	return name;
}

static bool read_presets(struct vrma *vrma, const struct gltf_item *list, struct error *err) {
	for (int i = 0; i < AVATAR_PRESET_COUNT; i++) {
		const struct gltf_item object = gltf_member(list, avatar_preset_names[i]);
		if (object.json && !add_expression(vrma, &object, i, err)) {
			return false;
		}
	}
	for (size_t i = 0; i < gltf_member_count(list); i++) {
		const struct gltf_item object = gltf_member_at(list, i);
		if (find_name(avatar_preset_names, AVATAR_PRESET_COUNT, object.name) < 0) {
			gltf_warn(vrma->gltf->rig, &object, "is no preset of VRM; it is left out");
		}
	}
	return true;
}

static bool read_expressions(struct vrma *vrma, struct error *err) {
	const struct gltf_item list = gltf_member(&vrma->root, "expressions");
	const struct gltf_item presets = gltf_member(&list, "preset");
	const struct gltf_item customs = gltf_member(&list, "custom");
	const size_t count = gltf_member_count(&presets) + gltf_member_count(&customs);
	vrma->room = count < EXPRESSIONS_MAX ? count : EXPRESSIONS_MAX;
	if (vrma->room < count) {
		gltf_warn(vrma->gltf->rig, &list, "has %zu expressions, of which %d are read",
			count, EXPRESSIONS_MAX);
	}
	vrma->avatar->expressions = gltf_storage(
		vrma->gltf, vrma->room, sizeof *vrma->avatar->expressions, "expressions", err);
	if (!vrma->avatar->expressions || !read_presets(vrma, &presets, err)) {
		return false;
	}
	for (size_t i = 0; i < gltf_member_count(&customs); i++) {
		const struct gltf_item object = gltf_member_at(&customs, i);
		if (!add_expression(vrma, &object, AVATAR_CUSTOM, err)) {
			return false;
		}
	}
	return true;
}

static void read_gaze(struct vrma *vrma) {
	static const struct avatar_range whole = {90, 90};
	struct avatar_look_at *gaze = &vrma->avatar->look_at;
	float offset[3] = {0, 0.06f, 0};
	struct error why = {0};
	const struct gltf_item object = gltf_member(&vrma->root, "lookAt");
	if (!object.json) {
		return;
	}
	if (!gltf_numbers(&object, "offsetFromHeadBone", 3, offset, &why)) {
		rig_warn(vrma->gltf->rig, "%s; it is left out", why.text);
	}
	*gaze = (struct avatar_look_at){.joint = read_node(vrma, &object),
		.head_offset = {(double)offset[0], (double)offset[1], (double)offset[2]},
		.inner = whole,
		.outer = whole,
		.down = whole,
		.up = whole};
	vrma->avatar->has_look_at = gaze->joint >= 0;
	gaze->joint = gaze->joint < 0 ? 0 : gaze->joint;
}

/* --- Clips --- */

/* True for a channel of a bone that VRM does not let move so. */
static bool is_forbidden(const unsigned char *bone_of, int hips, const struct channel *channel) {
	return bone_of[channel->joint] &&
		(channel->path == CHANNEL_SCALE ||
			(channel->path == CHANNEL_TRANSLATION && channel->joint != hips));
}

static int drop_forbidden(struct clip *clip, const unsigned char *is_bone, int hips) {
	int kept = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		if (!is_forbidden(is_bone, hips, &clip->channels[i])) {
			clip->channels[kept++] = clip->channels[i];
		}
	}
	const int dropped = clip->channel_count - kept;
	const double duration_s = clip->duration_s;
	clip->channel_count = kept;
	clip_sum_up(clip);
	clip->duration_s = duration_s;
	return dropped;
}

static void drop_channels(struct vrma *vrma) {
	struct rig *rig = vrma->gltf->rig;
	const int *bones = vrma->avatar->bones, hips = moving_hips(vrma);
	unsigned char *is_bone = arena_alloc(vrma->gltf->arena, (size_t)rig->joint_count, 1);
	int dropped = 0;
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		if (bones[i] >= 0) {
			is_bone[bones[i]] = 1;
		}
	}
	for (int i = 0; i < rig->clip_count; i++) {
		dropped += drop_forbidden(&rig->clips[i], is_bone, hips);
	}
	if (dropped > 0) {
		gltf_warn(rig, &vrma->root,
			"%d channels are left out that move bones other than the hips, or scale "
			"bones: "
			"these may only turn",
			dropped);
	}
}

bool gltf_read_vrma(struct gltf *gltf, struct error *err) {
	const struct gltf_item extensions = gltf_member(&gltf->root, "extensions");
	struct vrma vrma = {.gltf = gltf, .root = gltf_member(&extensions, EXTENSION)};
	if (!vrma.root.json || gltf->rig->avatar) {
		return true;
	}
	vrma.avatar = gltf_storage(gltf, 1, sizeof *vrma.avatar, "the avatar", err);
	if (!vrma.avatar) {
		return false;
	}
	*vrma.avatar = (struct avatar){.is_motion = true, .thumbnail = -1};
	if (!read_bones(&vrma)) {
		return true;
	}
	vrma.avatar->version = copy_name(&vrma, "1.0", err);
	if (!vrma.avatar->version || !read_expressions(&vrma, err)) {
		return false;
	}
	read_gaze(&vrma);
	if (!gltf->facts) { // which are by channel
		drop_channels(&vrma);
	}
	gltf->rig->avatar = vrma.avatar;
	return true;
}
