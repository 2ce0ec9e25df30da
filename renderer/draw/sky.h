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

/* A sky with its boxes as rows. */
struct baked_sky {
	const struct sky *sky;
	float boxes[ENVIRONMENT_BOXES][16];
};
struct baked_sky sky_bake(const struct sky *sky);

/* Radiance from a unit direction, and how much of the first box is seen there, [0, 1]. */
void sky_radiance(const struct baked_sky *baked, const double d[static 3], double out[static 4]);

/* The luminance of a white surface that faces the zenith. */
double sky_luminance_above(const struct sky *sky);
