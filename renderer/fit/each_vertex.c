// One vertex after another.
#include "fit/each_vertex.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fit/joints.h"

/* Vertices that are fitted between looks at the clock. */
#define STEP 256

int fit_influence_max(const struct rig *rig) {
	int most = 1;
	for (int p = 0; p < rig->primitive_count; p++) {
		const int count = rig->primitives[p].influence_count;
		most = count > most ? count : most;
	}
	return most;
}

/* Finds who the v-th vertex of a primitive follows. */
static void look_at(const struct rig *rig, const struct primitive *primitive, int v,
	struct followed_vertex *vertex) {
	const size_t count = (size_t)primitive->influence_count;
	const size_t first = primitive->first_influence + (size_t)v * count;
	vertex->vertex = primitive->first_vertex + v;
	vertex->count = 0;
	for (size_t i = first; i < first + count; i++) {
		if (rig->influence_weights[i] > 0) {
			vertex->slots[vertex->count] =
				primitive->first_slot + rig->influence_slots[i];
			vertex->weights[vertex->count] = rig->influence_weights[i];
			vertex->influences[vertex->count++] = i;
		}
	}
}

bool fit_each_vertex(
	const struct fit_input *input, fit_vertex fit, void *context, struct error *err) {
	const struct rig *rig = input->rig;
	const size_t most = (size_t)fit_influence_max(rig);
	struct followed_vertex vertex = {
		.slots = xcalloc(most, sizeof *vertex.slots),
		.weights = xcalloc(most, sizeof *vertex.weights),
		.influences = xcalloc(most, sizeof *vertex.influences),
	};
	bool ok = true;
	for (int p = 0; ok && p < rig->primitive_count; p++) {
		const struct primitive *primitive = &rig->primitives[p];
		for (int v = 0; ok && v < primitive->vertex_count; v++) {
			look_at(rig, primitive, v, &vertex);
			ok = fit(context, &vertex, err) &&
				(vertex.vertex % STEP != STEP - 1 ||
					fit_step(input, (double)vertex.vertex / rig->vertex_count,
						err));
		}
	}
	free(vertex.slots);
	free(vertex.weights);
	free(vertex.influences);
	return ok && fit_step(input, 1, err);
}

/* A forest over joints, in which those of a group have the same root. */
static int root_of(const int *above, int joint) {
	while (above[joint] != joint) {
		joint = above[joint];
	}
	return joint;
}

/* Joins an example's joints; returns their root, -1 where the example is left out. */
static int join(const struct fit_input *input, const bool *bends, int example, bool one_joint,
	int *above, bool *turned, int *moved, struct fit_example_report *report) {
	const int count = joints_moved(input->rig, bends, input->examples[example].local, moved);
	report->verdict = FIT_USED;
	if (count == 0) {
		report->verdict = FIT_MOVES_NOTHING;
		return -1;
	}
	if (one_joint && count > 1) {
		report->verdict = FIT_MOVES_SEVERAL;
		report->joint = moved[0];
		return -1;
	}
	for (int i = 0; i < count; i++) {
		turned[moved[i]] = true;
		above[root_of(above, moved[i])] = root_of(above, moved[0]);
	}
	return moved[0];
}

/* Fills the group of a root. firsts are joints of the examples, -1 for those left out. */
static struct group gather(const struct fit_input *input, int root, const int *above,
	const bool *turned, const int *firsts, struct arena *arena) {
	const int joints = input->rig->joint_count, examples = input->example_count;
	struct group group = {0};
	group.joints = arena_alloc(arena, (size_t)joints, sizeof *group.joints);
	group.examples = arena_alloc(arena, (size_t)examples, sizeof *group.examples);
	for (int j = 0; j < joints; j++) {
		if (turned[j] && root_of(above, j) == root) {
			group.joints[group.joint_count++] = j;
		}
	}
	for (int e = 0; e < examples; e++) {
		if (firsts[e] >= 0 && root_of(above, firsts[e]) == root) {
			group.examples[group.example_count++] = e;
		}
	}
	return group;
}

int groups_find(const struct fit_input *input, bool one_joint, struct arena *arena,
	struct fit_example_report *reports, struct group **groups) {
	const size_t joints = (size_t)input->rig->joint_count + 1;
	const size_t examples = (size_t)input->example_count + 1;
	bool *bends = arena_alloc(arena, joints, sizeof *bends);
	bool *turned = arena_alloc(arena, joints, sizeof *turned);
	int *above = arena_alloc(arena, joints, sizeof *above);
	int *moved = arena_alloc(arena, joints, sizeof *moved);
	int *firsts = arena_alloc(arena, examples, sizeof *firsts);
	joints_that_bend(input->rig, bends);
	for (int j = 0; j < input->rig->joint_count; j++) {
		above[j] = j;
	}
	for (int e = 0; e < input->example_count; e++) {
		firsts[e] = join(input, bends, e, one_joint, above, turned, moved, &reports[e]);
	}
	*groups = arena_alloc(arena, joints, sizeof **groups);
	int count = 0;
	for (int j = 0; j < input->rig->joint_count; j++) {
		if (turned[j] && root_of(above, j) == j) {
			(*groups)[count++] = gather(input, j, above, turned, firsts, arena);
		}
	}
	return count;
}
