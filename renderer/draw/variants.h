/* Materials as a variant of a file (KHR_materials_variants) has them. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/value.h"
#include "model/rig.h"

/* The rig with the materials of a variant: a copy in the arena, that borrows all else; the rig
 * itself where there is nothing to choose (variant NULL). variant: its name or index, as the
 * request has it. NULL with ERROR_INVALID_VALUE, at the variant, where the rig has none of that
 * name. */
const struct rig *rig_with_variant(
	const struct rig *rig, const struct value *variant, struct arena *arena, struct error *err);
