/* Pictures of findings. */
#pragma once

#include "evidence/scene.h"
#include "interface/evidence.h"

/* Draws the stills of a finding, and its animation where the job wants that, and adds them to it;
 * what cannot be drawn is left out. False with ERROR_CONTEXT_LOST and from the stop. */
bool evidence_draw(struct renderer *renderer, const struct check_evidence_job *job,
	const struct evidence_scene *scene, struct arena *arena, struct check_finding *finding,
	struct error *err);
