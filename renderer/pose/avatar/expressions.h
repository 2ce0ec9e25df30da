/* Expressions of avatars: from weights to morph weights.
 *
 * Source: VRMC_vrm 1.0, expressions. */
#pragma once

#include "model/avatar_face.h"
#include "pose/pose.h"

/* How much of each expression shows: weights are clamped to [0, 1], binary ones are on above 0.5 or
 * off, blinks, gazes and mouths lose what others override of their kind, and a binary one that has
 * lost anything is off.
 *
 * weights, values  [expression_count]; may be the same */
void expressions_weigh(const struct avatar *avatar, const float *weights, float *values);

/* Makes a pose show expressions: every morph weight that any expression names is the sum of what
 * they add to it, from 0 on, and the face has the weights. The pose drives them then.
 *
 * weights  [expression_count] */
void expressions_apply(const struct rig *rig, const float *weights, struct pose *pose);

/* Copies the weights of expressions that a pose has to weights, [expression_count]; 0 where the rig
 * has no face. */
void expressions_of_pose(const struct rig *rig, const struct pose *pose, float *weights);

/* Position of an expression by its name; -1 = there is none. */
int expression_find(const struct avatar *avatar, const char *name);
