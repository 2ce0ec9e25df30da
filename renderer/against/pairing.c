// Joints and clips of two versions, paired by their names.
#include "against/pairing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* Rest places that are the same, in figure lengths. */
#define SAME_PLACE 1e-4

/* Times that are the same, in seconds. */
#define SAME_TIME 1e-7

/* --- Names --- */

static int compare_names(const void *a, const void *b) {
	const struct named *x = a, *y = b;
	const int order = strcmp(x->name, y->name);
	return order != 0 ? order : x->index - y->index;
}

void against_sort_names(struct named *names, int count) {
	if (count > 1) {
		qsort(names, (size_t)count, sizeof *names, compare_names);
	}
}

int against_find_name(const struct named *names, int count, const char *name) {
	int low = 0, high = count;
	while (low < high) {
		const int middle = low + (high - low) / 2;
		if (strcmp(names[middle].name, name) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low < count && strcmp(names[low].name, name) == 0 ? names[low].index : -1;
}

/* --- Joints --- */

static void place_of(const struct check_asset *asset, int joint, double out[static 3]) {
	for (int k = 0; k < 3; k++) {
		out[k] = asset->rest_world[joint][4 * k + 3];
	}
}

static bool rest_at_one_place(const struct against *against, int before, int after) {
	double a[3], b[3], way[3];
	place_of(against->before, before, a);
	place_of(against->after, after, b);
	vec3_sub(b, a, way);
	return vec3_length(way) <= SAME_PLACE * against->before->length;
}

/* Joints of before by their parents. */
struct children {
	int *first; // [joint_count + 1] of each joint, the last one of none; -1 = none
	int *next;  // [joint_count] with the same parent; -1 = none
};

static struct children list_children(const struct rig *rig, struct arena *arena) {
	const size_t count = (size_t)rig->joint_count;
	const struct children children = {
		.first = arena_alloc(arena, count + 1, sizeof *children.first),
		.next = arena_alloc(arena, count, sizeof *children.next),
	};
	for (size_t i = 0; i <= count; i++) {
		children.first[i] = -1;
	}
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		int *first = &children.first[parent < 0 ? rig->joint_count : parent];
		children.next[i] = *first;
		*first = i;
	}
	return children;
}

/* The joint of before that a new one may have been: with its parent and place, and no partner. */
static int find_renamed(const struct against *against, const struct children *children,
	const int *partners, const bool *taken, int joint) {
	const int parent = against->after->rig->joints[joint].parent;
	const int above = parent < 0 ? against->before->rig->joint_count : partners[parent];
	for (int i = above < 0 ? -1 : children->first[above]; i >= 0; i = children->next[i]) {
		if (!taken[i] && rest_at_one_place(against, i, joint)) {
			return i;
		}
	}
	return -1;
}

static const int *pair_joints(const struct against *against) {
	const struct rig *before = against->before->rig, *after = against->after->rig;
	struct arena *arena = against->arena;
	const size_t count = (size_t)before->joint_count;
	int *partners = arena_alloc(arena, (size_t)after->joint_count, sizeof *partners);
	bool *taken = arena_alloc(arena, count, sizeof *taken);
	struct named *names = arena_alloc(arena, count, sizeof *names);
	const struct children children = list_children(before, arena);
	for (int i = 0; i < before->joint_count; i++) {
		names[i] = (struct named){before->joints[i].name, i};
	}
	against_sort_names(names, before->joint_count);
	for (int i = 0; i < after->joint_count; i++) {
		partners[i] = against_find_name(names, before->joint_count, after->joints[i].name);
		if (partners[i] >= 0) {
			taken[partners[i]] = true;
		}
	}
	for (int i = 0; i < after->joint_count; i++) {
		if (partners[i] < 0) {
			partners[i] = find_renamed(against, &children, partners, taken, i);
		}
		if (partners[i] >= 0) {
			taken[partners[i]] = true;
		}
	}
	return partners;
}

static const int *pair_clips(const struct against *against) {
	const struct check_run *before = against->job->before;
	const struct rig *after = against->after->rig;
	const int count = (int)before->step_count - 1;
	int *clips = arena_alloc(against->arena, (size_t)after->clip_count, sizeof *clips);
	struct named *names = arena_alloc(against->arena, (size_t)count, sizeof *names);
	for (int i = 0; i < count; i++) {
		names[i] = (struct named){renderer_check_step_name(before, (size_t)i + 1), i + 1};
	}
	against_sort_names(names, count);
	for (int i = 0; i < after->clip_count; i++) {
		clips[i] = against_find_name(names, count, after->clips[i].name);
	}
	return clips;
}

static bool have_same_mesh(const struct rig *a, const struct rig *b) {
	bool same = a->vertex_count == b->vertex_count && a->index_count == b->index_count &&
		a->primitive_count == b->primitive_count &&
		(a->index_count == 0 ||
			memcmp(a->indices, b->indices,
				(size_t)a->index_count * sizeof *a->indices) == 0);
	for (int i = 0; same && i < a->primitive_count; i++) {
		const struct primitive *p = &a->primitives[i], *q = &b->primitives[i];
		same = p->topology == q->topology && p->first_vertex == q->first_vertex &&
			p->vertex_count == q->vertex_count && p->first_index == q->first_index &&
			p->index_count == q->index_count;
	}
	return same;
}

struct against against_pair(const struct check_against_job *job, struct arena *arena) {
	struct against against = {
		.job = job,
		.before = job->before->asset,
		.after = job->after->asset,
		.figure = job->after->steps[0].sink,
		.arena = arena,
	};
	against.partners = pair_joints(&against);
	against.clips = pair_clips(&against);
	against.same_mesh = have_same_mesh(against.before->rig, against.after->rig);
	return against;
}

double *against_times(const struct check_clip *before, const struct check_clip *after,
	struct arena *arena, int *count) {
	double *times =
		arena_alloc(arena, (size_t)before->count + (size_t)after->count, sizeof *times);
	int i = 0, k = 0;
	*count = 0;
	while (i < before->count || k < after->count) {
		const double a = i < before->count ? check_clip_time(before, i) : INFINITY;
		const double b = k < after->count ? check_clip_time(after, k) : INFINITY;
		const double next = fmin(a, b);
		i += a - next <= SAME_TIME;
		k += b - next <= SAME_TIME;
		times[(*count)++] = next;
	}
	return times;
}
