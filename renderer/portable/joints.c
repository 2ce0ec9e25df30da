// A motion as a GLB with the rig's joints, skins and an animation of them.
#include <string.h>

#include "base/clock.h"
#include "interface/clips.h"
#include "interface/vertices.h"
#include "portable/portable.h"

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
	return portable_export(portable, &export, out, err);
}
