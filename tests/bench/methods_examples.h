/* Examples for the methods that are fitted to some, so that they can be measured: poses of a few
 * joints, each turned alone, with vertices as dual quaternions skin them. */
#pragma once

#include "model/examples.h"
#include "model/rig.h"

/* joints are names, ended by NULL; each is turned about Z by several angles. One reference. NULL
 * with *err. */
struct examples *methods_examples(
	const struct rig *rig, const char *const *joints, struct error *err);
