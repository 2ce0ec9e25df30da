/* Materials as expressions of an avatar change them for one picture. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

/* The rig's materials with the colours and the texture transforms that expressions have at these
 * weights, [rig->avatar->expression_count]: of each the base and the sum over all expressions of
 * their distance from it times the weight. Colours that a material does not have, such as a rim
 * without MToon, are left out. In the arena; NULL = nothing changes, draw rig->materials.
 * Source: VRM 1.0, VRMC_vrm, materialColorBinds and textureTransformBinds. */
struct material *materials_with_expressions(
	const struct rig *rig, const float *weights, struct arena *arena);

/* The rig with such materials in the place of its own: a copy in the arena, that borrows all else;
 * the rig itself where nothing changes. */
const struct rig *rig_with_expressions(
	const struct rig *rig, const float *weights, struct arena *arena);
