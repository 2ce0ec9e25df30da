// What must stay of a rig for its examples to fit a new version of it.
#include "store/shape.h"

#include <string.h>

#include "base/buffer.h"

void shape_of(const struct rig *rig, struct shape *out) {
	struct buffer text = {0};
	buffer_append(&text, &rig->joint_count, sizeof rig->joint_count);
	for (int i = 0; i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		buffer_append(&text, joint->name, strlen(joint->name) + 1);
		buffer_append(&text, &joint->parent, sizeof joint->parent);
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		buffer_append(&text, &primitive->vertex_count, sizeof primitive->vertex_count);
	}
	hash_bytes(text.data, text.size, out->joints);
	buffer_finish(&text);
	hash_bytes(rig->indices, (size_t)rig->index_count * sizeof *rig->indices, out->triangles);
}
