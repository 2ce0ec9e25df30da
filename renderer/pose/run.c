// What all evaluations for one piece of work have in common.
#include "pose/run.h"

#include <stdint.h>

/* Joints between two looks at the clock. */
#define STOP_EVERY 4096

bool pose_run_spend(
	struct pose_run *run, const struct value *place, int joint_count, struct error *err) {
	const size_t before = run->joints;
	run->joints += (size_t)joint_count;
	if (run->joints > POSE_RUN_JOINTS) {
		return value_error(place, err, ERROR_TOO_LARGE,
			"the pose takes more than %zu steps of %d joints; nest fewer operations "
			"that look at motion",
			before / (size_t)joint_count, joint_count);
	}
	return before / STOP_EVERY == run->joints / STOP_EVERY || stop_check(run->stop, err);
}

void *pose_run_recall(struct pose_run *run, const struct value *place, size_t bytes) {
	struct pose_note **list = &run->notes[(uintptr_t)place / sizeof *place % POSE_NOTE_LISTS];
	for (struct pose_note *note = *list; note; note = note->next) {
		if (note->place == place) {
			return note->memory;
		}
	}
	struct pose_note *note = arena_alloc(run->arena, 1, sizeof *note);
	*note = (struct pose_note){place, arena_alloc(run->arena, bytes, 1), *list};
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
