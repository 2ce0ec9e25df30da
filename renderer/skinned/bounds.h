/* Boxes around a rig's vertices: of its rest pose, and over the whole of a clip. */
#pragma once

#include "interface/poses.h"
#include "pose/pose.h"
#include "skin/plan.h"
#include "skinned/body_part.h"

struct renderer;

/* The box around the rig's vertices in one pose, by the default method. */
struct bounds rest_bounds(const struct rig *rig, const struct pose *pose);

/* The box around vertices of the plan's rig in one pose; here and below around its joints where it
 * has no vertices. False where the plan's options refuse the
 * pose. */
bool pose_bounds(const struct skin_plan *plan, const struct body_vertices *body,
	const struct pose *pose, struct bounds *out, struct error *err);

/* The box around vertices of the plan's rig over the whole of a clip: at 60 moments a second, at
 * every key, and wherever between them it may still grow by more than 1e-5 of its diagonal, as far
 * as the curvature tells; more seldom where that would take minutes. Kept in the renderer, since it
 * takes as long as hundreds of poses. False when it was stopped. */
bool clip_bounds(struct renderer *renderer, const struct skin_plan *plan,
	const struct body_vertices *body, int clip, const struct stop *stop, struct bounds *out,
	struct error *err);

/* The box over the whole of every clip that an expression samples, and around the pose itself where
 * it is more than one clip. Fails like pose_evaluate. */
bool expression_bounds(struct renderer *renderer, const struct skin_plan *plan,
	const struct body_vertices *body, const struct pose_job *posing, struct bounds *out,
	struct error *err);
