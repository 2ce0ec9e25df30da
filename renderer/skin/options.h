/* The options that several skinning methods share, so that all spell them alike. */
#pragma once

#include "skin/option.h"

/* How antipodal quaternions are told apart: METHODS 0.6. */
enum skin_sign {
	SKIN_SIGN_PIVOT,     // per vertex, after the influence of greatest weight
	SKIN_SIGN_HIERARCHY, // once per pose, each joint after its parent
	SKIN_SIGN_TEMPORAL,  // each joint against its parent as in the frame before
};

/* What becomes of joints that scale or shear where a method takes rigid ones: METHODS 0.4. */
enum skin_scale {
	SKIN_SCALE_TWO_PHASE, // the stretches are blended linearly, then the rigid rest
	SKIN_SCALE_IGNORE,    // stretches are dropped
	SKIN_SCALE_ERROR,     // the request fails
};

/* Where a joint's rotation comes from: METHODS 0.4. */
enum skin_rigid_from {
	SKIN_RIGID_FROM_POLAR, // the polar decomposition of its matrix
	SKIN_RIGID_FROM_CHAIN, // the product of the local rotations, for joints of scale 0
};

/* What becomes of vertices that a method cannot skin. */
enum skin_fallback {
	SKIN_FALLBACK_SBS,   // they are skinned by sbs, and counted
	SKIN_FALLBACK_ERROR, // the request fails
};

extern const struct skin_option skin_option_sign, skin_option_sign_hierarchy; // by default
extern const struct skin_option skin_option_scale, skin_option_rigid_from;
extern const struct skin_option skin_option_fallback;

/* The method whose kernel one without a kernel of its own runs; lbs by default. */
extern const struct skin_option skin_option_base;
