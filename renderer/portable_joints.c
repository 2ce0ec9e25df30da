// A motion as a GLB with the rig's joints, skins and an animation of them.
#include <string.h>

#include "base/clock.h"
#include "portable.h"

bool portable_check_linear(const struct portable *portable, struct error *err) {
	const struct portable_job *job = portable->job;
	const struct skin_plan_wish wish = {
		.rig = job->rig, .settings = &job->skinning, .clip = -1};
	struct skin_plan plan;
	struct skin_plan_progress progress;
	if (!skin_plan_look(portable->renderer->library, &wish, false, &plan, &progress, err)) {
		return false;
	}
	const bool linear = strcmp(plan.asked.method->id, "lbs") == 0 && !plan.kmax.method &&
		plan.normals == NORMALS_OWN;
	const char *id = plan.asked.method->id;
	skin_plan_finish(&plan);
	return linear ||
		value_error(job->baked.form_place, err, ERROR_INVALID_VALUE,
			"\"%s\" is played by whoever shows it with \"lbs\" and its own normals, "
			"not with %s and these options; \"vertex_texture\" and \"morph\" show any",
			job->baked.form_place->string, id);
}

static bool bake(struct portable *portable, struct clip *clip, struct error *err) {
	const struct portable_job *job = portable->job;
	const struct bake_job baking = {
		.posing = {job->rig, job->pose, job->sources, job->stop},
		.duration_s = portable->facts->duration_s,
		.rate = portable->rate,
		.most_frames = job->most_frames,
		.place = job->baked.place,
	};
	return renderer_bake_clip(&baking, portable->arena, clip, err);
}

bool portable_joints(struct portable *portable, struct buffer *out, struct error *err) {
	const struct portable_job *job = portable->job;
	const struct rig *rig = job->rig;
	struct clip clip;
	if (!portable_check_linear(portable, err) || !bake(portable, &clip, err)) {
		return false;
	}
	portable->report->times.pose_s = clock_lap_s(&portable->mark);
	portable->report->method = "lbs";
	portable->report->device = "cpu";
	portable->facts->vertices = (size_t)rig->vertex_count;
	clip.name = arena_strndup(portable->arena, job->baked.name, strlen(job->baked.name));
	const struct export_rigging rigging = {.clip = &clip};
	struct export_job export = portable_export_job(portable, rig);
	export.tangents = rig->tangents;
	export.rigging = &rigging;
	return export_glb(&export, out, err);
}
