// Moments at which clips can follow one another without blending, and the check against a core
// pose.
#include <math.h>

#include "interface/clips.h"
#include "pose/find.h"
#include "pose/motion/transition.h"
#include "pose/operations.h"

_Static_assert(RENDERER_TRANSITIONS_MAX == TRANSITIONS_MAX, "one limit");

/* The tolerances of the core pose. METHODS C.10. */
#define CORE_DISTANCE 1e-3
#define CORE_SPEED 0.05

static bool check_rate(
	const struct transitions_job *job, const struct clip *clip, struct error *err) {
	const int most = transition_most_moments(job->subject.rig);
	return job->rate <= 0 || !transition_too_many(clip, job->rate, most) ||
		value_error(job->rate_source, err, ERROR_INVALID_VALUE,
			"\"rate\" makes more than %d moments of a clip's %g s", most,
			clip->duration_s);
}

static bool check_end(const struct core_end *end, const struct value *source, struct error *err) {
	return (isfinite(end->distance) && isfinite(end->speed)) ||
		value_error(source, err, ERROR_INVALID_VALUE,
			"the clip takes joints farther than float32 reaches");
}

static bool keeps_to(const struct core_end *end) {
	return end->distance < CORE_DISTANCE && end->speed < CORE_SPEED;
}

/* Holds the end of the first clip and the start of the second against the core. */
static bool measure_core(const struct transitions_job *job, const struct transition_job *clips,
	struct arena *arena, struct found_transitions *out, struct error *err) {
	const struct rig *rig = clips->rig;
	struct pose_context context = pose_context_make(rig, arena, clips->run);
	struct pose core;
	if (!pose_evaluate(&context, job->subject.pose, &core, err)) {
		return false;
	}
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	pose_to_world(rig, &core, world);
	if (!pose_check_world(rig, (const double(*)[12])world, err)) {
		return false;
	}
	struct transition_end ends[2];
	transition_measure_end(rig, clips->from, clips->from->duration_s, &core, arena, &ends[0]);
	transition_measure_end(rig, clips->to, 0, &core, arena, &ends[1]);
	out->has_core = true;
	out->from_end = (struct core_end){ends[0].distance, ends[0].speed};
	out->to_start = (struct core_end){ends[1].distance, ends[1].speed};
	out->core_passes = keeps_to(&out->from_end) && keeps_to(&out->to_start);
	return check_end(&out->from_end, job->from, err) && check_end(&out->to_start, job->to, err);
}

bool renderer_transitions(const struct transitions_job *job, struct arena *arena,
	struct found_transitions *out, struct error *err) {
	const struct rig *rig = job->subject.rig;
	struct pose_run run = {
		.arena = arena, .sources = job->subject.sources, .stop = job->subject.stop};
	struct transition_job clips = {
		.rig = rig, .rate = job->rate, .source = job->from, .run = &run};
	clips.from = pose_find_clip(rig, job->from, err);
	clips.to = clips.from ? pose_find_clip(rig, job->to, err) : NULL;
	struct transition found[TRANSITIONS_MAX];
	*out = (struct found_transitions){0};
	if (!clips.to || !check_rate(job, clips.from, err) || !check_rate(job, clips.to, err) ||
		!transition_find(&clips, found, job->most, &out->count, err) ||
		(job->subject.pose && !measure_core(job, &clips, arena, out, err))) {
		return false;
	}
	struct found_transition *items = arena_alloc(arena, (size_t)out->count, sizeof *items);
	for (int i = 0; i < out->count; i++) {
		items[i] = (struct found_transition){
			found[i].from_s, found[i].to_s, found[i].distance, found[i].velocity};
	}
	out->from = clips.from;
	out->to = clips.to;
	out->items = items;
	return true;
}
