// The poses of examples.
#include "fit/poses.h"

#include "base/mat.h"
#include "pose/operations.h"

/* The slots' matrices in a pose. */
static double (*build_matrices(
	const struct rig *rig, const double (*world)[12], struct arena *arena))[12] {
	double(*matrices)[12] = arena_alloc(arena, (size_t)rig->slot_count + 1, sizeof *matrices);
	for (int i = 0; i < rig->slot_count; i++) {
		const struct palette_slot *slot = &rig->slots[i];
		mat_multiply(world[slot->joint], slot->inverse_bind, matrices[i]);
	}
	return matrices;
}

bool fit_pose_example(const struct rig *rig, const struct example *example, struct arena *arena,
	struct fit_example *out, const float **weights, struct error *err) {
	struct pose_context context = pose_context_make(rig, arena, NULL);
	struct error inner = {0};
	struct pose pose;
	if (!pose_evaluate(&context, example ? example->pose : NULL, &pose, &inner)) {
		return error_set(err, inner.code, "the pose of the example \"%s\": %s",
			example->name, inner.text);
	}
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count + 1, sizeof *world);
	pose_to_world(rig, &pose, world);
	*weights = pose.weights;
	*out = (struct fit_example){
		.name = example ? example->name : "rest",
		.local = pose.local,
		.world = (const double(*)[12])world,
		.matrices =
			(const double(*)[12])build_matrices(rig, (const double(*)[12])world, arena),
		.rest_positions = rig->positions,
		.rest_normals = rig->normals,
		.positions = example ? example->positions : NULL,
		.normals = example ? example->normals : NULL,
	};
	return true;
}
