/* Operations that bring ends of chains to goals: they differ in how they solve. */
#pragma once

#include "pose/ik/solve.h"
#include "pose/operations.h"

/* Evaluates {NAME: P, "goals": [{"end", "root", "target", "rotation", "weight"}, ...], "limits",
 * "iterations", "tolerance", "weight"}.
 *
 * name        the operation's
 * step        of its solver
 * iterations  when the request does not say
 * cost        of one step for so many nodes and goals, as joints posed */
bool goals_evaluate(struct pose_context *context, const struct value *value, const char *name,
	ik_step *step, int iterations, double (*cost)(double nodes, double goals), struct pose *out,
	struct error *err);
