// Clips of a rig against each other: clip/name_duplicate, missing_track, one_sided.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/name_list.h"
#include "check/rules.h"

/* Other clips that a joint has to be driven by: a share, of so many at least. */
#define DRIVEN_SHARE 0.8
#define OTHERS_MIN 2

/* --- Names --- */

static int compare_names(const void *a, const void *b) {
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void look_at_names(
	const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	const struct asset_facts *facts = asset->facts;
	const char **names = arena_alloc(arena, (size_t)facts->clip_count, sizeof *names);
	struct check_names list = {0};
	for (int i = 0; i < facts->clip_count; i++) {
		names[i] = &facts->texts[facts->clips[i].name];
	}
	qsort(names, (size_t)facts->clip_count, sizeof *names, compare_names);
	for (int i = 1; i < facts->clip_count; i++) {
		if (names[i][0] != '\0' && strcmp(names[i], names[i - 1]) == 0) {
			check_names_add(&list, names[i]);
		}
	}
	struct check_value value = check_value(list.count);
	value.text = check_names_text(&list);
	check_emit(sink, &check_rule_clip_name_duplicate, &value);
	check_names_finish(&list);
}

static const struct check_pass names = {.asset = look_at_names};

/* --- Tracks --- */

static bool is_driven(const struct check_clip *clip, int joint) {
	return clip->driven[joint] & DRIVEN_TRANSFORM;
}

static void look_at_missing(
	const struct check_asset *asset, const struct check_clip *clip, struct check_sink *sink) {
	const struct rig *rig = asset->rig;
	const int others = rig->clip_count - 1;
	struct check_names missing = {0};
	int expected = 0;
	if (others < OTHERS_MIN) {
		check_skip(sink, &check_rule_clip_missing_track, "fewer than %d other clips",
			OTHERS_MIN);
		return;
	}
	for (int i = 0; i < rig->joint_count; i++) {
		const bool own = is_driven(clip, i);
		if (asset->active[i] && asset->drivers[i] - own >= DRIVEN_SHARE * others) {
			expected++;
			if (!own) {
				check_names_add(&missing, rig->joints[i].name);
			}
		}
	}
	struct check_value value = check_value(expected > 0 ? (double)missing.count / expected : 0);
	value.text = check_names_text(&missing);
	check_value_param(&value, "missing", missing.count);
	check_value_param(&value, "joints", expected);
	check_emit(sink, &check_rule_clip_missing_track, &value);
	check_names_finish(&missing);
}

static void look_at_sides(
	const struct check_asset *asset, const struct check_clip *clip, struct check_sink *sink) {
	struct check_names behind = {0};
	if (asset->pair_count == 0) {
		check_skip(sink, &check_rule_clip_one_sided,
			"no joints whose names differ in their side alone");
		return;
	}
	for (int i = 0; i < asset->pair_count; i++) {
		const struct check_pair *pair = &asset->pairs[i];
		const bool left = is_driven(clip, pair->left);
		if (left != is_driven(clip, pair->right)) {
			const int joint = left ? pair->right : pair->left;
			check_names_add(&behind, asset->rig->joints[joint].name);
		}
	}
	struct check_value value = check_value(behind.count);
	value.text = check_names_text(&behind);
	check_emit(sink, &check_rule_clip_one_sided, &value);
	check_names_finish(&behind);
}

static void look_at_tracks(const struct check_asset *asset, const struct check_clip *clip,
	struct arena *arena, struct check_sink *sink) {
	(void)arena;
	look_at_missing(asset, clip, sink);
	look_at_sides(asset, clip, sink);
}

static const struct check_pass tracks = {.clip = look_at_tracks};

const struct check_rule check_rule_clip_name_duplicate = {
	.info =
		{
			.id = "clip/name_duplicate",
			.unit = "clips",
			.catches = "two clips of one name",
			.definition = "The number of clips whose name in the file is that of "
				      "another one.",
			.effect = "Engines that find clips by name play only one of them.",
			.fix = "Give each clip a name of its own.",
			.blender = "Rename the actions or NLA tracks.",
			.maya = "Rename the clips in the Time Editor or in the export settings.",
			.message = "{value:#} {value|clip has|clips have} the name of another one: "
				   "{text}",
			.example = "2 clips have the name of another one: Walk, Walk",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 1, INFINITY},
		},
	.pass = &names,
};

const struct check_rule check_rule_clip_missing_track = {
	.info =
		{
			.id = "clip/missing_track",
			.unit = "share",
			.catches = "joints that other clips drive and this one does not",
			.definition = "Of the joints that at least 80 % of the rig's other clips "
				      "drive, the share "
				      "that this clip does not. Needs at least two other clips.",
			.effect = "Engines that mix clips leave the limb in the pose of the clip "
				  "before.",
			.fix = "Key the missing {missing|joint|joints} in {clip}, at least once: "
			       "{text}.",
			.blender = "Select all bones, go to the first frame, and insert keys with "
				   "K > Whole Character (I in versions before 4.1).",
			.maya = "Select all joints, go to the first frame, and press S (Key > Set "
				"Key).",
			.message = "{clip} does not drive {missing:#} of {joints:#} "
				   "{joints|joint|joints} that the rig's other clips drive: {text}",
			.example = "Run does not drive 8 of 23 joints that the rig's other "
				   "clips drive: LeftArm, LeftForeArm, LeftHand, LeftFingers, "
				   "RightArm, RightForeArm ...",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = {INFINITY, 0.1, 0.5},
		},
	.pass = &tracks,
};

const struct check_rule check_rule_clip_one_sided = {
	.info =
		{
			.id = "clip/one_sided",
			.unit = "joints",
			.catches = "a limb driven whose twin is not",
			.definition = "The number of joints, told by their names, that the clip "
				      "does not drive "
				      "while it drives the same joint of the other side.",
			.effect = "One arm or leg moves and the other hangs, or keeps the pose of "
				  "the clip "
				  "before.",
			.fix = "Key both sides in {clip}: {text}.",
			.blender = "Key the bones of the other side; Pose > Copy Pose and Pose > "
				   "Paste Pose Flipped mirror a pose.",
			.maya = "Select the joints of the other side and key them (S).",
			.message = "{clip} drives one side only: {value:#} {value|joint stays "
				   "behind its twin|joints stay behind their twins}: {text}",
			.example = "Walk drives one side only: 4 joints stay behind their twins: "
				   "LeftArm, LeftForeArm, LeftHand, LeftFingers",
			.cost = CHECK_COST_TABLE,
			.by_clip = true,
			.limits = {INFINITY, 1, INFINITY},
		},
	.pass = &tracks,
};
