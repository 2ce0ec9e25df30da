/* The figure at the moment of a finding, and the vertices that it is about. */
#pragma once

#include "check/asset.h"
#include "check/skinner.h"

struct evidence_scene {
	const struct check_asset *asset;
	const struct check_finding *finding;
	const float *positions; // [vertex_count][3] of the rig, in the world
	const int *subject;     // [subject_count] finite vertices that the finding is about
	int subject_count;
	double place[3];           // of the joint; the figure's middle where there is none
	int joint;                 // position in rig->joints; -1 = none
	const int (*triangles)[3]; // [triangle_count] corners of the finding's triangles
	int triangle_count;
};

/* The figures of one asset, one after another. */
struct evidence_stage;

struct check_run;

struct evidence_stage *evidence_stage_create(const struct check_run *run, struct arena *arena);

/* Poses the figure as a finding of the run has it; at rest where that has no moment. What *out
 * borrows stays until the next call. False where skinning refuses the pose. */
bool evidence_stage_set(struct evidence_stage *stage, const struct check_finding *finding,
	struct evidence_scene *out, struct error *err);

/* The clip of a finding in the run; NULL = it has none. */
const struct check_clip *evidence_clip(
	const struct check_run *run, const struct check_finding *finding);
