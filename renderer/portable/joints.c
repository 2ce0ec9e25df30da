// A motion as a GLB with the rig's joints, skins and an animation of them.
#include <string.h>

#include "base/clock.h"
#include "interface/clips.h"
#include "interface/vertices.h"
#include "model/prune.h"
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

/* The joints that nothing follows, since their mesh follows a skin: [joint_count] in the arena. */
static const bool *find_idle(const struct rig *rig, struct arena *arena) {
	bool *idle = arena_alloc(arena, (size_t)rig->joint_count, sizeof *idle);
	for (int i = 0; i < rig->primitive_count; i++) {
		idle[rig->primitives[i].joint] |= rig->primitives[i].skinned;
	}
	for (int i = 0; i < rig->slot_count; i++) {
		idle[rig->slots[i].joint] = false;
	}
	for (int i = 0; i < rig->joint_count; i++) {
		if (rig->joints[i].parent >= 0) {
			idle[rig->joints[i].parent] = false;
		}
	}
	return idle;
}

/* glTF has such nodes not animated, but for their morph weights. */
static void leave_out_idle(const struct rig *rig, struct arena *arena, struct clip *clip) {
	const bool *idle = find_idle(rig, arena);
	int count = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		if (channel->path == CHANNEL_WEIGHTS || !idle[channel->joint]) {
			clip->channels[count++] = *channel;
		}
	}
	clip->channel_count = count;
}

static bool write(struct portable *portable, const struct rig *rig, struct clip *clip,
	struct buffer *out, struct error *err) {
	leave_out_idle(rig, portable->arena, clip);
	const struct export_rigging rigging = {.clip = clip};
	struct export_job export = portable_export_job(portable, rig);
	export.tangents = rig->tangents;
	export.rigging = &rigging;
	return portable_export(portable, &export, out, err);
}

static bool write_pruned(
	struct portable *portable, const struct clip *clip, struct buffer *out, struct error *err) {
	struct clip pruned;
	struct rig *rig = prune_rig(portable->job->rig, clip, &pruned, portable->arena, err);
	const bool written = rig && write(portable, rig, &pruned, out, err);
	rig_release(rig);
	return written;
}

bool portable_joints(struct portable *portable, struct buffer *out, struct error *err) {
	const struct portable_job *job = portable->job;
	struct clip clip;
	if (!portable_check_linear(portable, err) || !bake(portable, &clip, err)) {
		return false;
	}
	portable->report->times.pose_s = clock_lap_s(&portable->mark);
	portable->report->method = "lbs";
	portable->report->device = "cpu";
	portable->facts->vertices = (size_t)job->rig->vertex_count;
	clip.name = arena_strndup(portable->arena, job->baked.name, strlen(job->baked.name));
	return job->baked.prune ? write_pruned(portable, &clip, out, err)
				: write(portable, job->rig, &clip, out, err);
}
