/* The face of a VRM animation on an avatar. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

struct face_job {
	const struct rig *from;  // a VRM animation
	const struct clip *clip; // of it
	const struct rig *to;    // an avatar
	const float *times;      // [count] ascending, the frames
	size_t count;
};

/* Most warnings of one face. */
#define FACE_WARNINGS 3

/* Adds to a clip of the avatar the weights of expressions and the gaze that the animation's nodes
 * stand for: linear keys at the times, in the arena, of the weights that are the avatar's face
 * (model/avatar_face.h).
 *
 * warnings  [FACE_WARNINGS] are filled, *count of them: what the avatar lacks
 * Never fails. Source: VRMC_vrm_animation 1.0. */
void face_add(const struct face_job *job, struct arena *arena, struct clip *clip,
	const char **warnings, size_t *warning_count);
