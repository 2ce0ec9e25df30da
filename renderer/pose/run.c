// State that all evaluations of one request share.
#include "pose/run.h"

#include <stdint.h>

/* Joints between two looks at the clock. */
#define STOP_EVERY 4096

bool pose_run_spend(
	struct pose_run *run, const struct value *source, int joint_count, struct error *err) {
	const size_t before = run->joints;
	run->joints += (size_t)joint_count;
	if (run->joints > POSE_RUN_JOINTS) {
		return value_error(source, err, ERROR_TOO_LARGE,
			"the pose takes more than %zu steps of %d joints; nest fewer operations "
			"that look at motion",
			before / (size_t)joint_count, joint_count);
	}
	return before / STOP_EVERY == run->joints / STOP_EVERY || stop_check(run->stop, err);
}

bool pose_run_spend_work(
	struct pose_run *run, const struct value *source, size_t joints, struct error *err) {
	const size_t before = run->joints;
	run->joints += joints < POSE_RUN_JOINTS ? joints : POSE_RUN_JOINTS;
	if (run->joints > POSE_RUN_JOINTS) {
		return value_error(source, err, ERROR_TOO_LARGE,
			"the pose takes more work than posing %zu joints; ask for fewer or longer "
			"steps, or for less time",
			POSE_RUN_JOINTS);
	}
	return before / STOP_EVERY == run->joints / STOP_EVERY || stop_check(run->stop, err);
}

void *pose_run_recall(struct pose_run *run, const struct value *source, size_t bytes) {
	struct pose_note **list = &run->notes[(uintptr_t)source / sizeof *source % POSE_NOTE_LISTS];
	for (struct pose_note *note = *list; note; note = note->next) {
		if (note->source == source) {
			return note->memory;
		}
	}
	struct pose_note *note = arena_alloc(run->arena, 1, sizeof *note);
	*note = (struct pose_note){source, arena_alloc(run->arena, bytes, 1), *list};
	*list = note;
	return note->memory;
}

void pose_loops_add(struct pose_loops *loops, const struct pose_loops *more) {
	if (more->known) {
		const bool other = loops->known && loops->count != more->count;
		loops->differ = loops->differ || more->differ || other;
		loops->known = true;
		loops->count = more->count;
	}
}

static size_t slot_bytes(const struct rig *rig) {
	const size_t joint = sizeof(struct transform) + sizeof(unsigned char) + sizeof(float);
	return sizeof(struct pose_slot) + (size_t)rig->joint_count * joint +
		(size_t)rig->weight_count * sizeof(float);
}

struct pose_slot *pose_pool_take(
	struct pose_pool *pool, const struct rig *rig, struct arena *arena, struct error *err) {
	struct pose_slot *slot = pool->free;
	if (slot) {
		pool->free = slot->next;
		return slot;
	}
	const size_t bytes = slot_bytes(rig);
	if (bytes > POSE_POOL_BYTES - pool->bytes) {
		error_set(err, ERROR_TOO_LARGE,
			"the pose needs more than %zu poses of %d joints at once; blend fewer of "
			"them",
			pool->bytes / bytes, rig->joint_count);
		return NULL;
	}
	pool->bytes += bytes;
	slot = arena_alloc(arena, 1, sizeof *slot);
	slot->pose = pose_rest(rig, arena);
	slot->mask = arena_alloc(arena, (size_t)rig->joint_count, sizeof *slot->mask);
	return slot;
}

void pose_pool_give(struct pose_pool *pool, struct pose_slot *slot) {
	if (slot) {
		slot->next = pool->free;
		pool->free = slot;
	}
}
