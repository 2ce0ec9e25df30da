/* Where avatars look: by their eyes' joints, or by expressions, as their files say.
 *
 * Source: VRMC_vrm 1.0, lookAt; VRM 0.x, firstPerson. */
#pragma once

#include "model/avatar_face.h"
#include "pose/pose.h"

/* Degrees in the axes of the model, turned with its head. */
struct gaze {
	double yaw_deg;   // to the avatar's left
	double pitch_deg; // down
};

/* The gaze along a direction of any length, in the axes of a model that faces +z. */
struct gaze gaze_along(const double direction[static 3]);

/* The gaze at a point of the world in a pose; straight ahead where the point is between the eyes.
 * The avatar has a head. */
struct gaze gaze_at(const struct rig *rig, const struct pose *pose, const double point[static 3]);

/* Turns the eyes that the avatar has, or sets the weights of its four expressions of looking and
 * shows them with what the pose has of others, a share of the way from where they are. The avatar
 * has a look_at.
 *
 * weights  [expression_count] of the pose's expressions, which are changed */
void gaze_apply(const struct rig *rig, const struct gaze *gaze, double share, float *weights,
	struct pose *pose);
