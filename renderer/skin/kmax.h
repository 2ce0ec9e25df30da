/* Fewer influences, for any method: each vertex keeps its kmax greatest, which sum to 1 again
 * (METHODS 0.3.5). A step of a plan, before all others. */
#pragma once

#include "skin/method.h"

/* The step in the form of a method that has a recipe alone. Its data has a rig of fewer influences,
 * or none where no vertex has more. */
extern const struct skinning_method kmax_step;

/* Whether settings ask for it, that is for fewer than any vertex has. The option's value in
 * *options. False with *wanted false, too, and ERROR_INVALID_VALUE for a value out of range. */
bool kmax_read(const struct skinning_settings *settings, struct skin_options *options, bool *wanted,
	struct error *err);
