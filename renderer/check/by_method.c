// The rig's vertices with another skinning method than the one that is checked.
#include "check/by_method.h"

#include <string.h>

#include "base/mat.h"
#include "check/skinner.h"
#include "pose/sample/sampler.h"

struct check_by_method {
	const struct check_asset *asset;
	struct skin_plan plan;
	struct check_skinner *skinner;
	struct pose pose;
	double (*world)[12], (*mirrored)[12];
	float *positions;                     // [3 * vertex_count] mirrored back
	bool is_mirror;                       // at rest
	struct check_surface_sample vertices; // of the last call
};

static void finish_plan(void *plan) {
	skin_plan_finish(plan);
}

/* True when every slot of a rig turns left into right at rest: the figure is mirrored as a whole.
 */
static bool is_mirrored(const struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	for (int i = 0; i < rig->slot_count; i++) {
		const double(*world)[12] = &asset->rest_world[rig->slots[i].joint];
		if (mat_determinant(*world) * mat_determinant(rig->slots[i].inverse_bind) >= 0) {
			return false;
		}
	}
	return rig->slot_count > 0;
}

struct check_by_method *check_by_method_create(
	const struct check_asset *asset, const char *id, struct arena *arena) {
	const struct value method = {.kind = VALUE_STRING, .string = id};
	const struct skin_plan_params params = {
		.subject = {.rig = asset->rig, .skinning = {.method = &method}},
		.clip = -1,
	};
	struct check_by_method *by = arena_alloc(arena, 1, sizeof *by);
	by->asset = asset;
	if (!skin_plan_make(NULL, &params, &by->plan, NULL)) {
		return NULL;
	}
	arena_defer(arena, finish_plan, &by->plan);
	by->skinner = check_skinner_create(&by->plan, arena);
	by->pose = pose_rest(asset->rig, arena);
	by->world = arena_alloc(arena, (size_t)asset->rig->joint_count, sizeof *by->world);
	by->mirrored = arena_alloc(arena, (size_t)asset->rig->joint_count, sizeof *by->mirrored);
	by->positions =
		arena_alloc(arena, 3 * (size_t)asset->rig->vertex_count, sizeof *by->positions);
	by->is_mirror = is_mirrored(asset);
	return by;
}

/* Methods that blend rigid motions take a reflection for a stretch about each joint: of a figure
 * that is mirrored as a whole its mirror image is skinned, and mirrored back. */
static bool skin_mirrored(struct check_by_method *by, const struct check_pose *pose) {
	const struct rig *rig = by->asset->rig;
	struct check_pose image = *pose;
	memcpy(by->mirrored, pose->world, (size_t)rig->joint_count * sizeof *by->mirrored);
	for (int i = 0; i < rig->joint_count; i++) {
		for (int k = 0; k < 4; k++) {
			by->mirrored[i][k] = -by->mirrored[i][k];
		}
	}
	image.world = (const double(*)[12])by->mirrored;
	if (!check_skinner_run(by->skinner, &image, &by->vertices, NULL)) {
		return false;
	}
	memcpy(by->positions, by->vertices.positions,
		3 * (size_t)rig->vertex_count * sizeof *by->positions);
	for (int i = 0; i < rig->vertex_count; i++) {
		by->positions[i * 3] = -by->positions[i * 3];
	}
	by->vertices.positions = by->positions;
	by->vertices.at = *pose;
	return true;
}

const struct check_surface_sample *check_by_method_pose(
	struct check_by_method *by, const struct check_pose *pose) {
	const bool skinned = by->is_mirror
		? skin_mirrored(by, pose)
		: check_skinner_run(by->skinner, pose, &by->vertices, NULL);
	return skinned ? &by->vertices : NULL;
}

const struct check_surface_sample *check_by_method_sample(
	struct check_by_method *by, const struct check_clip *clip, int sample) {
	const double time_s = check_clip_time(clip, sample);
	pose_set_rest(by->asset->rig, 0, &by->pose);
	clip_sample(by->asset->rig, clip->clip, time_s, &by->pose);
	pose_to_world(by->asset->rig, &by->pose, by->world);
	const struct check_pose pose = {
		by->asset, clip, sample, time_s, &by->pose, (const double(*)[12])by->world};
	return check_by_method_pose(by, &pose);
}
