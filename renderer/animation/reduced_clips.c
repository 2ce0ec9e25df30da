// Clips with few keys: exported whole, then optimised as any file.
#include "animation/reduced_clips.h"

#include <string.h>

#include "export/clip.h"
#include "interface/assets.h"
#include "pose/sample/expand.h"

static struct rig *read_back(const struct buffer *file, struct error *err) {
	return renderer_import(file->data, file->size, err);
}

/* The rig as export_clips() writes it: joints' positions are the nodes' indices, and the clips
 * those of the job that have channels, in its order. */
static struct rig view_of(const struct reduce_job *job, struct arena *arena) {
	struct rig rig = *job->rig;
	rig.joints = arena_alloc(arena, (size_t)rig.joint_count + 1, sizeof *rig.joints);
	memcpy(rig.joints, job->rig->joints, (size_t)rig.joint_count * sizeof *rig.joints);
	for (int i = 0; i < rig.joint_count; i++) {
		rig.joints[i].index = i;
	}
	rig.clips = arena_alloc(arena, (size_t)job->count + 1, sizeof *rig.clips);
	rig.clip_count = 0;
	for (int i = 0; i < job->count; i++) {
		const struct clip *clip = &job->rig->clips[job->clips[i]];
		if (clip->channel_count > 0) {
			rig.clips[rig.clip_count++] = *clip_expand(job->rig, clip, arena);
		}
	}
	return rig;
}

static bool optimise(const struct reduce_job *job, const struct rig *rig,
	const struct buffer *whole, struct arena *arena, struct optimise_clip *found,
	struct buffer *out, struct error *err) {
	struct optimise_job optimise = {.rig = rig,
		.bytes = whole->data,
		.size = whole->size,
		.tolerance_m = job->tolerance_m,
		.shell_m = job->shell_m,
		.rate = job->rate,
		.stop = job->stop,
		.progress = job->progress,
		.left = arena_alloc(arena, (size_t)rig->clip_count + 1, sizeof(bool))};
	return renderer_optimise_within(&optimise, read_back, found, out, err);
}

/* Moves what was found of clips with channels to the job's positions. */
static void spread(const struct reduce_job *job, int count, struct optimise_clip *found) {
	for (int i = job->count - 1; i >= 0; i--) {
		const bool has_channels = job->rig->clips[job->clips[i]].channel_count > 0;
		found[i] = has_channels ? found[--count] : (struct optimise_clip){0};
	}
}

bool reduce_clips(const struct reduce_job *job, struct arena *arena, struct optimise_clip *found,
	struct buffer *out, struct error *err) {
	const struct rig rig = view_of(job, arena);
	struct buffer whole = {0};
	const bool done = export_clips(&rig, rig.clips, rig.clip_count, job->generator,
				  job->max_bytes, &whole, err) &&
		optimise(job, &rig, &whole, arena, found, out, err);
	buffer_finish(&whole);
	spread(job, rig.clip_count, found);
	return done;
}
