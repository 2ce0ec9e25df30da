// Rigs of nothing but joints, written as a tree of names.
#include "trees.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

#define JOINTS_MAX 256

struct rig *rig_tree(const char *tree) {
	struct rig *rig = rig_create();
	rig->joints = rig_storage(rig, JOINTS_MAX, sizeof *rig->joints, "a test rig", NULL);
	int parent = -1;
	for (const char *at = tree; *at;) {
		const size_t length = strcspn(at, "(),");
		if (length > 0) {
			assert(rig->joint_count < JOINTS_MAX);
			rig->joints[rig->joint_count] = (struct joint){
				.name = xstrndup(at, length),
				.index = rig->joint_count,
				.parent = parent,
				.rest = TRANSFORM_IDENTITY,
			};
			rig->joints[rig->joint_count].rest.translation[1] = 1;
			rig->joint_count++;
			at += length;
		} else if (*at == '(') {
			parent = rig->joint_count - 1;
			at++;
		} else {
			parent = *at == ')' ? rig->joints[parent].parent : parent;
			at++;
		}
	}
	return rig;
}
