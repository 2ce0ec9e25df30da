/* Shared by asset.c, parts.c and reach.c: the parts of measuring an asset, in their order. */
#pragma once

#include "check/asset.h"

/* Weight from which on a vertex is one of a joint's. */
#define CHECK_CARRIED_WEIGHT 0.1

/* A joint's origin in the world at rest. */
void check_joint_origin(const struct check_asset *asset, int joint, double out[static 3]);

/* Measures own radii and reaches of an asset whose vertices are known at rest. */
void check_measure_reaches(struct check_asset *asset);

/* Finds the ends of bones: active children, or own vertices where a joint has none. */
void check_find_ends(struct check_asset *asset);

/* Finds root, hip, ground, feet, pairs and bones of an asset whose lengths are known. */
void check_find_parts(struct check_asset *asset);
