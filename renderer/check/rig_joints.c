// The joints of skins: rig/joint_unused, rig/name_duplicate, rig/name_missing.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/name_list.h"
#include "check/rules.h"
#include "pose/humanoid/humanoid.h"

/* Weight that a joint carries something from. */
#define USED_WEIGHT 0.001

/* --- Unused joints --- */

static void mark_above(const struct rig *rig, int joint, bool *used) {
	for (; joint >= 0 && !used[joint]; joint = rig->joints[joint].parent) {
		used[joint] = true;
	}
}

/* Marks joints that carry vertices, meshes or cameras, and all above them. */
static const bool *find_used(const struct rig *rig, struct arena *arena) {
	bool *used = arena_alloc(arena, (size_t)rig->joint_count, sizeof *used);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		if (!p->skinned) {
			mark_above(rig, p->joint, used);
			continue;
		}
		const size_t count = (size_t)p->vertex_count * (size_t)p->influence_count;
		for (size_t k = p->first_influence; k < p->first_influence + count; k++) {
			if ((double)rig->influence_weights[k] > USED_WEIGHT) {
				mark_above(rig,
					rig->slots[p->first_slot + rig->influence_slots[k]].joint,
					used);
			}
		}
	}
	for (int i = 0; i < rig->camera_count; i++) {
		mark_above(rig, rig->cameras[i].joint, used);
	}
	return used;
}

static void look_at_use(
	const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	const struct rig *rig = asset->rig;
	const bool *used = find_used(rig, arena);
	struct check_names names = {0};
	int all = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		all += rig->joints[i].in_skin;
		if (rig->joints[i].in_skin && !used[i]) {
			check_names_add(&names, rig->joints[i].name);
		}
	}
	struct check_value value = check_value(names.count);
	const double share = all > 0 ? (double)names.count / all : 0;
	value.at_most = share >= asset->profile->settings.unused_share ? CHECK_ERROR : CHECK_NOTE;
	value.text = check_names_text(&names);
	check_value_param(&value, "share", share);
	check_value_param(&value, "joints", all);
	check_emit(sink, &check_rule_rig_joint_unused, &value);
	check_names_finish(&names);
}

/* --- Names --- */

static const char *name_in_file(const struct asset_facts *facts, int joint) {
	return &facts->texts[facts->joint_names[joint]];
}

/* A joint of a skin with its name. */
struct named {
	const char *name;
	int joint;
};

static int compare_named(const void *first, const void *second) {
	const struct named *a = first, *b = second;
	const int order = strcmp(a->name, b->name);
	return order != 0 ? order : a->joint - b->joint;
}

static void list_namesakes(const struct asset_facts *facts, const struct skin_facts *skin,
	struct arena *arena, struct check_names *names) {
	struct named *all = arena_alloc(arena, (size_t)skin->joint_count, sizeof *all);
	for (int i = 0; i < skin->joint_count; i++) {
		const int joint = facts->joints[skin->first_joint + i];
		all[i] = (struct named){name_in_file(facts, joint), joint};
	}
	qsort(all, (size_t)skin->joint_count, sizeof *all, compare_named);
	for (int i = 1; i < skin->joint_count; i++) {
		if (all[i].name[0] != '\0' && all[i].joint != all[i - 1].joint &&
			strcmp(all[i].name, all[i - 1].name) == 0) {
			check_names_add(names, all[i].name);
		}
	}
}

static void look_at_duplicates(
	const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	struct check_names names = {0};
	for (int i = 0; i < asset->facts->skin_count; i++) {
		list_namesakes(asset->facts, &asset->facts->skins[i], arena, &names);
	}
	struct check_value value = check_value(names.count);
	value.text = check_names_text(&names);
	check_emit(sink, &check_rule_rig_name_duplicate, &value);
	check_names_finish(&names);
}

/* VRM's 15 required bones. */
static void list_missing_bones(
	const struct check_asset *asset, struct arena *arena, struct check_names *names) {
	static const enum humanoid_role required[] = {HUMANOID_HIPS, HUMANOID_SPINE, HUMANOID_HEAD,
		HUMANOID_LEFT_UPPER_ARM, HUMANOID_LEFT_LOWER_ARM, HUMANOID_LEFT_HAND,
		HUMANOID_LEFT_UPPER_LEG, HUMANOID_LEFT_LOWER_LEG, HUMANOID_LEFT_FOOT,
		HUMANOID_RIGHT_UPPER_ARM, HUMANOID_RIGHT_LOWER_ARM, HUMANOID_RIGHT_HAND,
		HUMANOID_RIGHT_UPPER_LEG, HUMANOID_RIGHT_LOWER_LEG, HUMANOID_RIGHT_FOOT};
	struct humanoid humanoid;
	humanoid_find(asset->rig, arena, &humanoid);
	for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
		if (humanoid.joints[required[i]] < 0) {
			check_names_add(names, humanoid_role_name(required[i]));
		}
	}
}

static void look_at_required(
	const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	const struct check_settings *settings = &asset->profile->settings;
	struct check_names names = {0};
	for (int i = 0; settings->required_joints && settings->required_joints[i]; i++) {
		if (rig_find_joint(asset->rig, settings->required_joints[i]) < 0) {
			check_names_add(&names, settings->required_joints[i]);
		}
	}
	if (settings->required_vrm) {
		list_missing_bones(asset, arena, &names);
	}
	if (settings->required_joints || settings->required_vrm) {
		struct check_value value = check_value(names.count);
		value.text = check_names_text(&names);
		check_emit(sink, &check_rule_rig_name_missing, &value);
	} else {
		check_skip(sink, &check_rule_rig_name_missing, "the profile requires no joints");
	}
	check_names_finish(&names);
}

static void look(const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	look_at_required(asset, arena, sink);
	if (asset->facts->skin_count == 0) {
		check_skip(sink, &check_rule_rig_joint_unused, "no skin");
		check_skip(sink, &check_rule_rig_name_duplicate, "no skin");
		return;
	}
	look_at_use(asset, arena, sink);
	look_at_duplicates(asset, arena, sink);
}

static const struct check_pass pass = {.asset = look};

const struct check_rule check_rule_rig_joint_unused = {
	.info =
		{
			.id = "rig/joint_unused",
			.unit = "joints",
			.catches = "joints that carry nothing",
			.definition = "The number of joints of skins that carry no vertex with a "
				      "weight above "
				      "0.001, no mesh and no camera, neither themselves nor below "
				      "them. A warning "
				      "also takes a share of all joints, 0.2 unless the profile "
				      "says otherwise.",
			.effect = "Leaf and control bones cost time in every frame and do nothing.",
			.fix = "Export deforming bones only.",
			.blender = "Turn on Data > Armature > Export Deformation Bones Only in the "
				   "glTF export; in the FBX export turn off Armature > Add Leaf "
				   "Bones.",
			.maya = "Delete joints without influence before the export, or run Skin > "
				"Edit Influences > Remove Unused Influences and leave them out of "
				"the selection.",
			.message = "{value:#} of {joints:#} {joints|joint|joints} ({share:%}) "
				   "{value|carries|carry} nothing: {text}",
			.example =
				"8 of 31 joints (25.8 %) carry nothing: Head_end, LeftFingers_end, "
				"LeftHand_end, RightFingers_end, RightHand_end, LeftToe_end ...",
			.cost = CHECK_COST_TABLE,
			.limits = {1, 4, INFINITY},
		},
	.pass = &pass,
};

const struct check_rule check_rule_rig_name_duplicate = {
	.info =
		{
			.id = "rig/name_duplicate",
			.unit = "joints",
			.catches = "two joints of one name in a skin",
			.definition = "The number of joints of skins whose name in the file is "
				      "that of an earlier "
				      "joint of the same skin.",
			.effect = "Engines that find joints by name animate the wrong one.",
			.fix = "Give each joint a name of its own.",
			.blender = "Rename the bones (F2); names of one armature are unique, so "
				   "look for "
				   "joined armatures.",
			.maya = "Rename the joints; short names must be unique below the "
				"skeleton's root.",
			.message = "{value:#} {value|joint has|joints have} the name of another "
				   "one: {text}",
			.example = "2 joints have the name of another one: LeftForeArm, LeftHand",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 1, INFINITY},
		},
	.pass = &pass,
};

const struct check_rule check_rule_rig_name_missing = {
	.info =
		{
			.id = "rig/name_missing",
			.unit = "joints",
			.catches = "joints that the profile requires",
			.definition = "The number of joints that the profile requires and the rig "
				      "lacks: names, or "
				      "the 15 bones that a VRM avatar has to have, found by the "
				      "usual naming "
				      "conventions.",
			.effect = "Animations, tracking and clothes made for the skeleton do not "
				  "fit.",
			.fix = "Add or rename the {value|joint|joints}: {text}.",
			.blender = "Rename the bones (F2 in Pose Mode) to the names that the "
				   "pipeline expects; many at once with Edit > Batch Rename.",
			.maya = "Rename the joints in the Outliner to the names that the pipeline "
				"expects; many at once with Modify > Search and Replace Names.",
			.message = "{value:#} required {value|joint is|joints are} missing: {text}",
			.example = "2 required joints are missing: LeftHand, RightHand",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, INFINITY, 1},
		},
	.pass = &pass,
};
