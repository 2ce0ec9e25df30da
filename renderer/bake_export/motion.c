// An animation as a file of its joints' motion, which are neither skinned nor drawn.
#include "export/motion.h"

#include <stdlib.h>
#include <string.h>

#include "bake_export/bake_export.h"
#include "base/clock.h"
#include "base/memory.h"

/* Poses frame i of the subject. */
static bool add_frame(struct bake_export *bake, size_t i, struct arena *arena,
	struct transform *local, struct error *err) {
	const struct bake_export_job *job = bake->job;
	const struct rig *rig = job->subject.rig;
	struct pose_context context = pose_context_make(rig, arena, &bake->run);
	struct pose pose;
	context.time.clock_s = (double)bake->times[i];
	bake->run.joints = 0; // each frame counts by itself
	if (!stop_check(job->subject.stop, err) ||
		!pose_evaluate(&context, job->subject.pose, &pose, err)) {
		return false;
	}
	memcpy(local, pose.local, (size_t)rig->joint_count * sizeof *local);
	return true;
}

static bool add_frames(struct bake_export *bake, struct transform *local, struct error *err) {
	struct arena *arena = arena_create();
	bool ok = true;
	for (size_t i = 0; ok && i < bake->count; i++) {
		ok = add_frame(bake, i, arena,
			local + i * (size_t)bake->job->subject.rig->joint_count, err);
		arena_reset(arena);
	}
	arena_destroy(arena);
	return ok;
}

/* Both the frames and the least that is written of them. */
static bool check_size(
	struct bake_export *bake, const struct motion_format *format, struct error *err) {
	const int joints = bake->job->subject.rig->joint_count;
	const double frames = (double)bake->count;
	const double bytes = format->frame_bytes ? (double)format->frame_bytes(joints) : 0;
	return bake_export_check_bytes(
		       bake, frames * (double)joints * sizeof(struct transform), err) &&
		bake_export_check_bytes(bake, frames * bytes, err);
}

bool bake_export_motion(struct bake_export *bake, const struct motion_format *format,
	struct buffer *out, struct error *err) {
	const struct bake_export_job *job = bake->job;
	const size_t joints = (size_t)job->subject.rig->joint_count;
	if (!check_size(bake, format, err)) {
		return false;
	}
	struct transform *local =
		try_calloc(bake->count * joints + 1, sizeof *local, "the frames", err);
	bool ok = local && add_frames(bake, local, err);
	bake->report->times.pose_s = clock_lap_s(&bake->mark);
	const struct motion motion = {
		.rig = job->subject.rig,
		.rig_name = job->rig_name,
		.name = job->baked.name,
		.generator = job->generator,
		.frame_count = bake->count,
		.rate = bake->rate,
		.duration_s = bake->facts->duration_s,
		.local = local,
	};
	ok = ok && format->write(&motion, out, err);
	free(local);
	return ok && bake_export_check_bytes(bake, (double)out->size, err);
}
