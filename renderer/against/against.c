// An asset against an earlier version of it.
#include "interface/against.h"

#include "against/pairing.h"
#include "base/stop.h"
#include "check/rules.h"

/* The rules of clips that both versions have. */
static bool compare_clip(const struct against *against, const struct check_step *before,
	const struct check_step *after, struct error *err) {
	return stop_check(against->job->stop, err) && against_motion(against, before, after, err) &&
		against_surface(against, before, after, err);
}

bool renderer_check_against(const struct check_against_job *job, struct error *err) {
	struct arena *arena = arena_create();
	const struct against against = against_pair(job, arena);
	bool ok = stop_check(job->stop, err);
	if (ok) {
		against_skeleton(&against);
		against_mesh(&against);
		against_materials(&against);
		ok = against_shape(&against, err);
	}
	for (size_t i = 1; ok && i < job->after->step_count; i++) {
		const struct check_step *after = &job->after->steps[i];
		const int before = against.clips[after->clip];
		ok = before < 0 || compare_clip(&against, &job->before->steps[before], after, err);
	}
	arena_destroy(arena);
	return ok;
}
