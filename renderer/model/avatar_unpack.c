// Records that nobody vouches for -> an avatar.
#include <stddef.h>

#include "model/rig_pack_internal.h"

/* An array without pointers, as it lies in the block. */
#define ITEMS(unpack, array, count, ok) \
	rig_unpack_items(unpack, array, count, sizeof *(array), _Alignof(__typeof__(*(array))), ok)

static bool take_expressions(struct unpack *unpack, struct avatar *avatar) {
	const void *found;
	struct avatar_expression *copies = rig_unpack_records(unpack, avatar->expressions,
		avatar->expression_count, sizeof *copies, "expressions", &found);
	const struct avatar_expression *packed = found;
	avatar->expressions = copies;
	for (int i = 0; copies && i < avatar->expression_count; i++) {
		struct avatar_expression *e = &copies[i];
		if (!rig_unpack_is_bool(&packed[i].binary)) {
			return rig_unpack_broken(
				unpack, "expressions", (size_t)i, "has no bool for binary");
		}
		*e = packed[i];
		e->name = rig_unpack_text(unpack, packed[i].name);
		bool ok = e->name != NULL;
		e->morphs = ITEMS(unpack, packed[i].morphs, e->morph_count, &ok);
		e->tints = ITEMS(unpack, packed[i].tints, e->tint_count, &ok);
		e->shifts = ITEMS(unpack, packed[i].shifts, e->shift_count, &ok);
		if (!ok) {
			return rig_unpack_broken(unpack, "expressions", (size_t)i,
				"has a name or binds that are not in the block");
		}
	}
	return copies;
}

static bool take_springs(struct unpack *unpack, struct avatar *avatar) {
	const void *found;
	struct avatar_spring *copies = rig_unpack_records(
		unpack, avatar->springs, avatar->spring_count, sizeof *copies, "springs", &found);
	const struct avatar_spring *packed = found;
	avatar->springs = copies;
	for (int i = 0; copies && i < avatar->spring_count; i++) {
		struct avatar_spring *spring = &copies[i];
		*spring = packed[i];
		spring->name = rig_unpack_text(unpack, packed[i].name);
		bool ok = spring->name != NULL;
		spring->joints = ITEMS(unpack, packed[i].joints, spring->joint_count, &ok);
		spring->colliders = ITEMS(unpack, packed[i].colliders, spring->collider_count, &ok);
		if (!ok) {
			return rig_unpack_broken(unpack, "springs", (size_t)i,
				"has a name or a list that is not in the block");
		}
	}
	return copies;
}

static bool take_facts(struct unpack *unpack, struct avatar *avatar) {
	const void *found;
	struct avatar_fact *copies = rig_unpack_records(
		unpack, avatar->facts, avatar->fact_count, sizeof *copies, "facts", &found);
	const struct avatar_fact *packed = found;
	avatar->facts = copies;
	for (int i = 0; copies && i < avatar->fact_count; i++) {
		copies[i] = packed[i];
		copies[i].key = rig_unpack_text(unpack, packed[i].key);
		copies[i].text = rig_unpack_text(unpack, packed[i].text);
		if (!copies[i].key || !copies[i].text) {
			return rig_unpack_broken(
				unpack, "facts", (size_t)i, "has a text that is not in the block");
		}
	}
	return copies;
}

static bool take_colliders(struct unpack *unpack, struct avatar *avatar) {
	bool ok = true;
	avatar->colliders = ITEMS(unpack, avatar->colliders, avatar->collider_count, &ok);
	if (!ok) {
		return rig_unpack_broken(unpack, "colliders", 0, "are not in the block");
	}
	for (int i = 0; i < avatar->collider_count; i++) {
		if (!rig_unpack_is_bool(&avatar->colliders[i].inside)) {
			return rig_unpack_broken(
				unpack, "colliders", (size_t)i, "has no bool for inside");
		}
	}
	return true;
}

static bool take_rest(struct unpack *unpack, struct avatar *avatar, int joint_count) {
	bool ok = true;
	avatar->constraints = ITEMS(unpack, avatar->constraints, avatar->constraint_count, &ok);
	if (avatar->views) {
		avatar->views = ITEMS(unpack, avatar->views, joint_count, &ok);
	}
	if (!ok) {
		return rig_unpack_broken(
			unpack, "avatar", 0, "has constraints or views that are not in the block");
	}
	avatar->version = rig_unpack_text(unpack, avatar->version);
	return avatar->version ||
		rig_unpack_broken(unpack, "avatar", 0, "has no version in the block");
}

const struct avatar *avatar_unpack(
	struct unpack *unpack, const struct avatar *offset, int joint_count) {
	const void *found;
	struct avatar *avatar =
		rig_unpack_records(unpack, offset, 1, sizeof *avatar, "avatar", &found);
	if (!avatar) {
		return NULL;
	}
	const struct avatar *packed = found;
	if (!rig_unpack_is_bool(&packed->is_motion) || !rig_unpack_is_bool(&packed->is_0x) ||
		!rig_unpack_is_bool(&packed->has_look_at) ||
		!rig_unpack_is_bool(&packed->look_at.by_expressions)) {
		rig_unpack_broken(unpack, "avatar", 0, "has no bool where one is");
		return NULL;
	}
	*avatar = *packed;
	return take_expressions(unpack, avatar) && take_springs(unpack, avatar) &&
			take_facts(unpack, avatar) && take_colliders(unpack, avatar) &&
			take_rest(unpack, avatar, joint_count)
		? avatar
		: NULL;
}
