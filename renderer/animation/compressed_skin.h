/* The skin that compressed clips are held against, by any method. */
#pragma once

#include "compress/skin_probe.h"
#include "interface/compressed_clips.h"
#include "skin/plan.h"
#include "state/state.h"

struct compressed_skin {
	struct skin_metric metric; // whose context this is
	struct skin_plan plan;
	struct arena *arena; // of one pose
	struct scratch normals, morphed, displaced;
	bool has_refused; // a pose could not be skinned
};

/* Makes a job's skin, which must stay where it is, and be finished also after failing. Fails like
 * skin_plan_make, and with ERROR_INVALID_VALUE where the rig has no vertices. */
bool compressed_skin_make(
	const struct compress_job *job, struct compressed_skin *out, struct error *err);
void compressed_skin_finish(struct compressed_skin *skin);
