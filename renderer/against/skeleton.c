// Joints and clips that are there in one version only, and joints that rest elsewhere.
#include <math.h>
#include <string.h>

#include "against/pairing.h"
#include "base/quat.h"
#include "check/name_list.h"
#include "check/rules.h"

/* Joints that differ, by the way in which they do. */
struct changes {
	int added, removed, renamed, reparented;
	struct check_names names;
};

static void compare_joint(const struct against *against, int joint, struct changes *changes) {
	const struct joint *after = &against->after->rig->joints[joint];
	const int partner = against->partners[joint];
	if (partner < 0) {
		changes->added++;
		check_names_add(&changes->names, after->name);
		return;
	}
	const struct joint *before = &against->before->rig->joints[partner];
	const int above = after->parent < 0 ? -1 : against->partners[after->parent];
	const bool renamed = strcmp(before->name, after->name) != 0;
	const bool reparented = above != before->parent || (after->parent >= 0 && above < 0);
	changes->renamed += renamed;
	changes->reparented += !renamed && reparented;
	if (renamed || reparented) {
		check_names_add(&changes->names, after->name);
	}
}

static void count_removed(const struct against *against, struct changes *changes) {
	const struct rig *before = against->before->rig, *after = against->after->rig;
	bool *left = arena_alloc(against->arena, (size_t)before->joint_count, sizeof *left);
	for (int i = 0; i < after->joint_count; i++) {
		if (against->partners[i] >= 0) {
			left[against->partners[i]] = true;
		}
	}
	for (int i = 0; i < before->joint_count; i++) {
		if (!left[i]) {
			changes->removed++;
			check_names_add(&changes->names, before->joints[i].name);
		}
	}
}

static void compare_joints(const struct against *against) {
	struct changes changes = {0};
	for (int i = 0; i < against->after->rig->joint_count; i++) {
		compare_joint(against, i, &changes);
	}
	count_removed(against, &changes);
	struct check_value value = check_value(changes.names.count);
	value.text = check_names_text(&changes.names);
	check_value_param(&value, "added", changes.added);
	check_value_param(&value, "removed", changes.removed);
	check_value_param(&value, "renamed", changes.renamed);
	check_value_param(&value, "reparented", changes.reparented);
	check_value_param(&value, "before", against->before->rig->joint_count);
	check_value_param(&value, "after", against->after->rig->joint_count);
	check_emit(against->figure, &check_rule_diff_joints, &value);
	check_names_finish(&changes.names);
}

static struct check_transform rest_of(const struct check_asset *asset, int joint) {
	const struct transform *rest = &asset->rig->joints[joint].rest;
	struct check_transform out;
	for (int k = 0; k < 4; k++) {
		out.q[k] = rest->rotation[k];
	}
	for (int k = 0; k < 3; k++) {
		out.t[k] = rest->translation[k];
		out.s[k] = rest->scale[k];
	}
	quat_normalize(out.q);
	return out;
}

static void compare_rest(const struct against *against) {
	const double length = against->before->length;
	struct check_value none = check_value(0);
	if (!(length > 0)) {
		check_skip(against->figure, &check_rule_diff_rest, "the figure has no extent");
		return;
	}
	check_emit(against->figure, &check_rule_diff_rest, &none);
	for (int i = 0; i < against->after->rig->joint_count; i++) {
		const int partner = against->partners[i];
		if (partner >= 0) {
			const struct check_transform a = rest_of(against->before, partner);
			const struct check_transform b = rest_of(against->after, i);
			struct check_value value = check_value(
				check_joint_distance_of(against->before, partner, &a, &b) / length);
			value.joint = i;
			check_emit(against->figure, &check_rule_diff_rest, &value);
		}
	}
}

/* Clips of a rig whose names none of another has. */
static void compare_clips(const struct against *against, const struct rig *rig,
	const struct rig *other, const struct check_rule *rule) {
	struct check_names names = {0};
	struct named *known = arena_alloc(against->arena, (size_t)other->clip_count, sizeof *known);
	for (int i = 0; i < other->clip_count; i++) {
		known[i] = (struct named){other->clips[i].name, i};
	}
	against_sort_names(known, other->clip_count);
	for (int i = 0; i < rig->clip_count; i++) {
		if (against_find_name(known, other->clip_count, rig->clips[i].name) < 0) {
			check_names_add(&names, rig->clips[i].name);
		}
	}
	struct check_value value = check_value(names.count);
	value.text = check_names_text(&names);
	check_value_param(&value, "before", against->before->rig->clip_count);
	check_value_param(&value, "after", against->after->rig->clip_count);
	check_emit(against->figure, rule, &value);
	check_names_finish(&names);
}

void against_skeleton(const struct against *against) {
	const struct rig *before = against->before->rig, *after = against->after->rig;
	compare_joints(against);
	compare_rest(against);
	compare_clips(against, before, after, &check_rule_diff_clips_removed);
	compare_clips(against, after, before, &check_rule_diff_clips_added);
}
