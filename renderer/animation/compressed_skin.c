// Poses skinned on the CPU, for what compression has done to them.
#include "animation/compressed_skin.h"

#include <string.h>

#include "skinned/prepare.h"
#include "skinned/skin.h"

static bool skin_pose(void *context, const struct pose *pose, float *positions, struct error *err) {
	struct compressed_skin *skin = context;
	const size_t floats = 3 * (size_t)skin->plan.rig->vertex_count;
	const struct skin_room room = {&skin->morphed, &skin->displaced};
	const struct streams streams = {
		.positions = positions, .normals = scratch_get(&skin->normals, floats)};
	struct prepared prepared;
	arena_reset(skin->arena);
	if (!prepare_from_pose(&skin->plan, pose, skin->arena, &prepared, err)) {
		skin->has_refused = true;
		return false;
	}
	skin_on_cpu(&prepared, &room, &streams);
	return true;
}

/* True when vertices are where linear blending takes them, which compression does by itself, more
 * exactly. */
static bool is_linear(const struct skin_plan *plan) {
	return strcmp(plan->requested.method->id, "lbs") == 0;
}

bool compressed_skin_make(
	const struct compress_job *job, struct compressed_skin *out, struct error *err) {
	const struct skin_plan_params params = {.subject = job->pose.subject, .clip = -1};
	*out = (struct compressed_skin){.arena = arena_create()};
	if (params.subject.rig->vertex_count == 0) {
		return value_error(job->metric_source, err, ERROR_INVALID_VALUE,
			"the rig has no vertices, and so no skin to measure at");
	}
	if (!skin_plan_make(job->library, &params, &out->plan, err)) {
		return false;
	}
	out->metric = (struct skin_metric){.rig = out->plan.rig,
		.skin = is_linear(&out->plan) ? NULL : skin_pose,
		.context = out,
		.free_unskinned = job->free_unskinned};
	return true;
}

void compressed_skin_finish(struct compressed_skin *skin) {
	skin_plan_finish(&skin->plan);
	scratch_finish(&skin->normals);
	scratch_finish(&skin->morphed);
	scratch_finish(&skin->displaced);
	arena_destroy(skin->arena);
}
