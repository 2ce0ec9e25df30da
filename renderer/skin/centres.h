/* Rotation centres: where vertices turn about that are moved by v' = Q (v - r) + r', Q being their
 * joints' rotations blended. Shared by the methods that blend rotations and no translations.
 *
 * A centre is that of a set of joints (sbs: the point that the set's joints move to places that
 * differ least, found anew in every pose, and its images under them blended), or one joint's own
 * position, which goes where that joint takes it (sjb, bones_blend; vertices whose joints do not
 * meet in one point fall back on their set's).
 * Sources: Kavan, Zara. Spherical Blend Skinning. I3D 2005; Hejl. Hardware Skinning with
 * Quaternions. Game Programming Gems 4, 2004. METHODS A7, A10. */
#pragma once

#include "skin/method.h"

/* A palette entry: the rigid motion (see turned.h), then the stretch (see rigid.h). */
#define CENTRES_ENTRY_FLOATS 32
#define CENTRES_STRETCH_AT 16

/* Behind the entries a row for every slot's joint, then one for every set: r and whether its images
 * are blended (1) or r' follows (0); r' and a zero. */
#define CENTRES_ROW_FLOATS 8

/* Sections of the data. */
enum centres_section {
	CENTRES_ROWS,    // [vertex_count] each vertex' row
	CENTRES_STARTS,  // [set count + 1] where a set's slots start among CENTRES_SLOTS
	CENTRES_SLOTS,   // slots in the rig, ascending within a set
	CENTRES_ANCHORS, // [set count][4] where a set's bind positions have their weighted middle,
			 // and how far from it they reach
	CENTRES_SECTIONS,
};

extern const struct skin_recipe centres_of_sets;   // each vertex has its set's
extern const struct skin_recipe centres_of_joints; // a joint's where it can be

size_t centres_extra_floats(const struct rig *rig, const struct skin_data *data);

/* Fills palette entries and rows. ERROR_INVALID_VALUE for what the options refuse that rigid.h
 * knows, or `fallback`. */
bool centres_prepare(const struct prepare_job *job, float *palette, struct error *err);
