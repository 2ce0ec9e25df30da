// Joints that a rig can do without.
#include "model/prune.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void need_driven(const struct clip *clip, bool *needed) {
	for (int i = 0; i < clip->channel_count; i++) {
		needed[clip->channels[i].joint] = true;
	}
}

void prune_mark_used(const struct rig *rig, const struct clip *clip, bool *used) {
	for (int i = 0; i < rig->slot_count; i++) {
		used[rig->slots[i].joint] = true;
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		used[rig->primitives[i].joint] = true;
	}
	for (int i = 0; i < rig->camera_count; i++) {
		used[rig->cameras[i].joint] = true;
	}
	for (int i = 0; i < rig->light_count; i++) {
		used[rig->lights[i].joint] = true;
	}
	for (int i = 0; i < rig->clip_count; i++) {
		need_driven(&rig->clips[i], used);
	}
	if (clip) {
		need_driven(clip, used);
	}
}

static bool is_identity(const struct transform *transform) {
	static const struct transform identity = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	bool same = true;
	for (int k = 0; k < 3; k++) {
		same = same && transform->translation[k] == identity.translation[k] &&
			transform->scale[k] == identity.scale[k];
	}
	for (int k = 0; k < 4; k++) {
		same = same && transform->rotation[k] == identity.rotation[k];
	}
	return same;
}

const bool *prune_find_needless(
	const struct rig *rig, const struct clip *clip, struct arena *arena) {
	const size_t count = (size_t)rig->joint_count;
	bool *used = arena_alloc(arena, count, sizeof *used);
	prune_mark_used(rig, clip, used);
	return prune_find_unused(rig, used, arena);
}

const bool *prune_find_unused(const struct rig *rig, const bool *used, struct arena *arena) {
	const size_t count = (size_t)rig->joint_count;
	bool *needless = arena_alloc(arena, count, sizeof *needless);
	int *children = arena_alloc(arena, count, sizeof *children); // that are not needless
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		needless[i] = !used[i] && children[i] == 0;
		if (parent >= 0) {
			children[parent] += !needless[i];
		}
	}
	// Parents come before their children: a root that goes makes a root of its child.
	for (int i = 0; i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		const bool root = joint->parent < 0 || needless[joint->parent];
		needless[i] = needless[i] ||
			(root && !used[i] && children[i] == 1 && is_identity(&joint->rest));
	}
	return needless;
}

/* Gives the variant the joints that are left, in their order.
 *
 * position  [joint_count] set to where each is then; -1 = nowhere */
static bool keep_joints(struct rig *variant, const struct rig *rig, const bool *needless,
	int *position, struct error *err) {
	variant->joints = rig_storage(
		variant, (size_t)rig->joint_count, sizeof *variant->joints, "joints", err);
	variant->joint_count = 0;
	for (int i = 0; variant->joints && i < rig->joint_count; i++) {
		position[i] = -1;
		if (needless[i]) {
			continue;
		}
		const int parent = rig->joints[i].parent;
		position[i] = variant->joint_count;
		variant->joints[variant->joint_count] = rig->joints[i];
		variant->joints[variant->joint_count].parent = parent < 0 ? -1 : position[parent];
		variant->joint_count++;
	}
	return variant->joints;
}

/* A copy, in the variant's storage, of a list of what has a joint. */
static void *copy_list(
	struct rig *variant, const void *list, int count, size_t size, struct error *err) {
	void *copy = rig_storage(variant, (size_t)count, size, "what hangs on joints", err);
	if (copy && count > 0) {
		memcpy(copy, list, (size_t)count * size);
	}
	return copy;
}

static bool move_things(
	struct rig *variant, const struct rig *rig, const int *position, struct error *err) {
	variant->slots = copy_list(variant, rig->slots, rig->slot_count, sizeof *rig->slots, err);
	variant->cameras =
		copy_list(variant, rig->cameras, rig->camera_count, sizeof *rig->cameras, err);
	variant->lights =
		copy_list(variant, rig->lights, rig->light_count, sizeof *rig->lights, err);
	if (!variant->slots || !variant->cameras || !variant->lights) {
		return false;
	}
	for (int i = 0; i < rig->slot_count; i++) {
		variant->slots[i].joint = position[rig->slots[i].joint];
	}
	for (int i = 0; i < rig->camera_count; i++) {
		variant->cameras[i].joint = position[rig->cameras[i].joint];
	}
	for (int i = 0; i < rig->light_count; i++) {
		variant->lights[i].joint = position[rig->lights[i].joint];
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		variant->primitives[i].joint = position[rig->primitives[i].joint];
	}
	variant->moving_joints = NULL;
	return rig_find_moving(variant, err);
}

static void move_clip(
	const struct clip *clip, const int *position, struct arena *arena, struct clip *pruned) {
	*pruned = *clip;
	pruned->tracks = NULL;
	pruned->channels =
		arena_alloc(arena, (size_t)clip->channel_count, sizeof *pruned->channels);
	for (int i = 0; i < clip->channel_count; i++) {
		pruned->channels[i] = clip->channels[i];
		pruned->channels[i].joint = position[clip->channels[i].joint];
	}
}

struct rig *prune_rig(const struct rig *rig, const struct clip *clip, struct clip *pruned,
	struct arena *arena, struct error *err) {
	const bool *needless = prune_find_needless(rig, clip, arena);
	int *position = arena_alloc(arena, (size_t)rig->joint_count, sizeof *position);
	struct rig *variant = rig_create_variant(rig, err);
	if (!variant || !keep_joints(variant, rig, needless, position, err) ||
		!move_things(variant, rig, position, err)) {
		rig_release(variant);
		return NULL;
	}
	variant->clip_count = 0;
	variant->clips = NULL;
	move_clip(clip, position, arena, pruned);
	return variant;
}

/* Number of a primitive's influences. */
static size_t influences_of(const struct primitive *primitive) {
	return (size_t)primitive->vertex_count * (size_t)primitive->influence_count;
}

static void mark_used(const struct rig *rig, const struct primitive *primitive, bool *used) {
	const size_t count = influences_of(primitive);
	for (size_t i = 0; i < count; i++) {
		const size_t at = primitive->first_influence + i;
		// An influence without a weight names its vertex's pivot, which has one.
		used[primitive->first_slot + rig->influence_slots[at]] = true;
	}
	used[primitive->first_slot] |= count == 0;
}

/* Moves the used slots together. before[i] is how many used slots there are before slot i:
 * [slot_count + 1]. */
static void compact(struct rig *rig, const bool *used, int *before) {
	int count = 0;
	for (int i = 0; i < rig->slot_count; i++) {
		before[i] = count;
		if (used[i]) {
			rig->slots[count++] = rig->slots[i];
		}
	}
	before[rig->slot_count] = count;
	rig->slot_count = count;
}

static void renumber(const struct rig *rig, struct primitive *primitive, const int *before) {
	const int old_first = primitive->first_slot;
	const int first = before[old_first];
	const size_t count = influences_of(primitive);
	for (size_t i = 0; i < count; i++) {
		uint16_t *slot = &rig->influence_slots[primitive->first_influence + i];
		*slot = (uint16_t)(before[old_first + *slot] - first);
	}
	primitive->slot_count = before[old_first + primitive->slot_count] - first;
	primitive->first_slot = first;
	assert(primitive->slot_count >= 1);
}

void rig_drop_unused_slots(struct rig *rig) {
	bool *used = xcalloc((size_t)rig->slot_count, sizeof *used);
	int *before = xcalloc((size_t)rig->slot_count + 1, sizeof *before);
	for (int i = 0; i < rig->primitive_count; i++) {
		mark_used(rig, &rig->primitives[i], used);
	}
	compact(rig, used, before);
	for (int i = 0; i < rig->primitive_count; i++) {
		renumber(rig, &rig->primitives[i], before);
	}
	free(before);
	free(used);
}
