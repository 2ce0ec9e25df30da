/* The rig's vertices in one pose after another, in memory that is taken once. */
#pragma once

#include "base/arena.h"
#include "check/samples.h"
#include "skin/plan.h"

/* One for each thread. */
struct check_skinner;

/* plan is borrowed, and its rig is the one of checks. */
struct check_skinner *check_skinner_create(const struct skin_plan *plan, struct arena *arena);

/* Morphs and skins the vertices of a pose, whose world matrices are known. What *out borrows stays
 * until the next call. Rigs without vertices come out empty. False with ERROR_INVALID_VALUE where
 * the plan's options refuse the pose. */
bool check_skinner_run(struct check_skinner *skinner, const struct check_pose *pose,
	struct check_surface_sample *out, struct error *err);
