// The rig's vertices in one pose after another.
#include "check/skinner.h"

#include "skin/displacement.h"
#include "skin/palette.h"

struct check_skinner {
	const struct skin_plan *plan;
	struct arena *scratch;    // of one pose
	double (*matrices)[12];   // [slot_count]
	float *skinned, *morphed; // [2 * 3 * vertex_count + 1]: positions, then normals
	float *spare;             // [6 * vertex_count]
};

static void destroy_scratch(void *skinner) {
	arena_destroy(((struct check_skinner *)skinner)->scratch);
}

struct check_skinner *check_skinner_create(const struct skin_plan *plan, struct arena *arena) {
	const struct rig *rig = plan->rig;
	const size_t floats = 6 * (size_t)rig->vertex_count;
	struct check_skinner *skinner = arena_alloc(arena, 1, sizeof *skinner);
	*skinner = (struct check_skinner){
		.plan = plan,
		.scratch = arena_create(),
		.matrices = arena_alloc(arena, (size_t)rig->slot_count, sizeof *skinner->matrices),
		.skinned = arena_alloc(arena, floats + 1, sizeof(float)),
		.morphed = rig->weight_count > 0 ? arena_alloc(arena, floats + 1, sizeof(float))
						 : NULL,
		.spare = arena_alloc(arena, floats, sizeof(float)),
	};
	arena_defer(arena, destroy_scratch, skinner);
	return skinner;
}

bool check_skinner_run(struct check_skinner *skinner, const struct check_pose *pose,
	struct check_surface_sample *out, struct error *err) {
	const struct rig *rig = skinner->plan->rig;
	const size_t normals = 3 * (size_t)rig->vertex_count;
	const double(*matrices)[12] = (const double(*)[12])skinner->matrices;
	const bool morphs = morph_is_active(rig, pose->pose->weights);
	arena_reset(skinner->scratch);
	palette_build(rig, pose->world, skinner->matrices);
	if (morphs) {
		morph_apply(rig, pose->pose->weights, skinner->morphed, skinner->morphed + normals,
			NULL);
	}
	*out = (struct check_surface_sample){
		.at = *pose,
		.positions = skinner->skinned,
		.normals = skinner->skinned + normals,
		.matrices = matrices,
		.morphed = morphs ? skinner->morphed : rig->positions,
		.is_morphed = morphs,
	};
	const struct prepare_job prepare = {
		.rig = rig,
		.matrices = matrices,
		.world = pose->world,
		.local = pose->pose->local,
		.arena = skinner->scratch,
	};
	struct skin_palette palette;
	if (!skin_plan_prepare(skinner->plan, &prepare, &palette, err)) {
		return false;
	}
	const struct skin_job job = {
		.positions = out->morphed,
		.normals = morphs ? skinner->morphed + normals : rig->normals,
		.out_positions = skinner->skinned,
		.out_normals = skinner->skinned + normals,
	};
	skin_plan_run(skinner->plan, &palette, &job, skinner->spare, false);
	return true;
}
