// Skeletons that can use each other's keys as they are.
#include "animation/same_skeleton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "pose/pose.h"

#define SAME 1e-3

/* Of distances, by the longest: a Biped moves its thighs with its hips, also at rest. */
#define SAME_PLACE 1e-2

struct comparison {
	const struct rig *from, *to;
	bool *driven;                                // [from->joint_count] by the clip
	bool *below;                                 // [from->joint_count] a driven joint
	double (*their_world)[12], (*our_world)[12]; // at rest
	double size;                                 // the longest distance to a parent in `to`
	size_t steps;                                // that may still be gone up through joints
};

/* Joints that are gone up through, for each joint of the file: skeletons take a few. */
#define STEPS_PER_JOINT 16

static double (*rest_world(const struct rig *rig, struct arena *arena))[12] {
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	const struct pose pose = pose_rest(rig, arena);
	pose_to_world(rig, &pose, world);
	return world;
}

static double distance(const float a[static 3], const float b[static 3]) {
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
	}
	return sqrt(sum);
}

static double size_of(const struct rig *rig) {
	static const float origin[3] = {0};
	double size = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		size = rig->joints[i].parent < 0
			? size
			: fmax(size, distance(rig->joints[i].rest.translation, origin));
	}
	return size;
}

/* The matrices of what two joints hang on, by the size of the skeleton. */
static bool same_world(const struct comparison *c, int theirs, int ours) {
	static const double identity[12] = MAT_IDENTITY;
	const double *a = theirs >= 0 ? c->their_world[theirs] : identity;
	const double *b = ours >= 0 ? c->our_world[ours] : identity;
	bool same = true;
	for (int k = 0; k < 12; k++) {
		same = same && fabs(a[k] - b[k]) <= SAME * (k % 4 == 3 ? c->size : 1);
	}
	return same;
}

static bool same_place(
	const struct comparison *c, const struct transform *a, const struct transform *b) {
	return distance(a->translation, b->translation) <= SAME_PLACE * c->size &&
		distance(a->scale, b->scale) <= SAME;
}

/* True for a joint and its namesake that rest alike as seen from what is above, up to the next
 * joint that is driven. */
static bool fits(struct comparison *c, int theirs, int ours) {
	if (!c->below[theirs]) {
		return same_world(c, c->from->joints[theirs].parent, c->to->joints[ours].parent);
	}
	while (c->steps-- > 0) {
		const struct joint *a = &c->from->joints[theirs], *b = &c->to->joints[ours];
		if (a->parent < 0 || b->parent < 0 || !same_place(c, &a->rest, &b->rest)) {
			return false;
		}
		theirs = a->parent;
		ours = b->parent;
		if (strcmp(c->from->joints[theirs].name, c->to->joints[ours].name) != 0) {
			return false;
		}
		if (c->driven[theirs]) {
			return true;
		}
	}
	c->steps = 0;
	return false;
}

struct name {
	const char *text;
	int joint;
};

static int by_text(const void *a, const void *b) {
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

const int *find_namesakes(const struct rig *from, const struct rig *to, struct arena *arena) {
	const size_t count = (size_t)to->joint_count;
	struct name *names = arena_alloc(arena, count, sizeof *names);
	int *namesakes = arena_alloc(arena, (size_t)from->joint_count, sizeof *namesakes);
	for (size_t i = 0; i < count; i++) {
		names[i] = (struct name){to->joints[i].name, (int)i};
	}
	qsort(names, count, sizeof *names, by_text);
	for (int i = 0; i < from->joint_count; i++) {
		const struct name key = {from->joints[i].name, 0};
		const struct name *found = bsearch(&key, names, count, sizeof *names, by_text);
		namesakes[i] = found ? found->joint : -1;
	}
	return namesakes;
}

static void mark(struct comparison *c, const struct clip *clip) {
	for (int i = 0; i < clip->channel_count; i++) {
		c->driven[clip->channels[i].joint] = true;
	}
	for (int i = 0; i < c->from->joint_count; i++) {
		const int parent = c->from->joints[i].parent;
		c->below[i] = parent >= 0 && (c->driven[parent] || c->below[parent]);
	}
}

bool same_skeleton(const struct rig *from, const struct clip *clip, const struct rig *to,
	struct arena *arena) {
	const size_t count = (size_t)from->joint_count;
	struct comparison c = {
		.from = from,
		.to = to,
		.driven = arena_alloc(arena, count, sizeof *c.driven),
		.below = arena_alloc(arena, count, sizeof *c.below),
		.their_world = rest_world(from, arena),
		.our_world = rest_world(to, arena),
		.size = size_of(to),
		.steps = count * STEPS_PER_JOINT,
	};
	const int *others = find_namesakes(from, to, arena);
	int driven = 0, namesakes = 0;
	mark(&c, clip);
	for (int i = 0; i < from->joint_count; i++) {
		const int ours = c.driven[i] ? others[i] : -1;
		driven += c.driven[i];
		namesakes += ours >= 0;
		if (ours >= 0 && !fits(&c, i, ours)) {
			return false;
		}
	}
	return namesakes > 0 && namesakes * 2 >= driven;
}
