/* From an expression to all that skinning takes: the plan, the pose, its palette. */
#pragma once

#include "interface/report.h"
#include "model/posed_subject.h"
#include "pose/operations.h"
#include "skin/plan.h"

struct renderer;

/* One pose made ready for skinning; all but the plan is in the arena. */
struct prepared {
	struct skin_plan plan;
	const struct rig *rig; // plan.rig
	bool on_gpu;
	const double (*matrices)[12]; // [rig->slot_count]
	struct skin_palette palette;
	const float *weights; // [rig->weight_count] morph weights
	struct pose pose;     // that it was made of, whose arrays are its maker's
	double time_s; // the moment of the clip that the expression samples last; 0 = of none
	const struct value
		*expression; // that prepare() evaluated; NULL = rest, or a pose was given
};

/* A skinning job. */
struct prepare_params {
	struct posed_subject subject;
	struct pose_run *run;       // of the frames before; NULL = this is alone
	struct skin_memory *memory; // of the frames before; NULL = there are none
};

/* Makes the plan, evaluates the pose and fills the palette. Fails like renderer_vertices; then
 * there is nothing to finish. */
bool prepare(const struct renderer *renderer, const struct prepare_params *params,
	struct arena *arena, struct prepared *out, struct error *err);
void prepared_finish(struct prepared *prepared);

/* The same from a plan, which is copied and stays the caller's, and a pose of its rig. False with
 * ERROR_INVALID_VALUE where the plan's options refuse the pose. */
bool prepare_from_pose(const struct skin_plan *plan, const struct pose *pose, struct arena *arena,
	struct prepared *out, struct error *err);

/* The method and device that will be used; the times are still 0. */
struct skinning_report prepared_report(const struct prepared *prepared);

/* Adds to a report what skinning it has found, once it is skinned. */
void prepared_add_outcome(const struct prepared *prepared, struct skinning_report *report);

/* For each primitive whether the pose turns it inside out, judged by its first vertex's pivot. In
 * the arena. */
const bool *prepared_mirrored(const struct prepared *prepared, struct arena *arena);

/* For each primitive by how much the pose scales it, judged likewise: the cube root of what becomes
 * of volumes. In the arena. */
const float *prepared_scales(const struct prepared *prepared, struct arena *arena);
