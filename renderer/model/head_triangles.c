// The triangles of an avatar that its head moves.
#include "model/head_triangles.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The joints of the head and below, [joint_count]; to be freed. */
static bool *find_joints(const struct rig *rig) {
	bool *joints = xcalloc((size_t)rig->joint_count, sizeof *joints);
	const int head = rig->avatar->bones[AVATAR_BONE_head];
	if (head >= 0) { // which files of motion may lack
		joints[head] = true;
	}
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		joints[i] = joints[i] || (parent >= 0 && joints[parent]);
	}
	return joints;
}

static bool is_of_head(const struct rig *rig, const struct primitive *primitive, const bool *joints,
	size_t vertex) {
	const size_t count = (size_t)primitive->influence_count;
	const size_t first = primitive->first_influence + vertex * count;
	for (size_t k = first; k < first + count; k++) {
		const int slot = primitive->first_slot + rig->influence_slots[k];
		if (rig->influence_weights[k] > 0 && joints[rig->slots[slot].joint]) {
			return true;
		}
	}
	return false;
}

/* For each vertex of a primitive whether the head moves it, [vertex_count]; to be freed. */
static bool *find_vertices(
	const struct rig *rig, const struct primitive *primitive, const bool *joints) {
	const size_t count = (size_t)primitive->vertex_count;
	bool *of_head = xcalloc(count + 1, sizeof *of_head);
	for (size_t i = 0; i < count; i++) {
		of_head[i] = is_of_head(rig, primitive, joints, i);
	}
	return of_head;
}

static bool is_triangle_of_head(const bool *of_head, const uint32_t *corners) {
	return of_head[corners[0]] || of_head[corners[1]] || of_head[corners[2]];
}

static bool sort_primitive(
	struct rig *rig, const struct primitive *primitive, const bool *joints, struct error *err) {
	uint32_t *indices = rig->indices + primitive->first_index;
	const size_t count = (size_t)primitive->index_count;
	uint32_t *last = try_calloc(count + 1, sizeof *last, "triangles of a head", err);
	if (!last) {
		return false;
	}
	bool *of_head = find_vertices(rig, primitive, joints);
	size_t kept = 0, moved = 0;
	for (size_t i = 0; i < count; i += 3) {
		const bool moves = is_triangle_of_head(of_head, indices + i);
		memmove(moves ? last + moved : indices + kept, indices + i, 3 * sizeof *indices);
		*(moves ? &moved : &kept) += 3;
	}
	memcpy(indices + kept, last, moved * sizeof *last);
	free(of_head);
	free(last);
	return true;
}

bool head_triangles_sort(struct rig *rig, struct error *err) {
	bool *joints = find_joints(rig);
	bool ok = true;
	for (int i = 0; ok && i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		ok = primitive->topology != TOPOLOGY_TRIANGLES ||
			sort_primitive(rig, primitive, joints, err);
	}
	free(joints);
	return ok;
}

static int count_kept(
	const struct rig *rig, const struct primitive *primitive, const bool *of_head) {
	const uint32_t *indices = rig->indices + primitive->first_index;
	int kept = 0;
	while (kept < primitive->index_count && !is_triangle_of_head(of_head, indices + kept)) {
		kept += 3;
	}
	return kept;
}

int head_triangles_first(const struct rig *rig, const struct primitive *primitive) {
	bool *joints = find_joints(rig);
	bool *of_head = find_vertices(rig, primitive, joints);
	const bool triangles = primitive->topology == TOPOLOGY_TRIANGLES;
	const int first = triangles ? count_kept(rig, primitive, of_head)
		: of_head[0]        ? 0
				    : primitive->index_count;
	free(of_head);
	free(joints);
	return first;
}
