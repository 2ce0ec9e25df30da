// How long an expression is.
#include "pose/motion/length.h"

bool pose_find_length(const struct rig *rig, const struct value *expression,
	const struct pose_run *like, double *length_s, bool *sampled, struct error *err) {
	struct arena *arena = arena_create();
	struct pose_run run = {.arena = arena, .sources = like->sources, .stop = like->stop};
	struct pose_context context = pose_context_make(rig, arena, &run);
	struct pose ignored;
	const bool fine = pose_evaluate(&context, expression, &ignored, err);
	*length_s = run.clip_s;
	if (sampled) {
		*sampled = run.sampled;
	}
	arena_destroy(arena);
	return fine;
}
