// The bones of an avatar, and whose view its meshes are in.
#include <string.h>
#include <strings.h>

#include "import/vrm.h"

static bool place_bone(
	struct vrm *vrm, const struct gltf_item *item, int bone, int joint, struct error *err) {
	int *bones = vrm->avatar->bones;
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		if (bones[i] == joint) {
			return gltf_broken(
				item, err, "is the node of %s already", avatar_bone_names[i]);
		}
	}
	if (bones[bone] != -1) {
		return gltf_broken(item, err, "%s has a node already", avatar_bone_names[bone]);
	}
	bones[bone] = joint;
	return true;
}

static void clear_bones(struct avatar *avatar) {
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		avatar->bones[i] = -1;
	}
}

static bool need_bones(const struct vrm *vrm, const struct gltf_item *place, struct error *err) {
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		if (vrm->avatar->bones[i] == -1 && avatar_bone_is_required((enum avatar_bone)i)) {
			return gltf_broken(place, err, "has no %s", avatar_bone_names[i]);
		}
	}
	return true;
}

bool vrm_read_bones(struct vrm *vrm, struct error *err) {
	struct gltf_item humanoid, bones, bone;
	clear_bones(vrm->avatar);
	if (!vrm_object(&vrm->extension, "humanoid", &humanoid, err) ||
		!vrm_object(&humanoid, "humanBones", &bones, err)) {
		return false;
	}
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		int joint = -1;
		if (!vrm_object(&bones, avatar_bone_names[i], &bone, err) ||
			!vrm_joint(vrm, &bone, "node", &joint, err) ||
			(joint >= 0 && !place_bone(vrm, &bone, i, joint, err))) {
			return false;
		}
	}
	return need_bones(vrm, &vrm->extension, err);
}

/* A bone by its name in 0.x, where the thumb's first bone is called like the second one of 1.0; -1
 * = none. */
static int bone_of_0x(const char *name) {
	static const struct {
		const char *name;
		enum avatar_bone bone;
	} thumbs[] = {
		{"leftThumbProximal", AVATAR_BONE_leftThumbMetacarpal},
		{"leftThumbIntermediate", AVATAR_BONE_leftThumbProximal},
		{"rightThumbProximal", AVATAR_BONE_rightThumbMetacarpal},
		{"rightThumbIntermediate", AVATAR_BONE_rightThumbProximal},
	};
	for (size_t i = 0; i < sizeof thumbs / sizeof thumbs[0]; i++) {
		if (strcmp(name, thumbs[i].name) == 0) {
			return (int)thumbs[i].bone;
		}
	}
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		if (strcmp(name, avatar_bone_names[i]) == 0) {
			return i;
		}
	}
	return -1;
}

bool vrm0_read_bones(struct vrm *vrm, struct error *err) {
	struct gltf_item humanoid, bones, bone;
	clear_bones(vrm->avatar);
	if (!vrm_object(&vrm->extension, "humanoid", &humanoid, err) ||
		!vrm_list(&humanoid, "humanBones", &bones, err)) {
		return false;
	}
	for (size_t i = 0; i < gltf_list_size(&bones); i++) {
		const char *name = "";
		int joint = -1;
		if (!gltf_element_object(&bones, i, &bone, err) ||
			!vrm_string(&bone, "bone", &name, err) ||
			!vrm_joint(vrm, &bone, "node", &joint, err)) {
			return false;
		}
		const int known = bone_of_0x(name);
		if (known < 0) {
			gltf_warn(vrm->gltf->rig, &bone, "VRM has no bone of this name; left out");
		} else if (joint >= 0 && !place_bone(vrm, &bone, known, joint, err)) {
			return false;
		}
	}
	return need_bones(vrm, &vrm->extension, err);
}

/* Both versions' names of the views, by enum avatar_view. */
static const char *const views[] = {"auto", "both", "thirdPersonOnly", "firstPersonOnly"};

static bool read_view(
	const struct gltf_item *item, const char *member, int *view, struct error *err) {
	const char *name = views[AVATAR_VIEW_AUTO];
	if (!vrm_string(item, member, &name, err)) {
		return false;
	}
	for (int i = 0; i < 4; i++) {
		if (strcasecmp(name, views[i]) == 0) {
			*view = i;
			return true;
		}
	}
	return gltf_broken(item, err, "%s is no view", member);
}

static bool open_annotations(struct vrm *vrm, struct gltf_item *first_person,
	struct gltf_item *annotations, struct error *err) {
	if (!vrm_object(&vrm->extension, "firstPerson", first_person, err) ||
		!vrm_list(first_person, "meshAnnotations", annotations, err)) {
		return false;
	}
	if (gltf_list_size(annotations) == 0) {
		return true;
	}
	vrm->avatar->views = vrm_storage(vrm, (size_t)vrm->gltf->rig->joint_count, 1, err);
	return vrm->avatar->views;
}

bool vrm_read_views(struct vrm *vrm, struct error *err) {
	struct gltf_item first_person, annotations, annotation;
	if (!open_annotations(vrm, &first_person, &annotations, err)) {
		return false;
	}
	for (size_t i = 0; i < gltf_list_size(&annotations); i++) {
		int joint = -1, view = AVATAR_VIEW_AUTO;
		if (!gltf_element_object(&annotations, i, &annotation, err) ||
			!vrm_joint(vrm, &annotation, "node", &joint, err) ||
			!read_view(&annotation, "type", &view, err)) {
			return false;
		}
		if (joint >= 0) {
			vrm->avatar->views[joint] = (unsigned char)view;
		}
	}
	return true;
}

bool vrm0_read_views(struct vrm *vrm, struct error *err) {
	struct gltf_item first_person, annotations, annotation;
	if (!open_annotations(vrm, &first_person, &annotations, err)) {
		return false;
	}
	unsigned char *seen = arena_alloc(vrm->gltf->arena, (size_t)vrm->gltf->mesh_count + 1, 1);
	for (size_t i = 0; i < gltf_list_size(&annotations); i++) {
		int mesh = -1, view = AVATAR_VIEW_AUTO;
		if (!gltf_element_object(&annotations, i, &annotation, err) ||
			!vrm_index(&annotation, "mesh", vrm->gltf->mesh_count, &mesh, err) ||
			!read_view(&annotation, "firstPersonFlag", &view, err)) {
			return false;
		}
		// The first annotation of a mesh counts, so that many of one cost no time.
		for (int k = mesh >= 0 && !seen[mesh] ? vrm->first_joint[mesh] : 0;
			mesh >= 0 && !seen[mesh] && k < vrm->first_joint[mesh + 1]; k++) {
			vrm->avatar->views[vrm->mesh_joints[k]] = (unsigned char)view;
		}
		seen[mesh >= 0 ? mesh : vrm->gltf->mesh_count] = 1;
	}
	return true;
}
