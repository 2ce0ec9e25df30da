// The order in which spring bones move: each after what moves it, its colliders and its centre.
#include "pose/avatar/springs_internal.h"

enum visit { VISIT_NEW, VISIT_OPEN, VISIT_DONE };

struct sorter {
	struct springs *springs;
	const int *bone_of;
	unsigned char *visits; // [joint_count] enum visit
	struct pending {
		int joint, next; // the next of the joints that have to come before
	} * stack;               // [joint_count]
	int depth;
};

/* The i-th joint that comes before one: above it, its centre, those of its colliders. -1 = none,
 * -2 = there are no more. */
static int find_before(const struct sorter *sorter, int joint, int i) {
	const struct springs *springs = sorter->springs;
	if (i == 0) {
		return springs->rig->joints[joint].parent;
	}
	if (sorter->bone_of[joint] < 0) {
		return -2;
	}
	const struct avatar_spring *spring = springs->bones[sorter->bone_of[joint]].spring;
	if (i == 1) {
		return spring->center;
	}
	return i - 2 < spring->collider_count
		? springs->rig->avatar->colliders[spring->colliders[i - 2]].joint
		: -2;
}

static void open(struct sorter *sorter, int joint) {
	sorter->visits[joint] = VISIT_OPEN;
	sorter->stack[sorter->depth++] = (struct pending){.joint = joint};
}

static void close(struct sorter *sorter, int joint) {
	struct springs *springs = sorter->springs;
	sorter->visits[joint] = VISIT_DONE;
	sorter->depth--;
	springs->events[springs->event_count++] =
		(struct spring_event){joint, sorter->bone_of[joint]};
}

static void visit(struct sorter *sorter, int joint) {
	if (joint < 0 || !sorter->springs->moves[joint]) {
		return;
	}
	if (sorter->visits[joint] == VISIT_NEW) {
		open(sorter, joint);
	} else if (sorter->visits[joint] == VISIT_OPEN) {
		sorter->springs->circular = true;
	}
}

void springs_order(struct springs *springs, const int *bone_of, struct arena *arena) {
	const size_t count = (size_t)springs->rig->joint_count;
	struct sorter sorter = {
		.springs = springs,
		.bone_of = bone_of,
		.visits = arena_alloc(arena, count, sizeof *sorter.visits),
		.stack = arena_alloc(arena, count, sizeof *sorter.stack),
	};
	springs->events = arena_alloc(arena, count, sizeof *springs->events);
	for (int i = 0; i < springs->rig->joint_count; i++) {
		visit(&sorter, i);
		while (sorter.depth > 0) {
			struct pending *top = &sorter.stack[sorter.depth - 1];
			const int before = find_before(&sorter, top->joint, top->next++);
			if (before == -2) {
				close(&sorter, top->joint);
			} else {
				visit(&sorter, before);
			}
		}
	}
}
