// The weight of each joint in each vertex.
#include "skinned/influences.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fit/joints.h"
#include "interface/poses.h"
#include "pose/find.h"

static void add_primitive(
	const struct rig *rig, const struct primitive *primitive, int joint, float *out) {
	const size_t influences = (size_t)primitive->influence_count;
	for (size_t v = 0; v < (size_t)primitive->vertex_count; v++) {
		const size_t first = primitive->first_influence + v * influences;
		for (size_t k = first; k < first + influences; k++) {
			const int slot = primitive->first_slot + rig->influence_slots[k];
			if (rig->slots[slot].joint == joint) {
				out[(size_t)primitive->first_vertex + v] +=
					rig->influence_weights[k];
			}
		}
	}
}

void influences_of_joint(const struct rig *rig, int joint, float *out) {
	for (int i = 0; i < rig->primitive_count; i++) {
		add_primitive(rig, &rig->primitives[i], joint, out);
	}
}

int influences_count(const struct rig *rig, const struct primitive *primitive, size_t vertex) {
	const size_t first =
		primitive->first_influence + vertex * (size_t)primitive->influence_count;
	int count = 0;
	while (count < primitive->influence_count &&
		rig->influence_weights[first + (size_t)count] > 0) {
		count++;
	}
	return count;
}

void renderer_influence_counts(const struct rig *rig, float *out) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (int v = 0; v < primitive->vertex_count; v++) {
			out[primitive->first_vertex + v] =
				(float)influences_count(rig, primitive, (size_t)v);
		}
	}
}

void influences_sum(const struct rig *rig, double *out) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		const size_t first = primitive->first_influence;
		const size_t count =
			(size_t)primitive->vertex_count * (size_t)primitive->influence_count;
		for (size_t k = first; k < first + count; k++) {
			const int slot = primitive->first_slot + rig->influence_slots[k];
			out[rig->slots[slot].joint] += (double)rig->influence_weights[k];
		}
	}
}

static void add_support(const struct rig *rig, int joint, float *out) {
	int *owners = xcalloc((size_t)rig->vertex_count + 1, sizeof *owners);
	joints_assign_supports(rig, &joint, 1, owners);
	for (int v = 0; v < rig->vertex_count; v++) {
		out[v] = owners[v] == 0;
	}
	free(owners);
}

bool renderer_influences(const struct rig *rig, const char *joint, enum influence_kind kind,
	float *out, struct error *err) {
	const struct value root = {.kind = VALUE_OBJECT};
	const struct value member = {.kind = VALUE_STRING, .key = joint, .parent = &root};
	const int found = pose_find_joint(rig, &member, err);
	if (found < 0) {
		return false;
	}
	memset(out, 0, (size_t)rig->vertex_count * sizeof *out);
	if (kind == INFLUENCE_SUPPORT) {
		add_support(rig, found, out);
		return true;
	}
	influences_of_joint(rig, found, out);
	return true;
}
