// How much each vertex follows a joint.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fit/joints.h"
#include "interface/poses.h"
#include "pose/find.h"
#include "skinned/influences.h"

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
