// The pose of a picture at other times by the clock.
#include "overlay/moments.h"

#include <math.h>

void moments_begin(struct moments *moments, const struct frame_job *job,
	const struct prepared *prepared, struct arena *arena, struct arena *spare) {
	*moments = (struct moments){
		.job = job,
		.expression = prepared->expression,
		.run = {.arena = arena, .sources = job->subject.sources, .stop = job->subject.stop},
		.spare = spare,
	};
}

bool moments_pose(struct moments *moments, double later_s, struct pose *pose, int *clip,
	double *clip_s, struct error *err) {
	const struct frame_job *job = moments->job;
	arena_reset(moments->spare);
	struct pose_context context =
		pose_context_make(job->subject.rig, moments->spare, &moments->run);
	context.time.clock_s = job->subject.clock_s + later_s;
	const bool ok = stop_check(job->subject.stop, err) &&
		pose_evaluate(&context, moments->expression, pose, err);
	if (ok && clip) {
		*clip = context.clip;
		*clip_s = context.time_s;
	}
	return ok;
}

bool moments_world(
	struct moments *moments, double later_s, double (*world)[12], struct error *err) {
	struct pose pose;
	if (!moments_pose(moments, later_s, &pose, NULL, NULL, err)) {
		return false;
	}
	pose_to_world(moments->job->subject.rig, &pose, world);
	return pose_check_world(moments->job->subject.rig, (const double(*)[12])world, err);
}

bool moments_length(struct moments *moments, struct moments_length *out, struct error *err) {
	struct pose pose;
	if (!moments_pose(moments, 0, &pose, NULL, NULL, err)) {
		return false;
	}
	const double length_s = moments->run.clip_s;
	const double gone_s = moments->job->subject.clock_s - moments->run.clip_start_s;
	*out = (struct moments_length){
		.length_s = length_s,
		.start_s = -fmin(fmax(gone_s, 0), length_s),
	};
	return true;
}
