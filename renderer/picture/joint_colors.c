// The colours of joints on the vertices of a rig, for clients that draw themselves.
#include "interface/poses.h"
#include "shading/shading.h"

void renderer_joint_colors(const struct rig *rig, float (*out)[3]) {
	struct arena *arena = arena_create();
	shading_joint_colors(rig, arena, out);
	arena_destroy(arena);
}
