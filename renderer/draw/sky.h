/* Light from all around, as a few numbers describe it. */
#pragma once

#include "base/settings.h"
#include "bindings.glsl"

/* A bright rectangle far away, that faces us. */
struct soft_box {
	float yaw_deg, pitch_deg; // where its middle is: 0, 0 is behind the viewer, 90, 0 right
	float half_width, half_height; // at distance 1
	float softness;                // of its edge, at distance 1
	float radiance[3];
};

/* Radiance is such that a white surface with 1 all around is as bright as white paper. */
struct sky {
	float zenith[3], horizon[3], nadir[3];
	struct soft_box boxes[ENVIRONMENT_BOXES];
	int box_count;
};

extern const struct sky skies[ENVIRONMENT_NONE];

/* A box as environment.comp has it: the direction of its middle and the softness, its right and
 * half its width, its up and half its height, its radiance and 0. The same bits everywhere. */
void soft_box_rows(const struct soft_box *box, float rows[static 16]);
